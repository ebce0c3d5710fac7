import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { prefix } from '#shared/facts/report-fields'
import type { JsonObject } from '#shared/json'
import { isOver, type Run } from '#shared/reports/runs'
import type { File, Report } from '#shared/wire/trafficking/types'
import { readReportFile } from '../../../src-main/report-data/read-file'
import { readingOf } from '../../../src-main/reports/assemble'
import { readFileFacts } from '../../../src-main/reports/file-facts'
import type { RunRecord } from '../../../src-main/reports/run-record'
import { RunManager } from '../../../src-main/reports/run-manager'
import { reportRunsForFile } from '../../helpers/report-runs'

const accountId = 'sandbox'
const runs = reportRunsForFile([])
const { service, clock } = runs
let desk: RunManager
let report: Report
const place = (): { profileId: string; reportId: string } => ({ profileId: runs.profileId(), reportId: report.id! })

beforeEach(async () => {
  desk = new RunManager({
    library: runs.library,
    readFacts: readFileFacts,
    clientOf: () => service.client,
    clock,
    random: () => 0.5,
    changed: () => undefined,
    removed: () => undefined,
    keep: () => 2,
  })
  const { id: _id, ...body } = runs.report()
  report = (await service.client.call('trafficking.reports.insert', { profileId: runs.profileId() }, { body })).body
})
afterEach(() => desk.close())

/** Runs the report as a schedule or someone else does. */
const elsewhere = async (): Promise<File> => (await service.client.call('trafficking.reports.run', place())).body
const ready = (id: string | undefined) =>
  vi.waitFor(async () => {
    const { body } = await service.client.call('trafficking.reports.files.get', { ...place(), fileId: id! })
    expect(body.status).not.toBe('PROCESSING')
  })
const ownRun = (): Promise<Run> =>
  desk.ask(accountId, { service: 'trafficking', profileId: runs.profileId(), report: report as JsonObject, awaits: [] })
const listed = async (): Promise<string[]> => (await desk.onServer(accountId, place())).runs.map(({ id }) => id)
const over = (id: string): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = (await desk.runs(accountId)).find((one) => one.id === id)!
      expect(isOver(run.state)).toBe(true)
      return run
    },
    { timeout: 60_000, interval: 20 },
  )
const kept = async (id: string) => {
  const { run, path } = await desk.file(accountId, id)
  return { run, table: await readReportFile(path, readingOf(run)) }
}

it('lists the runs that this computer doesn’t have, without failed ones', async () => {
  const own = await ownRun()
  await over(own.id)
  expect(await listed()).toEqual([])
  const other = await elsewhere()
  await service.order('POST', '/reports', { milliseconds: 0, fail: 1, cancel: 0, rowsPerFile: 0 })
  const failed = await elsewhere()
  await ready(other.id)
  await ready(failed.id)
  const { runs: found } = await desk.onServer(accountId, place())
  expect(found).toEqual([
    {
      id: other.id,
      made: expect.any(Number) as number,
      isReady: true,
      range: { from: other.dateRange!.startDate, to: other.dateRange!.endDate },
    },
  ])
})

it('downloads a run of someone else once, with its rows and dates', async () => {
  const other = await elsewhere()
  await ready(other.id)
  const own = await ownRun()
  await over(own.id)
  const before = await runs.calls('trafficking.reports.run')
  const wanted = { ...place(), fileId: other.id! }
  const [first, second] = await Promise.all([desk.download(accountId, wanted), desk.download(accountId, wanted)])
  expect(second.id).toBe(first.id)
  const run = await over(first.id)
  expect(run).toMatchObject({ state: 'kept', hasFile: true, totalsAgree: true, asked: run.finished })
  expect(run.range).toEqual({ from: other.dateRange!.startDate, to: other.dateRange!.endDate })
  expect((await desk.download(accountId, wanted)).id).toBe(run.id)
  expect(await listed()).toEqual([])
  expect(await runs.calls('trafficking.reports.run')).toBe(before)
  const [mine, theirs] = [await kept(own.id), await kept(run.id)]
  expect(theirs.table.length).toBe(mine.table.length)
  expect(theirs.table.columns.map(({ about }) => about)).toEqual(mine.table.columns.map(({ about }) => about))
})

it('recognizes the columns of an older definition by their headers', async () => {
  const other = await elsewhere()
  await ready(other.id)
  // It would promise each placement’s delivery by day.
  const dimensions = ['date', 'placementId', 'placement'].map((name) => ({ name: prefix + name }))
  const body = { criteria: { ...report.criteria!, dimensions } } as Report
  report = (await service.client.call('trafficking.reports.patch', place(), { body })).body
  const { id } = await desk.download(accountId, { ...place(), fileId: other.id! })
  const run = await over(id)
  expect([run.state, run.deliveries]).toEqual(['kept', undefined])
  const { table } = await kept(id)
  const fields = table.columns.map(({ about }) => about.field)
  expect(fields).not.toContain('placementId')
  expect(fields).toContain('impressions')
})

it('waits for a run that isn’t ready yet', async () => {
  await service.order('POST', '/reports', { milliseconds: 300, fail: 0, cancel: 0, rowsPerFile: 0 })
  const other = await elsewhere()
  const { id, state } = await desk.download(accountId, { ...place(), fileId: other.id! })
  expect(state).toBe('working')
  expect((await over(id)).state).toBe('kept')
})

it('continues with older runs', async () => {
  const files: File[] = []
  for (let at = 0; at < 12; at++) files.push(await elsewhere())
  const first = await desk.onServer(accountId, place())
  const { pageToken } = first
  const second = await desk.onServer(accountId, { ...place(), pageToken })
  expect([first.runs.length, second.runs.length, second.pageToken]).toEqual([10, 2, undefined])
  expect(new Set([...first.runs, ...second.runs].map(({ id }) => id))).toEqual(new Set(files.map(({ id }) => id)))
})

it('keeps the runs that were downloaded last, whenever they were made', async () => {
  const older = [await elsewhere(), await elsewhere()]
  for (const { id } of older) await ready(id)
  for (let at = 0; at < 2; at++) await over((await ownRun()).id)
  for (const { id } of older) await over((await desk.download(accountId, { ...place(), fileId: id! })).id)
  await expect
    .poll(async () => (await runs.library.runs(accountId)).map(({ serviceId }) => serviceId).sort())
    .toEqual(older.map(({ id }) => id))
})

it('uses an earlier definition with the same columns, or of the same run', async () => {
  const own = await ownRun()
  await over(own.id)
  const [other, { serviceId }] = [await elsewhere(), (await runs.library.runs(accountId))[0]!]
  await ready(other.id)
  const change = async (body: Partial<Report>): Promise<void> => {
    report = (await service.client.call('trafficking.reports.patch', place(), { body: body as Report })).body
  }
  const downloaded = async (fileId: string): Promise<unknown> => {
    const { id } = await desk.download(accountId, { ...place(), fileId })
    await over(id)
    const { criteria } = (await desk.file(accountId, id)).run.definition as Report
    await desk.remove(accountId, id)
    return criteria
  }
  const { criteria } = report
  await change({ name: 'Renamed' })
  expect(await downloaded(other.id!)).toEqual(criteria)
  await change({ criteria: { ...criteria!, dimensions: [{ name: `${prefix}date` }] } })
  await desk.remove(accountId, own.id)
  expect(await downloaded(serviceId!)).toEqual(criteria)
})

it('restores a deleted run once, also if its file was downloaded again', async () => {
  const own = await ownRun()
  await over(own.id)
  const [{ serviceId }] = (await runs.library.runs(accountId)) as [RunRecord]
  await desk.remove(accountId, own.id)
  const again = await desk.download(accountId, { ...place(), fileId: serviceId! })
  await over(again.id)
  expect((await desk.restore(accountId, own.id)).id).toBe(again.id)
  expect((await desk.runs(accountId)).map(({ id }) => id)).toEqual([again.id])
  await desk.remove(accountId, again.id)
  expect((await desk.restore(accountId, own.id)).id).toBe(own.id)
})
