import { isJsonObject, ownField, sameJson, type Json, type JsonObject } from '#shared/json'
import { ownPart, type KeyedRule, type Rule, type Rules } from './rules'

/** A list entry in up to three versions. */
export interface EntryVersions {
  base?: JsonObject
  mine?: JsonObject
  theirs?: JsonObject
}

/**
 * Pairs the entries of two versions of a list. Each entry is paired at most once: by its first key if both have it, then
 * by the next ones, then, until the service has assigned a key, by their whole content. Among entries with equal
 * keys, or without any, the most similar ones are paired.
 * @returns for each entry of `from` its index in `to`
 */
export function pairEntries(
  rule: KeyedRule,
  from: readonly JsonObject[],
  to: readonly JsonObject[],
): (number | undefined)[] {
  const found: (number | undefined)[] = from.map(() => undefined)
  const taken = new Set<number>()
  const [fromKeys, toKeys] = [from, to].map((items) => items.map((item) => rule.keys(item))) as [Keys[], Keys[]]
  const pair = (at: number, other: number): void => {
    if (at < 0 || other < 0 || found[at] !== undefined || taken.has(other)) return
    found[at] = other
    taken.add(other)
  }
  for (let level = 0; level < (fromKeys[0]?.length ?? 0); level++) {
    const candidates = placesByKey(toKeys, level, taken)
    for (const [key, places] of placesByKey(fromKeys, level, pairedOf(found))) {
      const pairs = places
        .flatMap((at) => (candidates.get(key) ?? []).map((other) => ({ at, other })))
        // Different keys of higher significance mean different entries.
        .filter(
          ({ at, other }) =>
            !fromKeys[at]!.slice(0, level).some((one, index) => one !== '' && toKeys[other]![index] !== ''),
        )
      const ranked =
        pairs.length < 2
          ? pairs
          : pairs
              .map((one) => ({ ...one, alike: likeness(rule, from[one.at]!, to[one.other]!) }))
              .sort((a, b) => b.alike - a.alike || a.at - b.at || a.other - b.other)
      for (const { at, other } of ranked) pair(at, other)
    }
  }
  const keyless = { from: keylessOf(fromKeys), to: keylessOf(toKeys) }
  for (const at of keyless.from)
    pair(
      at,
      to.findIndex((item, other) => !taken.has(other) && says(rule, item, from[at]!)),
    )
  for (const other of keyless.to)
    pair(
      from.findIndex((item, at) => found[at] === undefined && says(rule, item, to[other]!)),
      other,
    )
  const alike = keyless.from.flatMap((at) =>
    keyless.to.map((other) => ({ at, other, alike: likeness(rule, from[at]!, to[other]!) })),
  )
  for (const { at, other } of alike.filter((one) => one.alike > 0).sort((a, b) => b.alike - a.alike)) pair(at, other)
  return found
}

type Keys = readonly string[]

/** Indexes of entries without a key. */
const keylessOf = (keys: readonly Keys[]): number[] => [...keys.keys()].filter((at) => keys[at]![0] === '')

const pairedOf = (found: readonly (number | undefined)[]): Set<number> =>
  new Set([...found.keys()].filter((at) => found[at] !== undefined))

/** Indexes of entries by one of their keys, without entries that are already paired or have no key. */
function placesByKey(keys: readonly Keys[], level: number, paired: ReadonlySet<number>): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, { [level]: key = '' }] of keys.entries())
    if (key !== '' && !paired.has(place)) places.set(key, [...(places.get(key) ?? []), place])
  return places
}

/** Number of equal fields in two entries, without those of the service. */
function likeness({ inner }: KeyedRule, one: JsonObject, other: JsonObject): number {
  const [a, b] = [one, other].map((item) => ownPart({ kind: 'map', inner }, item) as JsonObject) as [
    JsonObject,
    JsonObject,
  ]
  return Object.keys(a).filter((name) => sameJson(a[name], ownField(b, name))).length
}

/** Entries of three versions of a list: those of the base in order, then local additions, then remote ones. */
export function entriesOf(
  rule: KeyedRule,
  base: readonly JsonObject[],
  mine: readonly JsonObject[],
  theirs: readonly JsonObject[],
): EntryVersions[] {
  const [here, there] = [pairEntries(rule, base, mine), pairEntries(rule, base, theirs)]
  const rest = (all: readonly JsonObject[], paired: readonly (number | undefined)[]): JsonObject[] =>
    all.filter((_item, index) => !paired.includes(index))
  const [added, others] = [rest(mine, here), rest(theirs, there)]
  const both = pairEntries(rule, added, others)
  const versions = (base?: JsonObject, mine?: JsonObject, theirs?: JsonObject): EntryVersions => ({
    ...(base && { base }),
    ...(mine && { mine }),
    ...(theirs && { theirs }),
  })
  return [
    ...base.map((item, at) => versions(item, mine[here[at] ?? -1], theirs[there[at] ?? -1])),
    ...added.map((item, at) => versions(undefined, item, others[both[at] ?? -1])),
    ...rest(others, both).map((item) => versions(undefined, undefined, item)),
  ]
}

/**
 * Adds the keys that the service has assigned since to the entries of a written value. Without them, an entry that is
 * edited again while it is being sent would be created twice.
 * @param base the value that the edit was made on
 * @param now the same value on the service
 */
export function withGivenKeys(rule: Rule, base: Value, written: Value, now: Value): Value {
  if (rule.kind === 'map' && [base, written, now].every(isJsonObject))
    return fieldsWithGivenKeys(rule.inner, base as JsonObject, written as JsonObject, now as JsonObject)
  if (rule.kind !== 'keyed' || ![base, written, now].every(isListOfObjects)) return written
  const [was, items, stored] = [base, written, now] as JsonObject[][] as [JsonObject[], JsonObject[], JsonObject[]]
  const known = pairEntries(rule, items, was)
  const given = pairEntries(rule, was, stored)
  return items.map((item, at) => {
    const [before, after] = [was[known[at] ?? -1], stored[given[known[at] ?? -1] ?? -1]]
    if (!before || !after) return item
    const missing = rule.fields.filter((field) => isEmpty(item[field]) && !isEmpty(after[field]))
    return {
      ...fieldsWithGivenKeys(rule.inner, before, item, after),
      ...Object.fromEntries(missing.map((field) => [field, after[field]])),
    }
  })
}

/** Fields of a record or part, with nested keys assigned by the service. */
export const fieldsWithGivenKeys = (rules: Rules, base: JsonObject, written: JsonObject, now: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(written).map(([field, value]) => [
      field,
      withGivenKeys(rules.of(field), ownField(base, field), value, ownField(now, field)),
    ]),
  )

type Value = Json | undefined

const isListOfObjects = (value: Value): boolean => Array.isArray(value) && value.every(isJsonObject)

/** True if an entry has everything that another one without a key has. */
function says({ inner, fields }: KeyedRule, item: JsonObject, keyless: JsonObject): boolean {
  const own = Object.entries(ownPart({ kind: 'map', inner }, keyless) as JsonObject)
  const ownFields = own.filter(([name, value]) => !fields.includes(name) && !isEmpty(value))
  return ownFields.length > 0 && ownFields.every(([name, value]) => contains(ownField(item, name), value))
}

/** True if a value equals another one, or contains it together with additions of the service. */
function contains(value: Value, part: Value): boolean {
  if (isJsonObject(part) && isJsonObject(value))
    return Object.entries(part).every(([name, inner]) => isEmpty(inner) || contains(ownField(value, name), inner))
  if (Array.isArray(part) && Array.isArray(value))
    return part.length === value.length && part.every((inner, at) => contains(value[at], inner))
  return sameJson(value, part)
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''
