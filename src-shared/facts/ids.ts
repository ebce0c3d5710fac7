import { isJsonObject, type Json, type JsonObject } from '../json'
import { operation, type OperationId, type Versions } from '../wire/services'
import type { Collection } from './collection'

/** Control characters, a line break among them, and half characters make an ID that no address can name again. */
const unusable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}]|^\s*$/u

/** Joins the parts of an ID with slashes, which are escaped within a part. */
const joined = (parts: readonly string[]): string =>
  parts.length === 1 ? parts[0]! : parts.map((part) => part.replace(/[%/]/g, encodeURIComponent)).join('/')
export const partsOf = (name: string, count: number): string[] =>
  count === 1 ? [name] : name.split('/').map((part) => part.replace(/%25|%2F/g, decodeURIComponent))

/** Local ID of a record. Undefined if the body doesn't identify one. */
export function recordIdOf({ idFields }: Collection, body: Json | undefined): string | undefined {
  if (!isJsonObject(body)) return undefined
  const parts = idFields.map((field) => body[field]).map((part) => (typeof part === 'number' ? String(part) : part))
  const usable = (part: Json | undefined): part is string => typeof part === 'string' && !unusable.test(part)
  return parts.every(usable) ? joined(parts) : undefined
}

/** IDs of a record's parents as text, outermost first. */
export const parentOf = (ids: readonly string[]): string | null => (ids.length === 0 ? null : joined(ids))

/** IDs of a record's parents, outermost first. */
export const placeIds = (count: number, parent: string | null): string[] =>
  parent === null ? [] : partsOf(parent, count)

/** The fields that identify a record, from its ID. */
export function fieldsOfId({ idFields }: Collection, id: string): JsonObject {
  const parts = partsOf(id, idFields.length)
  return Object.fromEntries(idFields.map((field, index) => [field, parts[index] ?? '']))
}

/** The ID of a new record if it follows from the content. Otherwise undefined. */
export function idFromContent({ idFrom }: Collection, value: JsonObject): string | undefined {
  if (!idFrom) return undefined
  const at = (path: string): Json | undefined =>
    path.split('.').reduce<Json | undefined>((around, name) => (isJsonObject(around) ? around[name] : undefined), value)
  const parts = idFrom.fields.map(at)
  if (idFrom.alone !== undefined) return parts[0] === idFrom.alone ? idFrom.alone : parts.map(String).join(':')
  return parts.every((part) => typeof part === 'string') ? joined(parts) : undefined
}

/** Parameters that identify a place or a record. Excludes those that an operation takes from the body. */
export function placeParams(
  collection: Collection,
  id: OperationId,
  parent: string | null,
  record?: string,
  versions: Versions = {},
): Record<string, string> {
  const { parents, idParams } = collection
  const { pathParams, queryParams } = operation(id, versions).method
  const params: Record<string, string> = {}
  if (parent !== null) {
    const around = partsOf(parent, parents.length)
    parents.forEach(({ param }, index) => {
      if (param in pathParams) params[param] = around[index] ?? ''
    })
  }
  if (record === undefined) return params
  const parts = partsOf(record, idParams.length)
  idParams.forEach((param, index) => {
    // If it isn't part of the path, the parameter is `id`.
    const name = [param, 'id'].find((one) => one in pathParams || one in queryParams)
    if (name !== undefined) params[name] = parts[index] ?? ''
  })
  return params
}
