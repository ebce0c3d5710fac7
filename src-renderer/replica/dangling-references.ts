import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { applyPatch, effectivePatch, ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { OutboxEntry } from '#shared/mutation/entry'
import { validate, type ViolationRule } from '#shared/wire/validate'
import { dependencies, draft, isOpen, ownEntries, renewed } from './pending'
import type { Memory } from './memory'

/**
 * Entries that refer to a record that will never be created, each with a patch that restores the previous value, or null if
 * nothing of the entry is left.
 */
export function referencesLeft(memory: Memory, key: string): { key: string; patch: JsonObject | null }[] {
  const { id } = parseRecordKey(key)
  if (!isLocalId(id)) return []
  return memory.outbox.find('local', id).flatMap(({ collection, parent, recordId, patch, base }) => {
    const other = recordKey(collection, parent, recordId)
    const facts = memory.facts.of(collection)
    const fields = facts.names ? Object.keys(patch).filter((field) => names(patch[field], id)) : []
    const row = memory.row(other)
    if (other === key || fields.length === 0 || !row?.value) return []
    // After a loss of the database, an existing record may be missing, too.
    const isNew = ownEntries(memory, other)[0]?.kind === 'create'
    return [
      { key: other, patch: fieldsWithout(facts, fields, row.value, row.base ?? (isNew ? null : (base ?? {})), id) },
    ]
  })
}

/** An entry without its reference to a record that will never be created. Null if the entry is empty then, or can't be changed. */
export function withoutReference(memory: Memory, entry: OutboxEntry, creation: OutboxEntry): OutboxEntry | null {
  const { collection, patch, kind } = entry
  const facts = memory.facts.of(collection)
  const id = creation.recordId
  const changes = kind === 'create' || kind === 'change'
  if (!facts.names || !changes || creation.kind !== 'create' || !isLocalId(id)) return null
  if (!isOpen(entry) || entry.conflict || dependencies(memory, ownKey(entry), []).includes(creation.id)) return null
  const base = kind === 'create' ? null : (entry.base ?? {})
  const fields = Object.keys(patch).filter((field) => names(patch[field], id))
  const without = fieldsWithout(facts, fields, patch, base, id)
  if (!without) return null
  const left = base ? effectivePatch(base, { ...patch, ...without }) : applyPatch(patch, without)
  if (Object.keys(left).length === 0) return null
  if (fields.length === 0) return entry
  return { ...renewed(entry), ...draft(memory, collection), patch: left }
}

/** Content of a new record without its references to another one. Null if it's meaningless without them. */
export function contentWithout(facts: Collection, value: JsonObject, id: string): JsonObject | null {
  const fields = Object.keys(value).filter((field) => names(value[field], id))
  const patch = fieldsWithout(facts, fields, value, null, id)
  return patch && applyPatch(value, patch)
}

/**
 * Fields to restore, without references to new records that were discarded since.
 * @param before the current value of a changed record, null for a new one
 */
export function withoutDiscarded(
  { facts, outbox }: Memory,
  collection: CollectionName,
  fields: JsonObject,
  before: JsonObject | null,
): JsonObject {
  if (!facts.of(collection).names) return fields
  const discarded = localIdsIn(fields).filter((id) => !outbox.find('record', id).some(({ kind }) => kind === 'create'))
  if (discarded.length === 0) return fields
  const left: JsonObject = {}
  for (const [field, value] of Object.entries(fields)) {
    const kept = discarded.reduce<Json | undefined>((now, id) => without(now, before?.[field], id), value)
    if (kept !== undefined || before) left[field] = kept ?? null
  }
  return left
}

const names = (value: Json | undefined, id: string): boolean => localIdsIn(value).includes(id)

/** Fields without references to a record. Null if one of them determines the new record's place, or is required. */
function fieldsWithout(
  facts: Collection,
  fields: readonly string[],
  value: JsonObject,
  base: JsonObject | null,
  id: string,
): JsonObject | null {
  const patch: JsonObject = {}
  for (const field of fields) patch[field] = without(value[field], base?.[field], id) ?? null
  if (base) return patch
  if (fields.some((field) => facts.fixed.includes(field))) return null
  const before = lacks(facts, value)
  if (lacks(facts, applyPatch(value, patch)) <= before) return patch
  // An object may be empty without its reference.
  const bare: JsonObject = Object.fromEntries(fields.map((field) => [field, null]))
  return lacks(facts, applyPatch(value, bare)) <= before ? bare : null
}

const missing: ReadonlySet<ViolationRule> = new Set<ViolationRule>(['required', 'oneOfRequired', 'needsOneOf'])

/** Number of required fields that a new record lacks. */
const lacks = ({ table, schema, insert }: Collection, value: JsonObject): number =>
  validate(table, schema, value, { kind: 'insert', ...(insert && { operation: insert }) }).filter(({ rule }) =>
    missing.has(rule),
  ).length

/**
 * A value without references to a record. Outside lists, the previous value is restored. In a list, an entry about the
 * record is removed, and an entry that refers to it further inside stays without the reference.
 */
function without(value: Json | undefined, before: Json | undefined, id: string): Json | undefined {
  if (!names(value, id)) return value
  if (Array.isArray(value)) {
    return value.flatMap((item): Json[] => {
      const left = isAbout(item, id) ? undefined : without(item, undefined, id)
      return left === undefined ? [] : [left]
    })
  }
  if (!isJsonObject(value)) return before
  const parts = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    const left = without(part, isJsonObject(before) ? before[name] : undefined, id)
    return left === undefined ? [] : [[name, left]]
  })
  return parts.some(([, part]) => part !== false) ? Object.fromEntries(parts) : before
}

/** True if a list entry refers to a record in one of its own fields. */
const isAbout = (item: Json, id: string): boolean =>
  isJsonObject(item) && Object.values(item).some((part) => typeof part === 'string' && names(part, id))
