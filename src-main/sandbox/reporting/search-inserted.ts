import type { Service } from '../operation'
import type { Day } from './days'
import { conversionSums, type InsertedConversion } from './conversion-sums'
import { seedOf } from './hash'
import type { Tree } from './tree'

/** Stored form of a search service conversion: the clients' view of it, and the objects it counts for. */
export interface KeptConversion {
  /** In the public format, as clients get it. */
  shown: Record<string, unknown> & { conversionId: string; conversionTimestamp: string }
  day: Day
  activityId: string
  advertiserId: string
  campaignId?: string
  adGroup?: number
  keyword?: number
  ad?: number
  sale: boolean
  quantity: number
  /** A client set the quantity; without it, the service did. */
  quantitySet?: boolean
  revenueMicros: number
  removed: boolean
  /** For a generated conversion that a client changed: its cell and its previous value. */
  generated?: { cell: string; sale: boolean; revenueMicros: number }
}

/** Key of a cell among all: IDs of placement, ad and creative. */
export const cellKey = (cell: {
  placement?: { id?: unknown }
  ad?: { id?: unknown }
  creative?: { id?: unknown }
}): string => [cell.placement?.id, cell.ad?.id, cell.creative?.id].map((id) => String(id ?? '')).join(' ')

export function storedSearchConversions(service: Service, tree: Tree): InsertedConversion[] {
  const rows = service.store.all<{ data: string }>('SELECT data FROM search_conversions ORDER BY number')
  if (rows.length === 0) return []
  const cells = new Map(tree.cells.map((cell) => [cellKey(cell), cell]))
  return rows.flatMap(({ data }) => {
    const kept = JSON.parse(data) as KeptConversion
    const activity = tree.activities.get(kept.activityId)
    const cell = kept.generated ? cells.get(kept.generated.cell) : undefined
    const around = activity && {
      advertiser: activity.advertiser,
      advertiserGroup: activity.advertiserGroup,
      configuration: activity.configuration,
    }
    const place = cell ?? {
      ...around,
      advertiser: tree.byId('advertisers', kept.advertiserId),
      campaign: tree.byId('campaigns', kept.campaignId),
    }
    const { day, adGroup, keyword, ad } = kept
    const one = {
      place,
      position: cell?.place,
      day,
      activity,
      seed: seedOf(kept.shown.conversionId),
      search: { adGroup, keyword, ad },
    }
    const sums: InsertedConversion[] = []
    if (kept.generated) {
      const { sale, revenueMicros } = kept.generated
      sums.push({ ...one, sums: conversionSums(1, revenueMicros, sale, -1) })
    }
    if (!kept.removed) sums.push({ ...one, sums: conversionSums(kept.quantity, kept.revenueMicros, kept.sale) })
    return sums
  })
}
