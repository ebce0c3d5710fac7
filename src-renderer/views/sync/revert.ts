import type { FieldChange } from '#shared/changes/field-changes'
import { collections, recordKey } from '#shared/domain/collections'
import { contentToCreate } from '#shared/domain/writable'
import { valuesOf, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { entryChanges } from '../../context/change-words'
import { restoring } from '../../context/recently-deleted'
import type { Change, HistoryItem, Replica } from '../../replica/api'
import { droppedChanges, droppedPatch } from './conflict'

/** Returns the edits that revert a finished one. None if the service can't. What was changed since is left alone. */
export function revertOf(
  replica: Pick<Replica, 'peek' | 'deleted'>,
  { entry, how }: Pick<HistoryItem, 'entry' | 'how'>,
): Change[] {
  if (how === 'withdrawn') return []
  const entryKey = recordKey(entry.collection, entry.parent, entry.recordId)
  const row = replica.peek(entryKey)
  const key = row?.key ?? entryKey
  const facts = collections[entry.collection]
  // Memory holds no bodies of large collections. The edit reads them.
  const there = facts.keep === 'window' || row?.value
  const restored = restoredBy(entry)
  if (entry.kind === 'change' && !restored && there) return changeBack(entry, key)
  if ((entry.kind === 'create' || restored) && there)
    return facts.ends === 'never' ? [] : [{ kind: 'revert', key, created: restored ?? entry.patch }]
  if (entry.kind !== 'delete' || row?.value) return []
  // A record that the service doesn't have as deleted has been restored, or is too old.
  if (facts.keepsDeleted) return restoring(replica, key)
  if (!entry.base) return []
  const value = contentToCreate(facts, entry.base)
  return [{ kind: 'create', collection: entry.collection, parent: entry.parent, value, place: {} }]
}

/** The record that an edit restored, if it was deleted before. */
function restoredBy({ collection, kind, base, patch }: OutboxEntry): JsonObject | undefined {
  const facts = collections[collection]
  const { gone } = facts
  if (kind !== 'change' || !gone || base?.[gone.field] !== gone.is) return undefined
  return contentToCreate(facts, { ...base, ...patch })
}

/** True for an edit that ended because the user chose the other side's values. */
const keptTheirs = ({ conflict }: OutboxEntry): boolean => !!conflict?.remote && conflict.fields.length > 0

/** Reverts a change. If the user chose the other side's value, this restores their own. */
function changeBack(entry: OutboxEntry, key: string): Change[] {
  const { collection, base, patch, conflict } = entry
  const fields = keptTheirs(entry)
    ? { before: droppedPatch(entry), after: valuesOf(conflict!.remote, conflict!.fields) }
    : { before: valuesOf(base, Object.keys(patch)), after: patch }
  if (Object.keys(fields.before).length === 0) return []
  if (!collections[collection].references) return [{ kind: 'revert', key, fields }]
  // The fields of records that refer to each other are compared part by part, as their cells are edited.
  const changes: readonly FieldChange[] = keptTheirs(entry) ? droppedChanges(entry).map(reversed) : entryChanges(entry)
  const edits = changes.map(({ path, before }) => ({ path, value: before ?? null }))
  const values = Object.fromEntries(changes.map(({ path, after }) => [path, after ?? null]))
  return [{ kind: 'places', key, edits, upon: { values } }]
}

const reversed = ({ path, before, after }: FieldChange): FieldChange => ({ path, before: after, after: before })
