import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conversionColumns, conversionOf, decimalOf, partsOf } from '#shared/search-ads/conversion-columns'
import { searchQuestions, type ConversionQuery, type Sending } from '#shared/search-ads/questions'
import { ConversionBatches } from '../../../src-main/reports/conversion-batches'
import { Library } from '../../../src-main/reports/library'
import { SearchFiles } from '../../../src-main/reports/search-files'
import { SearchPlaces } from '../../../src-main/reports/search-places'
import { ConversionUploads } from '../../../src-main/reports/conversion-uploads'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { serviceForFile } from '../../helpers/for-file'
import { clockFromMoment } from '../../helpers/moment'

const clock = clockFromMoment()
const accountId = 'sandbox'
const service = serviceForFile({ seed: 'demo', now: clock.now })
let folder: string
let library: Library
let ids: Record<'agencyId' | 'advertiserId' | 'engineAccountId' | 'customerId' | 'campaignId', string>
let activity: { id: string; name: string }

beforeAll(async () => {
  ids = service.sandbox.ids as typeof ids
  const { body } = await service.client.call(
    'trafficking.trackingActivities.list' as never,
    {
      profileId: service.sandbox.ids['profileId'],
      advertiserId: ids.advertiserId,
    } as never,
  )
  const [first] = (body as { trackingActivities: { id: string; name: string }[] }).trackingActivities
  activity = first!
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-ads-'))
  library = new Library(folder)
})
afterEach(async () => {
  await service.order('DELETE', '/trouble')
  await rm(folder, { recursive: true })
})

const day = (ago: number): string => new Date(clock.now() - ago * 86_400_000).toISOString().slice(0, 10)

describe('search accounts', () => {
  it('are discovered, stored, and named with their parents', async () => {
    const places = new SearchPlaces(library, clock.now)
    const { places: found, found: count } = await places.find(accountId, ids.agencyId, service.client)
    expect(count).toBeGreaterThan(1)
    expect(found.filter(({ engineAccountId }) => engineAccountId)).toHaveLength(count)
    expect(found.find(({ engineAccountId }) => engineAccountId === ids.engineAccountId)).toMatchObject({
      agencyId: ids.agencyId,
      advertiserId: ids.advertiserId,
      customerId: ids.customerId,
      found: 'service',
    })
    expect(await new SearchPlaces(library, clock.now).list(accountId)).toEqual(found)
    const typed = await places.keep(accountId, { agencyId: '77', advertiserId: '78', engineAccountId: '79' })
    expect(typed.filter(({ agencyId }) => agencyId === '77').map(({ id }) => id)).toEqual(['77', '77/78', '77/78/79'])
    const left = await places.remove(accountId, { agencyId: '77' })
    expect(left).toEqual(found)
  })

  it('with impossible IDs are rejected on input', () => {
    const keep = searchQuestions['search/keep-place']
    expect(keep.safeParse({ accountId, place: { agencyId: '1', engineAccountId: '3' } }).success).toBe(false)
    expect(keep.safeParse({ accountId, place: { agencyId: '../1' } }).success).toBe(false)
    const fetch = searchQuestions['search/fetch-conversions']
    const query = { customerId: '123-456', startDate: day(3), endDate: day(9) }
    expect(fetch.safeParse({ accountId, on: false, query }).success).toBe(false)
  })

  it("have their advertiser's saved columns, cached when offline", async () => {
    const places = new SearchPlaces(library, clock.now)
    expect(await places.savedColumns(accountId, ids, undefined)).toBeNull()
    const asked = await places.savedColumns(accountId, ids, service.client)
    expect(asked!.columns).toContainEqual({ name: 'Conversion rate', type: 'PERCENT' })
    expect(await places.savedColumns(accountId, ids, undefined)).toEqual(asked)
  })
})

describe('conversions', () => {
  const query = (): ConversionQuery => ({
    agencyId: ids.agencyId,
    advertiserId: ids.advertiserId,
    engineAccountId: ids.engineAccountId,
    startDate: day(60),
    endDate: day(1),
  })
  const rowsOf = async (files: SearchFiles, id: string): Promise<string[][]> =>
    parse(await readFile((await files.open(accountId, id)).path, 'utf8'))

  it('of an engine account load by page into one file, as many as the service counts', async () => {
    const files = new SearchFiles(library, clock.now)
    const before = await service.calls('search.conversion.get')
    const signal = new AbortController().signal
    const file = await files.conversions(accountId, query(), { client: service.client, on: false, signal })
    const pages = (await service.calls('search.conversion.get')) - before
    expect(pages).toBe(Math.floor(file.rows / 1_000) + 1)
    const [heads, ...rows] = await rowsOf(files, file.id)
    expect([heads, rows.length, file.whole]).toEqual([conversionColumns.map(({ head }) => head), file.rows, true])

    // The conversions report that the service computes another way.
    const ofActions = await service.client.call(
      'search.reports.generate',
      {},
      {
        body: {
          reportType: 'account',
          reportScope: { agencyId: ids.agencyId, advertiserId: ids.advertiserId, engineAccountId: ids.engineAccountId },
          statisticsCurrency: 'agency',
          timeRange: { startDate: day(60), endDate: day(1) },
          columns: ['accountId', 'dfaActions', 'dfaTransactions', 'dfaRevenue'].map((columnName) => ({ columnName })),
          rowCount: 10,
          startRow: 0,
        },
      },
    )
    const [said] = ofActions.body.rows!
    expect(file.rows).toBe(Number(said!['dfaActions']) + Number(said!['dfaTransactions']))
    const revenue = rows.reduce((sum, cells) => sum + Number(cells[heads!.indexOf('Revenue')] || 0), 0)
    expect(revenue).toBeCloseTo(Number(said!['dfaRevenue']), 2)

    const { path, planned } = await files.open(accountId, file.id)
    const table = await readReportFile(path, { planned, separator: ',' })
    expect(table.columns.slice(0, 5).map(({ about }) => about.kind)).toEqual(['text', 'id', 'text', 'text', 'money'])
  })

  it('by customer ID are the same and stay available offline', async () => {
    const files = new SearchFiles(library, clock.now)
    const signal = new AbortController().signal
    const { startDate, endDate, agencyId, advertiserId, engineAccountId } = query()
    const own = { customerId: ids.customerId, startDate, endDate }
    const options = { client: service.client, on: false, signal }
    const file = await files.conversions(accountId, own, options)
    const other = await files.conversions(
      accountId,
      { agencyId, advertiserId, engineAccountId, startDate, endDate },
      options,
    )
    expect(await rowsOf(files, file.id)).toEqual(await rowsOf(files, other.id))
    expect(await service.calls('search.conversion.getByCustomerId')).toBeGreaterThan(0)
    await service.fail('search.conversion.getByCustomerId', { status: 403, reason: 'forbidden' })
    await expect(files.conversions(accountId, own, options)).rejects.toThrow()
    expect(await files.list(accountId)).toHaveLength(2)
    expect((await rowsOf(files, file.id)).length).toBe(file.rows + 1)
    await files.remove(accountId, file.id)
    await expect(files.open(accountId, file.id)).rejects.toThrow('Download it again')
  })

  it('interrupted between pages keep their progress and resume', async () => {
    const files = new SearchFiles(library, clock.now)
    const signal = new AbortController().signal
    const wide = { customerId: ids.customerId, startDate: day(365), endDate: day(1) }
    const whole = await files.conversions(accountId, wide, { client: service.client, on: false, signal })
    expect(whole.rows).toBeGreaterThan(1_000)
    const all = await rowsOf(files, whole.id)
    let pages = 0
    const flaky: typeof service.client = {
      ...service.client,
      call: async (...args) => {
        if (++pages === 2) await service.fail('search.conversion.getByCustomerId', { status: 400, reason: 'invalid' })
        return service.client.call(...args)
      },
    }
    await expect(files.conversions(accountId, wide, { client: flaky, on: false, signal })).rejects.toThrow()
    const [left] = await files.list(accountId)
    expect([left!.rows, left!.whole]).toEqual([1_000, undefined])
    const on = await files.conversions(accountId, wide, { client: service.client, on: true, signal })
    expect([on.rows, on.whole]).toEqual([whole.rows, true])
    expect(await rowsOf(files, on.id)).toEqual(all)
  })

  it('read back from a row as sent', () => {
    const conversion = {
      conversionId: 'a,"b"',
      conversionTimestamp: '1781071205283',
      revenueMicros: '12345678901234',
      quantityMillis: '1500',
      currencyCode: 'EUR',
      type: 'TRANSACTION' as const,
      segmentationType: 'TRACKING',
    }
    const heads = conversionColumns.map(({ head }) => head)
    expect(conversionColumns.find(({ head }) => head === 'Type')!.cell(conversion)).toBe('Transaction')
    expect(conversionColumns.find(({ head }) => head === 'Segment type')!.cell(conversion)).toBe('Tracking')
    // Files of older versions have the service’s values.
    expect(conversionOf(['Type', 'State'], ['ACTION', 'REMOVED'])).toEqual({ type: 'ACTION', state: 'REMOVED' })
    expect(
      conversionOf(
        heads,
        conversionColumns.map(({ cell }) => cell(conversion)),
      ),
    ).toEqual(conversion)
    expect([
      decimalOf('5', 6),
      decimalOf('1000000', 6),
      partsOf('12.5', 6),
      partsOf('0.0000001', 6),
      partsOf('x', 3),
    ]).toEqual(['0.000005', '1', '12500000', undefined, undefined])
  })
})

it("an advertiser's ID mapping is stored as received", async () => {
  const files = new SearchFiles(library, clock.now)
  const file = await files.mapping(accountId, ids, { client: service.client, signal: new AbortController().signal })
  const { path, planned } = await files.open(accountId, file.id)
  const rows: string[][] = parse(await readFile(path, 'utf8'))
  expect(rows).toHaveLength(file.rows + 1)
  expect(rows.find(([type, , id]) => type === 'Campaign' && id === ids.campaignId)).toBeDefined()
  const table = await readReportFile(path, { planned, separator: ',' })
  expect(table.columns.map(({ about }) => about.kind)).toEqual(['text', 'text', 'id', 'id', 'id'])
})

describe('sent conversions', () => {
  const sendings = (online = (): boolean => true): ConversionUploads =>
    new ConversionUploads({
      library,
      batches: new ConversionBatches(library, clock.now),
      clientOf: () => (online() ? service.client : undefined),
      now: clock.now,
      changed: () => undefined,
    })
  const body = (more: object = {}): Sending['body'] => ({
    agencyId: ids.agencyId,
    advertiserId: ids.advertiserId,
    engineAccountId: ids.engineAccountId,
    segmentationType: 'TRACKING',
    segmentationId: activity.id,
    conversionTimestamp: String(clock.now() - 3_600_000),
    type: 'ACTION',
    ...more,
  })

  it('arrive once, whatever happened to the response', async () => {
    const desk = sendings()
    await service.fail('search.conversion.insert', { drop: 'after' })
    const sending = await desk.send(accountId, 'insert', body())
    const conversionId = String(sending.body['conversionId'])
    expect(conversionId).toMatch(/^[0-9a-f-]{36}$/)
    await desk.wake(accountId)
    await desk.wake(accountId)
    const [receipt] = await desk.list(accountId)
    expect([receipt!.state, receipt!.words]).toEqual(['sent', 'Accepted in an earlier attempt'])
    const files = new SearchFiles(library, clock.now)
    const found = await files.conversions(
      accountId,
      { customerId: ids.customerId, startDate: day(2), endDate: day(-1) },
      { client: service.client, on: false, signal: new AbortController().signal },
    )
    const text = await readFile((await files.open(accountId, found.id)).path, 'utf8')
    expect(text.split(conversionId)).toHaveLength(2)
  })

  it("wait offline and over restarts, and can't be discarded once possibly sent", async () => {
    let online = false
    const first = sendings(() => online)
    await first.send(accountId, 'insert', body())
    await first.wake(accountId)
    const [waiting] = await first.list(accountId)
    expect([waiting!.state, waiting!.unsure]).toEqual(['waiting', undefined])
    online = true
    const again = sendings(() => online)
    await service.fail('search.conversion.insert', { drop: 'before' })
    await again.wake(accountId)
    await expect(again.remove(accountId, waiting!.id)).rejects.toThrow('may have been sent already')
    await again.wake(accountId)
    expect((await again.list(accountId))[0]).toMatchObject({ state: 'sent' })
    expect(await again.remove(accountId, waiting!.id)).toEqual([])
  })

  it("show the service's error and the field at fault when rejected", async () => {
    const desk = sendings()
    await desk.send(accountId, 'insert', body({ segmentationId: '1' }))
    await desk.wake(accountId)
    expect((await desk.list(accountId))[0]).toMatchObject({
      state: 'refused',
      location: 'conversion[0].segmentationId',
    })
  })

  it('can be changed, and show until when an activity is complete', async () => {
    const desk = sendings()
    const made = await desk.send(
      accountId,
      'insert',
      body({ type: 'TRANSACTION', revenueMicros: '5000000', currencyCode: 'EUR' }),
    )
    await desk.send(accountId, 'update', { ...made.body, revenueMicros: '7000000' })
    await desk.send(accountId, 'availability', {
      agencyId: ids.agencyId,
      advertiserId: ids.advertiserId,
      segmentationType: 'TRACKING',
      segmentationId: activity.id,
      availabilityTimestamp: String(clock.now() - 86_400_000),
    })
    await desk.wake(accountId)
    expect((await desk.list(accountId)).map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'availability sent',
      'insert sent',
      'update sent',
    ])
    const { body: now } = await service.client.call('search.conversion.getByCustomerId', {
      customerId: ids.customerId,
      startDate: Number(day(1).replaceAll('-', '')),
      endDate: Number(day(-1).replaceAll('-', '')),
      rowCount: 1_000,
      startRow: 0,
    })
    expect(now.conversion!.find(({ conversionId }) => conversionId === made.body['conversionId'])).toMatchObject({
      revenueMicros: '7000000',
    })
  })
})
