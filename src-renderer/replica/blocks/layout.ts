import type { ItemFields } from '#shared/domain/calendar-item'
import type { Json } from '#shared/json'
import type { StoredRow } from '../stored-row'

/** How rows of one collection lie on disk, and what memory holds of them. */
export interface Layout {
  /** `whole`: all of it in memory, one record a row. `window`: memory holds columns, bodies lie in blocks. */
  keep: 'whole' | 'window'
  /** Rows of one slot lie together. null: a row that memory needs whole, or that changes too much, in a record of its own. */
  slot(row: StoredRow): string | null
  /** What memory holds of each row without its body: names, and the cells of one row in their order. */
  columns: readonly string[]
  /** Says how the cells were made: heads with another one are made again from their bodies. */
  shape: string
  cells(row: StoredRow): Cell[]
  /** What a calendar draws of a row and the words it is found by, where the collection is drawn in one. */
  item?(id: string, cell: (column: number) => Cell): { fields: ItemFields; words: string }
  /** Where slots follow the time that rows begin at: the first and the last of those that hold [from, to). */
  slots?(from: number, to: number): [first: string, last: string]
}

export type Cell = Json | undefined

/** Rows that memory holds whole, each in a record of its own. */
export const wholeLayout: Layout = { keep: 'whole', slot: () => null, columns: [], shape: '', cells: () => [] }

/** A window over records whose columns are fields, by path; `cut`: the field by which partial downloads are cut. */
export function fieldLayout(paths: readonly string[], cut?: string): Layout {
  const parts = paths.map((path) => path.split('.'))
  const cutParts = cut?.split('.')
  return {
    keep: 'window',
    slot: ({ base }) => (cutParts ? slotName(valueAt(base, cutParts)) : ''),
    columns: paths,
    shape: paths.join(' '),
    cells: ({ base }) => parts.map((path) => valueAt(base, path)),
  }
}

export function valueAt(value: Cell, path: readonly string[]): Cell {
  let found: Cell = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Array.isArray(found) ? found[Number(name)] : found[name]
  }
  return found
}

const slotName = (value: Cell): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll('\n', ' ') : ''
