import { mkdir, mkdtemp, readFile, readdir, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '#shared/json'
import { usualKeep, type Keep } from '#shared/reports/report-files'
import { isOver, type Run } from '#shared/reports/runs'
import type { Clock } from '#shared/time/clock'
import { dayRenews, quotas } from '#shared/wire/quotas'
import type { Report } from '#shared/wire/trafficking/types'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { readingOf } from '../../../src-main/reports/assemble'
import { RunManager, type Wanted } from '../../../src-main/reports/run-manager'
import { setRetentionLimit } from '../../../src-main/reports/retention-limit'
import { readFileFacts } from '../../../src-main/reports/file-facts'
import { Library } from '../../../src-main/reports/library'
import { ReportFolder } from '../../../src-main/reports/report-folder'
import { SearchDefinitions } from '../../../src-main/reports/search-definitions'
import { createClient, type Client } from '../../../src-main/services/client'
import { serviceForFile } from '../../helpers/for-file'
import { HeldAnswers } from '../../helpers/held-answers'
import { clockFromMoment } from '../../helpers/moment'
import { deliveryReport } from '../../helpers/report-runs'

const clock = clockFromMoment()
const accountId = 'sandbox'
const service = serviceForFile({ seed: 'demo', now: clock.now })
let folder: string
let library: Library
let desk: RunManager
let wanted: Wanted & { service: 'trafficking' }
let announced: Run[]
let keep: Keep
let onkept: ((run: Run) => void) | undefined
let network: HeldAnswers
let client: Client
/** Services whose calls stop for the day. */
let spent: string[]

beforeAll(async () => {
  const profileId = service.sandbox.ids['profileId']!
  const report = (await deliveryReport(service)) as JsonObject
  wanted = { service: 'trafficking', profileId, report, awaits: [] }
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desk-'))
  network = new HeldAnswers()
  const { baseUrl, token } = service.sandbox
  spent = []
  const quota = { take: () => Promise.resolve(), daySpent: (name: string): unknown => spent.push(name) }
  client = createClient({ baseUrl: () => baseUrl, token: () => token, quota, fetch: network.fetch, now: clock.now })
  library = new Library(folder)
  keep = usualKeep
  onkept = undefined
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  desk = newDesk()
})
afterEach(async () => {
  network.release()
  await desk.close()
  await service.order('DELETE', '/trouble')
  await rm(folder, { recursive: true })
})

function newDesk(shown: Pick<Clock, 'now'> = clock): RunManager {
  announced = []
  return new RunManager({
    library,
    readFacts: readFileFacts,
    clientOf: (id) => (id === accountId ? client : undefined),
    clock: { ...clock, ...shown },
    random: () => 0.5,
    changed: (run) => {
      announced.push(run)
      onkept?.(run)
    },
    removed: () => undefined,
    keep: () => keep,
  })
}
const calls = async (called = 'trafficking.reports.run'): Promise<number> =>
  (await service.requests()).filter(({ operation }) => operation === called).length
const listed = async (id: string): Promise<Run> => (await desk.runs(accountId)).find((run) => run.id === id)!
const over = (id: string): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = await listed(id)
      expect(isOver(run.state)).toBe(true)
      return run
    },
    { timeout: 60_000, interval: 20 },
  )

/** Requests for the state of a run. */
const ofState = /\/files\//
/** Starts a run, which stays at work until the network is released. @returns its ID */
async function atWork(): Promise<string> {
  network.hold(ofState)
  const { id } = await desk.ask(accountId, wanted)
  await vi.waitFor(async () => expect((await listed(id)).state).toBe('working'), 60_000)
  return id
}

describe('a report run', () => {
  it('is started once for repeated requests and reports progress', async () => {
    const before = await calls()
    const asked = await Promise.all([1, 2, 3].map(() => desk.ask(accountId, wanted)))
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1)
    const run = await over(asked[0]!.id)
    expect([run.state, run.hasFile, run.totalsAgree]).toEqual(['kept', true, true])
    expect((await calls()) - before).toBe(1)
    expect(announced.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])).toEqual([
      'waiting',
      'asked',
      'working',
      'fetching',
      'kept',
    ])
    expect(announced.filter(({ state, hasFile }) => state === 'kept' && !hasFile)).toEqual([])
    const next = await desk.ask(accountId, wanted)
    expect(next.id).not.toBe(run.id)
    await over(next.id)
  })

  it('waits until its report is sent, and runs that version', async () => {
    const before = await calls()
    const { id } = await desk.ask(accountId, { ...wanted, report: { ...wanted.report, id: 'local:1' }, awaits: ['1'] })
    await desk.close()
    desk = newDesk()
    await desk.resume(accountId)
    expect([(await listed(id)).state, await calls()]).toEqual(['held', before])
    await desk.release(accountId, id, wanted.report)
    const run = await over(id)
    expect([run.state, run.reportId]).toEqual(['kept', wanted.report.id])
    expect((await calls()) - before).toBe(1)
  })

  it('waits for changes made since, too', async () => {
    const { id } = await desk.ask(accountId, { ...wanted, awaits: ['1'] })
    expect(await desk.ask(accountId, { ...wanted, awaits: ['2', '1'] })).toMatchObject({ id, awaits: ['1', '2'] })
    expect(await listed(id)).toMatchObject({ state: 'held', awaits: ['1', '2'] })
  })

  it('resumes when the manager reopens', async () => {
    const before = await calls()
    const id = await atWork()
    await desk.close()
    network.release()
    desk = newDesk()
    await desk.resume(accountId)
    desk.wake()
    expect((await over(id)).state).toBe('kept')
    expect((await calls()) - before).toBe(1)
  })

  it('stops polling when stopped, and can resume', async () => {
    const before = await calls()
    await service.order('POST', '/reports', { milliseconds: 60_000 })
    const { id } = await desk.ask(accountId, wanted)
    await vi.waitFor(async () => expect((await listed(id)).state).toBe('working'), { timeout: 60_000 })
    expect((await desk.stop(accountId, id)).state).toBe('stopped')
    await service.order('POST', '/reports', { milliseconds: 0 })
    expect((await listed(id)).words).toContain('The report will finish on the server')
    expect((await desk.again(accountId, id)).id).toBe(id)
    await vi.waitFor(async () => expect(['working', 'kept']).toContain((await listed(id)).state), { timeout: 60_000 })
    expect((await calls()) - before).toBe(1)
  })

  it('resumes once, however often requested', async () => {
    const before = await calls()
    const id = await atWork()
    await desk.stop(accountId, id)
    network.release()
    const again = await Promise.all([1, 2, 3].map(() => desk.again(accountId, id)))
    expect(new Set(again.map((run) => run.id))).toEqual(new Set([id]))
    expect((await over(id)).state).toBe('kept')
    expect((await calls()) - before).toBe(1)
  })

  it('resumes on request after its command was killed', async () => {
    const { id } = await desk.ask(accountId, wanted)
    await over(id)
    const [whole] = await library.runs(accountId)
    const left = { ...whole!, id: Library.newId(clock.now()), state: 'working' as const, fragments: [] }
    await library.keep(left)
    await writeFile(join(library.folderOf(left), 'under-way'), '999999999 of a process that is gone')
    const before = await calls()
    expect((await desk.ask(accountId, wanted)).id).toBe(left.id)
    expect([(await over(left.id)).state, (await calls()) - before]).toEqual(['kept', 0])
  })

  it('of search, stopped while requesting, may have started, and resuming says so', async () => {
    const request = {
      reportType: 'campaign',
      reportScope: { agencyId: service.sandbox.ids['agencyId']! },
      statisticsCurrency: 'usd',
      timeRange: { startDate: '2026-01-01', endDate: '2026-06-30' },
      columns: [{ columnName: 'campaign' }, { columnName: 'clicks' }],
    }
    const before = await calls('search.reports.request')
    network.hold(/\/reports$/)
    const search: Wanted = { service: 'search', reportId: 'kept here', name: 'Clicks', request, zone: 'UTC' }
    const { id } = await desk.ask(accountId, search)
    await vi.waitFor(() => expect(network.waiting).toBe(1), 60_000)
    expect((await listed(id)).state).toBe('asked')
    expect((await desk.stop(accountId, id)).state).toBe('stopped')
    network.release()
    expect((await desk.again(accountId, id)).state).toBe('asked')
    await vi.waitFor(async () => expect((await listed(id)).next).toBeDefined(), { timeout: 60_000 })
    desk.wake()
    const run = await over(id)
    expect([run.state, run.words]).toEqual(['kept', expect.stringContaining('Requested twice')])
    expect((await calls('search.reports.request')) - before).toBe(2)
  })

  it("that's deleted can be restored until the next start", async () => {
    const { id } = await desk.ask(accountId, wanted)
    const before = await over(id)
    const { path } = await desk.file(accountId, id)
    const bytes = await readFile(path)
    await desk.remove(accountId, id)
    expect(await listed(id)).toBeUndefined()
    expect(await desk.restore(accountId, id)).toEqual(before)
    expect([await listed(id), (await readFile(path)).equals(bytes)]).toEqual([before, true])
    await desk.remove(accountId, id)
    await desk.close()
    desk = newDesk()
    await desk.resume(accountId)
    expect(await readdir(join(folder, accountId))).toEqual([])
    await expect(desk.restore(accountId, id)).rejects.toMatchObject({ fault: { code: 'notFound' } })
  })

  it("that just arrived isn't cleaned up, even with the clock set back", async () => {
    await desk.close()
    let ago = 0
    desk = newDesk({ now: () => clock.now() - ago })
    for (let at = 0; at < 10; at++) await over((await desk.ask(accountId, wanted)).id)
    ago = 86_400_000
    const { id } = await desk.ask(accountId, wanted)
    await over(id)
    await vi.waitFor(async () => expect(await desk.runs(accountId)).toHaveLength(10), 10_000)
    expect((await listed(id)).hasFile).toBe(true)
  })

  it('that hit a temporary limit keeps its state and resumes when woken', async () => {
    await service.fail('trafficking.reports.run', {
      status: 403,
      reason: 'dailyLimitExceeded',
    })
    const { id } = await desk.ask(accountId, wanted)
    await vi.waitFor(async () => expect((await listed(id)).next?.fault?.message).toBeTruthy(), { timeout: 60_000 })
    expect((await listed(id)).state).toBe('waiting')
    desk.wake()
    expect((await over(id)).state).toBe('kept')
  })

  it('beyond the reports of the day waits for the next one, and nothing else does', async () => {
    await service.fail('trafficking.reports.run', {
      status: 403,
      reason: 'quotaExceeded',
    })
    const renews = dayRenews(quotas.trafficking!, clock.now())
    const { id } = await desk.ask(accountId, wanted)
    await vi.waitFor(async () => expect((await listed(id)).next?.fault?.message).toBeTruthy(), { timeout: 60_000 })
    const { state, next } = await listed(id)
    expect(state).toBe('waiting')
    expect(next!.at).toBeGreaterThan(renews)
    expect(spent).toEqual([])
    desk.wake()
    expect((await over(id)).state).toBe('kept')
  })

  it('that the service rejects fails with its error and can run again', async () => {
    const report = { ...wanted.report, id: '999999999' }
    const { id } = await desk.ask(accountId, { ...wanted, report })
    const failed = await over(id)
    expect([failed.state, failed.words]).toEqual(['failed', 'The report no longer exists on the server.'])
    const next = await desk.again(accountId, id)
    expect(next.id).not.toBe(id)
    await over(next.id)
  })

  it('records the definition that the service runs, also when run again', async () => {
    const { profileId } = wanted
    const { id: _id, ...lines } = wanted.report as Report
    const { body: old } = await client.call('trafficking.reports.insert', { profileId }, { body: lines })
    await service.order('POST', '/reports', { fail: 1 })
    const { id } = await desk.ask(accountId, { ...wanted, report: old as JsonObject })
    expect((await over(id)).state).toBe('failed')
    const metricNames = old.criteria!.metricNames!.slice().reverse()
    const body = { ...old, name: 'Turned around', criteria: { ...old.criteria, metricNames } }
    await client.call('trafficking.reports.update', { profileId, reportId: old.id! }, { body })
    const next = await over((await desk.again(accountId, id)).id)
    expect([next.state, next.name]).toEqual(['kept', 'Turned around'])
    const { run, path } = await desk.file(accountId, next.id)
    expect(run.definition).toMatchObject({ criteria: { metricNames } })
    const heads = (await readReportFile(path)).columns.map(({ about }) => about.field)
    const planned = await readReportFile(path, readingOf(run))
    expect(planned.columns.slice(-metricNames.length).map(({ about }) => about.field)).toEqual(
      heads.slice(-metricNames.length),
    )
  })

  it('of search recomputes relative dates when run again, and keeps fixed ones', async () => {
    const asked = (timeRange: object): Wanted => ({
      service: 'search',
      reportId: JSON.stringify(timeRange),
      name: 'Clicks',
      request: {
        reportType: 'campaign',
        reportScope: { agencyId: service.sandbox.ids['agencyId']! },
        statisticsCurrency: 'usd',
        timeRange: timeRange as JsonObject,
        columns: [{ columnName: 'campaign' }, { columnName: 'clicks' }],
      },
      zone: 'UTC',
    })
    await service.order('POST', '/reports', { fail: 2, reason: 'reportUnavailableInternalServerError' })
    const fixed = { startDate: '2026-01-01', endDate: '2026-01-31' }
    const failed: string[] = []
    for (const range of [{ relativeDateRange: 'YESTERDAY' }, fixed]) {
      const { id } = await desk.ask(accountId, asked(range))
      expect((await over(id)).state).toBe('failed')
      failed.push(id)
    }
    const first = (await listed(failed[0]!)).range!
    await desk.close()
    desk = newDesk({ now: () => clock.now() + 3 * 86_400_000 })
    await service.order('POST', '/reports', { fail: 0 })
    const [later, same] = await Promise.all(
      failed.map(async (id) => (await over((await desk.again(accountId, id)).id)).range!),
    )
    const after = (date: string, days: number): string =>
      new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
    expect(later).toEqual({ from: after(first.from, 3), to: after(first.to, 3) })
    expect(same).toEqual({ from: fixed.startDate, to: fixed.endDate })
  })

  it('keeps the ten latest files of a report and pinned ones', async () => {
    const ids: string[] = []
    for (let at = 0; at < 12; at++) {
      const { id } = await desk.ask(accountId, wanted)
      ids.push((await over(id)).id)
      if (at === 0) await desk.pin(accountId, id, true)
    }
    await expect
      .poll(async () => (await desk.runs(accountId)).map(({ id }) => id))
      .toEqual([...ids.slice(2), ids[0]!].sort().reverse())
  })

  it('that took over twelve hours asks whether to check again or run again', async () => {
    await service.order('POST', '/reports', { milliseconds: 14 * 3_600_000 })
    const before = await calls()
    const { id } = await desk.ask(accountId, wanted)
    await vi.waitFor(async () => expect((await listed(id)).state).toBe('working'), { timeout: 60_000 })
    await desk.close()
    desk = newDesk({ now: () => clock.now() + 13 * 3_600_000 })
    await desk.resume(accountId)
    const words = 'The report has been running for 12 hours. Check again, or run it again.'
    expect(await over(id)).toMatchObject({ state: 'needsYou', words, begun: true })
    // Checking isn't running: an unfinished run stays unfinished.
    await desk.again(accountId, id)
    expect([(await over(id)).state, (await calls()) - before]).toEqual(['needsYou', 1])
    await service.order('POST', '/reports', { milliseconds: 0 })
    const rerun = await desk.again(accountId, id, true)
    expect(rerun.id).not.toBe(id)
    expect((await over(rerun.id)).state).toBe('kept')
    expect([(await listed(id)).state, (await calls()) - before]).toEqual(['needsYou', 2])
  })
})

describe('the number of files to keep', () => {
  const made = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let at = 0; at < count; at++) ids.push((await over((await desk.ask(accountId, wanted)).id)).id)
    return ids
  }
  const left = async (): Promise<string[]> => (await desk.runs(accountId)).map(({ id }) => id).reverse()

  it('applies at once when lowered, and undo restores the files', async () => {
    keep = null
    const ids = await made(5)
    await desk.pin(accountId, ids[0]!, true)
    expect((await desk.beyond(2)).map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(await left()).toEqual(ids)
    keep = 2
    const gone = await desk.clearBeyond(keep)
    expect(gone.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(await left()).toEqual([ids[0], ids[3], ids[4]])
    const [next] = await made(1)
    await vi.waitFor(async () => expect(await left()).toEqual([ids[0], ids[4], next]), 10_000)
    keep = null
    for (const { id } of gone) expect(await desk.restore(accountId, id)).toMatchObject({ id, hasFile: true })
    expect(await left()).toEqual([ids[0], ids[1], ids[2], ids[4], next])
  })

  it('is unchanged if the deletion fails', async () => {
    const userData = await mkdtemp(join(tmpdir(), 'desk-number-'))
    const places = await ReportFolder.open(userData)
    const set = (keep: Keep): Promise<unknown> => setRetentionLimit(keep, { runManager: desk, folder: places })
    const stored = async (): Promise<Keep> => (await ReportFolder.open(userData)).keep
    try {
      keep = null
      const ids = await made(4)
      await desk.whileHeld(async () => {
        await expect(set(1)).rejects.toMatchObject({ fault: { code: 'conflict' } })
      })
      expect([places.keep, await stored(), await left()]).toEqual([usualKeep, usualKeep, ids])
      // One of them can't be trashed because its place is taken.
      const { putAside } = library
      library.putAside = (run) => (run.id === ids[0] ? Promise.reject(new Error('busy')) : putAside.call(library, run))
      await expect(set(1)).rejects.toThrow('busy')
      library.putAside = putAside
      expect([places.keep, await stored(), await left()]).toEqual([usualKeep, usualKeep, ids])
      // Nor if the number can't be saved.
      await mkdir(join(userData, 'report-files.json'))
      await expect(set(1)).rejects.toMatchObject({ fault: { code: 'storage' } })
      expect([places.keep, await left()]).toEqual([usualKeep, ids])
      await rmdir(join(userData, 'report-files.json'))
      expect(await set(1)).toHaveLength(3)
      expect([places.keep, await stored(), await left()]).toEqual([1, 1, [ids[3]]])
    } finally {
      await rm(userData, { recursive: true })
    }
  })

  it('waits with moves until no run is active, then continues', async () => {
    const [kept] = await made(1)
    const before = await calls()
    const id = await atWork()
    let other = ''
    await desk.whileHeld(async () => {
      expect((await listed(id)).words).toBe('Waiting for report files to be moved')
      await expect(desk.remove(accountId, kept!)).rejects.toMatchObject({ fault: { code: 'conflict' } })
      other = (await desk.ask(accountId, { ...wanted, report: { ...wanted.report, id: '999999999' } })).id
      network.release()
      // Long enough for a run that isn't paused.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect((await listed(id)).state).toBe('working')
      expect((await listed(other)).state).toBe('waiting')
    })
    expect((await over(id)).state).toBe('kept')
    expect((await over(other)).state).toBe('failed')
    expect((await calls()) - before).toBe(1)
    await desk.remove(accountId, kept!)
  })
})

it('older files stay during a move, even right after a new one', async () => {
  keep = 1
  const first = await over((await desk.ask(accountId, wanted)).id)
  let [done, moved] = [(): void => undefined, Promise.resolve()]
  const began = new Promise<void>((resolve) => {
    onkept = ({ id, state }) => {
      if (state !== 'kept' || id === first.id) return
      moved = desk.whileHeld(() => {
        resolve()
        return new Promise<void>((end) => (done = end))
      })
    }
  })
  await desk.ask(accountId, wanted)
  await began
  // Any cleanup would have happened by now.
  await desk.pin(accountId, first.id, false)
  expect((await desk.runs(accountId)).map(({ hasFile }) => hasFile)).toEqual([true, true])
  done()
  await moved
  onkept = undefined
  await desk.ask(accountId, wanted)
  await vi.waitFor(async () => expect(await desk.runs(accountId)).toHaveLength(1), { timeout: 60_000, interval: 20 })
})

describe('search report definitions', () => {
  it('are saved, changed, and deleted', async () => {
    const definitions = new SearchDefinitions(library, clock.now)
    const request = { reportType: 'campaign' }
    const [a, b] = await Promise.all([
      definitions.keep(accountId, { name: 'Keywords', request }),
      definitions.keep(accountId, { name: 'Accounts', request }),
    ])
    await definitions.keep(accountId, { id: a!.id, name: 'Words', request })
    expect((await definitions.list(accountId)).map(({ name }) => name)).toEqual(['Accounts', 'Words'])
    await definitions.remove(accountId, b!.id)
    expect((await new SearchDefinitions(library, clock.now).list(accountId)).map(({ name }) => name)).toEqual(['Words'])
    expect(await library.runs(accountId)).toEqual([])
  })
})
