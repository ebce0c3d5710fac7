import type { Service } from '../operation'
import { objectsOf } from '../trafficking/objects'
import { dayAt } from './days'
import { seedOf } from './hash'
import { conversionSums, type InsertedConversion } from './conversion-sums'
import { storedSearchConversions } from './search-inserted'
import type { Cell, Tree } from './tree'

/** Conversions that clients inserted through either service. Skips unknown activities. */
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

function variablesOf(value: unknown): Record<string, string> | undefined {
  if (!Array.isArray(value)) return undefined
  const entries = value as Array<{ type?: string; value?: string }>
  return Object.fromEntries(entries.map(({ type, value: text }) => [String(type), String(text)]))
}
