import {
  collectionOf,
  isLocalId,
  localPrefix,
  parseRecordKey,
  recordKey,
  type CollectionName,
} from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import { fieldsOfId, idFromContent } from '#shared/facts/ids'
import { alreadyHolds } from '#shared/merge/arrived'
import { setBack } from '#shared/mutation/decided'
import { applyPatch, effectivePatch, patchBetween, patchedAgain } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import { sameJson, valuesOf, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { act } from './act'
import { keyOfParent } from './id-names'
import {
  addEntry,
  closesCircle,
  dependencies,
  draft,
  derivedRecord,
  expectedDerived,
  expectedBase,
  halfOf,
  isOpen,
  lastEntries,
  ownEntries,
  renewed,
  withdrawEntry,
} from './pending'
import { hides } from './reach'
import { referencesLeft } from './dangling-references'
import { removeRecord, wasNeverSent, type RemoveExtras } from './remove'
import { outdatedIn } from './outdated'
import { restoresPart, revivalOf } from './restoration'
import type { HiddenRow, UndoItem } from './undo'
import type { Change, Upon } from './api'
import type { EditContext } from './context'
import type { Memory } from './memory'

/** Carries out one change by adding or changing entries of the outbox. Returns the record's key, a new one for `create`. */
export function applyChange(
  context: EditContext,
  change: Exclude<Change, { kind: 'places' | 'restore' | 'revert' }>,
): string {
  switch (change.kind) {
    case 'create':
      return createRecord(context, change)
    case 'change':
      return changeRecord(context, change.key, change.patch, change)
    case 'delete':
      return endRecord(context, change.key, change)
    case 'action':
      return act(context, change.key, change.action, change.value)
  }
}

/**
 * Deletes a record, archives it if its service can't delete, or discards it if it was never sent.
 * @param ending keys of records that already end with this one, and may refer to it
 * @throws FaultError for a record that can't end
 */
export function endRecord(
  context: EditContext,
  key: string,
  { ending = [], ...extras }: RemoveExtras & { ending?: readonly string[] } = {},
): string {
  const { memory } = context.tx
  const { ends, words } = memory.facts.of(collectionOf(key))
  const neverSent = wasNeverSent(ownEntries(memory, key))
  for (const { key: other, patch } of neverSent ? referencesLeft(memory, key) : []) {
    if (!memory.row(other)?.value) continue
    // Also if `other` is about to end: undo restores `other` first, and then the references between the two.
    if (patch) changeRecord(context, other, patch, { label: ownEntries(memory, other).at(-1)?.label })
    else if (!ending.includes(other)) endRecord(context, other, { ending: [...ending, key] })
  }
  if (ends === 'delete' || neverSent) return removeRecord(context, key, extras)
  if (ends === 'archive') return changeRecord(context, key, { archived: true })
  throw new FaultError({ code: 'invalid', message: `The service can’t delete ${words.many}. Nothing changed.` })
}

type Create = Extract<Change, { kind: 'create' }>

/** @throws FaultError `notFound` if what would contain the record was never sent and no longer exists */
function createRecord(context: EditContext, change: Create): string {
  const { collection, parent, value, place } = change
  const { memory } = context.tx
  mustHaveHolder(memory, change)
  const id = change.id ?? newId(context, change)
  const key = recordKey(collection, parent, id)
  const there = memory.row(key)
  if (there?.value) return changeRecord(context, key, patchBetween(there.value, value, Object.keys(value)))
  const facts = memory.facts.of(collection)
  const patch = facts.ids === 'service' ? value : { ...value, ...fieldsOfId(facts, id) }
  const behavior = memory.behaviors.of(collection)
  const shows = behavior.showsNew?.(memory, key, value, place) ?? []
  const dependsOn = dependencies(memory, key, [place?.parent, ...referencesIn(memory, collection, value)])
  behavior.entersPlace?.(context.tx, key, place ?? {})
  dependsOn.push(...lastEntries(memory, change.after))
  addEntry(context, {
    collection,
    parent,
    recordId: id,
    kind: 'create',
    patch,
    expected: { base: null, complete: false },
    dependsOn: [...new Set(dependsOn)],
    extra: {
      ...(place && { place }),
      ...(change.once && { once: change.once }),
      ...(change.after !== undefined && { follows: halfOf(context.items, change.after) }),
      ...(shows.length > 0 && { shows }),
    },
  })
  context.items.push({ kind: 'created', key, ...(change.after !== undefined && { follows: change.after }) })
  return key
}

/** Only a database older than the journal has a local ID of something that was discarded since. */
function mustHaveHolder(memory: Memory, { collection, parent }: Create): void {
  const holder = keyOfParent(memory.facts.of(collection), parent)
  if (holder === undefined || !isLocalId(parseRecordKey(holder).id) || memory.row(holder)?.value) return
  const { one } = memory.facts.of(collectionOf(holder)).words
  throw new FaultError({
    code: 'notFound',
    message: `The ${one} that contained this no longer exists. Nothing changed.`,
  })
}

/** Local IDs that a record refers to. Their records must be sent first. */
const referencesIn = ({ facts }: Memory, collection: CollectionName, content: JsonObject): string[] =>
  facts.of(collection).names ? localIdsIn(content) : []

function newId(context: EditContext, { collection, value }: Create): string {
  const { behaviors, facts } = context.tx.memory
  const own = behaviors.of(collection).newId?.(context.ids, value) ?? idFromContent(facts.of(collection), value)
  return own ?? localPrefix + context.ids.ulid()
}

interface ChangeExtras {
  hides?: readonly string[] | undefined
  /** Rows to show again, because the edit that this one undoes had hidden them. */
  back?: readonly HiddenRow[] | undefined
  upon?: Upon | undefined
  /** Label of a pending edit that absorbs this one. */
  label?: string | undefined
}

export function changeRecord(
  context: EditContext,
  key: string,
  asked: JsonObject,
  { hides: others = [], back = [], upon, label = context.options.label }: ChangeExtras = {},
): string {
  const { memory } = context.tx
  const { collection, parent, id } = parseRecordKey(key)
  const own = ownEntries(memory, key)
  const current = currentRecord(memory, key)
  const derived = memory.row(key)?.value ? null : current
  if (!current) throw new FaultError({ code: 'notFound', message: 'This item no longer exists' })
  const patch = effectivePatch(current, asked)
  if (Object.keys(patch).length === 0) return key
  const target = squashTarget(memory, own)
  const hidden = others.map((other) => hides(memory, other))
  const known = others.flatMap((other) => hiddenRow(memory, other) ?? [])
  const behavior = memory.behaviors.of(collection)
  const shows = [
    ...(behavior.showsChange?.(key, patch) ?? []),
    ...hidden,
    ...back.map((row) => broughtBack(memory, row)),
  ]
  const named = dependencies(memory, key, referencesIn(memory, collection, patch))
  const needs = [...new Set([...named, ...(behavior.goesAfter?.(context, key, patch) ?? [])])]
  // If the referenced record waits for this entry, the reference becomes a separate entry after both.
  const goesIn = target && !closesCircle(memory, target.id, needs)
  const before = valuesOf(current, Object.keys(patch))
  // Fields that merge together are one value, and the author saw all of it.
  const unit = [...new Set(Object.keys(patch).flatMap(memory.facts.of(collection).rules.unit))]
  const outdated = outdatedIn(memory.remote.of(key), valuesOf(current, unit), upon)
  const item: Extract<UndoItem, { kind: 'fields' }> = {
    kind: 'fields',
    key,
    before,
    after: patch,
    ...(goesIn && { label: target.label }),
    ...(known.length > 0 && { hides: known }),
    ...(back.length > 0 && { brought: [...back] }),
  }
  context.items.push(item)
  if (goesIn) {
    const earlier = own.slice(0, own.indexOf(target))
    const under = expectedBase(memory, key, earlier).base
    squash(context, target, earlier, patch, { shows, needs, label, outdated })
    // A field that is set back shows the service's current value, which may be newer than the one before the edit.
    const left = memory.outbox.get(target.id)?.patch ?? {}
    const newer = Object.keys(patch).filter(
      (field) => under && !(field in left) && !sameJson(under[field] ?? null, patch[field] ?? null),
    )
    if (newer.length > 0)
      Object.assign(item, { after: { ...patch, ...valuesOf(under, newer) }, seen: valuesOf(patch, newer) })
    return key
  }
  const moved = memory.entriesOf(key).length > 0
  const now = derived ? expectedDerived(memory, key, derived) : expectedBase(memory, key, memory.entriesOf(key))
  // Without an etag, the service is asked for the record and the sides are merged.
  const expected =
    Object.keys(outdated).length > 0 ? { base: { ...(now.base ?? current), ...outdated }, complete: false } : now
  addEntry(context, {
    collection,
    parent,
    recordId: id,
    kind: 'change',
    patch,
    expected: moved ? { ...expected, base: expected.base ?? current } : expected,
    dependsOn: needs,
    extra: shows.length > 0 ? { shows } : {},
  })
  return key
}

/** A row as its author sees it, before an edit of another row hides it. A deleted part is in its deleted form. */
function hiddenRow(memory: Memory, key: string): HiddenRow | undefined {
  const row = memory.row(key)
  const gone = row && revivalOf(memory.facts.of(row.collection), {})?.gone
  return row && { key, value: row.value ?? { ...row.base, ...gone, id: row.id } }
}

/**
 * Entry part that shows a row again, whole unless the service still has it. A part of a record that was new had no status, and
 * on top of its deleted form it needs one.
 */
function broughtBack({ stored, facts }: Memory, { key, value }: HiddenRow): { key: string; patch: JsonObject } {
  const base = stored.get(key)?.base
  const known = facts.of(collectionOf(key))
  const { gone } = known
  if (base && (!gone || base[gone.field] !== gone.is)) return { key, patch: {} }
  const back = gone && value[gone.field] !== gone.is ? revivalOf(known, value)?.back : {}
  return { key, patch: { ...value, ...back } }
}

/** The record to edit, or as another record implies it. Null if it's gone. */
export function currentRecord(memory: Memory, key: string): JsonObject | null {
  const shown = memory.row(key)?.value
  // An exception that a change of its series removed in this edit is replaced by the occurrence that now has its ID.
  if (shown || ownEntries(memory, key).at(-1)?.kind === 'delete') return shown ?? null
  return derivedRecord(memory, key)
}

/** The entry that absorbs another edit: the last pending one, or the one before actions that commute with it. */
function squashTarget(memory: Memory, own: readonly OutboxEntry[]): OutboxEntry | undefined {
  for (const entry of [...own].reverse()) {
    // A creation that may be matched to another computer's record must stay as it was created.
    if (!isOpen(entry) || entry.once) return undefined
    if (entry.kind === 'create' || entry.kind === 'change') return entry
    const { action } = entry
    if (!action || !memory.behaviors.action(action.name).commutes?.(action)) return undefined
  }
  return undefined
}

function squash(
  context: EditContext,
  target: OutboxEntry,
  earlier: readonly OutboxEntry[],
  patch: JsonObject,
  {
    shows,
    needs,
    label,
    outdated,
  }: { shows: NonNullable<OutboxEntry['shows']>; needs: readonly string[]; label: string; outdated: JsonObject },
): void {
  const { tx, options } = context
  const key = recordKey(target.collection, target.parent, target.recordId)
  const mails = options.sendUpdates === undefined ? target.mails : Math.max(target.mails, options.mails ?? 0)
  const shared: Partial<OutboxEntry> = {
    ...draft(tx.memory, target.collection),
    mails,
    editedAt: context.now(),
    ...(options.sendUpdates !== undefined && { sendUpdates: options.sendUpdates }),
    ...mergedShows(target, shows),
  }
  const open = target.conflict ? target : renewed(target)
  if (target.kind === 'create') {
    const content = applyPatch(target.patch, patch)
    const dependsOn = dependsNow(tx.memory, target, content, needs)
    tx.putEntry({ ...open, ...shared, label: renamedLabel(tx.memory, target, patch), patch: content, dependsOn })
    return
  }
  // Fields that this edit is the first to touch have as base what its author saw of the service's state.
  const now = { ...(expectedBase(tx.memory, key, earlier).base ?? target.base), ...outdated }
  const base: JsonObject = { ...target.base }
  for (const field of Object.keys(patch)) if (!(field in target.patch)) base[field] = now[field] ?? null
  const all = { ...target.patch, ...patch, ...patchAgain(tx.memory, target, patch) }
  // Without its own value, a field in conflict would show theirs before anyone chose it.
  const original = setBack({ ...target, base, patch: all }).map((field) => [field, all[field] ?? null] as const)
  const own = restoresPart(tx.memory, target) ? all : effectivePatch(base, all)
  const merged = { ...own, ...Object.fromEntries(original) }
  if (Object.keys(merged).length === 0 ? !target.conflict : isTheirs(tx.memory, target, base, merged)) {
    withdrawEntry(context, target)
    return
  }
  const conflict = target.conflict && { ...target.conflict, merged: { ...target.conflict.merged, ...patch } }
  const dependsOn = dependsNow(tx.memory, target, merged, needs)
  const { etag: _etag, ...unguarded } = open
  tx.putEntry({
    ...(Object.keys(outdated).length > 0 ? { ...unguarded, complete: false } : open),
    ...shared,
    label,
    base,
    patch: merged,
    dependsOn,
    ...(conflict && { conflict }),
  })
}

/** Fields of an edit, for an entry whose conflict shows what others have changed in them since. */
function patchAgain(
  memory: Memory,
  { collection, parent, recordId, patch: own }: OutboxEntry,
  patch: JsonObject,
): JsonObject {
  const shown = memory.row(recordKey(collection, parent, recordId))?.value
  const { rules } = memory.facts.of(collection)
  const fields = Object.keys(patch).filter(
    (field) =>
      [own, patch, shown].every((one) => typeof one?.[field] === 'object' && one[field] !== null) &&
      !sameJson(own[field], shown![field]),
  )
  return Object.fromEntries(fields.map((field) => [field, patchedAgain(rules, own, shown!, patch, field)]))
}

/** True if the other side of an entry's conflict already has everything that the entry would change. */
function isTheirs({ facts }: Memory, entry: OutboxEntry, base: JsonObject, patch: JsonObject): boolean {
  const { collection, conflict } = entry
  if (!conflict?.remote || conflict.made !== undefined || conflict.unseen || conflict.unread) return false
  return alreadyHolds(facts.of(collection).rules, base, conflict.remote, patch)
}

/** Dependencies of an entry after its content changed: drops those needed only by a removed reference. */
function dependsNow(memory: Memory, target: OutboxEntry, content: JsonObject, needs: readonly string[]): string[] {
  const key = recordKey(target.collection, target.parent, target.recordId)
  const asked = (by: JsonObject): string[] => dependencies(memory, key, referencesIn(memory, target.collection, by))
  const still = new Set(asked(content))
  const left = new Set(asked(target.patch).filter((id) => !still.has(id)))
  return [...new Set([...target.dependsOn.filter((id) => !left.has(id)), ...needs])]
}

function mergedShows(target: OutboxEntry, shows: NonNullable<OutboxEntry['shows']>): Pick<OutboxEntry, 'shows'> {
  if (shows.length === 0) return {}
  const result = [...(target.shows ?? [])]
  for (const shown of shows) {
    const at = result.findIndex((other) => other.key === shown.key)
    if (at === -1) result.push(shown)
    else result[at] = { ...shown, patch: shown.patch && { ...result[at]!.patch, ...shown.patch } }
  }
  return { shows: result }
}

/** Label of a creation with the record's new title: "New event *Lunch*". */
function renamedLabel({ facts }: Memory, { collection, patch: known, label }: OutboxEntry, patch: JsonObject): string {
  const field = facts.of(collection).title ?? ''
  const [before, after] = [known[field], patch[field]].map((name) =>
    typeof name === 'string' ? `*${name.replaceAll('*', '')}*` : undefined,
  )
  if (after === undefined) return label
  return before === undefined || before === '**' ? `${label} ${after}` : label.replace(before, () => after)
}
