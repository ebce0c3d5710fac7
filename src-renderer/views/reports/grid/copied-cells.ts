import { guardedFigure } from '#shared/figures/formula-guard'
import type { Selection } from '../../../ui/cell-selection.svelte'
import type { FigureTable } from './table.svelte'

/** Cells that are copied at once at most: a clipboard takes no more with good grace. */
const mostCells = 2_000_000

export interface CopiedCells {
  text: string
  /** Fewer than were selected where they are too many, none where they could not be read. */
  rows: number
  of: number
}

/**
 * What was selected, as lines with tabs, with heads above several cells. A table goes to a spreadsheet, so its cells are
 * guarded against formulas as in a file. A single cell goes anywhere, and is copied as it is shown.
 */
export async function copiedCells(figures: FigureTable, selection: Selection): Promise<CopiedCells> {
  const columns = figures.view?.columns ?? []
  const { top, bottom } = selection.range
  const across = columns.flatMap((_column, at) => (selection.wholeRows || selection.hasColumn(at) ? at : []))
  const of = bottom - top + 1
  const count = Math.min(of, Math.max(1, Math.floor(mostCells / across.length)))
  const here = Array.from({ length: count }, (_row, at) => figures.row(top + at))
  const rows = here.every((row) => row !== undefined) ? here : await figures.rows(top, count).catch(() => [])
  const isTable = selection.many || selection.wholeRows
  const clean = (text: string): string => {
    const cell = text.replace(/[\t\r\n]+/g, ' ')
    return isTable ? guardedFigure(cell) : cell
  }
  const lines = rows.map((row) => across.map((at) => clean(row[at] ?? '')).join('\t'))
  if (isTable) lines.unshift(across.map((at) => clean(columns[at]!.head)).join('\t'))
  return { text: lines.join('\n'), rows: rows.length, of }
}
