import { describe, expect, it } from 'vitest'
import { connect } from '../client'
import { running, standard } from './running'

const names = (list: Array<{ name: string }>): string[] => list.map(({ name }) => name.slice('trafficking:'.length))

describe('compatible fields', () => {
  it('shrink with the selection, and all that are offered can be inserted', async () => {
    const client = await connect()
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const ask = async (report: unknown): Promise<Record<string, Array<{ name: string }>>> => {
      const answer = await client.post(`${profile}/reports/compatiblefields/query`, report)
      expect(answer.body.kind).toBe('trafficking#compatibleFields')
      return answer.body.reportCompatibleFields
    }
    const range = { dateRange: { relativeDateRange: 'YESTERDAY' } }
    const all = await ask({ type: 'STANDARD', criteria: range })
    expect(names(all.dimensions!)).toContain('activity')
    expect(names(all.metrics!)).toEqual(expect.arrayContaining(['impressions', 'totalConversions']))
    const served = await ask({ type: 'STANDARD', criteria: { ...range, metricNames: ['trafficking:impressions'] } })
    expect(names(served.dimensions!)).not.toContain('activity')
    expect(names(served.metrics!)).not.toContain('impressions')
    const converted = await ask({
      type: 'STANDARD',
      criteria: { ...range, dimensions: [{ name: 'trafficking:activity' }] },
    })
    expect(names(converted.metrics!)).not.toContain('impressions')
    const everything = standard(names(served.dimensions!), names(served.metrics!))
    expect((await client.post(`${profile}/reports`, everything)).status).toBe(200)
    expect((await client.post(`${profile}/reports/compatiblefields/query`, {})).location).toBe('type')
  })

  it.each([
    [
      'REACH',
      'reachReportCompatibleFields',
      ['dimensions', 'metrics', 'reachByFrequencyMetrics', 'pivotedActivityMetrics'],
    ],
    ['TRACKING', 'trackingReportCompatibleFields', ['dimensions', 'metrics', 'dimensionFilters']],
    ['CROSS_DIMENSION_REACH', 'crossDimensionReachReportCompatibleFields', ['breakdown', 'metrics', 'overlapMetrics']],
    [
      'PATH_TO_CONVERSION',
      'pathToConversionReportCompatibleFields',
      ['conversionDimensions', 'perInteractionDimensions', 'customTrackingVariables', 'metrics'],
    ],
    ['PATH', 'pathReportCompatibleFields', ['dimensions', 'metrics', 'pathFilters']],
    ['PATH_ATTRIBUTION', 'pathAttributionReportCompatibleFields', ['dimensions', 'metrics', 'pathFilters']],
  ])('of a %s report are in their own block', async (type, block, lists) => {
    const client = await connect()
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const { body } = await client.post(`${profile}/reports/compatiblefields/query`, { type })
    expect(Object.keys(body).sort()).toEqual(['kind', block].sort())
    for (const list of lists) expect(body[block][list].length, list).toBeGreaterThan(0)
  })
})

describe('dimension values', () => {
  const days = { startDate: '2026-03-01', endDate: '2026-12-31' }

  it('are the names and IDs of existing objects', async () => {
    const { client, profile, ids, placementIds } = await running()
    const ask = (dimensionName: string, more: object = {}) =>
      client.post(`${profile}/dimensionvalues/query`, {
        dimensionName: `trafficking:${dimensionName}`,
        ...days,
        ...more,
      })
    const { body } = await ask('placement')
    expect(body.items.map(({ id }: { id: string }) => id).sort()).toEqual([...placementIds].sort())
    expect(body.items[1]).toMatchObject({
      kind: 'trafficking#dimensionValue',
      dimensionName: 'trafficking:placement',
      value: 'Sidebar',
      matchType: 'EXACT',
    })
    const filters = [
      { dimensionName: 'trafficking:campaign', value: ids.campaignId },
      { dimensionName: 'trafficking:placement', value: 'S*' },
    ]
    expect((await ask('placement', { filters })).body.items.map(({ value }: { value: string }) => value)).toEqual([
      'Sidebar',
      'Sponsored',
    ])
    expect(
      (await ask('site', { filters: [{ dimensionName: 'trafficking:campaign', value: '1' }] })).body.items,
    ).toEqual([])
    expect((await ask('activity')).body.items).toHaveLength(2)
    expect((await ask('country')).body.items.length).toBeGreaterThan(4)
  })

  it('come in pages of at most a hundred', async () => {
    const { client, profile } = await running()
    const ask = (query: string, body: object = {}) =>
      client.post(`${profile}/dimensionvalues/query${query}`, {
        dimensionName: 'trafficking:placement',
        ...days,
        ...body,
      })
    const first = await ask('?maxResults=2')
    expect(first.body.items).toHaveLength(2)
    const second = await ask(`?maxResults=2&pageToken=${first.body.nextPageToken}`)
    expect([second.body.items.length, second.body.nextPageToken]).toEqual([1, undefined])
    expect((await ask(`?pageToken=${first.body.nextPageToken}`, { endDate: '2027-01-01' })).location).toBe('pageToken')
    expect((await ask('?maxResults=101')).location).toBe('maxResults')
  })

  it('of an unknown dimension or a reversed range are rejected', async () => {
    const client = await connect()
    const address = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}/dimensionvalues/query`
    expect((await client.post(address, { dimensionName: 'trafficking:x', ...days })).location).toBe('dimensionName')
    expect(
      (await client.post(address, { dimensionName: 'trafficking:ad', startDate: '2026-02-01', endDate: '2026-01-01' }))
        .location,
    ).toBe('endDate')
    expect((await client.post(address, { dimensionName: 'trafficking:ad', startDate: '2026-02-01' })).location).toBe(
      'endDate',
    )
  })
})
