import type { CollectionName } from '#shared/domain/collections'
import { dimensionFact } from '#shared/facts/report-fields'
import { searchColumn } from '#shared/facts/report-search-columns'
import type { Facts } from '#shared/facts/facts'
import type { ColumnAbout } from '#shared/results/result-columns'

/** Facts about columns by service. */
const columnFacts: Readonly<
  Record<'trafficking' | 'search', (field: string) => { collection?: CollectionName } | undefined>
> = { trafficking: dimensionFact, search: searchColumn }

export interface Named {
  collection: CollectionName
  id: string
  /** ID of the row's advertiser, if known. */
  advertiserId?: string
}

/** Identifies the record of a cell by its ID, or by the ID in the same row. Undefined if there's none. */
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

/** Columns to join two tables by: all dimensions except dates. */
export const keyColumns = (columns: readonly ColumnAbout[]): string[] => {
  const about = columns.filter(({ adds }) => adds === null)
  const keys = about.filter(({ kind }) => !dated.has(kind))
  return (keys.length > 0 ? keys : about).map(({ head }) => head)
}

/** Columns that describe a record whose ID is among them, such as its name or rate, which may change between runs. */
export function namingColumns(columns: readonly ColumnAbout[]): string[] {
  const about = columns.filter(({ adds }) => adds === null)
  const records = about.flatMap(({ field }) => /^(\w+)Id$/.exec(field ?? '')?.[1] ?? [])
  const names = about.filter(({ field = '' }) =>
    records.some((record) => field !== `${record}Id` && new RegExp(`^${record}($|[A-Z])`).test(field)),
  )
  return names.map(({ head }) => head)
}
