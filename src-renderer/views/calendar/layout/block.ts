import type { Entry } from './entry'

/** Place of a block in a cascade. Minutes after midnight, except for `indent`, which is in pixels. */
export interface Cascaded {
  top: number
  bottom: number
  indent: number
  /** Where the next block covers it, or its bottom. */
  clear: number
}

/** The part of a timed entry on one day, next to those it overlaps. */
export interface Block {
  entry: Entry
  /** Minutes after midnight, 0 to 1440. */
  from: number
  to: number
  /** 0-based column of `columns`, as wide as `span` columns. */
  column: number
  columns: number
  span: number
  /** True if the entry starts in this part. `tail`: ends in it. */
  head: boolean
  tail: boolean
  /** Its place over others, if columns would be too narrow to read. */
  cascade?: Cascaded
}

/** Overlapping entries that don't fit, grouped in the last column. */
export interface Rest {
  from: number
  to: number
  count: number
  keys: Set<string>
  column: number
  columns: number
  cascade?: Cascaded
}
