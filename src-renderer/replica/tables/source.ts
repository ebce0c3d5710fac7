import type { CollectionName } from '#shared/domain/collections'
import { valueAt, type Cell } from '../blocks/layout'
import type { Part } from '../blocks/window-table'
import type { Memory } from '../memory'

/** A row as it was found. */
export interface Spot {
  key: string
  part: Part
  row: number
}

/** A collection as it is at one moment, and a way to read a row of it later on. */
export interface Source {
  parts: readonly Part[]
  /** The number of a column by its path. @throws RangeError */
  column(path: string): number
  /** A cell as it is by then; undefined also where the row is no more. */
  now(spot: Spot, column: number): Cell
}

/** @throws RangeError for a collection that is drawn in a calendar. */
export function sourceOf(memory: Memory, collection: CollectionName, parent?: string): Source {
  return memory.isWindow(collection) ? ofWindow(memory, collection, parent) : ofWhole(memory, collection, parent)
}

function ofWindow(memory: Memory, collection: CollectionName, parent?: string): Source {
  if (!memory.isTable(collection)) throw new RangeError(`There is no table of ${collection}: they are drawn`)
  const table = memory.columns(collection)
  return {
    parts: table.parts(parent),
    column: (path) => {
      const number = table.columns.indexOf(path)
      if (number === -1) throw new RangeError(`The table of ${collection} has no column ${path}`)
      return number
    },
    now: ({ key, part, row }, column) => table.cellsOf(memory.realKey(key), part.block, row)?.(column),
  }
}

/** Any path is a column of what memory has whole. */
function ofWhole(memory: Memory, collection: CollectionName, parent?: string): Source {
  const rows = memory.list(collection, parent)
  const paths: string[][] = []
  const cell = (value: Cell | null, column: number): Cell => valueAt(value ?? undefined, paths[column]!)
  return {
    parts: [
      { count: rows.length, key: (row) => rows[row]!.key, cell: (row, column) => cell(rows[row]!.value, column) },
    ],
    column: (path) => paths.push(path.split('.')) - 1,
    now: ({ key }, column) => cell(memory.row(memory.realKey(key))?.value ?? null, column),
  }
}
