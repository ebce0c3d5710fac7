import { recordKey } from '#shared/domain/collections'
import { ownField, sameJson, type Json, type JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import type { Rules } from '#shared/merge/rules'
import type { OutboxEntry } from './entry'

/** Returns `value` with a patch applied, in which null clears a field. Changes neither argument. */
export function applyPatch(value: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...value }
  for (const [field, next] of Object.entries(patch)) {
    if (next === undefined) continue
    if (next === null) delete result[field]
    else if (field !== '__proto__') result[field] = next
  }
  return result
}

/** The smallest patch that turns `from` into `to`, or only its part within `fields`. */
export function patchBetween(from: JsonObject, to: JsonObject, fields?: Iterable<string>): JsonObject {
  const patch: JsonObject = {}
  for (const field of fields ?? new Set([...Object.keys(from), ...Object.keys(to)])) {
    const before = ownField(from, field) ?? undefined
    const after = ownField(to, field) ?? undefined
    if (field !== '__proto__' && !sameJson(before, after)) patch[field] = after ?? null
  }
  return patch
}

/** The fields of `patch` whose values differ from `base`. */
export function effectivePatch(base: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = {}
  for (const [field, next] of Object.entries(patch)) {
    const isNew = next !== undefined && !sameJson(next ?? undefined, ownField(base, field) ?? undefined)
    if (isNew && field !== '__proto__') result[field] = next
  }
  return result
}

export const ownKey = (entry: OutboxEntry): string => recordKey(entry.collection, entry.parent, entry.recordId)

/** Keys of all local rows that an entry changes, its own first. */
export function keysOf(entry: OutboxEntry): string[] {
  return entry.shows ? [...new Set([ownKey(entry), ...entry.shows.map((shown) => shown.key)])] : [ownKey(entry)]
}

type Shown = NonNullable<OutboxEntry['shows']>[number]

/** Effects on rows by key, cached for entries with effects on many rows, such as the deletion of a long list. */
const shownByKey = new WeakMap<readonly Shown[], Map<string, Shown[]>>()
const few = 8
const none: readonly Shown[] = []

/** The effects of an entry on one row. */
function shownOf({ shows }: OutboxEntry, key: string): readonly Shown[] {
  if (!shows) return none
  if (shows.length <= few) return shows.filter((shown) => shown.key === key)
  let byKey = shownByKey.get(shows)
  if (!byKey) {
    byKey = new Map()
    for (const shown of shows) byKey.set(shown.key, [...(byKey.get(shown.key) ?? []), shown])
    shownByKey.set(shows, byKey)
  }
  return byKey.get(key) ?? none
}

/**
 * The visible state of a row: the service's state with the pending entries applied, oldest first, or null if there's none.
 * An entry whose record is gone from the service uses its own base, so that no typed text disappears.
 * @param rules pass them to include others' later changes in objects and lists that an entry changes in part
 */
export function fold(
  key: string,
  base: JsonObject | null,
  entries: readonly OutboxEntry[],
  rules?: Rules,
): JsonObject | null {
  let value = base
  for (const entry of entries) {
    if (ownKey(entry) === key) {
      if (entry.kind === 'create') value = applyPatch(value ?? {}, entry.patch)
      else if (entry.kind === 'change')
        value = applyPatch(value ?? entry.base ?? {}, value && rules ? patchUpon(rules, entry, value) : entry.patch)
      else if (entry.kind === 'delete') value = null
    }
    for (const { patch } of shownOf(entry, key)) {
      const before = patch && (value ?? baseShown(entry, key, patch))
      value = before ? applyPatch(before, patch!) : null
    }
  }
  return value
}

/** Patch of an entry whose objects and lists include others' later changes. */
function patchUpon(rules: Rules, { base, patch, conflict }: OutboxEntry, value: JsonObject): JsonObject {
  const moved = conflict || !base ? [] : Object.keys(patch).filter((field) => isMoved(rules, base, patch, value, field))
  if (moved.length === 0) return patch
  const merged = moved.map((field) => {
    const { [field]: next = value[field] } = merge(rules, base!, { [field]: patch[field]! }, value, 'mine').patch
    return [field, next ?? null] as const
  })
  return { ...patch, ...Object.fromEntries(merged) }
}

/** True if a field that merges in parts, and independently of others, differs from an entry's base. */
const isMoved = (rules: Rules, base: JsonObject, patch: JsonObject, value: JsonObject, field: string): boolean =>
  typeof patch[field] === 'object' &&
  patch[field] !== null &&
  // An absent list is like an empty one.
  [base, value].every((one) => typeof (one[field] ?? {}) === 'object') &&
  rules.unit(field).length === 1 &&
  !sameJson(base[field] ?? null, value[field] ?? null)

/**
 * Value of a field for a pending entry, so that users see `after` instead of `before`. Doesn't take over others' later
 * changes.
 */
export function patchedAgain(
  rules: Rules,
  own: JsonObject,
  before: JsonObject,
  after: JsonObject,
  field: string,
): Json {
  const { [field]: next = own[field] } = merge(rules, before, { [field]: after[field]! }, own, 'mine').patch
  return next ?? null
}

/**
 * Base for a row without a service state: the entry's own record, a new one, or one that is restored completely. Null for
 * other effects, which would be an incomplete row.
 */
function baseShown(entry: OutboxEntry, key: string, patch: JsonObject): JsonObject | null {
  if (ownKey(entry) === key) return entry.base ?? {}
  const isNew = entry.kind === 'create' || (entry.action !== undefined && 'destination' in entry.action)
  return isNew || patch.id !== undefined ? {} : null
}
