import type { CollectionName } from '#shared/domain/collections'
import type { Computed } from '../api'
import { valueAt, type Cell } from '../blocks/layout'
import type { Cells, Part } from '../blocks/window-table'
import type { Memory } from '../memory'

/** A found row. */
export interface Spot {
  key: string
  part: Part
  row: number
}

/** A snapshot of a collection, with access to a row's later state. */
export interface Source {
  parts: readonly Part[]
  /** Number of a column by its path. Undefined if there's no such column. */
  column(path: string): number | undefined
  /** Current cells of a row, or undefined if the row is gone. */
  now(spot: Spot): Cells | undefined
}

/** @throws RangeError for a collection that is shown in a calendar */
export function sourceOf(
  memory: Memory,
  collection: CollectionName,
  parent?: string,
  computed: Readonly<Record<string, Computed>> = {},
): Source {
  const stored = storedSource(memory, collection, parent)
  return Object.keys(computed).length > 0 ? withComputed(stored, computed) : stored
}

const storedSource = (memory: Memory, collection: CollectionName, parent?: string): Source => {
  return memory.isWindow(collection) ? ofWindow(memory, collection, parent) : ofWhole(memory, collection, parent)
}

function ofWindow(memory: Memory, collection: CollectionName, parent?: string): Source {
  if (!memory.isTable(collection)) throw new RangeError(`${collection} has no table`)
  const table = memory.columns(collection)
  return {
    parts: table.parts(parent),
    column: (path) => {
      const number = table.columns.indexOf(path)
      return number === -1 ? undefined : number
    },
    now: ({ key, part, row }) => table.cellsOf(memory.realKey(key), part.block, row),
  }
}

/** Source of a collection whose records are all in memory, so that any path can be a column. */
function ofWhole(memory: Memory, collection: CollectionName, parent?: string): Source {
  const rows = memory.list(collection, parent)
  const paths: string[][] = []
  const cell = (value: Cell | null, column: number): Cell => valueAt(value ?? undefined, paths[column]!)
  return {
    parts: [
      {
        count: rows.length,
        gone: new Set(),
        key: (row) => rows[row]!.key,
        cell: (row, column) => cell(rows[row]!.value, column),
        find: (key) => rows.findIndex((row) => row.key === key),
      },
    ],
    column: (path) => paths.push(path.split('.')) - 1,
    now: ({ key }) => {
      const value = memory.row(memory.realKey(key))?.value
      return value ? (column) => cell(value, column) : undefined
    },
  }
}

/** Column numbers of computed columns start here, after all stored ones. */
export const firstComputed = 100_000

function withComputed(stored: Source, computed: Readonly<Record<string, Computed>>): Source {
  const names = Object.keys(computed)
  const numbers = new Map<string, number | undefined>()
  const numberOf = (path: string): number | undefined => {
    if (!numbers.has(path)) numbers.set(path, stored.column(path))
    return numbers.get(path)
  }
  /** `cell`: reads a stored cell of the row. */
  const computedIn = (cell: Cells, column: number, key: string): Cell =>
    computed[names[column - firstComputed]!]!((path) => {
      const number = numberOf(path)
      return number === undefined ? undefined : cell(number)
    }, key)
  return {
    parts: stored.parts.map((part): Part => {
      const { cell, key } = part
      return {
        ...part,
        cell: (row, column) =>
          column < firstComputed
            ? cell(row, column)
            : computedIn((number) => cell(row, number), column, key(row) ?? ''),
      }
    }),
    column: (path) => (Object.hasOwn(computed, path) ? firstComputed + names.indexOf(path) : numberOf(path)),
    now: (spot) => {
      const cell = stored.now(spot)
      return cell && ((column) => (column < firstComputed ? cell(column) : computedIn(cell, column, spot.key)))
    },
  }
}
