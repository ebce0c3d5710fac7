import { valueAt } from '#shared/fields/path'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'

/** A value, and the number of records that have it. */
export interface CountedValue {
  value: Json
  count: number
}

/** A record with only the values that several records share. */
export function sharedOf(records: readonly JsonObject[]): JsonObject {
  const shared = sharedValue(records)
  return isJsonObject(shared) ? shared : {}
}

function sharedValue(values: readonly (Json | undefined)[]): Json | undefined {
  const [first, ...rest] = values
  if (rest.every((one) => sameJson(one, first))) return first
  if (values.every(isJsonObject)) {
    const names = new Set(values.flatMap((one) => Object.keys(one)))
    return Object.fromEntries([...names].map((name) => [name, sharedValue(values.map((one) => one[name]))]))
  }
  // Lists of the same length, such as the prices of flights, are compared entry by entry.
  if (Array.isArray(first) && values.every((one) => Array.isArray(one) && one.length === first.length)) {
    const lists = values as readonly (readonly Json[])[]
    if (lists.every((list) => list.every(isJsonObject)))
      return first.map((_one, at) => sharedValue(lists.map((list) => list[at])) ?? {})
  }
  return undefined
}

/** Distinct values of a place with their number of records, most frequent first. Null is an empty place. */
export function valuesAt(records: readonly JsonObject[], path: string): CountedValue[] {
  return countedOnce(records.map((record) => [valueAt(record, path) ?? null]))
}

/** Entries of the lists at a place. `keyOf`: what makes two entries the same, by default everything. */
export function entriesAt(
  records: readonly JsonObject[],
  path: string,
  keyOf?: (entry: Json) => unknown,
): CountedValue[] {
  return countedOnce(
    records.map((record) => {
      const list = valueAt(record, path)
      return Array.isArray(list) ? list : []
    }),
    keyOf,
  )
}

function countedOnce(
  lists: readonly (readonly Json[])[],
  keyOf: (one: Json) => unknown = (one) => one,
): CountedValue[] {
  const found = new Map<string, CountedValue>()
  for (const list of lists)
    for (const [name, value] of new Map(list.map((one) => [JSON.stringify(keyOf(one)), one]))) {
      const counted = found.get(name)
      if (counted) counted.count++
      else found.set(name, { value, count: 1 })
    }
  return [...found.values()].sort((a, b) => b.count - a.count)
}
