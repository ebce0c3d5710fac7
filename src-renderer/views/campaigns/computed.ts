import type { CollectionName } from '#shared/facts/names'
import { parseRecordKey } from '#shared/domain/collections'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
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

/** Value of a cell, given how to read the other cells of its row. */
type Reading = (cell: (path: string) => Json | undefined, around: Around) => Json | undefined
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
    value: (cell) =>
      costOf(
        cell('pricingSchedule.pricingType'),
        cell('pricingSchedule.pricingPeriods.0.units'),
        cell('pricingSchedule.pricingPeriods.0.rateOrCostNanos'),
      ),
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

/** Cost of the first price, in billionths: per thousand impressions, per click or action, or flat. */
export function costOf(type: Json | undefined, units: Json | undefined, rate: Json | undefined): string | undefined {
  if (typeof rate !== 'string' || !/^\d+$/.test(rate) || typeof type !== 'string') return undefined
  if (type.includes('FLAT_RATE')) return rate
  if (typeof units !== 'string' || !/^\d+$/.test(units)) return undefined
  const cost = BigInt(rate) * BigInt(units)
  return String(type.includes('CPM') ? cost / 1_000n : cost)
}

/** Cost of all prices of a record, in billionths. Undefined if it has none, or one can’t be computed. */
export function costOfRecord(value: JsonObject | null): string | undefined {
  const schedule = value?.['pricingSchedule']
  const periods = isJsonObject(schedule) ? schedule['pricingPeriods'] : undefined
  if (!isJsonObject(schedule) || !Array.isArray(periods) || periods.length === 0) return undefined
  let sum = 0n
  for (const period of periods) {
    const cost = isJsonObject(period)
      ? costOf(schedule['pricingType'], period['units'], period['rateOrCostNanos'])
      : undefined
    if (cost === undefined) return undefined
    sum += BigInt(cost)
  }
  return String(sum)
}

/**
 * Functions that compute the columns of one kind. `counts` returns undefined until the records have been counted, and
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
  }
  return made
}
