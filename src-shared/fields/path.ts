import type { Collection } from '../facts/collection'
import { isJsonObject, sameJson, type Json, type JsonObject } from '../json'
import type { Field, ServiceTable } from '../wire/table'

/** A place in a record is written `pricingSchedule.pricingPeriods.0.units`: names of fields, and numbers in lists. */
const partsOf = (path: string): readonly string[] => {
  let parts = known.get(path)
  if (!parts) {
    parts = path.split('.')
    if (known.size === maxKnown) known.clear()
    known.set(path, parts)
  }
  return parts
}
/** Parts of paths, which are few and asked for with every record. */
const known = new Map<string, readonly string[]>()
const maxKnown = 2_000
const isIndex = (name: string): boolean => /^\d+$/.test(name)

/** Name of the field at a path, without list indices. */
export const nameAt = (path: string): string =>
  partsOf(path)
    .filter((name) => !isIndex(name))
    .at(-1)!

/** A path with `*` for each list index. */
export const anyPosition = (path: string): string => path.replace(/\.\d+(?=\.|$)/g, '.*')

/** The list whose first entry a place is in: `a` for `a.0.b`. */
export const listOfFirst = (path: string): string | undefined => /^(.+)\.0\.[^.]+$/.exec(path)?.[1]

/** Fields inside a field that is an object, named or described in place; undefined for plain values. */
export const fieldsWithin = (table: ServiceTable, field: Field): Readonly<Record<string, Field>> | undefined =>
  field.ref ? table.schemas[field.ref]?.fields : field.fields

/** Fields along a path, including the last one. Undefined if the table lacks the path. */
export function fieldsOnTheWay(
  { table, schema }: Pick<Collection, 'table' | 'schema'>,
  path: string,
): readonly Field[] | undefined {
  let ways = knownWays.get(table)
  if (!ways) knownWays.set(table, (ways = new Map()))
  let own = ways.get(schema)
  if (!own || own.size === maxKnown) ways.set(schema, (own = new Map()))
  let way = own.get(path)
  if (way === undefined) own.set(path, (way = wayTo(table, schema, path) ?? null))
  return way ?? undefined
}
/** Cached fields by table, schema, and path. Null for paths that a table lacks. */
const knownWays = new WeakMap<ServiceTable, Map<string, Map<string, readonly Field[] | null>>>()

function wayTo(table: ServiceTable, schema: string, path: string): Field[] | undefined {
  const found: Field[] = []
  let at: Field = { ref: schema }
  for (const name of partsOf(path)) {
    const next: Field | undefined = isIndex(name) ? at.of : fieldsWithin(table, at)?.[name]
    if (!next) return undefined
    found.push(next)
    at = next
  }
  return found
}

export const fieldAt = (collection: Pick<Collection, 'table' | 'schema'>, path: string): Field | undefined =>
  fieldsOnTheWay(collection, path)?.at(-1)

export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const name of partsOf(path)) {
    if (Array.isArray(found)) found = isIndex(name) ? found[Number(name)] : undefined
    else found = isJsonObject(found) ? found[name] : undefined
  }
  return found
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (isJsonObject(value) && Object.keys(value).length === 0)

/** Returns a copy of `value` with `next` at a path, or without the path if `next` is null. */
export const withValueAt = (value: Json | undefined, path: string, next: Json): Json =>
  withPartsAt(value, partsOf(path), 0, next)

function withPartsAt(value: Json | undefined, parts: readonly string[], at: number, next: Json): Json {
  const name = parts[at]!
  const inside = (old: Json | undefined): Json =>
    at === parts.length - 1 ? next : withPartsAt(old, parts, at + 1, next)
  if (isIndex(name)) {
    const list = Array.isArray(value) ? [...value] : []
    list[Number(name)] = inside(list[Number(name)])
    return list.filter((item) => !isEmpty(item))
  }
  const object: JsonObject = isJsonObject(value) ? { ...value } : {}
  const made = inside(object[name])
  if (made === null) delete object[name]
  else object[name] = made
  return object
}

/** Returns a copy with `next` at a path, and at every path that follows it and was equal until now. */
function withFollowers({ follows }: Pick<Collection, 'follows'>, value: JsonObject, path: string, next: Json): Json {
  const made = withValueAt(value, path, next)
  const [list, inner] = follows?.[path]?.split('.*.') ?? []
  const before = valueAt(value, path)
  const entries = list === undefined ? undefined : valueAt(value, list)
  if (inner === undefined || !Array.isArray(entries) || before === undefined) return made
  return withValueAt(
    made,
    list!,
    entries.map((entry) => (sameJson(valueAt(entry, inner), before) ? withValueAt(entry, inner, next) : entry)),
  )
}

/** The patch of whole outermost fields that sets, or for null clears, one place in a record. */
export function patchAt(
  value: JsonObject,
  path: string,
  next: Json,
  collection: Pick<Collection, 'follows'> = {},
): JsonObject {
  const name = partsOf(path)[0]!
  // Only this field is copied: a sheet patches many large records.
  const after = withFollowers(collection, { [name]: value[name] }, path, next) as JsonObject
  return { [name]: isEmpty(after[name]) && !sameJson(value[name], after[name]) ? null : (after[name] ?? null) }
}
