import { respelled } from '#shared/fields/heads'
import type { Collection } from '#shared/facts/collection'
import { allColumns, type GridColumn } from './grid-columns'

/** Share of the cells of a first line that must name columns for it to be a header. */
const share = 0.6

/** A header as it's compared and remembered. */
export const plainHead = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ')

/** Columns by what people chose for a header before: a path, or empty to ignore it. */
export type LearnedHeads = Readonly<Record<string, string>>

/** All columns of a kind once, the shown ones first. */
export function columnsOf(kind: Collection, shown: readonly GridColumn[]): GridColumn[] {
  const found = new Map<string, GridColumn>()
  for (const column of [...shown, ...allColumns(kind)]) if (!found.has(column.path)) found.set(column.path, column)
  return [...found.values()]
}

/** A header in the current spelling, because exports of older versions have another one. */
const currentHead = (text: string): string => plainHead(respelled(plainHead(text)))
const namesOf = ({ head, path }: GridColumn): string[] => [currentHead(head), plainHead(path)]

/** The only column whose header begins with these words, among the shown ones if any of those does. */
function beginningWith(words: string, shown: readonly GridColumn[], all: readonly GridColumn[]): GridColumn[] {
  const begins = ({ head }: GridColumn): boolean =>
    [' ', '/'].some((end) => currentHead(head).startsWith(`${words}${end}`))
  for (const columns of [shown, all]) {
    const found = columns.filter(begins)
    if (found.length > 0) return found.length === 1 ? found : []
  }
  return []
}

/**
 * The column that each cell of a header names, by its header or its path, or as learned. Each column is named once:
 * the second cell with a name gets the second column of that name. Otherwise, the beginning of a header such as “Start”
 * is enough if only one column has it, and the word for the records names their title.
 */
export function matchHeads(
  kind: Collection,
  shown: readonly GridColumn[],
  line: readonly string[],
  learned: LearnedHeads = {},
): (GridColumn | undefined)[] {
  const columns = columnsOf(kind, shown)
  const named = new Map<string, GridColumn[]>()
  for (const column of columns)
    for (const name of new Set(namesOf(column))) named.set(name, [...(named.get(name) ?? []), column])
  const taken = new Set<GridColumn>()
  const take = (wanted: readonly GridColumn[] = []): GridColumn | undefined => {
    const column = wanted.find((one) => !taken.has(one))
    if (column) taken.add(column)
    return column
  }
  const whole = line.map((text) => {
    const plain = plainHead(text)
    const path = Object.hasOwn(learned, plain) ? learned[plain] : undefined
    return take(
      path === undefined
        ? (named.get(plain) ?? named.get(currentHead(text)))
        : columns.filter((column) => column.path === path),
    )
  })
  return whole.map((column, at) => {
    const plain = plainHead(line[at]!)
    if (column || plain === '' || Object.hasOwn(learned, plain)) return column
    const title = plain === kind.words.one ? columns.filter(({ path }) => path === kind.title) : []
    return take(title.length > 0 ? title : beginningWith(currentHead(plain), shown, columns))
  })
}

/** True if a line names columns rather than holding values: most of them, and one by its whole name, or as learned. */
export function isHeader(
  line: readonly string[],
  found: readonly (GridColumn | undefined)[],
  learned: LearnedHeads = {},
): boolean {
  const filled = line.filter((text) => text.trim() !== '').length
  const named = found.filter(Boolean).length
  const isWhole = (column: GridColumn | undefined, at: number): boolean =>
    column !== undefined &&
    ([plainHead(line[at]!), currentHead(line[at]!)].some((head) => namesOf(column).includes(head)) ||
      Object.hasOwn(learned, plainHead(line[at]!)))
  // One word alone may be a value that is called like a column.
  return line.length > 1 && found.some(isWhole) && named >= filled * share
}

/**
 * Columns that the first line of pasted cells names, in any order, with undefined for unknown ones. Undefined if that
 * line holds values.
 */
export function pastedHeads(
  kind: Collection,
  shown: readonly GridColumn[],
  line: readonly string[],
  learned?: LearnedHeads,
): (GridColumn | undefined)[] | undefined {
  const found = matchHeads(kind, shown, line, learned)
  return isHeader(line, found, learned) ? found : undefined
}

/** Typed in a sheet to clear a value, because an empty cell changes nothing. */
export const clearWord = 'CLEAR'
