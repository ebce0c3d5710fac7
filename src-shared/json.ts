/** Plain data, as sent to services and over IPC, and as stored in files. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json | undefined
}

const plainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function isJsonObject(value: unknown): value is JsonObject {
  return plainObject(value)
}

/** A record's own field, because every object inherits `constructor` and others. */
export const ownField = (record: JsonObject | null | undefined, name: string): Json | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** Values of a record's fields, null for those that it lacks. */
export const valuesOf = (record: JsonObject | null | undefined, fields: readonly string[]): Record<string, Json> =>
  Object.fromEntries(fields.map((field) => [field, ownField(record, field) ?? null]))

/** Structural equality of plain data. An absent field and `undefined` are the same. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  }
  if (!plainObject(a) || !plainObject(b)) return false
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  for (const key of keys) if (!sameJson(ownField(a as JsonObject, key), ownField(b as JsonObject, key))) return false
  return true
}
