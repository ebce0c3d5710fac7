import type { CollectionName } from '#shared/domain/collections'
import { fieldAt } from '#shared/fields/path'
import type { TableQuery, TableRows } from '../api'
import type { Cell } from '../blocks/layout'
import type { Memory } from '../memory'
import type { Breath } from './breath'
import { testOf } from './condition'
import { ranksOf, sorted, textOf } from './order'
import { sourceOf, type Source, type Spot } from './source'

/** Rows that are looked at between two looks at the clock. */
const stride = 128

/** Rows of any collection that is not drawn in a calendar, found and sorted. @throws RangeError; what the signal says */
export async function readTable(
  memory: Memory,
  collection: CollectionName,
  query: TableQuery,
  breath: Breath,
): Promise<TableRows> {
  const source = sourceOf(memory, collection, query.parent, query.computed)
  const numbered = (query.columns ?? memory.facts.of(collection).columns).flatMap((path) => {
    const number = source.column(path)
    return number === undefined ? [] : [[path, number] as const]
  })
  const numbers = numbered.map(([, number]) => number)
  const { found, total } = await find(memory, source, numbers, query, breath)
  const rows = await inOrder(memory, collection, source, found, query.sort, breath)
  return {
    columns: numbered.map(([path]) => path),
    length: rows.length,
    total,
    key: (row) => rows[row]!.key,
    cell: (row, column) => source.now(rows[row]!, numbers[column]!),
    mark: (row) => memory.mark(memory.realKey(rows[row]!.key)),
    find: (key) => rows.findIndex((one) => one.key === key),
  }
}

/** @throws RangeError for a path that this collection has no column of */
function columnNumber(source: Source, path: string): number {
  const number = source.column(path)
  if (number === undefined) throw new RangeError(`There is no column ${path}`)
  return number
}

async function find(
  memory: Memory,
  source: Source,
  shown: readonly number[],
  { words = '', only = {}, where = [], marks }: TableQuery,
  breath: Breath,
): Promise<{ found: Spot[]; total: number }> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const tests = [...Object.entries(only).map(([column, is]) => testOf({ column, is })), ...where.map(testOf)].map(
    ({ column, test }) => [columnNumber(source, column), test] as const,
  )
  const found: Spot[] = []
  let total = 0
  for (const part of source.parts) {
    const has = (row: number, word: string): boolean =>
      shown.some((column) => textOf(part.cell(row, column)).toLowerCase().includes(word))
    for (let row = 0; row < part.count; row++) {
      if (row % stride === 0 && breath.due) await breath.take()
      const key = part.key(row)
      if (key === undefined) continue
      total++
      if (!tests.every(([column, test]) => test(part.cell(row, column)))) continue
      if (marks && !marks.includes(memory.mark(memory.realKey(key)))) continue
      if (wanted.every((word) => has(row, word))) found.push({ key, part, row })
    }
  }
  return { found, total }
}

async function inOrder(
  { facts }: Memory,
  collection: CollectionName,
  source: Source,
  found: readonly Spot[],
  sort: TableQuery['sort'],
  breath: Breath,
): Promise<Spot[]> {
  const byKey = (a: number, b: number): number => (found[a]!.key < found[b]!.key ? -1 : 1)
  if (!sort) return pick(found, await sorted(found.length, byKey, breath), breath)
  const column = columnNumber(source, sort.column)
  const cells: Cell[] = []
  for (const { part, row } of found) {
    if (cells.length % stride === 0 && breath.due) await breath.take()
    cells.push(part.cell(row, column))
  }
  const isNumber = /^u?int/.test(fieldAt(facts.of(collection), sort.column)?.format ?? '')
  const ranks = await ranksOf(cells, isNumber, breath)
  const way = sort.down ? -1 : 1
  const order = await sorted(
    found.length,
    (a, b) => {
      const [left, right] = [ranks[a]!, ranks[b]!]
      if (left === right) return byKey(a, b)
      // What is absent comes last either way.
      return left === Infinity ? 1 : right === Infinity ? -1 : way * (left - right)
    },
    breath,
  )
  return pick(found, order, breath)
}

async function pick(found: readonly Spot[], order: Uint32Array, breath: Breath): Promise<Spot[]> {
  if (breath.due) await breath.take()
  return Array.from(order, (at) => found[at]!)
}
