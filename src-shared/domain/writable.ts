import type { Collection } from '../facts/collection'
import { kindAt } from '../fields/kind'
import type { JsonObject } from '#shared/json'

/** The fields of a record that a client may write, by the table of the account's own version. */
export function writableFields({ table, schema }: Collection, value: JsonObject): JsonObject {
  const fields = table.schemas[schema]?.fields ?? {}
  const result: JsonObject = {}
  for (const [name, content] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field && !field.readOnly && field.const === undefined && name !== 'etag') result[name] = content
  }
  return result
}

/**
 * Content for a record created from another one: fields that a client may write, except those that identify the other record,
 * mark it as restored, or that a client can't set on creation.
 */
export function contentToCreate(facts: Collection, value: JsonObject): JsonObject {
  const { table, schema, gone, own } = facts
  const content = writableFields(facts, value)
  for (const [name, said] of Object.entries(content)) {
    const isNotCreated = table.schemas[schema]?.fields[name]?.notCreatable?.includes(String(said)) ?? false
    if (own.includes(name) || isNotCreated || (name === gone?.field && said === gone.back)) delete content[name]
  }
  return content
}

/** Kinds of fields that a service leaves empty in a new record. */
const leftEmpty: ReadonlySet<string> = new Set(['text', 'prose', 'texts', 'parts'])

/** Fields of a record that the service leaves empty in a new one, so that someone has written what they contain. */
export const fieldsLeftEmpty = (facts: Collection, value: JsonObject): string[] =>
  Object.keys(contentToCreate(facts, value)).filter((field) => leftEmpty.has(kindAt(facts, field) ?? ''))
