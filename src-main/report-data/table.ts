import type { Column } from './column'

/** Columnar in-memory table. */
export interface ResultTable {
  /** Lines before the header: the report's name alone, then pairs such as `Report Time Zone`, `UTC`. */
  head: readonly (readonly string[])[]
  columns: readonly Column[]
  length: number
  /** The service's totals by column. Null if the file has none. */
  total: readonly string[] | null
  /** Lines behind the totals. */
  notes: readonly (readonly string[])[]
}
