import type { CollectionName } from '#shared/domain/collections'
import { systemEnvironment } from '../../src-renderer/replica/environment'
import { Memory } from '../../src-renderer/replica/memory'
import type { TableQuery } from '../../src-renderer/replica/api'
import { FrameYield } from '../../src-renderer/replica/tables/frame-yield'
import { findRecords } from '../../src-renderer/replica/tables/find-records'
import { readTable } from '../../src-renderer/replica/tables/table'
import { behaviors } from '../../src-renderer/behaviors'
import { collection, fill, plain, shuffled, type Plain } from './placements-in-memory'

/** The grid rows benchmark inside a Chromium page: 100,000 placements in memory. */

let memory = new Memory(behaviors)
let rows: Plain[] = []
let kinds: number[] = []
/** Repetitions per round: processes as many rows as the largest table has, however few there are. */
let again = 1

/** Adds placements and other records. Operations on few rows repeat until `together` rows were processed. */
export function take(count: number, ads = 0, creatives = 0, together = count): void {
  again = Math.round(together / count)
  memory = new Memory(behaviors)
  kinds = [count, ads, creatives]
  fill(memory, collection, count)
  fill(memory, 'ads' as CollectionName, ads)
  fill(memory, 'creatives' as CollectionName, creatives)
  rows = Array.from({ length: count }, (_unused, n) => plain(n, count))
}

/** Enough that both are compiled by the middle one. */
const rounds = 31
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

export interface Times {
  /** Milliseconds: first time, typical time, baseline, and longest thread block. */
  first: number
  ours: number
  floor: number
  longest: number
}

/** A frame yield that records how long the thread was blocked. */
class Watched extends FrameYield {
  private since = performance.now()
  longest = 0
  override async take(): Promise<void> {
    this.end()
    await super.take()
    this.since = performance.now()
  }
  end(): void {
    this.longest = Math.max(this.longest, performance.now() - this.since)
  }
}

async function timed(query: TableQuery, expected: () => string[], floor: () => unknown): Promise<Times> {
  return compared(
    async (breath) => readTable(memory, collection, query, breath),
    (table) => {
      const wanted = expected()
      if (table.length !== wanted.length) throw new Error(`${table.length} rows are not ${wanted.length}`)
      for (const [at, key] of wanted.entries())
        if (table.key(at) !== key) throw new Error(`Row ${at} is ${table.key(at)}, not ${key}`)
    },
    floor,
  )
}

/** Alternates ours and the baseline, so that both see the same machine. */
async function compared<T>(
  work: (breath: FrameYield) => Promise<T>,
  check: (done: T) => void,
  floor: () => unknown,
): Promise<Times> {
  const [ours, floors]: [number[], number[]] = [[], []]
  let longest = 0
  for (let round = 0; round < rounds; round++) {
    const breath = new Watched(systemEnvironment)
    const started = performance.now()
    let done = await work(breath)
    for (let once = 1; once < again; once++) done = await work(breath)
    ours.push(performance.now() - started)
    breath.end()
    longest = Math.max(longest, breath.longest)
    if (round === 0) check(done)
    const began = performance.now()
    for (let once = 0; once < again; once++) floor()
    floors.push(performance.now() - began)
  }
  const [first = 0, ...others] = ours
  return { first, ours: median(others), floor: median(floors.slice(1)), longest }
}

const byKey = (a: Plain, b: Plain): number => (a.key < b.key ? -1 : 1)
const keys = (all: readonly Plain[]): string[] => all.map(({ key }) => key)

/** By name, or by a date with many duplicates, compared with sorting a typed array of as many numbers. */
export function sort(by: 'name' | 'startDate', down: boolean): Promise<Times> {
  const collator = new Intl.Collator()
  const way = down ? -1 : 1
  const numbers = Float64Array.from(rows, (_row, at) => shuffled(at, rows.length))
  return timed(
    { sort: { column: by === 'name' ? 'name' : 'pricingSchedule.startDate', down } },
    () => keys([...rows].sort((a, b) => way * collator.compare(a[by], b[by]) || byKey(a, b))),
    () => numbers.slice().sort(),
  )
}

/** Names that contain a text, compared with filtering an array of lowercase names. */
export function filterText(text: string): Promise<Times> {
  const names = rows.map(({ name }) => name.toLowerCase())
  return timed(
    { where: [{ column: 'name', has: text }] },
    () => keys(rows.filter(({ name }) => name.toLowerCase().includes(text)).sort(byKey)),
    () => names.filter((name) => name.includes(text)),
  )
}

/** Choices of a column with few values, compared with filtering an array of rows. */
export function filterChoices(...campaigns: string[]): Promise<Times> {
  const wanted = new Set(campaigns)
  const [one] = campaigns
  return timed(
    { only: { campaignId: campaigns } },
    () => keys(rows.filter(({ campaignId }) => wanted.has(campaignId)).sort(byKey)),
    campaigns.length === 1
      ? () => rows.filter(({ campaignId }) => campaignId === one)
      : () => rows.filter(({ campaignId }) => wanted.has(campaignId)),
  )
}

/** Words in any visible column, compared with the same over plain rows. */
export function filterWords(text: string): Promise<Times> {
  const small = rows.map((row) => Object.values(row).map((value) => String(value).toLowerCase()))
  return timed(
    { words: text },
    () =>
      keys(
        rows
          .filter(({ key: _key, ...row }) =>
            Object.values(row).some((value) => String(value).toLowerCase().includes(text)),
          )
          .sort(byKey),
      ),
    () => small.filter((row) => row.some((value) => value.includes(text))),
  )
}

/** Searches names of all types, compared with one pass of `includes` over as many names. */
export async function find(text: string): Promise<Times> {
  const names = kinds.flatMap((count) =>
    Array.from({ length: count }, (_unused, n) => plain(n, count).name.toLowerCase()),
  )
  return compared(
    (breath) => findRecords(memory, text, 8, breath),
    (found) => {
      if (found.length === 0 || found.some(({ name }) => !name.toLowerCase().includes(text)))
        throw new Error(`${text} was not found`)
    },
    () => {
      let count = 0
      for (const name of names) if (name.includes(text)) count++
      if (count === 0) throw new Error(`No name holds ${text}`)
    },
  )
}
