import { dayNumber } from '#shared/pacing/pacing'
import { pacingRows } from '#shared/pacing/pacing-rows'
import type { JsonObject } from '#shared/json'
import { sites } from './chart-data'

const start = dayNumber('2026-03-01')!
export const pacingAsOf = start + 20
const date = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

const paces = [0.55, 0.86, 0.99, 1.1, 1.4, 0.92, 0.5, 1.02, 0.97, 0.7]

const placement = (at: number): JsonObject => {
  const from = start + (at % 10 === 6 ? 30 : at % 10 === 8 ? -40 : 0)
  const to = from + (at % 10 === 8 ? 30 : 27 + (at % 3) * 10)
  return {
    id: String(1_000 + at),
    name: `${sites[at % sites.length]!} ${at % 2 === 0 ? 'home page 970 × 250' : 'articles 300 × 600'}, flight ${at + 1}`,
    advertiserId: '1',
    pricingSchedule: {
      pricingType: at % 4 === 3 ? 'PRICING_TYPE_CPC' : 'PRICING_TYPE_CPM',
      startDate: date(from),
      endDate: date(to),
      pricingPeriods: [
        {
          startDate: date(from),
          endDate: date(to),
          units: at % 10 === 9 ? '0' : String(400_000 - at * 9_000),
          rateOrCostNanos: '4500000000',
        },
      ],
    },
  }
}

/** Forty placements covering every state. */
export const pacingSample = pacingRows(
  Array.from({ length: 40 }, (_, at) => placement(at)),
  [],
  { from: start - 60, asOf: pacingAsOf },
  (id) => {
    const at = Number(id) - 1_000
    const each = ((400_000 - at * 9_000) / (28 + (at % 3) * 10)) * paces[at % 10]!
    return Array.from({ length: 90 }, (_, back) => ({
      day: pacingAsOf - back,
      impressions: Math.round(each),
      clicks: Math.round(each),
    }))
  },
)
