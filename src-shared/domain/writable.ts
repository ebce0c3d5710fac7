import type { Collection } from '../facts/collection'
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
