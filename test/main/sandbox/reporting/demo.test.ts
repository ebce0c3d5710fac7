import { describe, expect, it } from 'vitest'
import { connect } from '../client'
import { download, rowsOf } from './running'

describe('the demo reports', () => {
  it('include past runs with readable files', async () => {
    const client = await connect({ seed: 'demo' })
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const reports = (await client.get(`${profile}/reports`)).body.items
    expect(reports).toHaveLength(5)
    const files = (await client.get(`${profile}/files`)).body.items
    expect(files.map(({ status }: { status: string }) => status).sort()).toEqual([
      'FAILED',
      ...Array.from({ length: 6 }, () => 'REPORT_AVAILABLE'),
    ])
    for (const { urls, format } of files) {
      if (!urls || format !== 'CSV') continue
      const rows = rowsOf(await download(client, urls.apiUrl as string))
      expect(rows.length).toBeGreaterThan(3)
      expect(rows.at(-1)![0]).toBe('Grand Total:')
    }
  })

  it('have the same numbers in both services', async () => {
    const client = await connect({ seed: 'demo', now: () => Date.UTC(2026, 4, 20, 12) })
    const { ids } = client.sandbox
    const profile = `/trafficking/v3.4/userprofiles/${ids.profileId}`
    const dates = { startDate: '2026-01-01', endDate: '2026-05-20' }
    const report = await client.post(`${profile}/reports`, {
      name: 'A',
      type: 'STANDARD',
      criteria: {
        dateRange: dates,
        dimensions: [{ name: 'trafficking:advertiserId' }],
        metricNames: ['impressions', 'clicks', 'mediaCost', 'activityClickThroughConversions'].map(
          (name) => `trafficking:${name}`,
        ),
      },
    })
    const run = await client.post(`${profile}/reports/${report.body.id}/run?synchronous=true`)
    const rows = rowsOf(await download(client, run.body.urls.apiUrl as string)).slice(1, -1)
    const search = await client.post('/search/v2/reports/generate', {
      reportType: 'advertiser',
      columns: ['advertiserId', 'impr', 'clicks', 'cost', 'dfaActions', 'dfaTransactions'].map((columnName) => ({
        columnName,
      })),
      reportScope: { agencyId: ids.agencyId },
      timeRange: dates,
      statisticsCurrency: 'agency',
      startRow: 0,
      rowCount: 100,
    })
    const found = (search.body.rows as Array<Record<string, number>>).map(
      ({ advertiserId, impr, clicks, cost, dfaActions, dfaTransactions }) =>
        [advertiserId, impr, clicks, cost, dfaActions! + dfaTransactions!].map(Number),
    )
    expect(rows.map((row) => row.map(Number))).toEqual(found.filter(([, impressions]) => impressions! > 0))
    expect(rows.length).toBeGreaterThan(3)
  })

  it('pair campaigns with others, also with their IDs', async () => {
    const client = await connect({ seed: 'demo', now: () => Date.UTC(2026, 4, 20, 12) })
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const report = await client.post(`${profile}/reports`, {
      name: 'A',
      type: 'CROSS_DIMENSION_REACH',
      crossDimensionReachCriteria: {
        dateRange: { startDate: '2026-01-01', endDate: '2026-05-20' },
        dimension: 'CAMPAIGN',
        breakdown: [{ name: 'trafficking:campaign' }, { name: 'trafficking:campaignId' }],
        metricNames: ['trafficking:uniqueReachTotalReach'],
        overlapMetricNames: ['trafficking:uniqueReachOverlapTotalReach'],
        pivoted: false,
      },
    })
    const run = await client.post(`${profile}/reports/${report.body.id}/run?synchronous=true`)
    const rows = rowsOf(await download(client, run.body.urls.apiUrl as string)).slice(1, -1)
    const campaigns = new Set(rows.map(([id]) => id))
    expect(campaigns.size).toBeGreaterThan(1)
    expect(rows).toHaveLength(campaigns.size ** 2)
  })
})
