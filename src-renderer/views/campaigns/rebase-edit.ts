import type { Collection } from '#shared/facts/collection'
import { patchAt, valueAt, withValueAt } from '#shared/fields/path'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import { changedSinceSeen, sameValue } from './changed-since-seen'

/** An edit of one path of a record: a new value, or one list entry added or removed. */
export type PlaceEdit = { value: Json } | { add: Json } | { remove: Json }

/**
 * Applies an edit, based on the record its author saw, to the current record.
 * @returns a patch of top-level fields, empty if nothing is left to change, or the current value if the edit would
 * replace a value its author hasn't seen
 */
export function rebaseEdit(
  facts: Pick<Collection, 'rules' | 'follows'>,
  seen: JsonObject,
  path: string,
  edit: PlaceEdit,
  now: JsonObject,
): { patch: JsonObject } | { now: Json | undefined } {
  const exact = 'value' in edit ? valueUpon(facts, seen, path, edit.value, now) : entryUpon(facts, path, edit, now)
  if (exact) return { patch: exact }
  const { patch, conflicts } = merge(facts.rules, seen, patchOf(facts, seen, path, edit), now)
  return conflicts.length > 0 ? { now: valueAt(now, path) } : { patch }
}

/** Applies the edit to the record its author saw. */
export function patchOf(
  facts: Pick<Collection, 'follows'>,
  seen: JsonObject,
  path: string,
  edit: PlaceEdit,
): JsonObject {
  if ('value' in edit) return patchAt(seen, path, edit.value, facts)
  const list = listAt(seen, path)
  const made = 'add' in edit ? [...list, edit.add] : without(list, list.findIndex(same(edit.remove)))
  return patchAt(seen, path, made, facts)
}

const listAt = (record: JsonObject, path: string): Json[] => {
  const value = valueAt(record, path)
  return Array.isArray(value) ? value : []
}
const same =
  (wanted: Json | undefined) =>
  (one: Json): boolean =>
    sameJson(one, wanted)
const without = (list: readonly Json[], index: number): Json[] => list.filter((_one, at) => at !== index)

/** Undefined if the removed entry changed since its author saw it. */
function entryUpon(
  facts: Pick<Collection, 'follows'>,
  path: string,
  edit: { add: Json } | { remove: Json },
  now: JsonObject,
): JsonObject | undefined {
  const list = listAt(now, path)
  if ('add' in edit) {
    const twice = !isJsonObject(edit.add) && list.some(same(edit.add))
    return twice ? {} : patchAt(now, path, [...list, edit.add], facts)
  }
  const index = list.findIndex(same(edit.remove))
  if (index >= 0) return patchAt(now, path, without(list, index), facts)
  return isJsonObject(edit.remove) ? undefined : {}
}

/** Undefined if the path, or its enclosing list entry, changed since its author saw it. */
function valueUpon(
  facts: Pick<Collection, 'follows'>,
  seen: JsonObject,
  path: string,
  value: Json,
  now: JsonObject,
): JsonObject | undefined {
  if (sameValue(valueAt(now, path), value)) return {}
  const [, listPath, number, inner] = /^(.*?)\.(\d+)(?:\.(.*))?$/.exec(path) ?? []
  if (listPath === undefined)
    return changedSinceSeen(valueAt(now, path), valueAt(seen, path), value)
      ? undefined
      : patchAt(now, path, value, facts)
  const index = Number(number)
  const list = listAt(now, listPath)
  const entry = listAt(seen, listPath)[index]
  const made = inner === undefined ? value : withValueAt(entry, inner, value)
  if (entry === undefined) return patchAt(now, listPath, [...list, made], facts)
  const at = sameJson(list[index], entry) ? index : list.findIndex(same(entry))
  return at < 0 ? undefined : patchAt(now, `${listPath}.${at}`, made, facts)
}
