import type { CollectionName } from '#shared/domain/collections'
import { collectionOf } from '#shared/facts/references'
import { fieldAt, nameAt } from '#shared/fields/path'
import type { TableQuery, TableRows } from '../api'
import type { Cell } from '../blocks/layout'
import type { Part } from '../blocks/window-table'
import type { Memory } from '../memory'
import { keepFitting, markCells, markWord } from './block-cells'
import { byKeyAlone, knownOrder, orderBlocks, pickInOrder } from './block-order'
import type { FrameYield } from './frame-yield'
import { patternsIn, testOf, wordsOf } from './condition'
import { idsNamed } from './find-records'
import { compareValues, plainOf, ranksOf, sorted, textOf } from './order'
import { firstComputed, sourceOf, type Source, type Spot } from './source'

/** Number of rows between two checks of the clock. */
const stride = 128
/** If at least one row in this many matches, ordering all rows once is faster than sorting the matches. */
const few = 8

/** Finds and sorts rows of any collection that isn't shown in a calendar. @throws RangeError; the reason of an aborted signal */
export async function readTable(
  memory: Memory,
  collection: CollectionName,
  query: TableQuery,
  yielder: FrameYield,
): Promise<TableRows> {
  const source = sourceOf(memory, collection, query.parent, query.computed)
  const numbered = (query.columns ?? memory.facts.of(collection).columns).flatMap((path) => {
    const number = source.column(path)
    return number === undefined ? [] : [[path, number] as const]
  })
  const numbers = numbered.map(([, number]) => number)
  const found = await find(memory, source, numbers, query, yielder)
  const rows = await inOrder(
    memory,
    collection,
    source.parts,
    sortOf(memory, collection, source, query),
    found,
    yielder,
  )
  // Cells of one row are read one after the other.
  let [last, known]: [number, Spot | undefined] = [-1, undefined]
  const spot = (row: number): Spot => {
    if (row === last && known) return known
    last = row
    return (known = spotAt(source.parts, found.starts, rows[row]!))
  }
  return {
    columns: numbered.map(([path]) => path),
    length: rows.length,
    total: found.total,
    key: (row) => spot(row).key,
    cell: (row, column) => source.now(spot(row))?.(numbers[column]!),
    cells: (row) => {
      const now = source.now(spot(row))
      return (column) => now?.(numbers[column]!)
    },
    mark: (row) => memory.mark(memory.realKey(spot(row).key)),
    isThere: (row) => source.now(spot(row)) !== undefined,
    find: (key) => {
      for (const [at, part] of source.parts.entries()) {
        const row = part.find(key)
        if (row >= 0) return rows.indexOf(found.starts[at]! + row)
      }
      return -1
    },
  }
}

/** Found rows, with consecutive numbers across parts. */
interface Found {
  /** First number of each part, and the end of the last. */
  starts: Uint32Array
  /** 1 where a row was found. */
  wanted: Uint8Array
  count: number
  total: number
}

function spotAt(parts: readonly Part[], starts: Uint32Array, number: number): Spot {
  let [from, to] = [0, parts.length - 1]
  while (from < to) {
    const middle = (from + to) >> 1
    if (starts[middle + 1]! > number) to = middle
    else from = middle + 1
  }
  const part = parts[from]!
  const row = number - starts[from]!
  return { key: part.key(row)!, part, row }
}

/** @throws RangeError for a path without a column in this collection */
function columnNumber(source: Source, path: string): number {
  const number = source.column(path)
  if (number === undefined) throw new RangeError(`There is no column ${path}`)
  return number
}

async function find(
  memory: Memory,
  source: Source,
  shown: readonly number[],
  { words = '', named = [], only = {}, where = [], marks }: TableQuery,
  yielder: FrameYield,
): Promise<Found> {
  const wordsWanted = wordsOf(words)
  const references = named.flatMap((path) => {
    const [column, kind] = [source.column(path), memory.facts.find(collectionOf(nameAt(path)) ?? '')]
    return column === undefined || !kind ? [] : [{ column, kind }]
  })
  const refersBy = wordsWanted.map((word) =>
    references.flatMap(({ column, kind }) => {
      const ids = idsNamed(memory, kind, word)
      const test = (cell: Cell): boolean =>
        Array.isArray(cell) ? cell.some((one) => ids.has(textOf(one))) : ids.has(textOf(cell))
      return ids.size === 0 ? [] : [{ column, test }]
    }),
  )
  const patterns = await patternsIn(where)
  const tests = [
    ...Object.entries(only).map(([column, is]) => testOf({ column, is })),
    ...where.map((one) => testOf(one, patterns)),
  ].map((one) => ({ ...one, column: columnNumber(source, one.column) }))
  const starts = new Uint32Array(source.parts.length + 1)
  for (const [at, { count }] of source.parts.entries()) starts[at + 1] = starts[at]! + count
  const wanted = new Uint8Array(starts.at(-1)!)
  let total = 0
  for (const [at, part] of source.parts.entries()) {
    if (yielder.due) await yielder.take()
    total += part.count - part.gone.size
    const fits = wanted.subarray(starts[at], starts[at + 1])
    // Pending changes are outside blocks.
    if (part.block && marks && !marks.includes('synced')) continue
    fits.fill(1)
    for (const row of part.gone) fits[row] = 0
    for (const { column, ...one } of tests) {
      if (yielder.due) await yielder.take()
      if (part.block && column < firstComputed) keepFitting(part.block.head.columns[column]!, fits, one)
      else await each(part, fits, (row) => one.test(part.cell(row, column)))
    }
    if (!part.block && marks)
      await each(part, fits, (row) => marks.includes(memory.mark(memory.realKey(part.key(row)!))))
    for (const [at, word] of wordsWanted.entries()) await keepHolding(part, fits, word, refersBy[at]!)
  }
  let count = 0
  for (let number = 0; number < wanted.length; number++) count += wanted[number]!
  return { starts, wanted, count, total }

  async function each(part: Part, fits: Uint8Array, test: (row: number) => boolean): Promise<void> {
    for (let row = 0; row < part.count; row++) {
      if (row % stride === 0 && yielder.due) await yielder.take()
      if (fits[row] && !test(row)) fits[row] = 0
    }
  }

  async function keepHolding(
    part: Part,
    fits: Uint8Array,
    word: string,
    refers: readonly { column: number; test: (cell: Cell) => boolean }[],
  ): Promise<void> {
    const inBlock = part.block ? shown.filter((column) => column < firstComputed) : []
    const others = part.block ? shown.filter((column) => column >= firstComputed) : shown
    const holds = new Uint8Array(part.count)
    for (const column of inBlock) {
      if (yielder.due) await yielder.take()
      markWord(part.block!.head.columns[column]!, word, holds)
    }
    for (const { column, test } of part.block ? refers : []) {
      if (yielder.due) await yielder.take()
      markCells(part.block!.head.columns[column]!, test, holds)
    }
    const has = (row: number): boolean =>
      others.some((column) => textOf(part.cell(row, column)).toLowerCase().includes(word)) ||
      (!part.block && refers.some(({ column, test }) => test(part.cell(row, column))))
    await each(part, fits, (row) => holds[row] === 1 || has(row))
  }
}

interface Sort {
  column: number
  down: boolean
  /** True to sort texts of digits by value. */
  numeric: boolean
}

function sortOf({ facts }: Memory, collection: CollectionName, source: Source, { sort }: TableQuery): Sort | undefined {
  if (!sort) return undefined
  const numeric = /^u?int/.test(fieldAt(facts.of(collection), sort.column)?.format ?? '')
  return { column: columnNumber(source, sort.column), down: sort.down, numeric }
}

/** The numbers of the rows that were found, in order. */
async function inOrder(
  memory: Memory,
  collection: CollectionName,
  parts: readonly Part[],
  sort: Sort | undefined,
  found: Found,
  yielder: FrameYield,
): Promise<Uint32Array> {
  if (yielder.due) await yielder.take()
  const { starts, wanted } = found
  // Blocks come before other rows.
  const besides = parts.findIndex(({ block }) => !block)
  const end = starts[besides < 0 ? parts.length : besides]!
  const [inBlocks, beside]: [number[], number[]] = [[], []]
  for (let number = end; number < wanted.length; number++) if (wanted[number]) beside.push(number)
  const column = sort?.column ?? byKeyAlone
  const count = found.count - beside.length
  const ordered = column < firstComputed && (count * few >= end || knownOrder(parts, column) !== undefined)
  if (!memory.isTable(collection) || !ordered) {
    for (let number = 0; number < end; number++) if (wanted[number]) inBlocks.push(number)
    return sortFound(parts, starts, sort, [...inBlocks, ...beside], yielder)
  }
  const order = await orderBlocks(parts, column, sort?.numeric ?? false, yielder)
  const picked = pickInOrder(order, wanted.subarray(0, end), count, sort?.down ?? false)
  if (beside.length === 0) return picked
  const others = await sortFound(parts, starts, sort, beside, yielder)
  return merged(parts, starts, sort, picked, others, yielder)
}

/** Sorts rows that were found by their own cells. */
async function sortFound(
  parts: readonly Part[],
  starts: Uint32Array,
  sort: Sort | undefined,
  found: readonly number[],
  yielder: FrameYield,
): Promise<Uint32Array> {
  const [keys, cells]: [string[], Cell[]] = [[], []]
  for (const number of found) {
    if (keys.length % stride === 0 && yielder.due) await yielder.take()
    const { key, part, row } = spotAt(parts, starts, number)
    keys.push(key)
    if (sort) cells.push(part.cell(row, sort.column))
  }
  const byKey = (a: number, b: number): number => (keys[a]! < keys[b]! ? -1 : 1)
  const ranks = sort && (await ranksOf(cells, sort.numeric, yielder))
  const way = sort?.down ? -1 : 1
  const compare = (a: number, b: number): number => {
    const [left, right] = ranks ? [ranks[a]!, ranks[b]!] : [0, 0]
    if (left === right) return byKey(a, b)
    // Absent values come last in both directions.
    return left === Infinity ? 1 : right === Infinity ? -1 : way * (left - right)
  }
  const order = await sorted(found.length, compare, yielder)
  return order.map((at) => found[at]!)
}

/** Merges two ordered lists by inserting each separate row among the sorted ones. */
async function merged(
  parts: readonly Part[],
  starts: Uint32Array,
  sort: Sort | undefined,
  all: Uint32Array,
  others: Uint32Array,
  yielder: FrameYield,
): Promise<Uint32Array> {
  const valueOf = ({ part, row }: Spot): ReturnType<typeof plainOf> =>
    sort ? plainOf(part.cell(row, sort.column), sort.numeric) : ''
  const before = (a: Spot, b: Spot): boolean => {
    const [left, right] = [valueOf(a), valueOf(b)]
    if ((left === '') !== (right === '')) return right === ''
    const by = compareValues(left, right)
    return by === 0 ? a.key < b.key : sort?.down ? by > 0 : by < 0
  }
  const result = new Uint32Array(all.length + others.length)
  let [from, size] = [0, 0]
  for (const [at, number] of others.entries()) {
    if (at % stride === 0 && yielder.due) await yielder.take()
    const spot = spotAt(parts, starts, number)
    let [low, high] = [from, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(spotAt(parts, starts, all[middle]!), spot)) low = middle + 1
      else high = middle
    }
    result.set(all.subarray(from, low), size)
    size += low - from
    result[size++] = number
    from = low
  }
  result.set(all.subarray(from), size)
  return result
}
