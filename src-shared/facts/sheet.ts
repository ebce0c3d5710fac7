/** Width of a column. The view chooses the pixels. */
export type SheetWidth = 'tiny' | 'small' | 'medium' | 'large' | 'wide'

export interface SheetColumn {
  /** A path in the record, or `fx.` and the name of a computed column. */
  path: string
  width: SheetWidth
  /** Header, if it differs from the name of the field. */
  label?: string
}

export interface SheetSection {
  title: string
  /** Fields of the section. `*`: grid columns that are in no section. */
  paths: readonly string[]
}

/** Columns and form of a kind of record: curated, limited to the fields of a version. */
export interface Sheet {
  /** Position among the common kinds. Absent for all others. */
  place?: number
  columns: readonly SheetColumn[]
  sections: readonly SheetSection[]
}

/** Columns and form as data. Without sections, the form has one with all columns. */
export interface SheetRemark {
  columns: readonly SheetColumn[]
  sections?: readonly SheetSection[]
}

/** Section of a form that has no others. */
export const onlySection: SheetSection = { title: 'Basics', paths: ['*'] }
