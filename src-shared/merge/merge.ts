import { isJsonObject, ownField, sameJson, type Json, type JsonObject } from '#shared/json'
import type { MergeReceipt } from '#shared/mutation/entry'
import { entriesOf, type EntryVersions } from './entries'
import { isServerOwned, ownPart, type KeyedRule, type Rule, type Rules } from './rules'
import { mergeWords } from './merge-text'

export interface Merge {
  /**
   * Top-level fields to write over `theirs` so that it contains both sides. Null clears a field. Empty if there's
   * nothing to send.
   */
  patch: JsonObject
  /** Fields that both sides changed differently and no rule can merge. Not in `patch`. */
  conflicts: string[]
  receipt: MergeReceipt
}

type Settled = { value: Json | undefined; combined: boolean } | 'conflict'

/** Resolution of a value that both sides changed differently: report a conflict, or let one side win. */
export type OnConflict = 'ask' | 'mine' | 'theirs'

/**
 * Three-way merge by field. `mine` holds only the fields this side changed (null clears), `base` and `theirs` are
 * records. Pure, and idempotent: merge(x, x, x) returns no patch.
 * @param onConflict the winner after a user has decided, only for the entries or fields in conflict
 */
export function merge(
  rules: Rules,
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  onConflict: OnConflict = 'ask',
): Merge {
  const patch: JsonObject = {}
  const conflicts: string[] = []
  const receipt: MergeReceipt = { mine: [], theirs: [], combined: [] }
  const touched = namesIn(mine).filter((field) => !isServerOwned(rules, field))
  for (const { unit, settled } of settleFields(rules, touched, base, { ...base, ...mine }, theirs, onConflict)) {
    if (settled === 'conflict') {
      conflicts.push(...unit.filter((name) => !same(rules.of(name), mineOf(base, mine, name), ownField(theirs, name))))
      continue
    }
    const changed = unit.filter((name) => !same(rules.of(name), ownField(settled.value, name), ownField(theirs, name)))
    for (const name of changed) patch[name] = ownField(settled.value, name) ?? null
    if (settled.combined) receipt.combined.push(unit[0]!)
    else if (changed.length > 0) receipt.mine.push(unit.find((name) => Object.hasOwn(mine, name)) ?? unit[0]!)
  }
  for (const field of changedFields(rules, base, theirs)) {
    if (!conflicts.includes(field) && !receipt.combined.includes(field)) receipt.theirs.push(field)
  }
  return { patch, conflicts, receipt }
}

const mineOf = (base: JsonObject, mine: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(mine, name) ? mine[name] : ownField(base, name)

/** Names of fields, without `__proto__`, because boundaries drop it, and writing it would replace the prototype. */
const namesIn = (...records: readonly JsonObject[]): string[] =>
  [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => name !== '__proto__')

interface SettledUnit {
  /** Fields that merge together. */
  unit: string[]
  settled: { value: JsonObject; combined: boolean } | 'conflict'
}

function settleFields(
  rules: Rules,
  fields: Iterable<string>,
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  onConflict: OnConflict,
): SettledUnit[] {
  const done = new Set<string>()
  const result: SettledUnit[] = []
  for (const field of fields) {
    if (done.has(field)) continue
    const unit = rules.unit(field)
    unit.forEach((name) => done.add(name))
    const rule = rules.of(field)
    if (unit.length === 1) {
      const settled = settle(rule, ownField(base, field), ownField(mine, field), ownField(theirs, field), onConflict)
      result.push({
        unit,
        settled: settled === 'conflict' ? settled : { ...settled, value: { [field]: settled.value } },
      })
      continue
    }
    const sides = [base, mine, theirs].map((side) => pick(side, unit)) as [JsonObject, JsonObject, JsonObject]
    const equal = (a: JsonObject, b: JsonObject): boolean =>
      unit.every((name) => same(rules.of(name), ownField(a, name), ownField(b, name)))
    const [was, here, there] = sides
    if (equal(here, there) || equal(was, here)) result.push({ unit, settled: { value: there, combined: false } })
    else if (equal(was, there)) result.push({ unit, settled: { value: here, combined: false } })
    else if (onConflict === 'ask') result.push({ unit, settled: 'conflict' })
    else result.push({ unit, settled: { value: onConflict === 'mine' ? here : there, combined: true } })
  }
  return result
}

/** Fields that differ between two versions of a record, without server-owned ones. */
export function changedFields(rules: Rules, before: JsonObject, after: JsonObject): string[] {
  return namesIn(before, after).filter(
    (name) => !isServerOwned(rules, name) && !same(rules.of(name), ownField(before, name), ownField(after, name)),
  )
}

/** The record with a patch applied, in which null and undefined clear a field. */
export function withPatch(record: JsonObject, patch: JsonObject): JsonObject {
  const next: JsonObject = { ...record }
  for (const [field, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete next[field]
    else if (field !== '__proto__') next[field] = value
  }
  return next
}

/**
 * Compares two values. Absent, null, and undefined are equal, and so are times at one instant in different zones.
 * Ignores server-owned fields. A different order counts as a change, because a user chose it.
 */
function same(rule: Rule, a: Json | undefined, b: Json | undefined): boolean {
  if (sameJson(a ?? undefined, b ?? undefined)) return true
  const [one, other] = [a, b].map((side) => ownPart(rule, side ?? undefined) as Json | undefined)
  return sameJson(atInstants(one), atInstants(other))
}

/** A value with its date-times (a time, or a unit of times) converted to UTC. Their zones stay. */
function atInstants(value: Json | undefined): Json | undefined {
  if (!isJsonObject(value)) return value
  const { dateTime } = value
  if (dateTime === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, atInstants(inner)]))
  const hasOffset = typeof dateTime === 'string' && /(?:Z|[+-]\d\d:?\d\d)$/i.test(dateTime)
  const instant = hasOffset ? Date.parse(dateTime) : NaN
  return Number.isNaN(instant) ? value : { ...value, dateTime: new Date(instant).toISOString() }
}

function pick(record: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, ownField(record, field) ?? undefined]))
}

function settleValue(rule: Rule, base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Settled {
  if (same(rule, mine, theirs) || same(rule, base, mine)) return { value: theirs, combined: false }
  if (same(rule, base, theirs)) return { value: mine, combined: false }
  return 'conflict'
}

/** Result for a value that both sides changed differently, and that only a user can resolve. */
const conflictOver = (onConflict: OnConflict, mine: Json | undefined, theirs: Json | undefined): Settled =>
  onConflict === 'ask' ? 'conflict' : { value: onConflict === 'mine' ? mine : theirs, combined: true }

function settle(
  rule: Rule,
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  onConflict: OnConflict,
): Settled {
  const plain = settleValue(rule, base, mine, theirs)
  if (plain !== 'conflict') return plain
  switch (rule.kind) {
    case 'server':
      return { value: theirs, combined: false }
    case 'scalar':
    case 'unit':
      return conflictOver(onConflict, mine, theirs)
    case 'words': {
      if (typeof mine !== 'string' || typeof theirs !== 'string') return conflictOver(onConflict, mine, theirs)
      const merged = (rule.merge ?? mergeWords)(typeof base === 'string' ? base : '', mine, theirs)
      const fits = merged !== undefined && (rule.max === undefined || [...merged].length <= rule.max)
      return fits ? { value: merged, combined: true } : conflictOver(onConflict, mine, theirs)
    }
    case 'set':
      return { value: mergeSets(members(base), members(mine), members(theirs)), combined: true }
    case 'map':
      return settleMap(rule.inner, object(base), object(mine), object(theirs), onConflict)
    case 'keyed':
      return settleKeyed(rule, list(base), list(mine), list(theirs), onConflict)
  }
}

const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const members = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** Merges sets: the remote members, with local additions and without local removals. */
function mergeSets(base: Json[], mine: Json[], theirs: Json[]): Json[] {
  const kept = theirs.filter((member) => mine.includes(member) || !base.includes(member))
  return [...kept, ...mine.filter((member) => !base.includes(member) && !theirs.includes(member))]
}

function settleMap(
  rules: Rules,
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  onConflict: OnConflict,
): Settled {
  const value: JsonObject = {}
  const names = namesIn(theirs, mine, base)
  const ruled: Rules = {
    ...rules,
    of: (name) =>
      freely(
        rules.of(name),
        [base, mine, theirs].map((side) => ownField(side, name)),
      ),
  }
  for (const { settled } of settleFields(ruled, names, base, mine, theirs, onConflict)) {
    if (settled === 'conflict') return 'conflict'
    for (const [name, inner] of Object.entries(settled.value))
      if (inner !== undefined && inner !== null) value[name] = inner
  }
  return rules.contradicts(value) ? conflictOver(onConflict, mine, theirs) : { value, combined: true }
}

/** Rule for a value. Objects under names that no schema has merge field by field, too. */
const freely = (rule: Rule, sides: readonly (Json | undefined)[]): Rule =>
  rule.kind === 'scalar' && !rule.inner && sides.some(isJsonObject) ? { kind: 'map', inner: anyFields } : rule

const anyFields: Rules = { of: () => ({ kind: 'scalar' }), unit: (field) => [field], contradicts: () => false }

/**
 * Merges lists of entries with keys. An entry is dropped only if one side removed it. Removing it here while it changed
 * there is a conflict. Order merges separately: the side that changed it wins, and entries only the other side added
 * come last.
 */
function settleKeyed(
  rule: KeyedRule,
  base: JsonObject[],
  mine: JsonObject[],
  theirs: JsonObject[],
  onConflict: OnConflict,
): Settled {
  const kept: (EntryVersions & { value: JsonObject })[] = []
  for (const versions of entriesOf(rule, base, mine, theirs)) {
    const settled = settleEntry(rule, versions, onConflict)
    if (settled === 'conflict') return 'conflict'
    if (isJsonObject(settled.value)) kept.push({ ...versions, value: settled.value })
  }
  const everywhere = kept.filter((entry) => entry.base && entry.mine && entry.theirs)
  const orderIn = (side: keyof EntryVersions, all: readonly JsonObject[]): number[] =>
    everywhere
      .map((entry, index) => ({ index, place: all.indexOf(entry[side]!) }))
      .sort((a, b) => a.place - b.place)
      .map(({ index }) => index)
  const theirOrder = orderIn('theirs', theirs)
  const order = settle({ kind: 'scalar' }, orderIn('base', base), orderIn('mine', mine), theirOrder, onConflict)
  if (order === 'conflict') return 'conflict'
  const leads = sameJson(order.value, theirOrder) ? 'theirs' : 'mine'
  const last = leads === 'mine' ? 'theirs' : 'mine'
  const lists = { mine, theirs }
  const placed = (side: 'mine' | 'theirs', entries: typeof kept): typeof kept =>
    entries.filter((entry) => entry[side]).sort((a, b) => lists[side].indexOf(a[side]!) - lists[side].indexOf(b[side]!))
  const ordered = [
    ...placed(leads, kept),
    ...placed(
      last,
      kept.filter((entry) => !entry[leads]),
    ),
  ]
  return { value: ordered.map(({ value }) => value), combined: true }
}

function settleEntry({ inner }: KeyedRule, { base, mine, theirs }: EntryVersions, onConflict: OnConflict): Settled {
  const whole = settleValue({ kind: 'map', inner }, base, mine, theirs)
  if (whole !== 'conflict') return whole
  return mine && theirs
    ? settleMap(inner, base ?? {}, mine, theirs, onConflict)
    : conflictOver(onConflict, mine, theirs)
}
