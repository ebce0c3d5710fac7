import type { ChildProcess as Forked } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { ResultProgress, OpenTable, TableShape } from '#shared/results/questions'
import type { ChildProcess } from '../../../src-main/ipc/child-process'
import { ResultProcess } from '../../../src-main/tables/result-process'
import { forkSource, helperProcess } from '../../helpers/helper-process'
import { folderForFile } from '../../helpers/for-file'

const open: ResultProcess[] = []
const children: Forked[] = []
const folder = folderForFile('report-data-')

afterEach(() => Promise.all(open.splice(0).map((results) => results.close())))

/** The real script in a Node process, as Electron runs it. */
function start(): ChildProcess {
  const child = forkSource('src-main/tables/process.ts')
  children.push(child)
  return helperProcess(child)
}

function running(): { results: ResultProcess; reports: ResultProgress[] } {
  const reports: ResultProgress[] = []
  const results = new ResultProcess(start, (progress) => void reports.push(progress))
  open.push(results)
  return { results, reports }
}
async function file(rows: number): Promise<string> {
  const path = join(folder, `${rows}.csv`)
  const lines = Array.from({ length: rows }, (_, at) => `site ${at},${at}\r\n`)
  await writeFile(path, `Site,Clicks\r\n${lines.join('')}`)
  return path
}
const read = async (results: ResultProcess, rows: number): Promise<OpenTable> => {
  const path = await file(rows)
  return results.ask('results/open', { path, source: { path } })
}
const shape = (more: Partial<TableShape> = {}): TableShape => ({ filters: [], group: [], sort: [], ...more })
const bySite = shape({ sort: [{ column: 'Site', descending: true }] })

it("a table lives in another process and doesn't block this one", async () => {
  const { results, reports } = running()
  const { table, rows } = await read(results, 100_000)
  expect(rows).toBe(100_000)
  expect(reports.some(({ doing, done }) => doing === 'reading' && done > 0)).toBe(true)
  const { view } = await results.ask('results/shape', { table, shape: bySite })
  expect(await results.ask('results/page', { view, from: 0, count: 1 })).toEqual({ rows: [['site 99999', '99999']] })
  const refused = results.ask('results/shape', { table, shape: shape({ group: ['Colour'] }) })
  await expect(refused).rejects.toMatchObject({ fault: { code: 'invalid' } })
})

it('no process starts before the first request', () => {
  const before = children.length
  running()
  expect(children).toHaveLength(before)
})

it('a crash rejects open requests, and the next request gets a new process without tables', async () => {
  const { results } = running()
  const { table } = await read(results, 1_000)
  const { view } = await results.ask('results/shape', { table, shape: bySite })
  // Pause it first, since it might otherwise respond before it's killed.
  children.at(-1)!.kill('SIGSTOP')
  const shaping = results.ask('results/shape', { table, shape: bySite })
  const page = results.ask('results/page', { view, from: 0, count: 1 })
  children.at(-1)!.kill('SIGKILL')
  await expect(shaping).rejects.toMatchObject({ fault: { code: 'invalid' } })
  await expect(page).rejects.toMatchObject({ fault: { code: 'gone' } })
  const again = await read(results, 1_000)
  expect(again.table).toBeGreaterThan(table)
  await expect(results.ask('results/page', { view, from: 0, count: 1 })).rejects.toMatchObject({
    fault: { code: 'gone' },
  })
})

it('a cancel works while a file blocks the process, which is killed', async () => {
  const { results, reports } = running()
  const path = await file(400_000)
  const opening = results.ask('results/open', { path, source: { path } })
  await expect.poll(() => reports.length, { interval: 1 }).toBeGreaterThan(0)
  children.at(-1)!.kill('SIGSTOP')
  const refused = expect(opening).rejects.toMatchObject({ fault: { code: 'aborted' } })
  expect(await results.ask('results/cancel', { table: reports[0]!.table! })).toBe(null)
  await refused
  expect((await read(results, 1_000)).rows).toBe(1_000)
})

it('a file that reads without progress is dropped, and others still work', async () => {
  const reports: ResultProgress[] = []
  const results = new ResultProcess(start, (progress) => void reports.push(progress), 500)
  open.push(results)
  const path = await file(400_000)
  const opening = results.ask('results/open', { path, source: { path } })
  const refused = expect(opening).rejects.toMatchObject({
    fault: { message: expect.stringMatching(/too long/) as string },
  })
  children.at(-1)!.kill('SIGSTOP')
  await refused
  expect(children.at(-1)!.killed).toBe(true)
})

it('it ends with the app and leaves no partial file', async () => {
  const { results, reports } = running()
  const { table } = await read(results, 200_000)
  const { view } = await results.ask('results/shape', { table, shape: shape() })
  const options = { format: 'csv' as const, fonts: '', now: 0, replace: true }
  const writing = results.ask('results/export', { view, path: join(folder, 'half.csv'), options })
  await expect
    .poll(() => reports.some(({ doing, done }) => doing === 'writing' && done > 0), { interval: 1 })
    .toBe(true)
  const child = children.at(-1)!
  const refused = expect(writing).rejects.toMatchObject({ fault: { code: 'aborted' } })
  await results.close()
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(0)
  await refused
  expect((await readdir(folder)).filter((name) => name.includes('half'))).toEqual([])
  await expect(results.ask('results/close', { table })).rejects.toMatchObject({ fault: { code: 'aborted' } })
})
