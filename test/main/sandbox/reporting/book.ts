import type { JsonObject } from '#shared/json'
import { dayOf } from '../../../../src-main/sandbox/reporting/days'
import type { Source } from '../../../../src-main/sandbox/reporting/query'
import { readTree } from '../../../../src-main/sandbox/reporting/tree'

type Book = Record<string, JsonObject[]>

const pricingTypes = ['CPM', 'CPC', 'CPA', 'FLAT_RATE_IMPRESSIONS', 'FLAT_RATE_CLICKS', 'CPM_ACTIVEVIEW']

/** Two advertisers with campaigns of this many placements each, with every pricing type, running through 2026. */
export function bookOf(campaigns: number, placements: number): Book {
  const each = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const total = campaigns * placements
  const campaignOf = (index: number): number => Math.floor(index / placements)
  return {
    advertisers: each(2, (index) => ({
      id: `1${index}`,
      name: `Advertiser ${index}`,
      trackingConfigurationId: `2${index}`,
    })),
    trackingConfigurations: each(2, (index) => ({ id: `2${index}` })),
    trackingActivityGroups: each(4, (index) => ({
      id: `3${index}`,
      name: `Group ${index}`,
      type: index % 2 ? 'SALE' : 'COUNTER',
      trackingConfigurationId: `2${index >> 1}`,
    })),
    trackingActivities: each(8, (index) => ({
      id: `4${index}`,
      name: `Activity ${index}`,
      trackingActivityGroupId: `3${index >> 1}`,
      trackingConfigurationId: `2${index >> 2}`,
    })),
    sites: each(3, (index) => ({ id: `5${index}`, name: `Site ${index}` })),
    campaigns: each(campaigns, (index) => ({
      id: `${600 + index}`,
      name: `Campaign ${index}`,
      advertiserId: `1${index % 2}`,
      startDate: '2026-01-01',
      endDate: '2026-12-31',
    })),
    placements: each(total, (index) => ({
      id: `${70_000 + index}`,
      name: `Placement ${index}`,
      campaignId: `${600 + campaignOf(index)}`,
      siteId: `5${index % 3}`,
      compatibility: index % 5 === 0 ? 'IN_STREAM_VIDEO' : 'DISPLAY',
      pricingSchedule: {
        startDate: '2026-01-01',
        endDate: '2026-12-31',
        pricingType: `PRICING_TYPE_${pricingTypes[index % pricingTypes.length]}`,
        pricingPeriods: [
          {
            startDate: '2026-01-01',
            endDate: '2026-12-31',
            rateOrCostNanos: '4500000000',
            units: index % 2 ? '400000' : '0',
          },
        ],
      },
    })),
    creatives: each(total, (index) => ({ id: `${80_000 + index}`, name: `Creative ${index}`, type: 'DISPLAY' })),
    ads: each(total, (index) => ({
      id: `${90_000 + index}`,
      name: `Ad ${index}`,
      type: 'AD_SERVING_STANDARD_AD',
      placementAssignments: [{ placementId: `${70_000 + index}` }],
      creativeRotation: {
        creativeAssignments: [
          { creativeId: `${80_000 + index}` },
          { creativeId: `${80_000 + ((index + 1) % total)}`, weight: 3 },
        ],
      },
    })),
  }
}

/** The book at noon of a day. */
export const sourceAt = (book: Book, date: string): Source => ({
  tree: readTree((collection) => book[collection] ?? []),
  inserted: [],
  moment: { today: dayOf(date), passed: 0.5 },
})
