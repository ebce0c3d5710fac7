import { recordKey } from '#shared/domain/collections'
import { keptForm } from '#shared/domain/deleted-forms'
import { sameJson } from '#shared/json'
import { changedFields } from '#shared/merge/merge'
import type { RemoteRecord } from '#shared/mutation/entry'
import type { CollectionBehavior } from './collection-behavior'
import { isDeletedHere } from './deleted'
import type { Memory } from './memory'
import { derivedRecord } from './pending'
import type { StoredRow } from './store'
import type { Tx } from './tx'

/** Row of the service's record. Null if the service has no such record. */
export function storedRow(behavior: CollectionBehavior, record: RemoteRecord): StoredRow | null {
  const { collection, parent, id, etag } = record
  const base = keptForm(collection, id, record.value)
  if (!base) return null
  return {
    key: recordKey(collection, parent, id),
    collection,
    parent,
    id,
    base,
    ...(etag !== undefined && { etag }),
    complete: !behavior.isPartial?.(base),
    ...behavior.indexed?.(id, base),
  }
}

/** True if two rows of one record are equal. */
export const isSameRow = (one: StoredRow, other: StoredRow): boolean =>
  one.etag === other.etag && one.complete === other.complete && sameJson(one.base, other.base)

/**
 * Applies the service's version of a record below its pending edits. Writes nothing if nothing changed. `fresh` means
 * that it's part of a full listing.
 */
export function takeRecord(tx: Tx, record: RemoteRecord, fresh = false): void {
  const { memory } = tx
  const key = recordKey(record.collection, record.parent, record.id)
  const behavior = memory.behaviors.of(record.collection)
  const row = storedRow(behavior, record)
  const known = memory.stored.get(key)
  if (row && known && isSameRow(known, row)) return
  if (row) {
    tx.putRow(row, fresh)
    if (memory.deleted.has(key) && isRestored(tx, row)) tx.putDeleted(key, null)
  } else {
    const along = behavior.removedWith?.(memory, key) ?? []
    if (known || memory.isWindow(record.collection)) tx.removeRow(key)
    for (const other of along) tx.removeRow(other)
  }
}

/** True if the service has a record that was deleted, and no pending change here deletes it. */
function isRestored({ memory }: Tx, { key, collection, base }: StoredRow): boolean {
  const { gone } = memory.facts.of(collection)
  return (!gone || base[gone.field] !== gone.is) && !isDeletedHere(memory, key)
}

/**
 * Stores the service's record from an answer. Skips a record that another one may only imply, or may no longer imply, because
 * no pull would ever update it.
 * @param read true if the record was only read. The next pull then brings existing and canceled records anyway
 */
export function takeAnswered(tx: Tx, record: RemoteRecord, read: boolean): void {
  if (!isImplied(tx, record, read)) takeRecord(tx, record)
}

function isImplied({ memory }: Tx, record: RemoteRecord, read: boolean): boolean {
  const key = recordKey(record.collection, record.parent, record.id)
  const by = memory.behaviors.of(record.collection).impliedBy?.(key)
  if (by === undefined || (record.value && memory.stored.has(key))) return false
  return read || isOnlyImplied(memory, record)
}

/** True if a record equals the one that another record implies on the service, without pending changes of that one. */
export function isOnlyImplied(memory: Memory, { collection, parent, id, value }: RemoteRecord): boolean {
  const derived = derivedRecord(memory, recordKey(collection, parent, id), '')
  return !!value && !!derived && changedFields(memory.facts.of(collection).rules, derived, value).length === 0
}
