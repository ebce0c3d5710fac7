import { describe, expect, it } from 'vitest'
import { connect } from '../client'
import { download, fileOf, running, standard } from './running'

const sum = (rows: string[][], column: number): number =>
  rows.slice(1, -1).reduce((total, row) => total + Number(row[column]), 0)
const totals = (rows: string[][]): string[] => rows.at(-1)!

describe("a report's file", () => {
  it('has a preamble, a header, rows, and a total of their sum', async () => {
    const world = await running()
    const text = await fileOf(world.client, world.profile, {
      ...standard(['placement'], ['impressions', 'clicks']),
      name: 'All, of "it"',
    })
    const lines = text.split('\r\n')
    expect(lines[0]).toBe('"All, of ""it"""')
    expect(lines.slice(1, 6)).toEqual([
      'Report Time Zone,Europe/Paris',
      `Account ID,${world.ids.accountId}`,
      'Date Range,2026-03-01 - 2026-04-30',
      '',
      'Report Fields',
    ])
    const rows = await world.rows(standard(['placement'], ['impressions', 'clicks']))
    expect(rows[0]).toEqual(['Placement', 'Impressions', 'Clicks'])
    expect(rows.slice(1, -1).map(([name]) => name)).toEqual(['Front "page", ünï', 'Sidebar', 'Sponsored'])
    expect(totals(rows)).toEqual(['Grand Total:', String(sum(rows, 1)), String(sum(rows, 2))])
    expect(sum(rows, 1)).toBeGreaterThan(10_000)
  })

  it('agrees with other files of the campaign', async () => {
    const world = await running()
    const metrics = ['impressions', 'clicks', 'mediaCost', 'totalConversions', 'totalRevenue']
    const campaign = await world.rows(standard(['campaign', 'campaignId'], metrics))
    expect(campaign[1]!.slice(0, 2)).toEqual(['Lindqvist Outdoor: first flight', world.ids.campaignId])
    for (const dimensions of [
      ['date', 'ad'],
      ['placementId', 'country'],
      ['creative', 'week'],
      ['site', 'platformType'],
    ]) {
      const rows = await world.rows(standard(dimensions, metrics))
      expect(totals(rows).slice(2)).toEqual(totals(campaign).slice(2))
    }
    const id = world.placementIds[1]!
    const filtered = await world.rows(
      standard(['placementId', 'month'], metrics, {
        dimensionFilters: [{ dimensionName: 'trafficking:placement', id }],
      }),
    )
    const all = await world.rows(standard(['placementId', 'month'], metrics))
    expect(filtered.slice(1, -1)).toEqual(all.filter(([value]) => value === id))
    const sidebar = { dimensionName: 'trafficking:placement', value: 'Side', matchType: 'BEGINS_WITH' }
    expect(await world.rows(standard(['placementId', 'month'], metrics, { dimensionFilters: [sidebar] }))).toEqual(
      filtered,
    )
  })

  it('uses the entity names at run time', async () => {
    const world = await running()
    const before = await world.rows(standard(['placement'], ['impressions']))
    await world.client.patch(`${world.profile}/placements?id=${world.placementIds[1]}`, { name: 'Margin' })
    const after = await world.rows(standard(['placement'], ['impressions']))
    expect(after.flat()).toContain('Margin')
    expect(totals(after)).toEqual(totals(before))
  })

  it('computes rates from sums', async () => {
    const world = await running()
    const rows = await world.rows(
      standard(['placement'], ['impressions', 'clicks', 'mediaCost', 'clickRate', 'effectiveCpm', 'costPerClick']),
    )
    for (const [, impressions, clicks, cost, rate, cpm, cpc] of rows.slice(1)) {
      expect(rate).toBe(`${((100 * Number(clicks)) / Number(impressions)).toFixed(4)}%`)
      expect(Number(cpm)).toBeCloseTo((1000 * Number(cost)) / Number(impressions), 5)
      expect(Number(cpc)).toBeCloseTo(Number(cost) / Number(clicks), 5)
    }
    const cpm = rows.find(([name]) => name === 'Front "page", ünï')!
    expect(Number(cpm[3])).toBeCloseTo(Number(cpm[1]) * 0.0045, 6)
  })

  it('is the same for the same clock, byte for byte', async () => {
    const [one, two] = [await running(), await running()]
    const report = standard(['ad', 'date'], ['impressions', 'mediaCost', 'totalRevenue'])
    expect(await fileOf(one.client, one.profile, report)).toBe(await fileOf(two.client, two.profile, report))
  })

  it('is sorted as requested', async () => {
    const world = await running()
    const report = standard([], ['impressions'], {
      dimensions: [{ name: 'trafficking:date', sortOrder: 'DESCENDING' }],
    })
    const dates = (await world.rows(report)).slice(1, -1).map(([date]) => date)
    expect(dates).toHaveLength(59)
    expect([dates[0], dates.at(-1)]).toEqual(['2026-04-30', '2026-03-03'])
  })

  it('counts conversions that clients insert', async () => {
    const world = await running()
    const { configurationId } = world.ids
    const [, saleId] = world.activityIds as [string, string]
    const tracking = {
      name: 'Conversions',
      type: 'TRACKING',
      trackingCriteria: {
        dateRange: { relativeDateRange: 'MONTH_TO_DATE' },
        trackingConfigId: { dimensionName: 'trafficking:trackingConfigId', id: configurationId },
        dimensions: [{ name: 'trafficking:activityId' }, { name: 'trafficking:trackingVariableDimension3' }],
        metricNames: ['trafficking:totalConversions', 'trafficking:totalConversionsRevenue'],
      },
    }
    const before = totals(await world.rows(tracking))
    const answer = await world.client.post(`${world.profile}/conversions/batchinsert`, {
      conversions: [
        {
          trackingActivityId: saleId,
          trackingConfigurationId: configurationId,
          ordinal: '1',
          timestampMicros: String(world.clock.now * 1000 - 1_000_000),
          gclid: 'one',
          quantity: '1',
          value: 12.5,
          customVariables: [{ type: 'U3', value: 'blue' }],
        },
      ],
    })
    expect(answer.body.hasFailures).toBe(false)
    const rows = await world.rows(tracking)
    const after = totals(rows)
    expect([Number(after[2]) - Number(before[2]), Number(after[3]) - Number(before[3])]).toEqual([1, 12.5])
    expect(rows).toContainEqual([saleId, 'blue', '1', '12.50'])
    const campaign = await world.rows(standard(['campaign'], ['totalConversions'], {}, ['2026-05-01', '2026-05-01']))
    expect(totals(campaign)[1]).toBe(after[2])
  })

  it('has a column for each requested activity', async () => {
    const world = await running()
    const activities = {
      filters: world.activityIds.map((id) => ({ dimensionName: 'trafficking:activity', id, value: `A${id}` })),
      metricNames: ['trafficking:totalConversions'],
    }
    const rows = await world.rows(standard(['site'], ['impressions', 'totalConversions'], { activities }))
    expect(rows[0]!.slice(3)).toEqual(world.activityIds.map((id) => `A${id}: Total Conversions`))
    for (const [, , all, one, two] of rows.slice(1)) expect(Number(one) + Number(two)).toBe(Number(all))
  })

  it.each([
    [
      'REACH',
      {
        reachCriteria: {
          dateRange: { relativeDateRange: 'LAST_30_DAYS' },
          dimensions: [{ name: 'trafficking:placement' }],
          metricNames: [
            'trafficking:impressions',
            'trafficking:uniqueReachImpressionReach',
            'trafficking:uniqueReachAverageImpressionFrequency',
          ],
          reachByFrequencyMetricNames: ['trafficking:uniqueReachImpressionReach'],
        },
      },
      14,
      3,
    ],
    [
      'CROSS_DIMENSION_REACH',
      {
        crossDimensionReachCriteria: {
          dateRange: { relativeDateRange: 'LAST_30_DAYS' },
          dimension: 'CAMPAIGN',
          metricNames: ['trafficking:uniqueReachTotalReach'],
          overlapMetricNames: ['trafficking:uniqueReachOverlapTotalReach'],
        },
      },
      3,
      1,
    ],
  ])('of type %s has its columns', async (type, criteria, columns, count) => {
    const world = await running()
    const rows = await world.rows({ name: type, type, ...criteria })
    expect(rows.map((row) => row.length)).toEqual(Array.from({ length: count + 2 }, () => columns))
    for (const row of rows.slice(1)) expect(Number(row[1])).toBeGreaterThan(0)
  })

  it('by path counts the same conversions', async () => {
    const world = await running()
    const dateRange = { startDate: '2026-04-01', endDate: '2026-04-30' }
    const trackingConfigId = { dimensionName: 'trafficking:trackingConfigId', id: world.ids.configurationId }
    const metricNames = ['trafficking:totalConversions', 'trafficking:totalRevenue']
    const expected = totals(
      await world.rows(
        standard(['advertiser'], ['totalConversions', 'totalRevenue'], {}, ['2026-04-01', '2026-04-30']),
      ),
    ).slice(1)
    for (const [type, criteria] of [
      [
        'PATH_TO_CONVERSION',
        {
          pathToConversionCriteria: {
            dateRange,
            trackingConfigId,
            metricNames,
            conversionDimensions: [{ name: 'trafficking:activity' }],
            perInteractionDimensions: [{ name: 'trafficking:interactionType' }],
          },
        },
      ],
      [
        'PATH',
        {
          pathCriteria: { dateRange, trackingConfigId, metricNames, dimensions: [{ name: 'trafficking:pathLength' }] },
        },
      ],
      [
        'PATH_ATTRIBUTION',
        {
          pathAttributionCriteria: {
            dateRange,
            trackingConfigId,
            metricNames,
            dimensions: [{ name: 'trafficking:placement' }],
          },
        },
      ],
    ] as const) {
      const rows = await world.rows({ name: type, type, ...criteria })
      expect(rows.length).toBeGreaterThan(3)
      expect(totals(rows).slice(-2)).toEqual(expected)
    }
  })
})

describe('public naming', () => {
  it('reaches dimension names and file headers', async () => {
    const client = await connect({ words: 'public' })
    const profile = `/dfareporting/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const { trackingConfigurationId: _none, floodlightConfigurationId } = (
      await client.get(`${profile}/advertisers/${client.sandbox.ids.advertiserId}`)
    ).body
    const report = await client.post(`${profile}/reports`, {
      name: 'F',
      type: 'FLOODLIGHT',
      floodlightCriteria: {
        dateRange: { relativeDateRange: 'YESTERDAY' },
        floodlightConfigId: { dimensionName: 'dfa:floodlightConfigId', id: floodlightConfigurationId },
        dimensions: [{ name: 'dfa:floodlightConfigId' }, { name: 'dfa:floodlightVariableDimension1' }],
        metricNames: ['dfa:totalConversions'],
      },
    })
    expect(report.status, JSON.stringify(report.body)).toBe(200)
    expect(report.body.floodlightCriteria.dimensions[1].name).toBe('dfa:floodlightVariableDimension1')
    expect(report.body.type).toBe('FLOODLIGHT')
    const run = await client.post(`${profile}/reports/${report.body.id}/run?synchronous=true`)
    expect(run.body.urls.apiUrl).toContain('/dfareporting/v3.4/reports/')
    expect(await download(client, run.body.urls.apiUrl)).toContain(
      'Report Fields\r\nFloodlight Configuration ID,Floodlight Variable 1,Total Conversions\r\n',
    )
  })
})
