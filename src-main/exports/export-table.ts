import type { CellKind } from '#shared/results/result-columns'

/** An exported value: money is a decimal text, a percent a fraction of one, a day `2026-11-22`, and an empty cell null. */
export type ExportValue = string | number | null

export interface ExportColumn {
  head: string
  kind: CellKind
  /** Currency of money, if known. */
  currency?: string
}

/** A table to export, from any source. */
export interface ExportTable {
  title: string
  /** Facts about the table as names and values: date range, time zone, currency, filters. */
  about: readonly (readonly [name: string, value: string])[]
  columns: readonly ExportColumn[]
  length: number
  value(row: number, column: number): ExportValue
  /** The cell as the service writes it: a percent with its sign. */
  text(row: number, column: number): string
  /** Totals of all rows, by column. `---` if there is none. */
  total?: readonly string[]
}

/** Number of rows between progress reports, which are also checks for cancellation. */
export const exportStride = 500

/** Called with the number of rows written so far. */
export type OnRows = (rows: number) => void
