import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect, type Client, type Reply } from '../client'
import { running, standard, type Running } from '../reporting/running'

type Cells = Record<string, string | number | null>

const days = { startDate: '2026-04-01', endDate: '2026-04-30' }
const named = (...names: string[]): Array<{ columnName: string }> => names.map((columnName) => ({ columnName }))

/** A report request for the agency. */
const asked = (
  ids: Record<string, string>,
  reportType: string,
  columns: unknown[],
  more: object = {},
): Record<string, unknown> => ({
  reportType,
  columns,
  reportScope: { agencyId: ids.agencyId },
  timeRange: days,
  statisticsCurrency: 'agency',
  downloadFormat: 'csv',
  maxRowsPerFile: 1_000_000,
  startRow: 0,
  rowCount: 10_000,
  ...more,
})

const generate = (client: Client, ...args: Parameters<typeof asked>): Promise<Reply> =>
  client.post('/search/v2/reports/generate', asked(...args))

/** Requests a report and returns its only file's rows by column. */
async function rowsOf(world: Running, reportType: string, columns: unknown[], more: object = {}): Promise<Cells[]> {
  const { client, clock } = world
  const request = await client.post('/search/v2/reports', asked(world.ids, reportType, columns, more))
  expect(request.status, JSON.stringify(request.body)).toBe(200)
  clock.now += 1000
  const report = await client.get(`/search/v2/reports/${request.body.id}`)
  expect(report.body.files).toHaveLength(1)
  const [header, ...lines] = (await bytesOf(client, report.body.files[0].url as string))
    .toString()
    .trimEnd()
    .split('\r\n')
  const names = header!.split(',')
  expect(report.body.rowCount).toBe(lines.length)
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index]!, value])))
}

async function bytesOf(client: Client, url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${client.sandbox.token}`, ...headers } })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const sum = (rows: Cells[], name: string): number => rows.reduce((total, row) => total + Number(row[name]), 0)

describe('search data', () => {
  const metrics = ['impr', 'clicks', 'cost', 'dfaActions', 'dfaTransactions', 'dfaRevenue']

  it('matches the trafficking report of the campaign and days', async () => {
    const world = await running()
    const trafficking = await world.rows(
      standard(
        ['campaignId'],
        [
          'impressions',
          'clicks',
          'mediaCost',
          'activityClickThroughConversions',
          'clickThroughTransactionCount',
          'activityClickThroughRevenue',
        ],
        {},
        [days.startDate, days.endDate],
      ),
    )
    const [id, impressions, clicks, cost, conversions, transactions, revenue] = trafficking[1]!
    const [row] = await rowsOf(world, 'campaign', named('campaignId', 'campaign', ...metrics))
    expect(row).toEqual({
      campaignId: id,
      campaign: 'Lindqvist Outdoor: first flight',
      impr: impressions,
      clicks,
      cost: String(Number(cost)),
      dfaActions: String(Number(conversions) - Number(transactions)),
      dfaTransactions: transactions,
      dfaRevenue: String(Number(revenue)),
    })
    expect(Number(impressions)).toBeGreaterThan(1000)
  })

  it('adds up from keywords and ads to advertisers', async () => {
    const world = await running()
    const [campaign] = await rowsOf(world, 'campaign', named(...metrics))
    for (const type of ['keyword', 'ad', 'adGroup', 'account', 'advertiser']) {
      const rows = await rowsOf(world, type, named(...metrics))
      for (const name of metrics) expect(sum(rows, name), `${type} ${name}`).toBeCloseTo(Number(campaign![name]), 6)
    }
    const byDay = await rowsOf(world, 'keyword', named('keywordId', 'date', ...metrics))
    for (const name of metrics) expect(sum(byDay, name)).toBeCloseTo(Number(campaign![name]), 6)
    expect(new Set(byDay.map(({ date }) => date)).size).toBe(30)
  })

  it('by activity adds up to the conversions', async () => {
    const world = await running()
    const [campaign] = await rowsOf(world, 'campaign', named('dfaActions', 'dfaTransactions'))
    const rows = await rowsOf(world, 'campaign', named('trackingActivity', 'dfaActions', 'dfaTransactions'))
    expect(rows.map(({ trackingActivity }) => trackingActivity).sort()).toEqual(['Activity COUNTER', 'Activity SALE'])
    for (const name of ['dfaActions', 'dfaTransactions']) expect(sum(rows, name)).toBe(Number(campaign![name]))
  })

  it('is the same generated or requested, and with named entities', async () => {
    const world = await running()
    const columns = named('advertiser', 'advertiserId', 'date', 'impr', 'ctr')
    const { body } = await generate(world.client, world.ids, 'advertiser', columns)
    const file = await rowsOf(world, 'advertiser', columns)
    expect(
      body.rows.map((row: Cells) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
      ),
    ).toEqual(file)
    expect(body).toMatchObject({
      kind: 'search#report',
      isReportReady: true,
      rowCount: 30,
      statisticsCurrencyCode: 'EUR',
      statisticsTimeZone: 'Europe/Paris',
    })
    expect(body.rows[0]).toMatchObject({
      advertiser: 'Lindqvist Outdoor',
      advertiserId: world.ids.advertiserId,
      date: '2026-04-01',
    })
  })
})

describe('a generated report', () => {
  it('is paged, sorted, and filtered', async () => {
    const { client, ids } = await running()
    const columns = named('date', 'clicks')
    const all = (await generate(client, ids, 'account', columns)).body.rows as Cells[]
    const part = await generate(client, ids, 'account', columns, { startRow: 5, rowCount: 3 })
    expect(part.body.rows).toEqual(all.slice(5, 8))
    const orderBy = [{ column: { columnName: 'clicks' }, sortOrder: 'descending' }]
    const ordered = (await generate(client, ids, 'account', columns, { orderBy })).body.rows as Cells[]
    expect(ordered.map(({ clicks }) => clicks)).toEqual(all.map(({ clicks }) => Number(clicks)).sort((a, b) => b - a))
    const filter = (operator: string, ...values: unknown[]) => ({
      filters: [{ column: { columnName: 'date' }, operator, values }],
    })
    const rows = async (more: object): Promise<number> =>
      (await generate(client, ids, 'account', columns, more)).body.rowCount
    expect(await rows(filter('equals', '2026-04-03'))).toBe(1)
    expect(await rows(filter('between', '2026-04-03', '2026-04-05'))).toBe(3)
    expect(await rows(filter('in', '2026-04-03', '2026-04-30'))).toBe(2)
    expect(await rows(filter('startsWith', '2026-04-1'))).toBe(10)
    expect(
      await rows({ filters: [{ column: { columnName: 'clicks' }, operator: 'greaterThan', values: [1e9] }] }),
    ).toBe(0)
  })

  it('supports dates, names, custom groups, and saved columns', async () => {
    const { client, ids } = await running()
    const day = { startDate: '2026-04-02', endDate: '2026-04-02' }
    const columns = [
      { columnName: 'impr' },
      { columnName: 'impr', headerText: 'One day', ...day },
      { savedColumnName: 'Conversion rate' },
    ]
    const [row] = (await generate(client, ids, 'account', columns)).body.rows
    const dated = (await generate(client, ids, 'account', named('date', 'impr'))).body.rows as Cells[]
    expect(row.impr).toBe(sum(dated, 'impr'))
    expect(row['One day']).toBe(dated[1]!.impr)
    expect(row['Conversion rate']).toBeGreaterThan(0)
    const grouped = await generate(client, ids, 'account', [
      { columnName: 'monthStart', groupByColumn: true },
      { columnName: 'impr' },
    ])
    expect(grouped.body.rows).toEqual([{ monthStart: '2026-04-01', impr: row.impr }])
    const list = await client.get(`/search/v2/agency/${ids.agencyId}/advertiser/${ids.advertiserId}/savedcolumns`)
    expect(list.body.items.map(({ savedColumnName }: { savedColumnName: string }) => savedColumnName)).toContain(
      'Conversion rate',
    )
  })

  it('shows money in dollars on request', async () => {
    const { client, ids } = await running()
    const cost = async (statisticsCurrency: string): Promise<number> =>
      (await generate(client, ids, 'advertiser', named('cost'), { statisticsCurrency })).body.rows[0].cost
    expect(await cost('usd')).toBeCloseTo((await cost('agency')) * 1.08, 5)
  })

  it.each<[string, string, unknown[], object, string]>([
    ['of a request-only type', 'campaign', named('campaign'), {}, 'reportType'],
    ['with an unknown column', 'account', named('account', 'nothing'), {}, 'columns[1].columnName'],
    ['with a column of a lower level', 'account', named('campaign'), {}, 'columns[0].columnName'],
    ['with an unknown saved column', 'account', [{ savedColumnName: 'Nothing' }], {}, 'columns[0].savedColumnName'],
    [
      'with both names for a column',
      'account',
      [{ columnName: 'impr', savedColumnName: 'Conversion rate' }],
      {},
      'columns[0].savedColumnName',
    ],
    ['without columns', 'account', [], {}, 'columns'],
    ['with a column without a name', 'account', [{}], {}, 'columns[0].columnName'],
    ['with the same column twice', 'account', named('impr', 'impr'), {}, 'columns[1]'],
    [
      'with an incomplete column range',
      'account',
      [{ columnName: 'impr', startDate: '2026-04-01' }],
      {},
      'columns[0].endDate',
    ],
    ['with dates for a nonmetric column', 'account', [{ columnName: 'account', ...days }], {}, 'columns[0].startDate'],
    ['without dates', 'account', named('impr'), { timeRange: {} }, 'timeRange.startDate'],
    [
      'with an incomplete range',
      'account',
      named('impr'),
      { timeRange: { startDate: '2026-04-01' } },
      'timeRange.endDate',
    ],
    [
      'that ends before it starts',
      'account',
      named('impr'),
      { timeRange: { startDate: '2026-04-02', endDate: '2026-04-01' } },
      'timeRange.endDate',
    ],
    ['without an agency', 'account', named('impr'), { reportScope: {} }, 'reportScope.agencyId'],
    ['of an unknown agency', 'account', named('impr'), { reportScope: { agencyId: '1' } }, 'reportScope.agencyId'],
    [
      'with a filter of an unknown kind',
      'account',
      named('impr'),
      { filters: [{ column: { columnName: 'impr' }, operator: 'like', values: [1] }] },
      'filters[0].operator',
    ],
    [
      'with a filter without values',
      'account',
      named('impr'),
      { filters: [{ column: { columnName: 'impr' }, operator: 'equals' }] },
      'filters[0].values',
    ],
    [
      'sorted by an unknown column',
      'account',
      named('impr'),
      { orderBy: [{ column: { columnName: 'x' } }] },
      'orderBy[0].column.columnName',
    ],
    [
      "in another currency than an advertiser's",
      'account',
      named('impr'),
      { statisticsCurrency: 'advertiser' },
      'statisticsCurrency',
    ],
    ['of impressions by activity', 'account', named('trackingActivity', 'impr'), {}, 'columns[1].columnName'],
    ['of too many rows', 'account', named('impr'), { rowCount: 10_001 }, 'rowCount'],
  ])('is rejected %s', async (_what, type, columns, more, location) => {
    const client = await connect()
    const answer = await generate(client, client.sandbox.ids, type, columns, more)
    expect([answer.status, answer.location]).toEqual([400, location])
  })

  it('needs every ID above the named one', async () => {
    const client = await connect()
    const { agencyId, campaignId, adGroupId, criterionId, engineAccountId, advertiserId } = client.sandbox.ids
    const scoped = (reportScope: object): Promise<Reply> =>
      generate(client, client.sandbox.ids, 'account', named('account'), { reportScope })
    expect((await scoped({ agencyId, campaignId })).location).toBe('reportScope.campaignId')
    expect(
      (await scoped({ agencyId, advertiserId, engineAccountId, campaignId, keywordId: criterionId })).location,
    ).toBe('reportScope.keywordId')
    expect(
      (await scoped({ agencyId, advertiserId, engineAccountId, campaignId, adGroupId, keywordId: criterionId })).status,
    ).toBe(200)
  })
})

describe('a requested report', () => {
  const columns = named('keywordText', 'date', 'impr')

  it("isn't ready at first, then has files with fragments", async () => {
    const { client, ids, clock } = await running()
    await client.post('/sandbox/v1/reports', { rowsPerFile: 100 })
    const request = asked(ids, 'keyword', columns)
    const made = await client.post('/search/v2/reports', request)
    expect(made.body).toMatchObject({ kind: 'search#report', isReportReady: false, request: { reportType: 'keyword' } })
    const address = `/search/v2/reports/${made.body.id}`
    expect((await client.get(address)).body.isReportReady).toBe(false)
    expect((await client.get(`${address}/files/0?alt=media`)).status).toBe(404)
    clock.now += 300
    const { body } = await client.get(address)
    expect(body).toMatchObject({ isReportReady: true, rowCount: 15 * 30 })
    expect(body.files).toHaveLength(5)
    const texts: string[] = []
    for (const [fragment, { url, byteCount }] of body.files.entries()) {
      expect(url).toBe(`${client.sandbox.baseUrl}${address}/files/${fragment}?alt=media`)
      const bytes = await bytesOf(client, url as string)
      expect(bytes.length).toBe(Number(byteCount))
      texts.push(bytes.toString())
    }
    const lines = texts.map((text) => text.trimEnd().split('\r\n'))
    expect(lines.map((list) => list[0])).toEqual(Array.from({ length: 5 }, () => 'keywordText,date,impr'))
    expect(lines.map((list) => list.length - 1)).toEqual([100, 100, 100, 100, 50])
    expect((await client.get(`${address}/files/5?alt=media`)).status).toBe(404)
    expect((await client.get(`${address}/files/-1?alt=media`)).status).toBe(400)
    expect((await client.get(`/download${address}/files/4?alt=media`)).status).toBe(200)
    const range = await fetch(body.files[0].url as string, {
      headers: { authorization: `Bearer ${client.sandbox.token}`, range: 'bytes=0-10' },
    })
    expect([range.status, await range.text()]).toEqual([206, 'keywordText'])
    expect((await client.as('mina', 'search.reports.get', { reportId: made.body.id })).status).toBe(404)
    expect((await client.get('/search/v2/reports/1')).status).toBe(404)
  })

  it('is tab-separated UTF-8 with quotes where needed', async () => {
    const world = await running()
    const { client, ids, clock, profile } = world
    await client.patch(`${profile}/campaigns?id=${ids.campaignId}`, { name: 'Grün, "quoted"\tübung' })
    const texts: string[] = []
    for (const downloadFormat of ['csv', 'tsv']) {
      const made = await client.post(
        '/search/v2/reports',
        asked(ids, 'campaign', named('campaign', 'campaignId'), { downloadFormat }),
      )
      clock.now += 300
      const url = `${client.sandbox.baseUrl}/search/v2/reports/${made.body.id}/files/0?alt=media`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${client.sandbox.token}` } })
      expect(answer.headers.get('content-type')).toBe(
        `text/${downloadFormat === 'csv' ? 'csv' : 'tab-separated-values'}; charset=UTF-8`,
      )
      texts.push(Buffer.from(await answer.arrayBuffer()).toString('utf8'))
    }
    expect(texts).toEqual([
      `campaign,campaignId\r\n"Grün, ""quoted""\tübung",${ids.campaignId}\r\n`,
      `campaign\tcampaignId\n"Grün, ""quoted""\tübung"\t${ids.campaignId}\n`,
    ])
  })

  it('that fails is gone, with the simulated reason', async () => {
    const { client, ids, clock } = await running()
    for (const reason of ['reportUnavailableRequestTooLarge', 'reportUnavailableQuotaExceeded']) {
      await client.post('/sandbox/v1/reports', { fail: 1, reason })
      const made = await client.post('/search/v2/reports', asked(ids, 'keyword', columns))
      expect((await client.get(`/search/v2/reports/${made.body.id}`)).body.isReportReady).toBe(false)
      clock.now += 300
      const answer = await client.get(`/search/v2/reports/${made.body.id}`)
      expect([answer.status, answer.reason]).toEqual([410, reason])
      expect((await client.get(`/search/v2/reports/${made.body.id}/files/0?alt=media`)).status).toBe(410)
    }
    expect((await client.post('/sandbox/v1/reports', { reason: 'bored' })).status).toBe(400)
  })

  it('resumes after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'search-'))
    try {
      const { client, ids, clock } = await running({ dataDir })
      const made = await client.post('/search/v2/reports', asked(ids, 'keyword', columns))
      await client.sandbox.stop()
      const again = await connect({ dataDir, now: () => clock.now + 1000 })
      const { body } = await again.get(`/search/v2/reports/${made.body.id}`)
      expect(body.isReportReady).toBe(true)
      expect((await bytesOf(again, body.files[0].url as string)).length).toBe(Number(body.files[0].byteCount))
      await again.sandbox.stop()
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  it('of conversions and activities lists each', async () => {
    const world = await running()
    const [campaign] = await rowsOf(world, 'campaign', named('dfaActions', 'dfaTransactions', 'dfaRevenue'))
    const rows = await rowsOf(
      world,
      'conversion',
      named('conversionId', 'conversionType', 'conversionRevenue', 'conversionDate', 'keywordText', 'trackingActivity'),
    )
    expect(rows.filter(({ conversionType }) => conversionType === 'Action')).toHaveLength(Number(campaign!.dfaActions))
    expect(sum(rows, 'conversionRevenue')).toBeCloseTo(Number(campaign!.dfaRevenue), 6)
    expect(new Set(rows.map(({ conversionId }) => conversionId)).size).toBe(rows.length)
    const activities = await rowsOf(
      world,
      'trackingActivity',
      named('trackingActivity', 'trackingActivityId', 'trackingGroup'),
    )
    expect(activities.map(({ trackingActivityId }) => trackingActivityId)).toEqual(world.activityIds)
  })

  it('uses public naming for such clients', async () => {
    const client = await connect({ words: 'public' })
    const body = {
      ...asked(client.sandbox.ids, 'floodlightActivity', named('floodlightActivity', 'floodlightActivityId')),
      startRow: undefined,
      rowCount: undefined,
    }
    const made = await client.post('/doubleclicksearch/v2/reports', body)
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    expect(made.body.kind).toBe('doubleclicksearch#report')
    expect(made.body.request.columns[0].columnName).toBe('floodlightActivity')
    await client.post('/sandbox/v1/reports', { milliseconds: 0 })
    const again = await client.post('/doubleclicksearch/v2/reports', body)
    const ready = await client.get(`/doubleclicksearch/v2/reports/${again.body.id}`)
    expect((await bytesOf(client, ready.body.files[0].url as string)).toString()).toBe(
      'floodlightActivity,floodlightActivityId\r\n',
    )
  })
})

describe('the ID mapping', () => {
  it('has a line for everything under the advertiser', async () => {
    const { client, ids } = await running()
    const text = (
      await bytesOf(
        client,
        `${client.sandbox.baseUrl}/search/v2/agency/${ids.agencyId}/advertiser/${ids.advertiserId}/idmapping?alt=media`,
      )
    ).toString()
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('Entity type,Name,Previous id,New id,Customer id')
    for (const name of ['advertiserId', 'engineAccountId', 'campaignId', 'adGroupId', 'criterionId'])
      expect(text).toContain(`,${ids[name]},`)
    expect(new Set(lines.map((line) => line.split(',')[3])).size).toBe(lines.length)
    expect((await client.get(`/search/v2/agency/${ids.agencyId}/advertiser/1/idmapping?alt=media`)).status).toBe(404)
    expect((await client.get(`/search/v2/agency/1/advertiser/${ids.advertiserId}/savedcolumns`)).status).toBe(404)
  })
})
