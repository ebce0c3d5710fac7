import type { Collection } from '#shared/facts/collection'
import { unguarded } from '#shared/results/formula-guard'
import type { Work } from '../../replica/api'
import type { GridColumn } from './grid-columns'
import { isHeader, matchHeads, type LearnedHeads } from './pasted-heads'
import type { SheetSource } from './sheet-source'

/** Number of rows to ask for at once. */
export const sheetPage = 500
/** Number of rows in which to look for the header. */
export const headRows = 20

/** Order of day and month in dates such as 03/04/2026. */
export type DateOrder = 'dayFirst' | 'monthFirst'

/** The columns of a sheet, and where its rows begin. */
export interface SheetHead {
  /** Number of the header's row, from 0. */
  at: number
  texts: readonly string[]
  columns: readonly (GridColumn | undefined)[]
}

/** One row of a sheet with the texts of its cells as people see them in the app. */
export interface SheetLine {
  /** Number of the row as spreadsheets count it. */
  line: number
  cells: readonly string[]
}

/** Finds the header among the first rows, or takes the first that isn't just a title above the columns. */
export async function headOfSheet(
  source: SheetSource,
  kind: Collection,
  shown: readonly GridColumn[],
  learned: LearnedHeads,
): Promise<SheetHead> {
  const first = await source.page(0, headRows)
  const textsOf = (at: number): string[] => (first[at] ?? []).map((text) => textIn(source, text))
  const columnsOf = (at: number): SheetHead['columns'] => matchHeads(kind, shown, textsOf(at), learned)
  const found = first.findIndex((_row, at) => isHeader(textsOf(at), columnsOf(at), learned))
  const filled = first.map((row) => row.filter((text) => text.trim() !== '').length)
  const most = Math.max(...filled)
  const at =
    found >= 0
      ? found
      : Math.max(
          0,
          filled.findIndex((count) => count > most / 2),
        )
  return { at, texts: textsOf(at), columns: columnsOf(at) }
}

const textIn = ({ separated }: SheetSource, text: string): string => (separated ? unguarded(text) : text)

/**
 * All rows below the header that aren't empty, page by page.
 * @throws the signal's reason
 */
export async function linesOfSheet(source: SheetSource, head: SheetHead, { signal, onprogress }: Work = {}) {
  const lines: SheetLine[] = []
  for (let from = head.at + 1; from < source.rows; from += sheetPage) {
    signal?.throwIfAborted()
    const rows = await source.page(from, sheetPage)
    for (const [at, row] of rows.entries())
      if (row.some((text) => text.trim() !== ''))
        lines.push({ line: from + at + 1, cells: row.slice(0, head.texts.length).map((text) => textIn(source, text)) })
    onprogress?.(Math.min(from + sheetPage, source.rows), source.rows)
  }
  signal?.throwIfAborted()
  return lines
}

const slashed = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?!\d)/

/** True if some dates of a column could be in either order, and none says which. */
export function hasUnclearDates(lines: readonly SheetLine[], columns: readonly (GridColumn | undefined)[]): boolean {
  return columns.some((column, at) => {
    if (column?.kind !== 'date' && column?.kind !== 'moment') return false
    const dates = lines.flatMap(({ cells }) => slashed.exec(cells[at] ?? '') ?? [])
    return dates.length > 0 && orderIn(textsAt(lines, at)) === undefined
  })
}

function* textsAt(lines: readonly SheetLine[], at: number): Generator<string> {
  for (const { cells } of lines) yield cells[at] ?? ''
}

/** The order of day and month in a column, if one of its dates shows it. With points, days usually come first. */
function orderIn(texts: Iterable<string>): DateOrder | undefined {
  let usual: DateOrder | undefined
  for (const text of texts) {
    const [whole, first, second] = slashed.exec(text) ?? []
    if (Number(first) > 12) return 'dayFirst'
    if (Number(second) > 12) return 'monthFirst'
    if (whole?.includes('.')) usual = 'dayFirst'
  }
  return usual
}

/** Writes the dates of a column in the order of year, month, and day. Other texts stay unchanged. */
export const datesOf = (lines: readonly SheetLine[], at: number, chosen: DateOrder | undefined) =>
  datesLike(textsAt(lines, at), chosen)

/** Writes dates in the order of year, month, and day, which one of `texts` shows or which was chosen. */
export function datesLike(texts: Iterable<string>, chosen?: DateOrder) {
  const order = orderIn(texts) ?? chosen
  return (text: string): string =>
    order === undefined
      ? text
      : text.replace(slashed, (_whole, first: string, second: string, year: string) => {
          const [day, month] = order === 'dayFirst' ? [first, second] : [second, first]
          return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
        })
}
