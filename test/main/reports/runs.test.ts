import { mkdir, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { ReportRequest } from '#shared/wire/search/types'
import type { Report } from '#shared/wire/trafficking/types'
import { type RunProgress } from '../../../src-main/reports/runner'
import type { RunRecord } from '../../../src-main/reports/run-record'
import type { RunService } from '../../../src-main/reports/run-service'
import { searchRun, searchRuns } from '../../../src-main/reports/search-runs'
import { traffickingRun } from '../../../src-main/reports/trafficking-runs'
import { readingOf } from '../../../src-main/reports/assemble'
import { readReportFile } from '../../../src-main/report-data/read-file'
import type { ResultTable } from '../../../src-main/report-data/table'
import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import { reportRunsForFile } from '../../helpers/report-runs'

const { clock, service, library, report, request, profileId, newRun, behaviors, end, calls, trouble, ...runs } =
  reportRunsForFile(['campaign', 'campaignId', 'date', 'impr', 'clicks', 'ctr', 'cost'], {
    maxRowsPerFile: 1_000_000,
    downloadFormat: 'csv',
  })
const download = async (run: RunRecord): Promise<string> => {
  const parts: Uint8Array[] = []
  const { reportId = '', serviceId = '' } = run
  await service.client.download(
    'trafficking.reports.files.get',
    { profileId: profileId(), reportId, fileId: serviceId },
    async (_head, chunks) => {
      for await (const chunk of chunks) parts.push(chunk)
    },
  )
  return Buffer.concat(parts).toString()
}

/** A file's bytes without its last two lines. */
async function* withoutLastLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const lines = Buffer.concat(parts).toString().split('\r\n')
  yield Buffer.from(`${lines.slice(0, -3).join('\r\n')}\r\n`)
}

describe('a run of a trafficking report', () => {
  it('is requested once, polled, downloaded, and stored', async () => {
    const before = await calls('trafficking.reports.run')
    await service.order('POST', '/reports', { milliseconds: 30 })
    const seen: string[] = []
    const run = await end(newRun({}), { onprogress: ({ run }: RunProgress) => void seen.push(run.state) })
    expect(run.state).toBe('kept')
    expect(seen.filter((state, at) => state !== seen[at - 1])).toEqual(['asked', 'working', 'fetching', 'kept'])
    expect((await calls('trafficking.reports.run')) - before).toBe(1)
    const text = await readFile(library.fileOf(run), 'utf8')
    expect(text).toBe(await download(run))
    expect([run.bytes, run.totalsAgree]).toEqual([Buffer.byteLength(text), true])
    expect(run.rows).toBeGreaterThan(3)
    const table = await readReportFile(library.fileOf(run), readingOf(run))
    expect(table.columns.map(({ about }) => about.kind)).toEqual([
      'text',
      'text',
      'id',
      'count',
      'count',
      'percent',
      'money',
      'money',
      'count',
    ])
    expect((await readdir(library.folderOf(run))).sort()).toEqual(['report.csv', 'run.json'])
    expect((await library.newestByReport('sandbox')).get(run.reportId!)).toEqual(run)
  })

  it('as a workbook reads like CSV', async () => {
    const { id: _own, ...lines } = report()
    const criteria: Report = { ...lines, format: 'EXCEL', name: 'As a workbook' }
    const { body } = await service.client.call(
      'trafficking.reports.insert',
      { profileId: profileId() },
      { body: criteria },
    )
    const [plain, book] = [await end(newRun({})), await end(newRun(traffickingRun(body, profileId())))]
    expect([book.format, book.rows, book.totalsAgree]).toEqual(['xlsx', plain.rows, true])
    const [a, b] = await Promise.all([plain, book].map((run) => readReportFile(library.fileOf(run), readingOf(run))))
    const cells = ({ columns, length }: ResultTable): string[][] =>
      Array.from({ length }, (_, row) => columns.map((column) => column.text(row)))
    expect(cells(b!)).toEqual(cells(a!))
    expect(b!.total).toEqual(a!.total)
  })

  it('is found after a lost response, without a second run', async () => {
    const before = await calls('trafficking.reports.run')
    await trouble('trafficking.reports.run', { drop: 'after' })
    const run = await end(newRun({}))
    expect(run.state).toBe('kept')
    expect((await calls('trafficking.reports.run')) - before).toBe(1)
  })

  it("with a lost request doesn't adopt someone's run of another date range", async () => {
    await trouble('trafficking.reports.run', { drop: 'before' })
    const change = (criteria: Report['criteria']): Promise<unknown> => {
      const body = { ...report(), criteria }
      return service.client.call(
        'trafficking.reports.update',
        { profileId: profileId(), reportId: report().id! },
        { body },
      )
    }
    const others = { ...report().criteria, dateRange: { startDate: '2026-01-01', endDate: '2026-01-01' } }
    let strange: string | undefined
    const wait = async (): Promise<void> => {
      if (strange !== undefined) return
      await change(others)
      const { body } = await service.client.call('trafficking.reports.run', {
        profileId: profileId(),
        reportId: report().id!,
      })
      strange = body.id
      await change(report().criteria)
    }
    const run = await end(newRun({}), { wait })
    expect(strange).toEqual(expect.any(String))
    expect([run.state, run.serviceId === strange, run.range?.from]).toEqual(['kept', false, expect.any(String)])
    expect(run.range?.from).not.toBe('2026-01-01')
  })

  it("with a file cut at a line end isn't stored", async () => {
    const whole = behaviors(newRun({}))
    const service: RunService = {
      ...whole,
      download: (run, fragment, take, options) =>
        whole.download(
          run,
          fragment,
          ({ total: _total, ...head }, chunks) => take(head, withoutLastLines(chunks)),
          options,
        ),
    }
    const run = await end(newRun({}), { service })
    expect([run.state, run.words]).toEqual(['failed', expect.stringContaining('ends before its total row')])
  })

  it('that never reached the service is requested again', async () => {
    await trouble('trafficking.reports.run', { drop: 'before' })
    const run = await end(newRun({}))
    expect(run.state).toBe('kept')
  })

  it.each(['asked', 'working', 'fetching'] as const)('interrupted in state “%s” resumes', async (state) => {
    const before = await calls('trafficking.reports.run')
    await service.order('POST', '/reports', { milliseconds: 20 })
    const control = new AbortController()
    await expect(
      end(newRun({}), {
        signal: control.signal,
        onprogress: ({ run }) => {
          if (run.state === state) control.abort()
        },
      }),
    ).rejects.toThrow(FaultError)
    const [left] = await library.runs('sandbox')
    expect(left!.state).toBe(state)
    const run = await end(left!)
    expect(run.state).toBe('kept')
    expect((await calls('trafficking.reports.run')) - before).toBe(1)
  })

  it('resumes a partial file, or restarts a changed one', async () => {
    await trouble('trafficking.reports.files.get', { count: 1, latencyMs: 1 })
    const control = new AbortController()
    const first = newRun({})
    await end(first, {
      signal: control.signal,
      onprogress: ({ run, done }) => {
        if (run.state === 'fetching' && done !== undefined) control.abort()
      },
    }).catch(() => undefined)
    const [left] = await library.runs('sandbox')
    const whole = await download(left!)
    const half = Math.floor(whole.length / 2)
    await writeFile(library.partOf(left!, 0), whole.slice(0, half))
    const begun: RunRecord = { ...left!, fragments: left!.fragments.map((one) => ({ ...one, done: false })) }
    await library.keep(begun)
    const starts: number[] = []
    const spied: RunService = {
      ...behaviors(begun),
      download: (run, fragment, take, options) => {
        starts.push(options.from)
        return behaviors(begun).download(run, fragment, take, options)
      },
    }
    const run = await end(begun, { service: spied })
    expect([starts, await readFile(library.fileOf(run), 'utf8')]).toEqual([[half], whole])

    await writeFile(library.partOf(begun, 0), 'something else altogether')
    const other = { ...begun, fragments: [{ etag: '"another"', done: false }] }
    const again = await end(other)
    expect(await readFile(library.fileOf(again), 'utf8')).toBe(whole)
  })

  it('arrives complete despite a broken connection', async () => {
    let ordered: Promise<unknown> | undefined
    const own = newRun({})
    const spied: RunService = {
      ...behaviors(own),
      download: async (run, fragment, take, options) => {
        await (ordered ??= trouble('trafficking.reports.files.get', { half: true }))
        return behaviors(own).download(run, fragment, take, options)
      },
    }
    const run = await end(own, { service: spied })
    expect(run.state).toBe('kept')
    expect(await readFile(library.fileOf(run), 'utf8')).toBe(await download(run))
  })

  it('finished overnight is stored, and an unfinished one needs attention', async () => {
    const hours = (count: number): number => count * 3_600_000
    const begun = async (milliseconds: number): Promise<RunRecord> => {
      await service.order('POST', '/reports', { milliseconds })
      const control = new AbortController()
      const stop = ({ run }: RunProgress): void => void (run.state === 'working' && control.abort())
      await end(newRun({}), { signal: control.signal, onprogress: stop }).catch(() => undefined)
      const [left] = await library.runs('sandbox')
      return { ...left!, asked: clock.now() - hours(13) }
    }
    expect((await end(await begun(0))).state).toBe('kept')
    expect((await end(await begun(hours(1)))).state).toBe('needsYou')
  })

  it('that fails on the server says so', async () => {
    await service.order('POST', '/reports', { fail: 1 })
    expect(await end(newRun({}))).toMatchObject({
      state: 'failed',
      words: 'The report failed on the server. The service gave no reason.',
    })
    await service.order('POST', '/reports', { cancel: 1 })
    expect(await end(newRun({}))).toMatchObject({ state: 'failed', words: 'The run was canceled on the server.' })
  })

  it('that the service rejects says what to do before the service’s own words', async () => {
    await trouble('trafficking.reports.run', { status: 400, reason: 'invalid' })
    const run = await end(newRun({}))
    expect(run.state).toBe('failed')
    expect(run.words).toMatch(/^The service rejected the definition\. Edit it, then run the report again\. Details: ./)
  })

  it('of a missing report fails, and one without a response keeps waiting', async () => {
    const gone = await end(newRun({ reportId: '4', definition: {} }))
    expect(gone).toMatchObject({ state: 'failed', words: 'The report no longer exists on the server.' })
    await trouble('trafficking.reports', { count: 50, status: 503 })
    await expect(end(newRun({}), { patience: 3 })).rejects.toThrow(FaultError)
    expect((await library.runs('sandbox')).filter(({ state }) => state === 'failed')).toHaveLength(1)
  })
})

describe('a run of a search report', () => {
  const search = (): RunRecord => runs.searchRun()

  it('joins several fragments into one complete file', async () => {
    const single = await end(search())
    await service.order('POST', '/reports', { rowsPerFile: 100 })
    const run = await end(search())
    expect([run.state, run.currency]).toEqual(['kept', 'USD'])
    expect(run.fragments.length).toBeGreaterThan(2)
    expect(run.rows).toBe(run.expectedRows)
    expect(await readFile(library.fileOf(run), 'utf8')).toBe(await readFile(library.fileOf(single), 'utf8'))
    expect((await readdir(library.folderOf(run))).sort()).toEqual(['report.csv', 'run.json'])
    const table = await readReportFile(library.fileOf(run), readingOf(run))
    expect(table.columns.map(({ about }) => about.kind)).toEqual([
      'text',
      'id',
      'day',
      'count',
      'count',
      'percent',
      'money',
    ])
  })

  it("keeps fragments that can't be joined yet, without a partial file, and resumes", async () => {
    await service.order('POST', '/reports', { rowsPerFile: 100 })
    const run = search()
    // A folder blocks the file's path.
    await mkdir(join(library.fileOf(run), 'full'), { recursive: true })
    await expect(end(run)).rejects.toMatchObject({ fault: { code: 'storage' } })
    const left = (await library.read(run))!
    const parts = left.fragments.map((_fragment, at) => `${at}.part`)
    expect((await readdir(library.folderOf(run))).sort()).toEqual([...parts, 'report.csv', 'run.json'].sort())
    await rm(library.fileOf(run), { recursive: true })
    const before = await calls('search.reports.getFile')
    expect(await end(left)).toMatchObject({ state: 'kept', rows: left.expectedRows })
    expect((await calls('search.reports.getFile')) - before).toBe(0)
  })

  it('interrupted between fragments resumes with the next', async () => {
    await service.order('POST', '/reports', { rowsPerFile: 100 })
    const control = new AbortController()
    await end(search(), {
      signal: control.signal,
      onprogress: ({ run }) => {
        if (run.fragments.filter(({ done }) => done).length === 2) control.abort()
      },
    }).catch(() => undefined)
    const [left] = await library.runs('sandbox')
    expect(left!.fragments.filter(({ done }) => done)).toHaveLength(2)
    const before = await calls('search.reports.getFile')
    const run = await end(left!)
    expect([run.state, run.rows]).toEqual(['kept', run.expectedRows])
    expect((await calls('search.reports.getFile')) - before).toBe(run.fragments.length - 2)
  })

  it("with relative dates uses the account's time zone", async () => {
    const { timeRange: _days, ...rest } = request()
    const relative = { ...rest, timeRange: { relativeDateRange: 'LAST_7_DAYS' } } as ReportRequest
    const run = await end({ ...search(), ...searchRun('By day', relative), timeZone: 'Pacific/Kiritimati' })
    expect([run.state, run.timeZone]).toEqual(['kept', 'Europe/Paris'])
    const today = Date.parse(dateOfWall(wallOfInstant(clock.now(), 'Pacific/Kiritimati')))
    const day = (ago: number): string => new Date(today - ago * 86_400_000).toISOString().slice(0, 10)
    expect(run.range).toEqual({ from: day(7), to: day(1) })
    expect((run.definition as ReportRequest).timeRange).toEqual({ startDate: day(7), endDate: day(1) })
  })

  it('with relative dates that never reached the service uses the date it does', async () => {
    const { timeRange: _days, ...rest } = request()
    const relative = { ...rest, timeRange: { relativeDateRange: 'YESTERDAY' } } as ReportRequest
    await trouble('search.reports.request', { status: 403, reason: 'dailyLimitExceeded' })
    const waiting = { ...search(), ...searchRun('By day', relative), timeZone: 'UTC' }
    await expect(end(waiting)).rejects.toBeInstanceOf(FaultError)
    const left = (await library.read(waiting))!
    expect(left.state).toBe('waiting')
    await service.order('DELETE', '/trouble')
    const later = clock.now() + 2 * 86_400_000
    const run = await end(left, { service: searchRuns(service.client, () => later) })
    const day = new Date(later - 86_400_000).toISOString().slice(0, 10)
    expect([run.state, run.range]).toEqual(['kept', { from: day, to: day }])
  })

  it('with a lost response is requested once more with a note, and not a third time', async () => {
    const before = await calls('search.reports.request')
    await trouble('search.reports.request', { drop: 'after' })
    const run = await end(search())
    expect([run.state, run.words]).toEqual(['kept', expect.stringContaining('Requested twice')])
    expect((await calls('search.reports.request')) - before).toBe(2)
    await trouble('search.reports.request', { drop: 'after', count: 3 })
    const left = await end(search())
    expect([left.state, left.words]).toEqual([
      'needsYou',
      expect.stringContaining('Couldn’t confirm that the report started'),
    ])
    expect((await calls('search.reports.request')) - before).toBe(4)
  })

  it('that fails on the server explains why and how to fix it', async () => {
    await service.order('POST', '/reports', { fail: 1, reason: 'reportUnavailableRequestTooLarge' })
    const run = await end(search())
    expect(run).toMatchObject({ state: 'failed' })
    expect(run.words).toContain('Choose a shorter date range')
  })
})

it("a truncated file isn't accepted as a report", async () => {
  const run = await end(newRun({}))
  const path = library.fileOf(run)
  await truncate(path, run.bytes! - 40)
  const table = await readReportFile(path, readingOf(run)).catch((error: unknown) => error)
  expect(table).toBeInstanceOf(FaultError)
})
