import { expect } from 'vitest'
import { connect, type Client, type Reply } from '../client'

export const start = Date.UTC(2026, 2, 2, 8)
const day = 86_400_000

export interface Running {
  client: Client
  /** Address of the profile's collections. */
  profile: string
  ids: Record<string, string>
  placementIds: string[]
  activityIds: string[]
  clock: { now: number }
  /** Inserts an object that must be accepted. */
  add(collection: string, body: Record<string, unknown>): Promise<string>
  /** Inserts a report, runs it, and returns its file's cells. */
  rows(report: Record<string, unknown>): Promise<string[][]>
}

/** A campaign created over HTTP with three placements, two ads, and two activities, sixty days later. */
export async function running(options: Parameters<typeof connect>[0] = {}): Promise<Running> {
  const clock = { now: start }
  const client = await connect({ now: () => clock.now, ...options })
  const { ids } = client.sandbox
  const profile = `/trafficking/v3.4/userprofiles/${ids.profileId}`
  const add = async (collection: string, body: Record<string, unknown>): Promise<string> => {
    const answer = await client.post(`${profile}/${collection}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.id as string
  }
  const on = (days: number): string => new Date(start + days * day).toISOString()
  const { advertiserId, campaignId } = ids
  const size = { width: 300, height: 250 }
  const creativeId = await add('creatives', {
    advertiserId,
    name: 'Banner, red',
    type: 'DISPLAY_REDIRECT',
    size,
    active: true,
    redirectUrl: 'https://ads.example/banner.html',
  })
  await client.post(`${profile}/campaigns/${campaignId}/campaignCreativeAssociations`, { creativeId })
  const placementIds: string[] = []
  for (const [name, pricingType] of [
    ['Front "page", ünï', 'PRICING_TYPE_CPM'],
    ['Sidebar', 'PRICING_TYPE_CPC'],
    ['Sponsored', 'PRICING_TYPE_FLAT_RATE_IMPRESSIONS'],
  ]) {
    const schedule = { startDate: on(1).slice(0, 10), endDate: on(100).slice(0, 10), pricingType }
    placementIds.push(
      await add('placements', {
        name,
        campaignId,
        siteId: ids.siteId,
        compatibility: 'DISPLAY',
        paymentSource: 'PLACEMENT_AGENCY_PAID',
        size,
        tagFormats: ['PLACEMENT_TAG_STANDARD'],
        pricingSchedule: {
          ...schedule,
          pricingPeriods: [{ ...schedule, pricingType: undefined, rateOrCostNanos: '4500000000' }],
        },
      }),
    )
  }
  for (const name of ['Ad one', 'Ad two']) {
    await add('ads', {
      advertiserId,
      campaignId,
      name,
      type: 'AD_SERVING_STANDARD_AD',
      active: true,
      startTime: on(1),
      endTime: on(90),
      clickThroughUrl: { customClickThroughUrl: 'https://shop.example/' },
      creativeRotation: {
        creativeAssignments: [
          {
            creativeId,
            active: true,
            clickThroughUrl: { defaultLandingPage: false, customClickThroughUrl: 'https://shop.example/' },
          },
        ],
      },
      placementAssignments: placementIds.map((placementId) => ({ placementId, active: true })),
      deliverySchedule: { impressionRatio: '1', priority: 'AD_PRIORITY_01' },
    })
  }
  const configurationId = (await client.get(`${profile}/advertisers/${advertiserId}`)).body
    .trackingConfigurationId as string
  const activityIds: string[] = []
  for (const type of ['COUNTER', 'SALE']) {
    const trackingActivityGroupId = await add('trackingActivityGroups', {
      name: `Group ${type}`,
      type,
      advertiserId,
      trackingConfigurationId: configurationId,
    })
    activityIds.push(
      await add('trackingActivities', {
        name: `Activity ${type}`,
        trackingActivityGroupId,
        advertiserId,
        trackingConfigurationId: configurationId,
        expectedUrl: 'https://shop.example/done',
        countingMethod: type === 'SALE' ? 'TRANSACTIONS_COUNTING' : 'STANDARD_COUNTING',
        trackingTagType: 'GLOBAL_SITE_TAG',
      }),
    )
  }
  clock.now += 60 * day
  const rows = async (report: Record<string, unknown>): Promise<string[][]> =>
    rowsOf(await fileOf(client, profile, report))
  return { client, profile, ids: { ...ids, configurationId, creativeId }, placementIds, activityIds, clock, add, rows }
}

/** Inserts a report, runs it at once, and downloads its file. */
export async function fileOf(client: Client, profile: string, report: Record<string, unknown>): Promise<string> {
  const made: Reply = await client.post(`${profile}/reports`, report)
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const run = await client.post(`${profile}/reports/${made.body.id}/run?synchronous=true`)
  expect(run.body.status).toBe('REPORT_AVAILABLE')
  return download(client, run.body.urls.apiUrl as string)
}

export async function download(client: Client, url: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${client.sandbox.token}` } })
  expect(answer.status).toBe(200)
  return answer.text()
}

/** Header and rows after the line «Report Fields», including the total. */
export function rowsOf(text: string): string[][] {
  const lines = text.split('\r\n')
  return lines.slice(lines.indexOf('Report Fields') + 1, -1).map(cellsOf)
}

/** A line's cells by RFC 4180, without line breaks inside. */
export const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain! : quoted.replaceAll('""', '"'),
  )

/** A standard report with custom dates. */
export const standard = (
  dimensions: string[],
  metrics: string[],
  extra: Record<string, unknown> = {},
  days: [string, string] = ['2026-03-01', '2026-04-30'],
): Record<string, unknown> => ({
  name: 'Figures',
  type: 'STANDARD',
  criteria: {
    dateRange: { startDate: days[0], endDate: days[1] },
    dimensions: dimensions.map((name) => ({ name: `trafficking:${name}` })),
    metricNames: metrics.map((name) => `trafficking:${name}`),
    ...extra,
  },
})
