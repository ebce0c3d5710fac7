import type { DeliveryFile } from '../../context/delivery-files'

/** What a placement delivered, summed over the days of the latest results. */
export type DeliveredMetric = 'impressions' | 'clicks'

const known = new WeakMap<DeliveryFile['days'], Map<DeliveredMetric, ReadonlyMap<string, number>>>()

/**
 * Totals by placement ID, for placements in the results. Empty if the results don’t have the metric. Undefined if they have
 * filters, which also leave out a part of what a placement delivered.
 */
export function deliveredBy(
  { days, asOf, narrowed }: Pick<DeliveryFile, 'days' | 'asOf'> & { narrowed: boolean },
  metric: DeliveredMetric,
): ReadonlyMap<string, number> | undefined {
  if (narrowed) return undefined
  const totals = known.get(days) ?? new Map<DeliveredMetric, ReadonlyMap<string, number>>()
  known.set(days, totals)
  let found = totals.get(metric)
  if (!found) {
    found = new Map(
      days.ids.flatMap((id) => {
        const total = days.totalsOf(id, asOf)[metric]
        return total === undefined ? [] : [[id, total] as const]
      }),
    )
    totals.set(metric, found)
  }
  return found
}
