import { sameJson, valuesOf, type JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import { setBack } from '#shared/mutation/decided'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import type { ConflictChoice, SeenConflict } from './api'
import type { EditContext } from './context'
import type { Memory } from './memory'
import { isOpen, renewed } from './pending'
import { resolve } from './resolve'
import type { UndoItem } from './undo'

type Resolved = Extract<UndoItem, { kind: 'resolved' }>
type Conflict = NonNullable<OutboxEntry['conflict']>

/** Conflict of an entry if both sides changed fields of a record, the only kind that is resolved in bulk. */
function fieldConflict({ conflict }: OutboxEntry): (Conflict & { remote: JsonObject }) | null {
  if (!conflict?.remote || conflict.fields.length === 0 || conflict.made !== undefined || conflict.unseen) return null
  return { ...conflict, remote: conflict.remote }
}

/**
 * Resolves a conflict about fields if it's still as the user saw it. Otherwise updates it. Returns true if it's resolved.
 */
export function resolveSeen(context: EditContext, { entry: seen, choice }: SeenConflict): boolean {
  const { tx } = context
  const entry = tx.memory.outbox.get(seen.id)
  if (!entry || !fieldConflict(entry) || entry.state === 'sending') return false
  const current = upToDate(tx.memory, entry)
  if (current !== entry) tx.putEntry(current)
  if (!isSame(current, seen)) return false
  resolveAsStep(context, current, choice)
  return true
}

/** Resolves a conflict of any kind, and notes its undo item, if it can be undone. @throws FaultError */
export function resolveAsStep(context: EditContext, entry: OutboxEntry, choice: ConflictChoice): void {
  resolve(context, entry.id, choice)
  if (!fieldConflict(entry)) return
  const sent = context.tx.memory.outbox.get(entry.id)?.patch ?? null
  context.items.push({ kind: 'resolved', key: ownKey(entry), entry, choice, sent })
}

/** True if both sides of a conflict have the values that the user saw. */
function isSame(entry: OutboxEntry, seen: OutboxEntry): boolean {
  const [now, before] = [fieldConflict(entry), fieldConflict(seen)]
  if (!now || !before || !sameJson(now.fields, before.fields)) return false
  return now.fields.every(
    (field) =>
      sameJson(now.remote[field] ?? null, before.remote[field] ?? null) &&
      sameJson(entry.patch[field] ?? null, seen.patch[field] ?? null),
  )
}

/** The entry with its conflict updated to the record as last read. */
function upToDate(memory: Memory, entry: OutboxEntry): OutboxEntry {
  const conflict = fieldConflict(entry)
  const row = memory.stored.get(ownKey(entry))
  if (!conflict || !row?.complete || !row.base) return entry
  const remote = row.base
  if (conflict.fields.every((field) => sameJson(conflict.remote[field] ?? null, remote[field] ?? null))) return entry
  const { rules } = memory.facts.of(entry.collection)
  const { patch: merged, conflicts } = merge(rules, entry.base ?? {}, entry.patch, remote)
  const back = setBack(entry).filter((field) => !sameJson(entry.patch[field] ?? null, remote[field] ?? null))
  const fields = [...new Set([...conflicts, ...back])]
  const { conflict: _conflict, ...rest } = entry
  // The other side no longer differs, so the entry is merged when it's sent.
  if (fields.length === 0) return renewed(rest)
  return { ...rest, conflict: { remote, ...(row.etag !== undefined && { remoteEtag: row.etag }), fields, merged } }
}

/**
 * Undoes the resolution of a conflict, so that it needs attention again. If the decision was already sent, restores the other
 * side's values. Undoing that resolves the conflict again, unless it changed.
 * @param fieldsBack restores fields that still have the sent values
 */
export function unresolve(
  context: EditContext,
  item: Resolved,
  fieldsBack: (fields: Extract<UndoItem, { kind: 'fields' }>) => void,
): void {
  const { tx, items } = context
  if (item.again) return void resolveSeen(context, item)
  const { key, choice, sent } = item
  const now = tx.memory.outbox.get(item.entry.id)
  if (now?.conflict) return
  if (now ? isOpen(now) : sent === null) {
    // An ended entry is in the history under its ID, so it needs another one.
    const asked = now ? withLater(item.entry, now, sent ?? {}) : { ...item.entry, id: context.ids.ulid() }
    const entry = upToDate(tx.memory, asked)
    tx.putEntry(entry)
    items.push({ kind: 'resolved', key, entry, choice, sent, again: true })
    return
  }
  const conflict = fieldConflict(item.entry)
  if (!conflict || !sent) return
  const { fields, remote } = conflict
  const decided = fields.filter((field) => field in sent)
  fieldsBack({ kind: 'fields', key, before: valuesOf(remote, decided), after: valuesOf(sent, decided) })
}

/** The entry in conflict, with edits that it has absorbed since. */
function withLater(entry: OutboxEntry, now: OutboxEntry, sent: JsonObject): OutboxEntry {
  const later = Object.keys(now.patch).filter((field) => !sameJson(now.patch[field], sent[field]))
  const others = later.filter((field) => !(field in entry.patch))
  return {
    ...entry,
    base: { ...entry.base, ...valuesOf(now.base ?? {}, others) },
    patch: { ...entry.patch, ...valuesOf(now.patch, later) },
  }
}
