import { spawn } from 'node:child_process'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import { fetchFragment } from '../../../src-main/reports/download'
import { Library } from '../../../src-main/reports/library'
import { isLockedElsewhere } from '../../../src-main/reports/run-lock'
import type { RunRecord } from '../../../src-main/reports/run-record'
import type { RunService } from '../../../src-main/reports/run-service'
import { reportRunsForFile } from '../../helpers/report-runs'

// Ambiguous responses, invalid files, and a kill between two writes.

const { clock, service, library, newRun, searchRun, behaviors, end, calls, trouble } = reportRunsForFile([
  'campaign',
  'campaignId',
  'clicks',
])

describe('a search report whose request failed on the server', () => {
  it.each([500, 502, 503])('with %i may have started, is requested again, and says so', async (status) => {
    const before = await calls('search.reports.request')
    await trouble('search.reports.request', { status })
    const run = await end(searchRun())
    expect([run.state, run.askedAgain]).toEqual(['kept', true])
    expect(run.words).toContain('Requested twice')
    expect((await calls('search.reports.request')) - before).toBe(2)
  })

  it("twice in a row isn't requested a third time automatically", async () => {
    const before = await calls('search.reports.request')
    await trouble('search.reports.request', { status: 503, count: 9 })
    const run = await end(searchRun())
    expect([run.state, (await calls('search.reports.request')) - before]).toEqual(['needsYou', 2])
  })

  it('waits before the retry, since outages last', async () => {
    await trouble('search.reports.request', { status: 503 })
    const waits: number[] = []
    await end(searchRun(), { onprogress: ({ wait }) => void (wait && waits.push(wait.ms)) })
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(30_000)
  })

  it.each([
    ['search', searchRun, 'search.reports.request'],
    ['trafficking', newRun, 'trafficking.reports.run'],
  ] as const)("says why it isn't confirmed while it waits: %s", async (_service, start, operation) => {
    await trouble(operation, { status: 503 })
    const reasons: (string | undefined)[] = []
    await end(start(), {
      onprogress: ({ run, wait }) => void (wait && run.state === 'asked' && reasons.push(wait.fault?.message)),
    })
    expect(reasons.length).toBeGreaterThan(1)
    expect(new Set(reasons)).toEqual(new Set([reasons[0]]))
    expect(reasons[0]).toBeTruthy()
  })

  it.each([
    [429, 'rateLimitExceeded'],
    [403, 'rateLimitExceeded'],
  ])('with %i, which proves that none started, is retried until accepted', async (status, reason) => {
    const before = await calls('search.reports.request')
    await trouble('search.reports.request', { status, reason, count: 3 })
    const run = await end(searchRun())
    expect([run.state, run.words, (await calls('search.reports.request')) - before]).toEqual(['kept', 'Complete', 4])
  })
})

describe("a file that's never valid", () => {
  it('is downloaded twice and then reported', async () => {
    const own = newRun()
    let fetches = 0
    const spoilt: RunService = {
      ...behaviors(own),
      download: (run, fragment, take, options) => {
        if (++fetches > 8) throw new Error('It is fetched for ever.')
        return behaviors(own).download(
          run,
          fragment,
          (head, chunks) => take({ ...head, total: undefined } as never, cut(chunks)),
          options,
        )
      },
    }
    const run = await end(own, { service: spoilt })
    expect([run.state, fetches]).toEqual(['failed', 2])
    expect(run.words).toContain('The last line of the file is incomplete.')
    expect(run.words).toContain('second download')
  })

  it('is reported when a finished report has no file', async () => {
    const own = searchRun()
    const empty: RunService = {
      ...behaviors(own),
      look: () => Promise.resolve({ state: 'ready', more: { fragments: [] } }),
    }
    const run = await end(own, { service: empty })
    expect([run.state, run.words]).toEqual(['failed', expect.stringContaining('no file')])
  })
})

describe('a file whose last line has no break', () => {
  /** Announces as many bytes as arrive. */
  const unbroken = (own: RunRecord): RunService => ({
    ...behaviors(own),
    download: (run, fragment, take, options) =>
      behaviors(own).download(
        run,
        fragment,
        async (head, chunks) => {
          const bytes = Buffer.from((await allOf(chunks)).toString().trimEnd())
          return take({ ...head, total: bytes.length }, new Response(bytes).body as never)
        },
        options,
      ),
  })

  it.each([
    ['trafficking', newRun],
    ['search', searchRun],
  ])('is complete if its size was announced: %s', async (_service, start) => {
    const whole = await end(start())
    // A search comes in several parts.
    await service.order('POST', '/reports', { rowsPerFile: 10 })
    const own = start()
    const run = await end(own, { service: unbroken(own) })
    expect([run.state, run.rows]).toEqual(['kept', whole.rows])
    const text = await readFile(library.fileOf(whole), 'utf8')
    expect(await readFile(library.fileOf(run), 'utf8')).toBe(text.trimEnd())
  })
})

describe('a file that changes during its download', () => {
  it("isn't joined with the old one, wherever the app was killed", async () => {
    const whole = await end(newRun())
    const text = await readFile(library.fileOf(whole), 'utf8')
    const own = { ...whole, id: Library.newId(clock.now()), state: 'fetching' as const }
    await library.keep(own)
    await writeFile(library.partOf(own, 0), text.replaceAll(',1', ',2').slice(0, -200))
    const begun: RunRecord = { ...own, fragments: [{ etag: '"of the version before"', done: false }] }
    let kept = begun
    const options = { signal: new AbortController().signal, onbytes: () => undefined }
    const killed = fetchFragment(
      library,
      behaviors(own),
      begun,
      0,
      (run) => {
        kept = run
        return Promise.reject(new Error('killed'))
      },
      options,
    )
    await expect(killed).rejects.toThrow()
    const run = await end({ ...kept, state: 'fetching' })
    expect(await readFile(library.fileOf(run), 'utf8')).toBe(text)
  })
})

describe('a run that two processes find unfinished', () => {
  const asked = (): Promise<number> => calls('trafficking.reports.run')

  it('is resumed by one, and the other finds it complete', async () => {
    const before = await asked()
    await service.order('POST', '/reports', { milliseconds: 300 })
    const run = newRun()
    const [first, second] = await Promise.allSettled([end(run), end(run)])
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
    const refused = first.status === 'rejected' ? first : (second as PromiseRejectedResult)
    expect(isLockedElsewhere(faultOf(refused.reason))).toBe(true)
    const found = await end(run, { asKept: true })
    expect([found.state, (await asked()) - before]).toEqual(['kept', 1])
    expect((await readdir(library.folderOf(run))).sort()).toEqual(['report.csv', 'run.json'])
  })

  it('is left to the running process, and taken over after its exit', async () => {
    const run = newRun()
    await library.keep(run)
    const mark = join(library.folderOf(run), 'under-way')
    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
    await writeFile(mark, `${other.pid} abc`)
    await expect(end(run)).rejects.toMatchObject({ fault: { code: 'conflict' } })
    const gone = new Promise((done) => other.once('exit', done))
    other.kill('SIGKILL')
    await gone
    expect((await end(run)).state).toBe('kept')
  })

  it.each(['', 'nonsense', `${process.pid} of one that had our number`])(
    "isn't blocked by a lock of %j",
    async (text) => {
      const run = newRun()
      await library.keep(run)
      await writeFile(join(library.folderOf(run), 'under-way'), text)
      expect((await end(run)).state).toBe('kept')
    },
  )
})

async function* cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield (await allOf(chunks)).subarray(0, -3)
}

async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
