import type { Collection } from '#shared/facts/collection'
import { patchAt, valueAt, withValueAt } from '#shared/fields/path'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { merge, withPatch } from '#shared/merge/merge'
import type { LeftPlace, PlaceEdit, Upon } from './api'

type Rules = Pick<Collection, 'rules' | 'follows'>

/** Treats absent and null as equal. */
export const sameValue = (one: Json | undefined, other: Json | undefined): boolean =>
  sameJson(one ?? null, other ?? null)

/**
 * Applies edits of places to a record that may have changed since their author saw it.
 * @param seq the row's `remoteSeq`
 * @returns a patch of whole top-level fields, and the places where an edit would replace an unseen change
 */
export function rebase(
  facts: Rules,
  { edits, upon }: { edits: readonly PlaceEdit[]; upon: Upon },
  record: JsonObject,
  seq: number,
): { patch: JsonObject; left: Omit<LeftPlace, 'key'>[] } {
  const isOwn = upon.seq !== undefined && seq <= upon.seq
  const patch: JsonObject = {}
  const left: Omit<LeftPlace, 'key'>[] = []
  let now = record
  for (const [at, edit] of edits.entries()) {
    const part =
      (upon.record ? uponRecord(facts, upon.record, edit, now) : uponValue(facts, upon.values, edit, now, record)) ??
      (isOwn ? uponOwn(facts, edit, now, upon) : undefined)
    if (part) {
      Object.assign(patch, part)
      if (at < edits.length - 1) now = withPatch(now, part)
    } else left.push({ path: edit.path, now: valueAt(record, edit.path) })
  }
  return { patch, left }
}

/** Applies an edit to the record its author saw. */
export function patchOf(facts: Pick<Collection, 'follows'>, seen: JsonObject, edit: PlaceEdit): JsonObject {
  const { path } = edit
  if ('value' in edit) return patchAt(seen, path, edit.value, facts)
  const list = listAt(seen, path)
  const made = 'add' in edit ? [...list, edit.add] : without(list, list.findIndex(same(edit.remove)))
  return patchAt(seen, path, made, facts)
}

/** Undefined if the edit would replace an unseen change. */
function uponRecord(facts: Rules, seen: JsonObject, edit: PlaceEdit, now: JsonObject): JsonObject | undefined {
  const exact = 'value' in edit ? valueUpon(facts, seen, edit, now) : entryUpon(facts, edit, now)
  return exact ?? merged(facts, seen, edit, now)
}

/** @param record the record without this change's earlier edits, which may have changed this place as well */
function uponValue(
  facts: Rules,
  values: Upon['values'] = {},
  edit: PlaceEdit,
  now: JsonObject,
  record: JsonObject,
): JsonObject | undefined {
  const { path } = edit
  if (!('value' in edit)) return entryUpon(facts, edit, now)
  if (sameValue(valueAt(now, path), edit.value)) return {}
  const seen = values[path]
  if (seen === undefined || sameValue(valueAt(record, path), seen)) return patchAt(now, path, edit.value, facts)
  return path.includes('.') ? undefined : merged(facts, { [path]: seen }, edit, now)
}

/** Sets a value without comparing. Undefined inside a list entry, which may have moved since the author saw the record. */
function uponOwn(facts: Rules, edit: PlaceEdit, now: JsonObject, { record }: Upon): JsonObject | undefined {
  if (!('value' in edit)) return undefined
  const entry = /^.*?\.\d+(?=\.|$)/.exec(edit.path)?.[0]
  if (entry !== undefined && (record || valueAt(now, entry) === undefined)) return undefined
  return patchAt(now, edit.path, edit.value, facts)
}

function merged(facts: Rules, seen: JsonObject, edit: PlaceEdit, now: JsonObject): JsonObject | undefined {
  const { patch, conflicts } = merge(facts.rules, seen, patchOf(facts, seen, edit), now)
  return conflicts.length > 0 ? undefined : patch
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
  edit: Exclude<PlaceEdit, { value: Json }>,
  now: JsonObject,
): JsonObject | undefined {
  const { path } = edit
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
  { path, value }: Extract<PlaceEdit, { value: Json }>,
  now: JsonObject,
): JsonObject | undefined {
  if (sameValue(valueAt(now, path), value)) return {}
  const [, listPath, number, inner] = /^(.*?)\.(\d+)(?:\.(.*))?$/.exec(path) ?? []
  if (listPath === undefined)
    return sameValue(valueAt(now, path), valueAt(seen, path)) ? patchAt(now, path, value, facts) : undefined
  const index = Number(number)
  const list = listAt(now, listPath)
  const entry = listAt(seen, listPath)[index]
  const made = inner === undefined ? value : withValueAt(entry, inner, value)
  if (entry === undefined) return patchAt(now, listPath, [...list, made], facts)
  const at = sameJson(list[index], entry) ? index : list.findIndex(same(entry))
  return at < 0 ? undefined : patchAt(now, `${listPath}.${at}`, made, facts)
}
