/** Width of a column: icon, extra small, small, medium, large, wide. The view chooses the pixels. */
export type SheetWidth = 'i' | 'x' | 's' | 'm' | 'l' | 'w'

export interface SheetColumn {
  /** A path in the record, or `fx.` and the name of a computed column. */
  path: string
  width: SheetWidth
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

export interface SheetRemark {
  /** `siteId:m`, `endDate:s"Last day"`: paths, widths, and labels that differ from the name. */
  columns: string
  /** `Basics: * comment|Clicks: url`: sections of the form. */
  form?: string
}

const short: Readonly<Record<string, string>> = {
  PS: 'pricingSchedule',
  PP: 'pricingSchedule.pricingPeriods.0',
  CR: 'creativeRotation',
  DS: 'deliverySchedule',
}
const whole = (path: string): string => path.replace(/^(PS|PP|CR|DS)(?=\.|$)/, (name) => short[name]!)

/** @throws Error for a malformed remark, which is a mistake in the data rather than the input */
export function readSheet({ columns, form }: SheetRemark): Pick<Sheet, 'columns' | 'sections'> {
  const read = columns.match(/\S+:[a-z](?:"[^"]*")?/g) ?? []
  if (read.join(' ') !== columns.trim().replace(/\s+/g, ' ')) throw new Error(`Not columns: ${columns}`)
  return {
    columns: read.map((text): SheetColumn => {
      const [, path, width, label] = /^(\S+?):([ixsmlw])(?:"([^"]*)")?$/.exec(text) ?? []
      if (!path || !width) throw new Error(`Not a column: ${text}`)
      return { path: whole(path), width: width as SheetWidth, ...(label && { label }) }
    }),
    sections: (form ?? 'Basics: *').split('|').map((part): SheetSection => {
      const [title, paths] = part.split(/:\s*/)
      if (!title || !paths) throw new Error(`Not a section: ${part}`)
      return { title: title.trim(), paths: paths.trim().split(/\s+/).map(whole) }
    }),
  }
}
