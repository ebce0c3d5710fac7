import type { Collection } from '../facts/collection'
import { collectionOf, rowSchemas } from '../facts/references'
import type { Field, ServiceTable } from '../wire/table'
import { fieldAt, fieldsWithin, nameAt } from './path'

/**
 * Kind of a field's value, which decides how it's shown, typed, and copied. `reference` and `references`: IDs of other
 * records; `size`, `row`: an object that represents a row of another collection, `rows` several; `part`: an object with
 * fields, `parts` a list of them.
 */
export type FieldKind =
  | 'text'
  | 'prose'
  | 'number'
  | 'money'
  | 'date'
  | 'moment'
  | 'choice'
  | 'yesNo'
  | 'reference'
  | 'references'
  | 'texts'
  | 'choices'
  | 'size'
  | 'sizes'
  | 'row'
  | 'rows'
  | 'part'
  | 'parts'
  | 'map'
  | 'any'

const prose = new Set(['comment', 'comments', 'description', 'notes', 'htmlCode', 'overrideCss', 'adParameters'])
const longerThan = 512

/** @param name the field's own name, which says what its IDs refer to */
export function kindOf(table: ServiceTable, name: string, field: Field): FieldKind {
  if (field.type === 'array') return kindOfList(name, field.of ?? { type: 'any' })
  if (field.ref === 'Size') return 'size'
  if (field.ref && rowSchemas[field.ref]) return 'row'
  if (field.type === 'map' || (field.ref && table.schemas[field.ref]?.map)) return 'map'
  if (fieldsWithin(table, field)) return 'part'
  if (field.type === 'boolean') return 'yesNo'
  if (field.unit === 'epochMillis' || field.unit === 'epochMicros' || field.format === 'date-time') return 'moment'
  if (field.type === 'integer' || field.type === 'number') return 'number'
  if (field.type !== 'string') return 'any'
  if (collectionOf(name)) return 'reference'
  if (field.enum) return 'choice'
  if (field.format === 'date') return 'date'
  if (name.endsWith('Nanos')) return 'money'
  if (/^u?int/.test(field.format ?? '')) return name === 'id' || name.endsWith('Id') ? 'text' : 'number'
  return prose.has(name) || (field.maxLength ?? 0) > longerThan ? 'prose' : 'text'
}

function kindOfList(name: string, of: Field): FieldKind {
  if (of.ref === 'Size') return 'sizes'
  if (of.ref && rowSchemas[of.ref]) return 'rows'
  if (of.ref || of.fields) return 'parts'
  if (of.type === 'string' && collectionOf(name)) return 'references'
  if (of.enum) return 'choices'
  return of.type === 'string' || of.type === 'integer' ? 'texts' : 'any'
}

/** Kind of a path in a record. Undefined if the table doesn't have it. */
export function kindAt(collection: Pick<Collection, 'table' | 'schema'>, path: string): FieldKind | undefined {
  const field = fieldAt(collection, path)
  return field && kindOf(collection.table, nameAt(path), field)
}

/** Kinds that fit in a cell. Others are edited in the form. */
export const inCell: ReadonlySet<FieldKind> = new Set([
  'text',
  'prose',
  'number',
  'money',
  'date',
  'moment',
  'choice',
  'yesNo',
  'reference',
  'size',
])
