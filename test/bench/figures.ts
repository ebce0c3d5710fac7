import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TableShape } from '#shared/results/questions'
import { ResultProcess } from '../../src-main/tables/result-process'
import { numbers } from '../helpers/numbers'
import { wideDimensions, writeWideReport } from '../helpers/wide-report'
import { comparison, digits, median, time, type Bench, type Comparison } from './measure'

const rounds = 5
const [first, second, third] = ['Dimension 0', 'Dimension 1', 'Dimension 2'] as const

/**
 * A report with many rows: read, sorted, grouped, and charted by requests to the process, each compared with one pass over
 * typed arrays.
 */
export async function* figures({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const rows = long ? 1_000_000 : 200_000
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-bench-'))
  try {
    const path = join(folder, 'report.csv')
    step(`writing a report of ${digits(rows)} rows`)
    await writeWideReport(path, rows)
    const floor = await onePass(rows)
    const megabytes = Math.round((await stat(path)).size / 1e6)
    step('asking the process that reads it')
    yield* measured(path, rows, floor, megabytes)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function* measured(
  path: string,
  rows: number,
  floor: number,
  megabytes: number,
): AsyncGenerator<Comparison, void, void> {
  const floorIs = 'one pass over typed arrays, 3 sums by 3 dimensions'
  const child = fork(resolve(import.meta.dirname, '../../src-main/tables/process.ts'), {
    execArgv: ['--import', 'tsx'],
  })
  const figures = new ResultProcess(
    () => ({
      post: (order) => void child.send(order),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => void child.once('exit', listener),
      kill: () => void child.kill(),
    }),
    () => undefined,
  )
  const figure = (name: string, ours: number, detail: Comparison['detail'] = {}): Comparison =>
    comparison(`${digits(rows)} × 20: ${name}`, floorIs, ours, floor, {
      detail: { ...detail, ...memoryOf(child.pid!) },
    })
  let table = 0
  const opening = await time(async () => {
    ;({ table } = await figures.ask('results/open', { path, source: { path } }))
  })
  yield figure('opened', opening, { megabytes })
  const shape = async (more: Partial<TableShape>): Promise<number> => {
    const made = { filters: [], group: [], sort: [], ...more }
    return (await figures.ask('results/shape', { table, shape: made })).view
  }
  const often = async (work: () => Promise<unknown>): Promise<number> => {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await time(work))
    return median(times)
  }
  const sort = (column: string) => (): Promise<number> => shape({ sort: [{ column, descending: true }] })
  yield figure('as it is', await often(() => shape({})))
  yield figure('ordered by a figure', await often(sort('Impressions')))
  yield figure('ordered by a text, for the first time', await time(sort('Dimension 5')))
  yield figure('ordered by a text', await often(sort('Dimension 5')))
  yield figure('ordered by ids that all differ, for the first time', await time(sort('Dimension 12 ID')))
  const group = [first, second, third]
  const only = ['Impressions', 'Clicks', 'Media Cost']
  yield figure('grouped by three dimensions', await often(() => shape({ group, columns: only })))
  const condition = { how: 'contains', text: '7' } as const
  yield figure('filtered by a text', await often(() => shape({ filters: [{ column: 'Dimension 5', condition }] })))
  const view = await shape({})
  const chart = { view, x: 'Dimension 5', metrics: only, split: first, most: 50 }
  yield figure('drawn by a dimension, split by another', await often(() => figures.ask('results/chart', chart)))
  const page = { view, from: rows / 2, count: 200 }
  yield figure('200 rows in the middle', await often(() => figures.ask('results/page', page)))
  await figures.close()
}

/** The process's current and peak memory, if the system reports it. */
function memoryOf(pid: number): Comparison['detail'] {
  if (process.platform !== 'linux') return {}
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string): number =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / 1e6)
  return { rssMegabytes: megabytes('VmRSS'), mostMegabytes: megabytes('VmHWM') }
}

async function onePass(rows: number): Promise<number> {
  const next = numbers(3)
  const codes = wideDimensions.slice(0, 3).map((count) => Uint8Array.from({ length: rows }, () => next(count)))
  const values = [1, 2, 3].map(() => Int32Array.from({ length: rows }, () => next(1e6)))
  const [a, b, c] = codes as [Uint8Array, Uint8Array, Uint8Array]
  const [x, y, z] = values as [Int32Array, Int32Array, Int32Array]
  const times: number[] = []
  for (let round = 0; round < rounds + 4; round++) {
    const sums = [1, 2, 3].map(() => new Float64Array(12 * 28 * 30))
    const [p, q, r] = sums as [Float64Array, Float64Array, Float64Array]
    times.push(
      await time(() => {
        for (let row = 0; row < rows; row++) {
          const cell = (a[row]! * 28 + b[row]!) * 30 + c[row]!
          p[cell]! += x[row]!
          q[cell]! += y[row]!
          r[cell]! += z[row]!
        }
      }),
    )
  }
  return median(times)
}
