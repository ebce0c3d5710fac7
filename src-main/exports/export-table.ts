import type { FigureKind } from '#shared/figures/kinds'

/** A value as it is exported: money is a decimal text, a percent a share of one, a day `2026-11-22`, nothing null. */
export type ExportValue = string | number | null

export interface ExportColumn {
  head: string
  kind: FigureKind
  /** Of money, where it is known. */
  currency?: string
}

/** A table that is written to a file, whatever it was made from. */
export interface ExportTable {
  title: string
  /** What has to be known of it: days, zone, currency, filters; name and value. */
  about: readonly (readonly [name: string, value: string])[]
  columns: readonly ExportColumn[]
  length: number
  value(row: number, column: number): ExportValue
  /** As the service writes it: a percent with its sign. */
  text(row: number, column: number): string
  /** Of all rows, by column; `---` where there is none. */
  total?: readonly string[]
}

/** Rows between two words about how far it is, and between two looks whether it was cancelled. */
export const exportStride = 500

/** What writers say of how far they are: rows that were written. */
export type OnRows = (rows: number) => void
