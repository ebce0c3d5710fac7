import type { CollectionName } from '#shared/facts/names'
import { parseRecordKey } from '#shared/domain/collections'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { listOfFirst, nameAt, valueAt } from '#shared/fields/path'
import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import type { Computed } from '../../replica/api'
import type { DeliveredMetric } from './delivered'
import type { PacingCell } from './pacing-cell'

export const isComputed = (path: string): boolean => path.startsWith('fx.')

/** Records to count, by the field that refers to the row. */
export interface Counted {
  collection: CollectionName
  by: string
  /** Sums what the placements delivered instead of counting them. */
  metric?: DeliveredMetric
}
/** What the row itself delivered. */
interface Delivering {
  metric: DeliveredMetric
}
/** How the row delivers compared with its booking. */
interface Paced {
  paced: 'words' | 'percent'
}

type CellOf = (path: string) => Json | undefined
/** Value of a cell, given how to read the other cells of its row. */
type Reading = (cell: CellOf, around: Around) => Json | undefined
interface Around {
  /** `2026-06-10` */
  today: string
  dayOf: (cell: Json | undefined) => string | undefined
}

/** A computed column. Its values are computed from other cells, or count the records that refer to the row. */
interface ComputedColumn {
  head: string
  /** Numbers and amounts (in billionths) are right-aligned. Absent for text. */
  format?: 'number' | 'money'
  value?: Reading
  /** The kinds that have the column, each with the records it counts, or true if it computes a value. */
  kinds: Readonly<Partial<Record<CollectionName, Counted | Delivering | Paced | true>>>
}

const prices = 'pricingSchedule.pricingPeriods'
const firstUnits = `${prices}.0.units`
const firstRate = `${prices}.0.rateOrCostNanos`

/** What columns of a record's first price show if it has several. */
const ofSeveral: Readonly<Record<string, (all: readonly Json[]) => Json | undefined>> = {
  [firstUnits]: (all) => {
    const units = all.map((one) => (isJsonObject(one) ? one['units'] : undefined))
    return units.every(isWhole) ? String(units.reduce((sum, one) => sum + BigInt(one), 0n)) : undefined
  },
  [firstRate]: (all) => `${all.length} prices`,
}
const isWhole = (text: Json | undefined): text is string => typeof text === 'string' && /^\d+$/.test(text)

/** The prices of a record if a column is about its first one, and it has others. */
function severalAt(cell: CellOf, path: string): readonly Json[] | undefined {
  const all = Object.hasOwn(ofSeveral, path) ? cell(listOfFirst(path)!) : undefined
  return Array.isArray(all) && all.length > 1 ? all : undefined
}
/** True if a column is about the first of several prices, so that it shows what they are together. */
export const isOfSeveral = (cell: CellOf, path: string): boolean => severalAt(cell, path) !== undefined
/** The rates of several prices. Undefined for one price, and for columns without rates. */
export const ratesAt = (cell: CellOf, path: string): readonly (Json | undefined)[] | undefined =>
  path === firstRate ? severalAt(cell, path)?.map((one) => valueAt(one, nameAt(path))) : undefined

/** What a column shows: all prices of a record together, otherwise its value. */
export function shownAt(cell: CellOf, path: string): Json | undefined {
  const several = severalAt(cell, path)
  return several ? ofSeveral[path]!(several) : cell(path)
}

const delivered = (metric: DeliveredMetric): ComputedColumn['kinds'] => ({
  placements: { metric },
  placementGroups: { collection: 'placements', by: 'placementGroupId', metric },
  campaigns: { collection: 'placements', by: 'campaignId', metric },
})

const computed: Readonly<Record<string, ComputedColumn>> = {
  'fx.phase': {
    head: 'Phase',
    kinds: { campaigns: true, placements: true, placementGroups: true, ads: true },
    value: (cell, { today, dayOf }) =>
      phaseOf(
        dayOf(cell('startDate') ?? cell('pricingSchedule.startDate') ?? cell('startTime')),
        dayOf(cell('endDate') ?? cell('pricingSchedule.endDate') ?? cell('endTime')),
        today,
      ),
  },
  'fx.cost': {
    head: 'Cost',
    format: 'money',
    kinds: { placements: true, placementGroups: true },
    value: (cell) => {
      const type = cell('pricingSchedule.pricingType')
      const several = severalAt(cell, firstUnits)
      return several ? costOfPrices(type, several) : costOf(type, cell(firstUnits), cell(firstRate))
    },
  },
  'fx.level': {
    head: 'Level',
    kinds: { eventTags: true },
    value: (cell) => (cell('campaignId') ? 'Campaign' : cell('advertiserId') ? 'Advertiser' : undefined),
  },
  'fx.placements': {
    head: 'Placements',
    format: 'number',
    kinds: {
      campaigns: { collection: 'placements', by: 'campaignId' },
      contentCategories: { collection: 'placements', by: 'contentCategoryId' },
    },
  },
  'fx.campaigns': {
    head: 'Campaigns',
    format: 'number',
    kinds: { advertisers: { collection: 'campaigns', by: 'advertiserId' } },
  },
  'fx.activities': {
    head: 'Activities',
    format: 'number',
    kinds: { trackingActivityGroups: { collection: 'trackingActivities', by: 'trackingActivityGroupId' } },
  },
  'fx.impressions': { head: 'Impressions', format: 'number', kinds: delivered('impressions') },
  'fx.clicks': { head: 'Clicks', format: 'number', kinds: delivered('clicks') },
  'fx.pacing': { head: 'Pacing', kinds: { placements: { paced: 'words' } } },
  'fx.pace': { head: 'Plan %', format: 'number', kinds: { placements: { paced: 'percent' } } },
}

/** The computed column of a path, or undefined. */
export const computedOf = (path: string): ComputedColumn | undefined => computed[path]
export const headOfComputed = (path: string): string | undefined => computed[path]?.head

/** Paths of the computed columns of a kind. */
export const computedPathsOf = (kind: CollectionName): string[] =>
  Object.keys(computed).filter((path) => computed[path]!.kinds[kind] !== undefined)

/** The records that a computed column counts for a kind. Undefined if it doesn't count any. */
export function countedBy(path: string, kind: CollectionName): Counted | undefined {
  const counted = computed[path]?.kinds[kind]
  return typeof counted === 'object' && 'by' in counted ? counted : undefined
}

/** The metric of a column that shows what was delivered. Undefined for others. */
export function metricOf(path: string, kind: CollectionName): DeliveredMetric | undefined {
  const source = computed[path]?.kinds[kind]
  return typeof source === 'object' && 'metric' in source ? source.metric : undefined
}

/** What a column shows of the pacing. Undefined for others. */
export function pacedBy(path: string, kind: CollectionName): Paced['paced'] | undefined {
  const source = computed[path]?.kinds[kind]
  return typeof source === 'object' && 'paced' in source ? source.paced : undefined
}
/** True if a column is about results on this computer. */
export const fromResults = (path: string, kind: CollectionName): boolean =>
  metricOf(path, kind) !== undefined || pacedBy(path, kind) !== undefined

/** True if a column needs more than its record. */
export const needsMore = (path: string, kind: CollectionName): boolean =>
  typeof computed[path]?.kinds[kind] === 'object'

/** Reads the day of a date or of a moment in a zone. Cached, because many records share start and end. */
function dayReader(zone: string): (cell: Json | undefined) => string | undefined {
  const known = new Map<string, string>()
  return (cell) => {
    if (typeof cell !== 'string') return undefined
    const at = cell.includes('T') ? Date.parse(cell) : NaN
    if (!Number.isFinite(at)) return cell.slice(0, 10)
    let day = known.get(cell)
    if (day === undefined) known.set(cell, (day = dateOfWall(wallOfInstant(at, zone))))
    return day
  }
}

/** Phase of a flight on a day (`2026-06-10`). The last day is part of the flight. */
export function phaseOf(start: string | undefined, end: string | undefined, today: string): string | undefined {
  if (!start && !end) return undefined
  if (start && start > today) return 'Upcoming'
  if (end && end < today) return 'Ended'
  const days = end ? (Date.parse(end) - Date.parse(today)) / 86_400_000 : Infinity
  return days < 7 ? 'Ending' : 'Live'
}

/** Cost of a price, in billionths: per thousand impressions, per click or action, or flat. */
export function costOf(type: Json | undefined, units: Json | undefined, rate: Json | undefined): string | undefined {
  if (!isWhole(rate) || typeof type !== 'string') return undefined
  if (type.includes('FLAT_RATE')) return rate
  if (!isWhole(units)) return undefined
  const cost = BigInt(rate) * BigInt(units)
  return String(type.includes('CPM') ? cost / 1_000n : cost)
}

/** Cost of all prices of a record, in billionths. Undefined if it has none, or one can’t be computed. */
export function costOfRecord(value: JsonObject | null): string | undefined {
  const schedule = value?.['pricingSchedule']
  const periods = isJsonObject(schedule) ? schedule['pricingPeriods'] : undefined
  return Array.isArray(periods) && periods.length > 0
    ? costOfPrices((schedule as JsonObject)['pricingType'], periods)
    : undefined
}

function costOfPrices(type: Json | undefined, all: readonly Json[]): string | undefined {
  let sum = 0n
  for (const price of all) {
    const cost = isJsonObject(price) ? costOf(type, price['units'], price['rateOrCostNanos']) : undefined
    if (cost === undefined) return undefined
    sum += BigInt(cost)
  }
  return String(sum)
}

/**
 * Functions that compute those columns of one kind that aren't only values. `counts` returns undefined until the records have been counted, and
 * `totals` without results on this computer.
 * @param isHere false if what belongs to a record isn't on this computer, so that nothing to count doesn't mean none
 */
export function computedColumns(
  kind: CollectionName,
  paths: readonly string[],
  { today, zone }: { today: string; zone: string },
  counts: (counted: Counted) => ReadonlyMap<string, number> | undefined,
  isHere: (counted: Counted, key: string, cell: Parameters<Computed>[0]) => boolean = () => true,
  totals: (metric: DeliveredMetric) => ReadonlyMap<string, number> | undefined = () => undefined,
  pacings: () => ReadonlyMap<string, PacingCell> | null = () => null,
): Record<string, Computed> {
  const made: Record<string, Computed> = {}
  const around: Around = { today, dayOf: dayReader(zone) }
  for (const path of paths) {
    const counted = countedBy(path, kind)
    const metric = metricOf(path, kind)
    const paced = pacedBy(path, kind)
    const value = computed[path]?.value
    if (counted) {
      const known = counts(counted)
      const none = metric === undefined ? 0 : undefined
      made[path] = (cell, key) => {
        const count = known?.get(parseRecordKey(key).id)
        // A sum without some of the placements would be wrong.
        if (count !== undefined && metric === undefined) return count
        return known && isHere(counted, key, cell) ? (count ?? none) : undefined
      }
    } else if (metric) {
      const known = totals(metric)
      made[path] = (_cell, key) => known?.get(parseRecordKey(key).id)
    } else if (paced) {
      const known = pacings()
      made[path] = (_cell, key) => known?.get(parseRecordKey(key).id)?.[paced]
    } else if (value) made[path] = (cell) => value(cell, around)
    else if (Object.hasOwn(ofSeveral, path)) made[path] = (cell) => shownAt(cell, path)
  }
  return made
}
