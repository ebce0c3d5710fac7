import type { ColumnAbout } from '#shared/figures/kinds'

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** A value for exports: money is a decimal text, exact to the micro; a percent is a share of one; days are `2026-11-22`. */
export type CellValue = string | number | null

interface OfColumn {
  about: ColumnAbout
  length: number
  /** As the service writes it. */
  text(row: number): string
  value(row: number): CellValue
}

export interface TextColumn extends OfColumn {
  form: 'text'
  texts: readonly string[]
  codes: Codes
}

/** How a column writes shares and numbers: digits after the point, and a share as `0.3579%` or as `0.003579`. */
export interface Writing {
  decimals: number
  percents: boolean
}

/**
 * Figures and days. Counts and numbers as they are, money in micros, percents as shares of one, days since 1970, weeks by
 * their Monday, months since year 0, quarters since year 0, years.
 */
export interface NumberColumn extends OfColumn {
  form: 'number'
  values: Int32Array | Float64Array
  /** Where there is no value, one more than the place among `gapWords`; undefined where every row has one. */
  gaps: Uint8Array | undefined
  writing: Writing
}

export type Column = TextColumn | NumberColumn

/** Reads the cells of one column. */
export interface ColumnReader {
  /** Bytes of memory that it takes so far. */
  readonly bytes: number
  /** False for a cell that the kind of the column does not have. */
  take(bytes: Uint8Array, start: number, end: number): boolean
  finish(): Column
}
