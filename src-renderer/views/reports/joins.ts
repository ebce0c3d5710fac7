import type { CollectionName } from '#shared/domain/collections'
import { dimensionFact } from '#shared/facts/report-fields'
import { searchColumn } from '#shared/facts/report-search-columns'
import type { Facts } from '#shared/facts/facts'
import type { ColumnAbout } from '#shared/figures/kinds'

/** What columns are about, in the words of each service. */
const columnFacts: Readonly<
  Record<'trafficking' | 'search', (field: string) => { collection?: CollectionName } | undefined>
> = { trafficking: dimensionFact, search: searchColumn }

export interface Named {
  collection: CollectionName
  id: string
  /** The advertiser of the row, where it tells one. */
  advertiserId?: string
}

/** What a cell is about: by its own id, or by the id that stands in the same row. Undefined where the file does not tell. */
export function recordOf(
  facts: Facts,
  service: keyof typeof columnFacts,
  columns: readonly ColumnAbout[],
  cells: readonly string[],
  column: number,
): Named | undefined {
  const field = columns[column]?.field
  const named = field === undefined ? undefined : columnFacts[service](field)?.collection
  const collection = facts.all.find(({ name }) => name === named)
  if (field === undefined || !collection) return undefined
  const cell = (wanted: string): string => cells[columns.findIndex((one) => one.field === wanted)] ?? ''
  const id = cell(field.endsWith('Id') ? field : `${field}Id`)
  if (!/^\d+$/.test(id)) return undefined
  const advertiserId = cell('advertiserId')
  return { collection: collection.name, id, ...(advertiserId !== '' && { advertiserId }) }
}

const dated: ReadonlySet<ColumnAbout['kind']> = new Set(['day', 'week', 'month', 'quarter', 'year'])

/** Columns by which rows of two files are the same: all that rows are about but when it was. */
export const keyColumns = (columns: readonly ColumnAbout[]): string[] => {
  const about = columns.filter(({ adds }) => adds === null)
  const keys = about.filter(({ kind }) => !dated.has(kind))
  return (keys.length > 0 ? keys : about).map(({ head }) => head)
}
