import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crc32Of } from '../../../../src-main/sandbox/reporting/crc32'
import { connect, eventually, type Client, type Reply } from '../client'
import { running, standard, start } from './running'

const report = standard(['placement', 'date'], ['impressions', 'clicks'])
/** An archive's files by name, each with its stored checksum. */
function unzipped(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50;) {
    const [crc, packed, length] = [14, 18, 26].map((offset) =>
      offset === 26 ? bytes.readUInt16LE(at + offset) : bytes.readUInt32LE(at + offset),
    ) as [number, number, number]
    const start = at + 30 + length
    const body = inflateRawSync(bytes.subarray(start, start + packed))
    expect(crc32Of(body)).toBe(crc)
    files.set(bytes.toString('utf8', at + 30, start), body.toString())
    at = start + packed
  }
  return files
}

const made = async (client: Client, profile: string, body: unknown = report): Promise<string> =>
  (await client.post(`${profile}/reports`, body)).body.id as string

describe('a run', () => {
  it('processes for a moment, then has a file', async () => {
    const { client, profile, clock } = await running()
    const id = await made(client, profile)
    const run = await client.post(`${profile}/reports/${id}/run`)
    expect(run.body).toMatchObject({
      kind: 'trafficking#file',
      status: 'PROCESSING',
      reportId: id,
      fileName: 'Figures',
      format: 'CSV',
      dateRange: { startDate: '2026-03-01', endDate: '2026-04-30' },
    })
    expect(run.body.urls).toBeUndefined()
    const address = `/trafficking/v3.4/reports/${id}/files/${run.body.id}`
    expect((await client.get(`${address}?alt=media`)).status).toBe(404)
    expect((await client.del(`${profile}/reports/${id}`)).status).toBe(400)
    clock.now += 299
    expect((await client.get(address)).body.status).toBe('PROCESSING')
    clock.now += 1
    const ready = await client.get(address)
    expect(ready.body.status).toBe('REPORT_AVAILABLE')
    expect(ready.body.urls.apiUrl).toBe(`${client.sandbox.baseUrl}${address}?alt=media`)
    expect(ready.body.lastModifiedTime).toBe(String(clock.now))
    expect((await client.get(address, { 'if-none-match': ready.body.etag as string })).status).toBe(304)
    expect((await client.get(`${profile}/reports/${id}/files/${run.body.id}`)).body).toEqual(ready.body)
    expect((await client.del(`${profile}/reports/${id}`)).status).toBe(204)
    expect((await client.get(address)).status).toBe(404)
  })

  it('fails or is canceled when simulated', async () => {
    const { client, profile, clock } = await running()
    const id = await made(client, profile)
    expect((await client.post('/sandbox/v1/reports', { milliseconds: 50, fail: 1, cancel: 1 })).body.milliseconds).toBe(
      50,
    )
    const statuses: string[] = []
    for (let run = 0; run < 3; run++) {
      const file = await client.post(`${profile}/reports/${id}/run`)
      clock.now += 50
      const address = `/trafficking/v3.4/reports/${id}/files/${file.body.id}`
      statuses.push((await client.get(address)).body.status as string)
      expect((await client.get(`${address}?alt=media`)).status).toBe(run === 2 ? 200 : 404)
    }
    expect(statuses).toEqual(['FAILED', 'CANCELLED', 'REPORT_AVAILABLE'])
    expect((await client.post('/sandbox/v1/reports', { milliseconds: -1 })).status).toBe(400)
  })

  it('resumes after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'reports-'))
    try {
      const first = await running({ dataDir })
      const id = await made(first.client, first.profile)
      const run = await first.client.post(`${first.profile}/reports/${id}/run`)
      await first.client.sandbox.stop()
      const again = await connect({ dataDir, now: () => first.clock.now + 1000 })
      const file = await again.get(`/trafficking/v3.4/reports/${id}/files/${run.body.id}`)
      expect(file.body.status).toBe('REPORT_AVAILABLE')
      expect((await again.get(`/trafficking/v3.4/reports/${id}/files/${run.body.id}?alt=media`)).status).toBe(200)
      await again.sandbox.stop()
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  it('uses the real clock, too', async () => {
    const client = await connect()
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const id = await made(client, profile)
    const run = await client.post(`${profile}/reports/${id}/run`)
    await eventually(async () => {
      const { body } = await client.get(`/trafficking/v3.4/reports/${id}/files/${run.body.id}`)
      return body.status === 'REPORT_AVAILABLE' ? true : undefined
    })
  })
})

describe('a download', () => {
  it('is a workbook on request, with the same cells', async () => {
    const { client, profile, rows } = await running()
    const body = { ...standard(['placement'], ['impressions', 'mediaCost']), format: 'EXCEL' }
    const id = await made(client, profile, body)
    const run = await client.post(`${profile}/reports/${id}/run?synchronous=true`)
    const answer = await fetch(run.body.urls.apiUrl as string, {
      headers: { authorization: `Bearer ${client.sandbox.token}` },
    })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Figures.xlsx"')
    const files = unzipped(Buffer.from(await answer.arrayBuffer()))
    expect([...files.keys()]).toContain('xl/workbook.xml')
    const sheet = files.get('xl/worksheets/sheet1.xml')!
    const cells = [...sheet.matchAll(/<row>(.*?)<\/row>/g)].map(([, row]) =>
      [...row!.matchAll(/<c>?(?: t="inlineStr">)?(?:<v>|<is><t[^>]*>)(.*?)</g)].map(([, value]) => value),
    )
    expect(cells.slice(6)).toEqual(await rows(standard(['placement'], ['impressions', 'mediaCost'])))
    expect(sheet).toMatch(/<c><v>\d+<\/v><\/c>/)
  })

  it('supports ranges and conditional requests', async () => {
    const { client, profile } = await running()
    const id = await made(client, profile)
    const { body } = await client.post(`${profile}/reports/${id}/run?synchronous=true`)
    const get = (headers: Record<string, string>): Promise<Response> =>
      fetch(body.urls.apiUrl as string, { headers: { authorization: `Bearer ${client.sandbox.token}`, ...headers } })
    const whole = await get({ 'accept-encoding': 'identity' })
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag')!
    expect(whole.headers.get('content-type')).toBe('text/csv; charset=UTF-8')
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="Figures.csv"')
    for (const [range, from, to] of [
      ['bytes=0-99', 0, 100],
      ['bytes=100-', 100, bytes.length],
      ['bytes=-64', bytes.length - 64, bytes.length],
    ] as const) {
      const part = await get({ range })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to))).toBe(true)
    }
    const beyond = await get({ range: `bytes=${bytes.length}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    const packed = await get({ 'accept-encoding': 'gzip' })
    const weak = packed.headers.get('etag')!
    expect([packed.headers.get('content-encoding'), weak]).toEqual(['gzip', `W/${etag}`])
    expect(Buffer.from(await packed.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await get({ 'if-none-match': weak })).status).toBe(304)
    expect((await get({ range: 'bytes=0-9', 'if-range': weak })).status).toBe(200)
    const other = await fetch(body.urls.browserUrl as string, {
      headers: { authorization: `Bearer ${client.sandbox.token}` },
    })
    expect(Buffer.from(await other.arrayBuffer()).equals(bytes)).toBe(true)
  })
})

describe('report definitions', () => {
  it('are saved, changed, and deleted', async () => {
    const { client, profile, ids, clock } = await running()
    const first = await client.post(`${profile}/reports`, {
      ...report,
      delivery: { emailOwner: true, emailOwnerDeliveryType: 'LINK' },
    })
    expect(first.body).toMatchObject({
      kind: 'trafficking#report',
      accountId: ids.accountId,
      ownerProfileId: ids.profileId,
      format: 'CSV',
      lastModifiedTime: String(clock.now),
      delivery: { emailOwner: true },
    })
    const address = `${profile}/reports/${first.body.id}`
    expect((await client.get(address)).body).toEqual(first.body)
    clock.now += 1000
    const patched = await client.patch(address, { name: 'Renamed', delivery: null })
    expect(patched.body).toMatchObject({
      name: 'Renamed',
      criteria: first.body.criteria,
      lastModifiedTime: String(clock.now),
    })
    expect(patched.body.delivery).toBeUndefined()
    expect(patched.body.etag).not.toBe(first.body.etag)
    const { etag: _etag, ...rest } = patched.body
    const replaced = await client.put(address, { ...rest, name: 'Again', fileName: undefined })
    expect(replaced.body).toMatchObject({ id: first.body.id, name: 'Again', fileName: 'Again' })
    expect((await client.put(address, { ...rest, id: '1' })).location).toBe('id')
    expect((await client.get(`${profile}/reports/1`)).status).toBe(404)
    expect((await client.del(address)).status).toBe(204)
    expect((await client.get(address)).status).toBe(404)
  })

  it("are listed by ten, last changed first, yours or everyone's", async () => {
    const { client, profile, clock } = await running()
    for (let number = 0; number < 12; number++) {
      clock.now += 1000
      await client.post(`${profile}/reports`, { ...report, name: `R${String(number).padStart(2, '0')}` })
    }
    const theirs = (await client.as('mina', 'trafficking.userProfiles.list', {})).body.items[0].profileId as string
    expect(
      (await client.as('mina', 'trafficking.reports.insert', { profileId: theirs }, { ...report, name: 'A' })).status,
    ).toBe(200)
    const names = (answer: Reply): string[] => answer.body.items.map(({ name }: { name: string }) => name)
    const page = await client.get(`${profile}/reports`)
    expect(names(page)).toEqual(['R11', 'R10', 'R09', 'R08', 'R07', 'R06', 'R05', 'R04', 'R03', 'R02'])
    const next = await client.get(`${profile}/reports?pageToken=${page.body.nextPageToken}`)
    expect([names(next), next.body.nextPageToken]).toEqual([['R01', 'R00'], undefined])
    expect((await client.get(`${profile}/reports?scope=ALL&pageToken=${page.body.nextPageToken}`)).location).toBe(
      'pageToken',
    )
    expect(
      names(await client.get(`${profile}/reports?scope=ALL&sortField=NAME&sortOrder=ASCENDING&maxResults=2`)),
    ).toEqual(['A', 'R00'])
    expect(names(await client.get(`${profile}/reports?sortField=ID&sortOrder=ASCENDING&maxResults=1`))).toEqual(['R00'])
    expect((await client.get(`${profile}/reports?maxResults=11`)).location).toBe('maxResults')
    expect((await client.get(`/trafficking/v3.4/userprofiles/${theirs}/reports`)).status).toBe(403)
  })

  it('list their files, by report and profile', async () => {
    const { client, profile, clock } = await running()
    const ids = [await made(client, profile), await made(client, profile)]
    const files: string[] = []
    for (const id of [ids[0], ids[1], ids[0]]) {
      clock.now += 1000
      files.push((await client.post(`${profile}/reports/${id}/run?synchronous=true`)).body.id as string)
    }
    const list = async (path: string): Promise<string[]> =>
      ((await client.get(`${profile}/${path}`)).body.items as Array<{ id: string }>).map(({ id }) => id)
    expect(await list('files')).toEqual([files[2], files[1], files[0]])
    expect(await list('files?sortField=ID&sortOrder=ASCENDING')).toEqual(files)
    expect(await list('files?scope=SHARED_WITH_ME')).toEqual([])
    expect(await list(`reports/${ids[0]}/files`)).toEqual([files[2], files[0]])
    expect((await client.get(`${profile}/reports/1/files`)).status).toBe(404)
    expect((await client.get(`/trafficking/v3.4/reports/${ids[1]}/files/${files[0]}`)).status).toBe(404)
  })

  const criteria = report.criteria as Record<string, unknown>
  const schedule = { active: true, startDate: '2026-05-01', expirationDate: '2026-08-01', repeats: 'DAILY', every: 1 }
  const relative = { ...criteria, dateRange: { relativeDateRange: 'LAST_7_DAYS' } }
  it.each<[string, Record<string, unknown>, string]>([
    ['without criteria', { criteria: undefined }, 'criteria'],
    ['with the block of another type', { type: 'REACH' }, 'reachCriteria'],
    ['without a date range', { criteria: { ...criteria, dateRange: undefined } }, 'criteria.dateRange'],
    [
      'with an incomplete date range',
      { criteria: { ...criteria, dateRange: { startDate: '2026-01-01' } } },
      'criteria.dateRange.endDate',
    ],
    [
      'that ends before it starts',
      { criteria: { ...criteria, dateRange: { startDate: '2026-02-01', endDate: '2026-01-01' } } },
      'criteria.dateRange.endDate',
    ],
    [
      'with both kinds of range',
      { criteria: { ...criteria, dateRange: { relativeDateRange: 'TODAY', startDate: '2026-01-01' } } },
      'criteria.dateRange.relativeDateRange',
    ],
    [
      'with an unknown dimension',
      { criteria: { ...criteria, dimensions: [{ name: 'trafficking:nothing' }] } },
      'criteria.dimensions[0]',
    ],
    [
      'with a dimension without prefix',
      { criteria: { ...criteria, dimensions: [{ name: 'campaign' }] } },
      'criteria.dimensions[0]',
    ],
    [
      'with a dimension twice',
      { criteria: { ...criteria, dimensions: [{ name: 'trafficking:ad' }, { name: 'trafficking:ad' }] } },
      'criteria.dimensions[1]',
    ],
    [
      'with an unknown metric',
      { criteria: { ...criteria, metricNames: ['trafficking:impressions', 'trafficking:x'] } },
      'criteria.metricNames[1]',
    ],
    ['without metrics', { criteria: { ...criteria, metricNames: [] } }, 'criteria.metricNames'],
    [
      'with a metric that its dimensions forbid',
      { criteria: { ...criteria, dimensions: [{ name: 'trafficking:activity' }] } },
      'criteria.metricNames[0]',
    ],
    [
      'with reach, which is another type',
      { criteria: { ...criteria, metricNames: ['trafficking:uniqueReachTotalReach'] } },
      'criteria.metricNames[0]',
    ],
    [
      'with a filter of an unknown dimension',
      { criteria: { ...criteria, dimensionFilters: [{ dimensionName: 'trafficking:x', id: '1' }] } },
      'criteria.dimensionFilters[0]',
    ],
    [
      'with an empty filter',
      { criteria: { ...criteria, dimensionFilters: [{ dimensionName: 'trafficking:ad' }] } },
      'criteria.dimensionFilters[0]',
    ],
    [
      'of conversions without a configuration',
      {
        type: 'TRACKING',
        trackingCriteria: { ...criteria, dimensions: [], metricNames: ['trafficking:totalConversions'] },
      },
      'trackingCriteria.trackingConfigId',
    ],
    ['scheduled with custom dates', { schedule }, 'schedule'],
    [
      'scheduled for today',
      { schedule, criteria: { ...criteria, dateRange: { relativeDateRange: 'TODAY' } } },
      'schedule',
    ],
    [
      'with an unknown recurrence',
      { schedule: { ...schedule, repeats: 'OFTEN' }, criteria: relative },
      'schedule.repeats',
    ],
    [
      'repeated weekly on no day',
      { schedule: { ...schedule, repeats: 'WEEKLY' }, criteria: relative },
      'schedule.repeatsOnWeekDays',
    ],
    [
      'that expires before it starts',
      { schedule: { ...schedule, expirationDate: '2026-04-01' }, criteria: relative },
      'schedule.expirationDate',
    ],
    ['without a name', { name: ' ' }, 'name'],
    [
      'emailed to no address',
      { delivery: { recipients: [{ email: 'nobody', deliveryType: 'LINK' }] } },
      'delivery.recipients[0].email',
    ],
  ])('are rejected %s', async (_what, change, location) => {
    const client = await connect({ now: () => start })
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const answer = await client.post(`${profile}/reports`, { ...report, ...change })
    expect([answer.status, answer.location]).toEqual([400, location])
    expect((await client.get(`${profile}/reports`)).body.items).toEqual([])
  })

  it('are accepted with a valid schedule', async () => {
    const client = await connect({ now: () => start })
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const answer = await client.post(`${profile}/reports`, { ...report, criteria: relative, schedule })
    expect([answer.status, answer.body.schedule]).toEqual([200, schedule])
    const broken = await client.patch(`${profile}/reports/${answer.body.id}`, {
      criteria: { metricNames: ['trafficking:x'] },
    })
    expect(broken.status).toBe(400)
    expect((await client.get(`${profile}/reports/${answer.body.id}`)).body).toEqual(answer.body)
  })

  it("of type path don't exist in 3.3", async () => {
    const client = await connect()
    const profile = `/trafficking/v3.3/userprofiles/${client.sandbox.ids.profileId}`
    expect((await client.post(`${profile}/reports`, { ...report, type: 'PATH' })).location).toBe('type')
    expect((await client.post(`${profile}/reports`, report)).status).toBe(200)
  })
})

describe('relative ranges', () => {
  it.each([
    ['TODAY', '2026-03-02', '2026-03-02'],
    ['YESTERDAY', '2026-03-01', '2026-03-01'],
    ['WEEK_TO_DATE', '2026-03-02', '2026-03-02'],
    ['MONTH_TO_DATE', '2026-03-01', '2026-03-02'],
    ['QUARTER_TO_DATE', '2026-01-01', '2026-03-02'],
    ['YEAR_TO_DATE', '2026-01-01', '2026-03-02'],
    ['PREVIOUS_WEEK', '2026-02-23', '2026-03-01'],
    ['PREVIOUS_MONTH', '2026-02-01', '2026-02-28'],
    ['PREVIOUS_QUARTER', '2025-10-01', '2025-12-31'],
    ['PREVIOUS_YEAR', '2025-01-01', '2025-12-31'],
    ['LAST_7_DAYS', '2026-02-23', '2026-03-01'],
    ['LAST_30_DAYS', '2026-01-31', '2026-03-01'],
    ['LAST_24_MONTHS', '2024-03-02', '2026-03-01'],
  ])('%s runs from %s to %s', async (relativeDateRange, startDate, endDate) => {
    // 23:30 on 1 March in UTC is 2 March in the account's time zone.
    const client = await connect({ now: () => Date.UTC(2026, 2, 1, 23, 30) })
    const profile = `/trafficking/v3.4/userprofiles/${client.sandbox.ids.profileId}`
    const body = { ...report, criteria: { ...(report.criteria as object), dateRange: { relativeDateRange } } }
    const run = await client.post(`${profile}/reports/${await made(client, profile, body)}/run`)
    expect(run.body.dateRange).toMatchObject({ startDate, endDate })
  })
})
