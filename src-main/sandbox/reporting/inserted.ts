import type { Service } from '../operation'
import { objectsOf } from '../trafficking/objects'
import { dayAt, type Day } from './days'
import { seedOf } from './hash'
import { measureIndex as at, newSums, type Sums } from './measures'
import { storedSearchConversions } from './search-inserted'
import type { Activity, Cell, Place, Tree } from './tree'

/** A conversion that a client sent, with the place it is attributed to. */
export interface InsertedConversion {
  place: Place
  /** Position of the placement in the campaign, where there is one. */
  position?: number
  day: Day
  activity?: Activity
  /** Only the measures of conversions; below zero where a conversion was taken back. */
  sums: Sums
  /** From the user identifier: the same person belongs to the same place and audience. */
  seed: number
  /** Custom variables by type: `U1` and so on. */
  variables?: Readonly<Record<string, string>>
  /** Numbers of ad group, keyword and ad in the campaign, where it came through the search service. */
  search?: { adGroup?: number; keyword?: number; ad?: number }
}

/** What clients inserted through either service; unknown activities are left out. */
export function insertedConversions(service: Service, tree: Tree, zone: string): InsertedConversion[] {
  const found: InsertedConversion[] = []
  const live = new Map<string, Cell[]>()
  for (const row of objectsOf(service.store).list('conversions')) {
    const activity = tree.activities.get(String(row.trackingActivityId))
    if (!activity) continue
    const day = dayAt(Number(row.timestampMicros) / 1000, zone)
    const user = [
      row.gclid,
      row.dclid,
      row.matchId,
      row.mobileDeviceId,
      row.encryptedUserId,
      row.encryptedUserIdCandidates,
    ]
    const seed = seedOf(JSON.stringify(user))
    const key = `${String(activity.advertiser?.id)} ${day}`
    let cells = live.get(key)
    if (!cells) {
      cells = tree.cells.filter(
        (cell) => cell.advertiser?.id === activity.advertiser?.id && cell.from <= day && day <= cell.to,
      )
      live.set(key, cells)
    }
    const cell = cells[seed % Math.max(1, cells.length)]
    const { advertiser, advertiserGroup, configuration } = activity
    found.push({
      place: cell ?? { advertiser, advertiserGroup, configuration },
      position: cell?.place,
      day,
      activity,
      sums: conversionSums(Number(row.quantity ?? 1), Math.round(Number(row.value ?? 0) * 1e6), activity.sale),
      seed,
      variables: variablesOf(row.customVariables),
    })
  }
  return [...found, ...storedSearchConversions(service, tree)]
}

/** One conversion after a click; a quantity below 1 does not count. */
export function conversionSums(quantity: number, revenueMicros: number, sale: boolean, sign = 1): Sums {
  const sums = newSums()
  if (quantity <= 0) return sums
  sums[at.clickConversions] = sign
  sums[at.quantity] = sign * quantity
  sums[at.clickRevenueMicros] = sign * revenueMicros
  if (sale) sums[at.clickTransactions] = sign
  return sums
}

function variablesOf(value: unknown): Record<string, string> | undefined {
  if (!Array.isArray(value)) return undefined
  const entries = value as Array<{ type?: string; value?: string }>
  return Object.fromEntries(entries.map(({ type, value: text }) => [String(type), String(text)]))
}
