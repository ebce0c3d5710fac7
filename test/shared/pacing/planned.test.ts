import { expect, it } from 'vitest'
import { metricNamed } from '#shared/facts/metrics'
import { overlapMetrics } from '#shared/facts/report-types'
import { columnAbout } from '#shared/results/result-columns'
import { plannedColumns } from '#shared/pacing/planned'
import type { Json, JsonObject } from '#shared/json'

const report = (activities: Json): JsonObject => ({
  type: 'STANDARD',
  criteria: { dimensions: [{ name: 'x:date' }], metricNames: ['x:impressions'], activities },
})
const two = ['x:totalConversions', 'x:totalConversionsRevenue']
const behind = (activities: Json) => plannedColumns(report(activities))!.slice(2)

it('each activity has its own metric columns at the end', () => {
  const filters = [
    { dimensionName: 'x:activity', id: '77', value: 'Order' },
    { dimensionName: 'x:activityGroup', id: '5' },
    { dimensionName: 'x:activity', value: 'Newsletter', matchType: 'CONTAINS' },
  ]
  expect(behind({ filters, metricNames: two })).toEqual([
    { field: 'totalConversions', metric: true, activity: '77' },
    { field: 'totalConversionsRevenue', metric: true, activity: '77' },
    // A group's total, and any column with this header, belong to no single activity.
    { field: 'totalConversions', metric: true },
    { field: 'totalConversionsRevenue', metric: true },
    { field: 'totalConversions', metric: true },
    { field: 'totalConversionsRevenue', metric: true },
  ])
  expect(behind({ metricNames: two }).map(({ activity }) => activity)).toEqual([undefined, undefined])
  expect(behind({ filters })).toEqual([])
})

it('a column belongs to an activity only by its header', () => {
  const [planned] = behind({ filters: [{ dimensionName: 'x:activity', id: '77' }], metricNames: two })
  const about = (head: string) => columnAbout(head, { planned: planned!, totalled: true, samples: ['5'] })
  expect(about('77: Total Conversions')).toMatchObject({ field: 'totalConversions', activity: '77', adds: 'sum' })
  expect(about('Total Conversions').activity).toBeUndefined()
})

it('people reached by frequency don’t add up, also in a file without a definition or in another language', () => {
  const sample = { totalled: true, samples: ['512'] }
  expect(columnAbout('Unique Reach: Impression Reach: Frequency 1', sample)).toMatchObject({ adds: 'whole' })
  expect(columnAbout('Reichweite: Häufigkeit 1', { ...sample, unplanned: true })).toMatchObject({ adds: 'whole' })
  expect(columnAbout('77: Total Conversions', { ...sample, unplanned: true })).toMatchObject({ adds: 'sum' })
})

it('an overlap is a number that doesn’t add up', () => {
  const about = (head: string, sample: string) => columnAbout(head, { totalled: false, samples: [sample] })
  expect(about('Overlap Reach', '512')).toMatchObject({ kind: 'count', adds: 'whole' })
  expect(about('Sun and salt: Overlap Reach %', '3.5000%')).toMatchObject({ kind: 'percent', adds: 'whole' })
  for (const name of overlapMetrics) expect(metricNamed.get(name)?.label).toMatch(/^Overlap Reach/)
})

it('an overlap report has the other item of each pair between its dimensions and metrics, unless each is a column', () => {
  const fields = (more: JsonObject) =>
    plannedColumns({
      type: 'CROSS_DIMENSION_REACH',
      crossDimensionReachCriteria: {
        breakdown: [{ name: 'x:campaign' }, { name: 'x:campaignId' }],
        dimension: 'CAMPAIGN',
        metricNames: ['x:impressions'],
        overlapMetricNames: overlapMetrics.map((name) => `x:${name}`),
        ...more,
      },
    })?.map(({ field }) => field)
  const [own, pair] = [
    ['campaignId', 'campaign'],
    ['campaignId', 'campaign', 'other'],
  ]
  expect(fields({ pivoted: false })).toEqual([...pair, 'impressions', ...overlapMetrics])
  expect(fields({ pivoted: false, overlapMetricNames: [] })).toEqual([...own, 'impressions'])
  expect(fields({})).toEqual([...own, 'impressions'])
  expect(fields({ dimension: 'SITE_BY_CAMPAIGN' })).toEqual(['campaign', 'campaignId', 'site', 'impressions'])
})
