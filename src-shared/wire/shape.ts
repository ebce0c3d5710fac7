import type { Field, ServiceTable } from './table'
import { schemaOf } from './validate'

/** A value of another type than the schema says. */
export interface SchemaMismatch {
  /** Path, such as `attendees[2].email`. Empty for the whole body. */
  path: string
  /** Expected type: `text`, `a list`. */
  wanted: string
}

/**
 * The first value of a response whose type doesn't match its schema. Undefined if there is none. Accepts unknown fields
 * and listed values, because the service may be newer. Cheap enough for every record: only visits existing values, and
 * allocates nothing unless something is wrong.
 * @param entriesOf a list whose entries the caller checks individually
 */
export function schemaMismatch(
  table: ServiceTable,
  schema: string,
  body: unknown,
  entriesOf?: string,
): SchemaMismatch | undefined {
  return judgeRef(table, schema, body, entriesOf)
}

function judgeRef(table: ServiceTable, name: string, value: unknown, entriesOf?: string): SchemaMismatch | undefined {
  const { fields, map } = schemaOf(table, name)
  return map ? judgeMap(table, map, value) : judgeFields(table, fields, value, entriesOf)
}

function judge(table: ServiceTable, field: Field, value: unknown): SchemaMismatch | undefined {
  if (value === null || value === undefined) return undefined
  if (field.ref) return judgeRef(table, field.ref, value)
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? undefined : { path: '', wanted: 'text' }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { path: '', wanted: 'true or false' }
    case 'number':
      return Number.isFinite(value) ? undefined : { path: '', wanted: 'a number' }
    case 'integer':
      return Number.isInteger(value) ? undefined : { path: '', wanted: 'a whole number' }
    case 'array':
      return judgeList(table, field.of, value)
    case 'object':
      return judgeFields(table, field.fields ?? {}, value)
    case 'map':
      return judgeMap(table, field.of, value)
    case 'any':
    case undefined:
      return judgeUnknown(value, 0)
  }
}

/** Maximum depth of a value that no schema describes. Deeper ones can neither be stored nor compared. */
const maxDepth = 100

/** The service may be newer, so anything goes that can be stored and sent back unchanged. */
function judgeUnknown(value: unknown, depth: number): SchemaMismatch | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path: '', wanted: 'a number' }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === maxDepth) return { path: '', wanted: 'a value with fewer levels' }
  for (const inner of Object.values(value)) {
    const wrong = judgeUnknown(inner, depth + 1)
    if (wrong) return wrong
  }
  return undefined
}

const unknownField: Field = { type: 'any' }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function judgeFields(
  table: ServiceTable,
  fields: Record<string, Field>,
  value: unknown,
  entriesOf?: string,
): SchemaMismatch | undefined {
  if (!isRecord(value)) return { path: '', wanted: 'an object' }
  for (const name of Object.keys(value)) {
    const given = value[name]
    const field = Object.hasOwn(fields, name) ? fields[name]! : unknownField
    const wrong = name === entriesOf && Array.isArray(given) ? undefined : judge(table, field, given)
    if (wrong) return under(name, wrong)
  }
  return undefined
}

function judgeMap(table: ServiceTable, of: Field | undefined, value: unknown): SchemaMismatch | undefined {
  if (!isRecord(value)) return { path: '', wanted: 'an object' }
  for (const name of Object.keys(value)) {
    const wrong = judge(table, of ?? unknownField, value[name])
    if (wrong) return under(name, wrong)
  }
  return undefined
}

function judgeList(table: ServiceTable, of: Field | undefined, value: unknown): SchemaMismatch | undefined {
  if (!Array.isArray(value)) return { path: '', wanted: 'a list' }
  for (let index = 0; index < value.length; index++) {
    const item: unknown = value[index]
    const wrong = item === null ? { path: '', wanted: 'an entry' } : judge(table, of ?? unknownField, item)
    if (wrong) return under(`[${index}]`, wrong)
  }
  return undefined
}

function under(name: string, { path, wanted }: SchemaMismatch): SchemaMismatch {
  return { path: path === '' ? name : path.startsWith('[') ? name + path : `${name}.${path}`, wanted }
}

/** The schema of a list's entries, where the table names one. */
export function entrySchemaOf(table: ServiceTable, schema: string, items: string): string | undefined {
  return schemaOf(table, schema).fields[items]?.of?.ref
}
