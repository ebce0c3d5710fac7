import { guardedNumber } from '#shared/results/formula-guard'
import type { Selection } from '../../../ui/cell-selection.svelte'
import type { ResultTable } from './table.svelte'

/** Maximum number of cells to copy, because clipboards are slow with more. */
const maxCells = 2_000_000

export interface CopiedCells {
  text: string
  /** Number of copied rows. Less than selected if there are too many, 0 if reading failed. */
  rows: number
  of: number
}

/**
 * Copies the selection as tab-separated text, with headers for several cells. A table is likely pasted into a
 * spreadsheet, so it's guarded against formulas. A single cell is copied as shown.
 */
export async function copiedCells(results: ResultTable, selection: Selection): Promise<CopiedCells> {
  const columns = results.view?.columns ?? []
  const { top, bottom } = selection.range
  const across = columns.flatMap((_column, at) => (selection.wholeRows || selection.hasColumn(at) ? at : []))
  const of = bottom - top + 1
  const count = Math.min(of, Math.max(1, Math.floor(maxCells / across.length)))
  const here = Array.from({ length: count }, (_row, at) => results.row(top + at))
  const rows = here.every((row) => row !== undefined) ? here : await results.rows(top, count).catch(() => [])
  const isTable = selection.many || selection.wholeRows
  const clean = (text: string): string => {
    const cell = text.replace(/[\t\r\n]+/g, ' ')
    return isTable ? guardedNumber(cell) : cell
  }
  const lines = rows.map((row) => across.map((at) => clean(row[at] ?? '')).join('\t'))
  if (isTable) lines.unshift(across.map((at) => clean(columns[at]!.head)).join('\t'))
  return { text: lines.join('\n'), rows: rows.length, of }
}
