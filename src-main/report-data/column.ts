import type { ColumnAbout } from '#shared/results/result-columns'

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** A value for exports: money is a decimal text, exact to the micro; a percent is a share of one; days are `2026-11-22`. */
export type CellValue = string | number | null

interface OfColumn {
  about: ColumnAbout
  length: number
  /** The cell as the service writes it. */
  text(row: number): string
  value(row: number): CellValue
}

export interface TextColumn extends OfColumn {
  form: 'text'
  texts: readonly string[]
  codes: Codes
}

/** Number format of a column: decimals, and fractions as `0.3579%` or `0.003579`. */
export interface Writing {
  decimals: number
  percents: boolean
}

/**
 * A column of metrics or dates. Counts and numbers are unchanged, money is in micros, percents are fractions of one, days
 * count from 1970, weeks are their Monday, months and quarters count from year 0.
 */
export interface NumberColumn extends OfColumn {
  form: 'number'
  values: Int32Array | Float64Array
  /** For rows without a value, one more than the index in `gapWords`. Undefined if every row has a value. */
  gaps: Uint8Array | undefined
  writing: Writing
}

export type Column = TextColumn | NumberColumn

/** Reads the cells of one column. */
export interface ColumnReader {
  /** Current memory use, in bytes. */
  readonly bytes: number
  /** False if the cell doesn't fit the column's kind. */
  take(bytes: Uint8Array, start: number, end: number): boolean
  finish(): Column
}
