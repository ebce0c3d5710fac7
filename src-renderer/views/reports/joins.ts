import { recordKey, type CollectionName } from '#shared/domain/collections'
import { dimensionFact } from '#shared/facts/report-fields'
import type { Facts } from '#shared/facts/facts'
import type { ColumnAbout } from '#shared/figures/kinds'

/**
 * The record that a cell is about: by its own id, or by the id that stands in the same row. Undefined where the file does
 * not tell. `profile`: of the report.
 */
export function recordOf(
  facts: Facts,
  profile: string,
  columns: readonly ColumnAbout[],
  cells: readonly string[],
  column: number,
): { key: string; collection: CollectionName } | undefined {
  const field = columns[column]?.field
  const named = field === undefined ? undefined : dimensionFact(field)?.collection
  const collection = facts.all.find(({ name }) => name === named)
  if (field === undefined || !collection) return undefined
  const idField = field.endsWith('Id') ? field : `${field}Id`
  const at = columns.findIndex((one) => one.field === idField)
  const id = cells[at] ?? ''
  if (!/^\d+$/.test(id)) return undefined
  return { key: recordKey(collection.name, profile, id), collection: collection.name }
}

const dated: ReadonlySet<ColumnAbout['kind']> = new Set(['day', 'week', 'month', 'quarter', 'year'])

/** Columns by which rows of two files are the same: all that rows are about but when it was. */
export const keyColumns = (columns: readonly ColumnAbout[]): string[] => {
  const about = columns.filter(({ adds }) => adds === null)
  const keys = about.filter(({ kind }) => !dated.has(kind))
  return (keys.length > 0 ? keys : about).map(({ head }) => head)
}
