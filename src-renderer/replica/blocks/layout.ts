import type { ItemFields } from '#shared/domain/calendar-item'
import { listOfFirst } from '#shared/fields/path'
import type { Json } from '#shared/json'
import type { StoredRow } from '../stored-row'

/** Storage of a collection: on disk, and its part in memory. */
export interface Layout {
  /**
   * `whole` keeps all records in memory and stores one per row. `window` keeps only columns in memory and stores bodies
   * in blocks.
   */
  keep: 'whole' | 'window'
  /** Rows of one slot are stored together. null: a row that memory needs completely, or that changes too often. */
  slot(row: StoredRow): string | null
  /** Columns in memory for rows without a body: their names, and a row's cells in the same order. */
  columns: readonly string[]
  /** Identifies the format of the cells. Heads with a different shape are recreated from their bodies. */
  shape: string
  cells(row: StoredRow): Cell[]
  /** Fields for drawing a row in a calendar, and its searchable words, for collections shown in one. */
  item?(id: string, cell: (column: number) => Cell): { fields: ItemFields; words: string }
  /** For slots ordered by time: the first and the last one with rows in [from, to). */
  slots?(from: number, to: number): [first: string, last: string]
}

export type Cell = Json | undefined

/** Layout of rows that memory holds completely, each in a separate record. */
export const wholeLayout: Layout = { keep: 'whole', slot: () => null, columns: [], shape: '', cells: () => [] }

/**
 * Layout of a window whose columns are fields, by path. A list whose first entry has columns of its own is stored only if it
 * has more entries.
 * @param cut field by which partial downloads are divided
 */
export function fieldLayout(paths: readonly string[], cut?: string): Layout {
  const parts = paths.map((path) => path.split('.'))
  const cutParts = cut?.split('.')
  const lists = new Set(paths.map(listOfFirst))
  return {
    keep: 'window',
    slot: ({ base }) => (cutParts ? slotName(valueAt(base, cutParts)) : ''),
    columns: paths,
    shape: paths.join(' '),
    cells: ({ base }) =>
      parts.map((path, at) => {
        const cell = valueAt(base, path)
        return Array.isArray(cell) && cell.length < 2 && lists.has(paths[at]!) ? undefined : cell
      }),
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
