import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import type { MergeReceipt } from '#shared/mutation/entry'
import { contradicts, innerRules, isServerOwned, ruleOf, unitOf, type Rule } from './rules'
import { mergeWords } from './words'

export interface Merge {
  /** Top-level fields to write over `theirs` so that it holds both sides; null clears. Empty: nothing to send. */
  patch: JsonObject
  /** Fields that both sides changed differently and no rule can settle; left out of `patch`. */
  conflicts: string[]
  receipt: MergeReceipt
}

type Settled = { value: Json | undefined; combined: boolean } | 'conflict'

/**
 * Merges three ways by field. `mine` holds only the fields this side touched (null clears); `base` and `theirs` are
 * records. Touches nothing and knows nobody; merge(x, x, x) asks for nothing.
 */
export function merge(schema: string, base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const patch: JsonObject = {}
  const conflicts: string[] = []
  const receipt: MergeReceipt = { mine: [], theirs: [], combined: [] }
  const touched = new Set<string>()
  for (const field of Object.keys(mine)) if (!isServerOwned(schema, field)) touched.add(field)

  const done = new Set<string>()
  for (const field of touched) {
    if (done.has(field)) continue
    const unit = unitOf(schema, field)
    unit.forEach((name) => done.add(name))
    const base_ = pick(base, unit)
    const mine_ = pick({ ...base, ...mine }, unit)
    const theirs_ = pick(theirs, unit)
    const settled =
      unit.length > 1
        ? settleValue(base_, mine_, theirs_)
        : settle(ruleOf(schema, field), field, base_[field], mine_[field], theirs_[field])
    if (settled === 'conflict') {
      conflicts.push(...unit.filter((name) => !same(mine_[name], theirs_[name])))
      continue
    }
    const value = unit.length > 1 ? (settled.value as JsonObject) : { [field]: settled.value }
    for (const name of unit) if (!same(value[name], theirs[name])) patch[name] = value[name] ?? null
    if (settled.combined) receipt.combined.push(field)
    else if (!unit.every((name) => same(value[name], theirs[name]))) receipt.mine.push(field)
  }
  for (const field of changedFields(schema, base, theirs)) {
    if (!conflicts.includes(field) && !receipt.combined.includes(field)) receipt.theirs.push(field)
  }
  return { patch, conflicts, receipt }
}

/** Fields people own that differ between two versions of a record. */
export function changedFields(schema: string, before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isServerOwned(schema, name) && !same(before[name], after[name]))
}

/** The record with a patch on top: null and undefined clear. */
export function withPatch(record: JsonObject, patch: JsonObject): JsonObject {
  const next: JsonObject = { ...record }
  for (const [field, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete next[field]
    else next[field] = value
  }
  return next
}

/** Absent, null and undefined are one thing: not there. Times are the same at one instant, in whatever zone they are read. */
const same = (a: Json | undefined, b: Json | undefined): boolean =>
  sameJson(a ?? undefined, b ?? undefined) || sameJson(atInstants(a ?? undefined), atInstants(b ?? undefined))

/** A value with the date-times in it (a time, or a unit of times) read in UTC; their zones stay. */
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
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? undefined]))
}

function settleValue(base: Json | undefined, mine: Json | undefined, theirs: Json | undefined): Settled {
  if (same(mine, theirs) || same(base, mine)) return { value: theirs, combined: false }
  if (same(base, theirs)) return { value: mine, combined: false }
  return 'conflict'
}

function settle(
  rule: Rule,
  path: string,
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
): Settled {
  const plain = settleValue(base, mine, theirs)
  if (plain !== 'conflict') return plain
  switch (rule.kind) {
    case 'server':
      return { value: theirs, combined: false }
    case 'scalar':
    case 'unit':
      return 'conflict'
    case 'words': {
      if (typeof mine !== 'string' || typeof theirs !== 'string') return 'conflict'
      const merged = mergeWords(typeof base === 'string' ? base : '', mine, theirs)
      return merged === undefined ? 'conflict' : { value: merged, combined: true }
    }
    case 'map':
      return settleMap(path, object(base), object(mine), object(theirs))
    case 'keyed':
      return settleKeyed(rule.key, list(base), list(mine), list(theirs))
  }
}

const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

function settleMap(path: string, base: JsonObject, mine: JsonObject, theirs: JsonObject): Settled {
  const value: JsonObject = {}
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)])) {
    const inner = `${path}.${key}`
    const nested = [base[key], mine[key], theirs[key]].some(isJsonObject)
    const rule: Rule = innerRules[inner] ?? (nested ? { kind: 'map' } : { kind: 'scalar' })
    const settled = settle(rule, inner, base[key], mine[key], theirs[key])
    if (settled === 'conflict') return 'conflict'
    if (settled.value !== undefined && settled.value !== null) value[key] = settled.value
  }
  return contradicts[path]?.(value) ? 'conflict' : { value, combined: true }
}

/** Entries known by a key. Order: theirs, then what only this side added. Removed here and changed there: a conflict. */
function settleKeyed(
  key: (item: JsonObject) => string,
  base: JsonObject[],
  mine: JsonObject[],
  theirs: JsonObject[],
): Settled {
  const index = (items: JsonObject[]): Map<string, JsonObject> => new Map(items.map((item) => [key(item), item]))
  const bases = index(base)
  const mines = index(mine)
  const all = index(theirs)
  const keys = [...all.keys(), ...[...mines.keys()].filter((name) => !all.has(name))]
  const value: JsonObject[] = []
  for (const name of keys) {
    const [was, here, there] = [bases.get(name), mines.get(name), all.get(name)]
    const whole = settleValue(was, here, there)
    if (whole !== 'conflict') {
      if (isJsonObject(whole.value)) value.push(whole.value)
      continue
    }
    if (!here || !there) return 'conflict'
    const fields = settleMap(name, was ?? {}, here, there)
    if (fields === 'conflict') return 'conflict'
    value.push(fields.value as JsonObject)
  }
  return { value, combined: true }
}
