import type { Collection } from '#shared/facts/collection'
import { allColumns, type GridColumn } from './grid-columns'

/** Share of the cells of a first line that must name columns for it to be a header. */
const share = 0.6

const plainHead = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

/**
 * Columns that the first line of pasted cells names, in any order, with undefined for unknown ones. Undefined if that
 * line holds values. A column may be named by its header or its path.
 */
export function pastedHeads(
  kind: Collection,
  shown: readonly GridColumn[],
  line: readonly string[],
): (GridColumn | undefined)[] | undefined {
  const known = new Map<string, GridColumn>()
  for (const column of [...shown, ...allColumns(kind)])
    for (const name of [column.head, column.path]) {
      const plain = plainHead(name)
      if (!known.has(plain)) known.set(plain, column)
    }
  const found = line.map((text) => known.get(plainHead(text)))
  const filled = line.filter((text) => text.trim() !== '').length
  const named = found.filter(Boolean).length
  if (named === 0 || named < filled * share) return undefined
  // One word alone may be a value that is called like a column.
  const paths = found.flatMap((column) => (column ? [column.path] : []))
  return line.length > 1 && new Set(paths).size === paths.length ? found : undefined
}

/** Typed in a sheet to clear a value, because an empty cell changes nothing. */
export const clearWord = 'CLEAR'
