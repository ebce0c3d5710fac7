import { collections, type CollectionName } from '#shared/domain/collections'
import { services } from '#shared/wire/services'
import type { JsonObject } from '#shared/json'

/** The fields of a record that a client may write, by the service's own table. */
export function writableFields(collection: CollectionName, value: JsonObject): JsonObject {
  const { service, schema } = collections[collection]
  const fields = services[service].schemas[schema]?.fields ?? {}
  const result: JsonObject = {}
  for (const [name, content] of Object.entries(value)) {
    const field = fields[name]
    if (field && !field.readOnly && field.const === undefined && name !== 'etag') result[name] = content
  }
  return result
}
