import { collectionOf, isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import { contentToCreate, fieldsLeftEmpty, writableFields } from '#shared/domain/writable'
import { FaultError } from '#shared/fault'
import { isJsonObject, sameJson, valuesOf, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import { merge } from '#shared/merge/merge'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, effectivePatch } from '#shared/mutation/fold'
import { act } from './act'
import { hashOf } from './blocks/shelf'
import { applyChange, changeRecord, currentRecord, endRecord } from './edit'
import {
  addEntry,
  isCreationInQuestion,
  dependencies,
  derivedRecord,
  fieldsIn,
  halfOf,
  isCutOff,
  isOpen,
  lastEntries,
  lookAlikesAfter,
  ownEntries,
  renameAgain,
  waitInstead,
  withdrawEntry,
} from './pending'
import { withoutDiscarded } from './dangling-references'
import { wasDiscarded } from './deleted'
import type { Change, DeletedItem, LeftPlace, Upon } from './api'
import type { EditContext } from './context'
import type { Memory } from './memory'
import { keyNow } from './moved-records'
import { askAbout, guardUndeleted, reachOf, reachQuestion } from './reach'
import { revivalOf } from './restoration'
import { unresolve } from './resolve-many'
import type { HiddenRow, UndoItem } from './undo'
import { unsureDeletion } from './undone-deletion'

/**
 * Undoes one effect of a step: pending edits disappear, sent ones get a compensating edit. Later changes by others stay.
 * @throws FaultError if the service can't undo it
 */
export function undoItem(context: EditContext, item: UndoItem): void {
  const newId = undoEffect(context, item)
  if (newId !== undefined) renameAgain(context, item.key, newId)
}

/** Returns the new ID if a record had to be recreated. */
function undoEffect(context: EditContext, item: UndoItem): string | undefined {
  const { memory } = context.tx
  // An occurrence may have no row of its own.
  const now = currentRecord(memory, item.key)
  switch (item.kind) {
    case 'fields':
      if (now) fieldsBack(context, item, now)
      askAboutHidden(context, item.key, item.brought)
      waitForEnd(context, item.key)
      return undefined
    case 'created':
      if (now) endCreated(context, item.key, item)
      return undefined
    case 'acted':
      actBack(context, item)
      return undefined
    case 'resolved':
      unresolve(context, item, (fields) => now && fieldsBack(context, fields, now))
      return undefined
    case 'deleted':
      context.tx.putDeleted(item.key, null)
      return restore(context, item, !item.again)
  }
}

/**
 * Ends a record that the step created. If the service would delete contents that were added since, the deletion becomes a
 * conflict.
 * @param within identifies the contents when a step brought the record back
 */
function endCreated(
  context: EditContext,
  key: string,
  { upon, follows, within }: { upon?: Upon | undefined; follows?: string | undefined; within?: string | undefined },
): void {
  const { tx, group } = context
  const { memory } = tx
  const behavior = memory.behaviors.of(collectionOf(key))
  // Contents that the step itself edited were undone before, and can go unless others changed them, too. So can deleted ones.
  const isUndone = (child: string): boolean => {
    const [value, derived] = [memory.row(child)?.value, derivedRecord(memory, child)]
    if (!context.items.some((item) => item.key === child)) return value === null
    return !value || (derived !== null && hasSameContent(memory, child, value, derived))
  }
  const inside = new Set(behavior.children?.(memory, key)?.filter((child) => !isUndone(child)) ?? [])
  const others = behavior.contents?.(memory, key) ?? []
  const isSame = within !== undefined && within === withinOf(memory, key)
  endRecord(context, key, { asksFirst: behavior.reach !== undefined, upon })
  const ended = context.items.filter((item) => item.kind === 'deleted').find((item) => item.key === key)
  if (ended && follows !== undefined) ended.follows = follows
  const deletion = ownEntries(memory, key).at(-1)
  if (deletion?.kind !== 'delete' || deletion.group !== group) return
  // Its contents go with the record, or stay with it as they are if the deletion is given up.
  for (const { key: child } of deletion.shows ?? [])
    for (const entry of child === key ? [] : ownEntries(memory, child))
      if (entry.kind === 'change' && entry.group === group && isOpen(entry)) withdrawEntry(context, entry)
  if (isSame || !reachOf(memory.behaviors, deletion)) return
  const shown = (deletion.shows ?? []).flatMap((one) => (inside.has(one.key) ? [one.key] : []))
  // Not contents that were deleted before.
  const contents = [...shown, ...others.filter((other) => memory.row(other)?.value !== null)]
  const unseen = [...new Set([...(deletion.conflict?.unseen ?? []), ...contents])]
  const question = reachQuestion(deletion, deletion.base ?? {}, { unseen })
  if (contents.length > 0) tx.putEntry({ ...deletion, ...question })
}

function hasSameContent({ facts: all }: Memory, key: string, one: JsonObject, other: JsonObject): boolean {
  const facts = all.of(collectionOf(key))
  const holds = (a: JsonObject, b: JsonObject): boolean => alreadyHolds(facts.rules, null, a, contentToCreate(facts, b))
  return holds(one, other) && holds(other, one)
}

/** Identifies what a record contains, to find out whether anything was added. */
function withinOf(memory: Memory, key: string): string {
  const behavior = memory.behaviors.of(collectionOf(key))
  const inside = [...(behavior.children?.(memory, key) ?? []), ...(behavior.contents?.(memory, key) ?? [])]
  const keys = [...new Set(inside)].filter((one) => memory.row(one)?.value !== null).sort()
  return `${keys.length} ${hashOf(keys.join('\n'))}`
}

/** Makes the undone change of a record wait for the deletion of its follower, as with the halves of a split series. */
function waitForEnd({ tx, items }: EditContext, key: string): void {
  const { memory } = tx
  const entry = ownEntries(memory, key).at(-1)
  const followers = items.filter((item) => item.kind === 'deleted').filter(({ follows }) => follows === key)
  const ends = followers.flatMap((item) => lastEntries(memory, item.key))
  const own = fieldsIn(items, key)
  if (ends.length === 0 || own.length === 0 || !entry) return
  const follows = { id: followers[0]!.id, own }
  tx.putEntry({ ...entry, follows, dependsOn: [...new Set([...entry.dependsOn, ...ends])] })
}

type FieldsItem = Extract<UndoItem, { kind: 'fields' }>

/** Reverts an edit that was sent earlier. Returns the places that were left because they have changed since. */
export function revert(context: EditContext, change: Extract<Change, { kind: 'revert' }>): Omit<LeftPlace, 'key'>[] {
  const { memory } = context.tx
  const { key } = change
  const now = currentRecord(memory, key)
  if ('created' in change) {
    if (now) endCreated(context, key, { upon: { record: createdSeen(memory, key, change.created, now) } })
    return []
  }
  const { fields } = change
  const { rules } = memory.facts.of(collectionOf(key))
  const left = now
    ? restoreFields(context, { kind: 'fields', key, ...fields }, now).map((path) => ({ path, now: now[path] }))
    : Object.keys(fields.before).map((path) => ({ path, now: undefined, gone: true as const }))
  askAboutHidden(context, key)
  // Count fields that are one value once.
  return left.filter(({ path }, at) => !left.slice(0, at).some((one) => rules.unit(path).includes(one.path)))
}

/**
 * Asks before an undone or reverted change hides rows that aren't part of the step, such as occurrences that were edited since.
 * @param brought the rows that the step itself brought back, as they were
 */
function askAboutHidden({ tx, items }: EditContext, key: string, brought: readonly HiddenRow[] = []): void {
  const parts = new Set(items.map((item) => item.key))
  const asBrought = new Map(brought.map((row) => [row.key, row.value]))
  const own = items.filter((item) => item.kind === 'fields').filter((item) => item.key === key)
  const before = own.reduceRight((now, item) => applyPatch(now, item.before), currentRecord(tx.memory, key) ?? {})
  // The step's own edits of a row were undone before.
  const isInStep = ({ key: other, value }: HiddenRow): boolean => {
    const left = parts.has(other) ? tx.memory.behaviors.of(collectionOf(other)).derived?.(before, other) : null
    return [left, asBrought.get(other)].some((seen) => seen && hasSameContent(tx.memory, other, value, seen))
  }
  const hidden = own.flatMap((item) => item.hides ?? [])
  const entry = ownEntries(tx.memory, key).at(-1)
  const later = hidden.flatMap((row) => (isInStep(row) ? [] : [row.key]))
  if (entry && later.length > 0) askAbout(tx, entry, later)
}

/** The record as the author of its creation knows it: with the sent values, and without later additions. */
function createdSeen(memory: Memory, key: string, created: JsonObject, now: JsonObject): JsonObject {
  const facts = memory.facts.of(collectionOf(key))
  const holds = (field: string): boolean => alreadyHolds(facts.rules, null, now, { [field]: created[field]! })
  const sent = Object.keys(created).map((field) => [field, holds(field) ? (now[field] ?? null) : created[field]!])
  return Object.fromEntries([...fieldsLeftEmpty(facts, now).map((field) => [field, null]), ...sent]) as JsonObject
}

/** Restores the previous values of fields, and notifies people if others changed them since. */
function fieldsBack(context: EditContext, item: FieldsItem, now: JsonObject): void {
  const { tx, ids } = context
  if (restoreFields(context, item, now).length === 0) return
  const { title = 'title' } = tx.memory.facts.of(collectionOf(item.key))
  const name = now[title]
  tx.putNotice({
    id: ids.ulid(),
    level: 'info',
    at: context.now(),
    title: 'Someone else’s changes were kept',
    text:
      typeof name === 'string' && name !== ''
        ? `Someone else changed “${name}” after you did. Their change was kept.`
        : 'Someone else changed this after you did. Their change was kept.',
  })
}

/**
 * Restores the previous values of fields, but only those that still have the step's value. Values set since stay. In a keyed
 * list, changes to other entries stay, too. Returns the fields that were left.
 */
function restoreFields(context: EditContext, item: FieldsItem, now: JsonObject): readonly string[] {
  const { tx } = context
  const { rules } = tx.memory.facts.of(collectionOf(item.key))
  const behavior = tx.memory.behaviors.of(collectionOf(item.key))
  const before = { ...item.before }
  for (const { base, replaced = {}, conflict, patch } of ownEntries(tx.memory, item.key)) {
    for (const [field, value] of Object.entries(replaced))
      if (sameJson(before[field], value)) before[field] = base?.[field] ?? null
    const served = tx.memory.row(item.key)?.base
    // The service has the value by now, so the edit is only removed.
    if (!conflict && served)
      for (const field of Object.keys(patch))
        if (
          field in before &&
          sameJson(patch[field], item.after[field]) &&
          sameJson(before[field], served[field] ?? null)
        )
          before[field] = base?.[field] ?? null
    if (!conflict?.remote) continue
    // Someone else has replaced the previous value.
    for (const field of Object.keys(patch))
      if (field in before && sameJson(before[field] ?? null, base?.[field] ?? null))
        before[field] = conflict.remote[field] ?? null
  }
  const unchanged = (field: string): boolean =>
    sameJson(now[field] ?? undefined, item.after[field] ?? undefined) ||
    (!isJsonObject(item.after[field]) &&
      !Array.isArray(item.after[field]) &&
      alreadyHolds(rules, null, now, { [field]: item.after[field] ?? null }))
  const changed = Object.keys(before).filter((field) => !unchanged(field))
  const made = applyPatch(now, Object.fromEntries(changed.map((field) => [field, item.after[field] ?? null])))
  const { patch: merged, conflicts } = merge(rules, made, before, now)
  const patch = withoutDiscarded(tx.memory, collectionOf(item.key), merged, now)
  const hides = [
    ...new Set([
      ...(item.brought ?? []).map((row) => row.key),
      ...(behavior.strays?.(tx.memory, item.key, patch) ?? []),
    ]),
  ]
  if (Object.keys(patch).length > 0)
    changeRecord(context, item.key, patch, {
      ...{ label: item.label, hides, back: item.hides },
      ...(item.seen && { upon: { values: item.seen } }),
    })
  return conflicts
}

function actBack(context: EditContext, item: Extract<UndoItem, { kind: 'acted' }>): void {
  const { memory } = context.tx
  const entry = memory.outbox.get(item.entryId)
  if (!item.back) {
    if (!entry || !isOpen(entry)) {
      throw new FaultError({
        code: 'invalid',
        message: 'This change was already sent, so it can’t be undone. Revert it in Sync.',
      })
    }
    withdrawEntry(context, entry)
    return
  }
  if (!memory.row(item.key)?.value) return
  const { back } = item
  act(context, item.key, memory.behaviors.action(back.name).backNow?.(memory, item.key, back) ?? back)
}

/**
 * Brings back a deleted record. Returns its new ID if it had to be recreated.
 * @param revives true to bring back the record itself if the service can. Otherwise only one that can have no other ID
 */
export function restore(
  context: EditContext,
  item: Extract<UndoItem, { kind: 'deleted' }>,
  revives = false,
): string | undefined {
  const { memory } = context.tx
  // The record may have been moved out of its deleted parent.
  if (memory.row(keyNow(memory, item.key))?.value) return undefined
  const deletion = ownEntries(memory, item.key).at(-1)
  const goes = goesWithParent(memory, item)
  const whole = memory.behaviors.of(item.collection).impliedBy?.(item.key)
  // The deletion of what it's a part of was only withdrawn, so someone else has moved or deleted that since.
  const isBack = context.items.some(({ kind, key }) => kind === 'created' && key === whole)
  if (isBack && whole !== undefined && !memory.row(whole)) return undefined
  const isDeleting = deletion?.kind === 'delete' && isOpen(deletion) && !goes
  // Its pending edits show it by themselves. The service says whether it still has its place.
  const edits = [...(item.dropped ?? []), ...ownEntries(memory, item.key)].filter(({ kind }) => kind === 'change')
  const cutOff = isCutOff(memory, item.key, isDeleting && edits.length > 0)
  if (cutOff && isDeleting) withdrawEntry(context, deletion)
  else if (isDeleting || isCreationInQuestion(item.dropped ?? [])) {
    const waiting = isDeleting ? lookAlikesAfter(memory, [deletion]) : []
    if (isDeleting) withdrawEntry(context, deletion)
    for (const entry of item.dropped ?? []) putBack(context, item, entry)
    waitInstead(context.tx, waiting, item.key)
    guardUndeleted(context.tx, item.key)
    const within = isDeleting ? { within: withinOf(memory, item.key) } : {}
    const follows = item.follows !== undefined && { follows: item.follows }
    context.items.push({ kind: 'created', key: item.key, ...follows, ...within })
    return undefined
  }
  const facts = memory.facts.of(item.collection)
  const value = writableFields(facts, item.value)
  const { gone } = facts
  const isGone = gone !== undefined && item.value[gone.field] === gone.is
  if (!memory.row(item.key) && derivedRecord(memory, item.key)) {
    // The occurrence came back with its series, but without its own edits.
    if (isGone) endRecord(context, item.key)
    else changeRecord(context, item.key, value)
    return undefined
  }
  if (isGone) return undefined
  const revival = revivalOf(facts, value)
  const isPart = memory.behaviors.of(item.collection).isPart?.(item.id) ?? false
  if (revival && !cutOff && (isPart || (revives && !goes && wasSent(item)))) {
    // Pending deletions of the record or its parent.
    const deletions = isPart ? [] : memory.entriesOf(item.key).filter(({ kind }) => kind === 'delete')
    const there = deletions.length === 0 ? memory.row(item.key)?.base : undefined
    // The service may restore a part with its parent.
    const base = isPart ? { ...sentValue(item), ...revival.gone } : (there ?? { ...sentValue(item), ...revival.gone })
    const before = [...ownEntries(memory, item.key), ...deletions].map(({ id }) => id)
    const made = addEntry(context, {
      collection: item.collection,
      parent: item.parent,
      recordId: item.id,
      kind: 'change',
      patch: { ...(isPart ? value : effectivePatch(base, value)), ...revival.back },
      expected: { base, complete: false },
      dependsOn: [...new Set([...dependencies(memory, item.key, []), ...before, ...lastEntries(memory, item.follows)])],
      ...(item.follows !== undefined && { extra: { follows: halfOf(context.items, item.follows) } }),
    })
    if (!isPart) markUnsure(context, item, made)
    context.items.push({ kind: 'created', key: item.key, ...(item.follows !== undefined && { follows: item.follows }) })
    return undefined
  }
  // A record that was never sent keeps its planned ID, so that it's created once even if this runs twice.
  const named = facts.ids === 'content' || (facts.ids === 'client' && wasDiscarded(item))
  const options = { ...context.options, label: item.label ?? context.options.label }
  const place = item.place && placeStillThere(memory, item, item.place)
  const again = applyChange(
    { ...context, options },
    {
      kind: 'create',
      collection: item.collection,
      parent: item.parent,
      ...(named && { id: item.id }),
      value: withoutDiscarded(memory, item.collection, contentToCreate(facts, item.value), null),
      ...(place && { place }),
      ...(item.follows !== undefined && { after: item.follows }),
    },
  )
  const made = ownEntries(memory, again).at(-1)
  if (made) markUnsure(context, item, made)
  const { id } = parseRecordKey(again)
  return id === item.id ? undefined : id
}

/** Notes the record that an entry restores if the outcome of its deletion is unknown. The entry waits for that outcome. */
function markUnsure({ tx }: EditContext, { key, value }: DeletedItem, entry: OutboxEntry): void {
  const unsure = unsureDeletion(tx.memory, key)
  if (!unsure) return
  const dependsOn = [...new Set([...entry.dependsOn, unsure.deletion.id])]
  tx.putEntry({ ...entry, dependsOn, restores: { key: unsure.key, value } })
}

/** Puts back an entry that a deletion discarded. */
export function putBack({ tx, ids, group }: EditContext, item: DeletedItem, entry: OutboxEntry): void {
  const { memory } = tx
  // Skip a move into a task that no longer exists, so that the task stays in its place.
  const into = entry.action && 'parent' in entry.action ? entry.action.parent : undefined
  if (into !== undefined && placeStillThere(memory, item, { parent: into }).parent === undefined) return
  const place = entry.place && placeStillThere(memory, item, entry.place)
  const needed = place ? dependencies(memory, item.key, [place.parent]) : []
  const dependsOn = [...new Set([...entry.dependsOn.filter((id) => memory.outbox.has(id)), ...needed])]
  const patch = withoutDiscarded(
    memory,
    entry.collection,
    entry.patch,
    entry.kind === 'create' ? null : (entry.base ?? {}),
  )
  const back = { ...shownApart(memory, entry), patch, id: ids.ulid(), group, dependsOn, ...(place && { place }) }
  if (entry.kind !== 'change' || Object.keys(effectivePatch(entry.base ?? {}, patch)).length > 0) tx.putEntry(back)
}

/** An entry without its effects on other unsent records, which were discarded with it and come back under other IDs. */
function shownApart(memory: Memory, entry: OutboxEntry): OutboxEntry {
  const isDiscarded = (key: string): boolean => {
    const { id } = parseRecordKey(key)
    return isLocalId(id) && id !== entry.recordId && !memory.row(key)?.value
  }
  return entry.shows ? { ...entry, shows: entry.shows.filter(({ key }) => !isDiscarded(key)) } : entry
}

/** True if a pending deletion of a record's parent would also delete the record. */
function goesWithParent(memory: Memory, { collection, parent: holder, place }: DeletedItem): boolean {
  const parent = place?.parent === undefined ? undefined : memory.row(recordKey(collection, holder, place.parent))
  return parent !== undefined && !parent.value
}

/** A deleted record's place, without records that no longer exist, for which a creation would wait forever. */
function placeStillThere(
  memory: Memory,
  { collection, parent: holder }: DeletedItem,
  place: Required<DeletedItem>['place'],
): Required<DeletedItem>['place'] {
  const exists = (id: string | undefined): boolean =>
    id === undefined || !!memory.row(recordKey(collection, holder, id))?.value
  if (!exists(place.parent)) return {}
  return exists(place.previous) ? place : { ...(place.parent !== undefined && { parent: place.parent }) }
}

const wasSent = (item: DeletedItem): boolean => !isLocalId(item.id) && !wasDiscarded(item)

/** A deleted record as the service had it: without the edits that the deletion made obsolete. */
const sentValue = ({ value, dropped = [] }: DeletedItem): JsonObject =>
  dropped.reduceRight((before, { patch, base }) => applyPatch(before, valuesOf(base, Object.keys(patch))), value)
