import type { DeliveryFile } from '../../context/delivery-files'

/** What a placement delivered, summed over the days of the latest results. */
export type DeliveredMetric = 'impressions' | 'clicks'

const known = new WeakMap<DeliveryFile['days'], Map<DeliveredMetric, ReadonlyMap<string, number>>>()

/** Totals by placement ID, for placements in the results. Empty if the results don’t have the metric. */
export function deliveredBy({ days, asOf }: DeliveryFile, metric: DeliveredMetric): ReadonlyMap<string, number> {
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
