import { recordKey, type CollectionName } from '#shared/domain/collections'
import { laid, makeBlock, rowsPerBlock } from '../../src-renderer/replica/blocks/block'
import { newestLayouts } from '../../src-renderer/replica/blocks/layouts'
import { systemEnvironment } from '../../src-renderer/replica/environment'
import { Memory } from '../../src-renderer/replica/memory'
import type { TableQuery } from '../../src-renderer/replica/api'
import type { StoredRow } from '../../src-renderer/replica/stored-row'
import { Breath } from '../../src-renderer/replica/tables/breath'
import { findRecords } from '../../src-renderer/replica/tables/find-records'
import { readTable } from '../../src-renderer/replica/tables/table'
import { habits } from '../../src-renderer/habits'

/** What the bench of the grid's rows runs inside a page of real Chromium: 100,000 placements in memory. */

const collection = 'placements' as CollectionName
const firstId = 10_000_000
/** In no order that helps anybody. */
const shuffled = (n: number, count: number): number => (n * 7_919) % count

interface Plain {
  key: string
  name: string
  campaignId: string
  advertiserId: string
  startDate: string
  archived: boolean
}

function plain(n: number, count: number): Plain {
  const at = shuffled(n, count)
  const day = new Date(Date.UTC(2026, 0, 1 + (at % 360))).toISOString().slice(0, 10)
  return {
    key: recordKey(collection, '7', String(firstId + n)),
    name: `Campaign ${at % 700}_Site ${at % 90}_300x250_${at}`,
    campaignId: String(at % 700),
    advertiserId: String(at % 40),
    startDate: day,
    archived: at % 20 === 0,
  }
}

let memory = new Memory(habits)
let rows: Plain[] = []
let kinds: number[] = []

function fill(kind: CollectionName, count: number): void {
  const layout = newestLayouts.of(kind)
  for (let from = 0, seq = 0; from < count; from += rowsPerBlock, seq++) {
    const block = Array.from({ length: Math.min(rowsPerBlock, count - from) }, (_unused, at) => {
      const { name, campaignId, advertiserId, startDate, archived } = plain(from + at, count)
      const id = String(firstId + from + at)
      const row: StoredRow = {
        ...{ key: recordKey(kind, '7', id), collection: kind, parent: '7', id, complete: true },
        base: { id, name, campaignId, advertiserId, archived, pricingSchedule: { startDate } },
      }
      return laid(row, layout)
    })
    memory.takeBlock({
      head: makeBlock({ collection: kind, parent: '7', slot: '', seq }, block, layout).head,
      dead: new Set(),
    })
  }
}

export function take(count: number, ads = 0, creatives = 0): void {
  memory = new Memory(habits)
  kinds = [count, ads, creatives]
  fill(collection, count)
  fill('ads' as CollectionName, ads)
  fill('creatives' as CollectionName, creatives)
  rows = Array.from({ length: count }, (_unused, n) => plain(n, count))
}

const rounds = 7
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

export interface Times {
  /** Milliseconds: the first time, the usual time, the floor's; the longest that the thread was kept. */
  first: number
  ours: number
  floor: number
  longest: number
}

/** A breath that notes how long the thread was kept. */
class Watched extends Breath {
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
  const ours: number[] = []
  let longest = 0
  for (let round = 0; round < rounds; round++) {
    const breath = new Watched(systemEnvironment)
    const started = performance.now()
    const table = await readTable(memory, collection, query, breath)
    ours.push(performance.now() - started)
    breath.end()
    longest = Math.max(longest, breath.longest)
    if (round > 0) continue
    const wanted = expected()
    if (table.length !== wanted.length) throw new Error(`${table.length} rows are not ${wanted.length}`)
    for (const [at, key] of wanted.entries())
      if (table.key(at) !== key) throw new Error(`Row ${at} is ${table.key(at)}, not ${key}`)
  }
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    floor()
    floors.push(performance.now() - started)
  }
  const [first = 0, ...others] = ours
  return { first, ours: median(others), floor: median(floors), longest }
}

const byKey = (a: Plain, b: Plain): number => (a.key < b.key ? -1 : 1)
const keys = (all: readonly Plain[]): string[] => all.map(({ key }) => key)

/** By name, or by a date that many share, against a typed array of as many numbers that is sorted. */
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

/** Names that hold a text, against a filter over an array of names in small letters. */
export function filterText(text: string): Promise<Times> {
  const names = rows.map(({ name }) => name.toLowerCase())
  return timed(
    { where: [{ column: 'name', has: text }] },
    () => keys(rows.filter(({ name }) => name.toLowerCase().includes(text)).sort(byKey)),
    () => names.filter((name) => name.includes(text)),
  )
}

/** One choice of a column with few values, against a filter over an array of rows. */
export function filterChoice(campaign: string): Promise<Times> {
  return timed(
    { only: { campaignId: [campaign] } },
    () => keys(rows.filter(({ campaignId }) => campaignId === campaign).sort(byKey)),
    () => rows.filter(({ campaignId }) => campaignId === campaign),
  )
}

/** Words in any column that is shown, against the same over plain rows. */
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

/** Finds names among all kinds, against one pass of `includes` over as many names. */
export async function find(text: string): Promise<Times> {
  const names = kinds.flatMap((count) =>
    Array.from({ length: count }, (_unused, n) => plain(n, count).name.toLowerCase()),
  )
  const ours: number[] = []
  let longest = 0
  for (let round = 0; round < rounds; round++) {
    const breath = new Watched(systemEnvironment)
    const started = performance.now()
    const found = await findRecords(memory, text, 8, breath)
    ours.push(performance.now() - started)
    breath.end()
    longest = Math.max(longest, breath.longest)
    if (found.length === 0 || found.some(({ name }) => !name.toLowerCase().includes(text)))
      throw new Error(`${text} was not found`)
  }
  const floors: number[] = []
  for (let round = 0; round < rounds; round++) {
    let count = 0
    const started = performance.now()
    for (const name of names) if (name.includes(text)) count++
    floors.push(performance.now() - started)
    if (count === 0) throw new Error(`No name holds ${text}`)
  }
  const [first = 0, ...others] = ours
  return { first, ours: median(others), floor: median(floors), longest }
}
