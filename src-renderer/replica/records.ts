import { collections, recordKey } from '#shared/domain/collections'
import { itemFields } from '#shared/domain/calendar-item'
import { keptForm } from '#shared/domain/deleted-forms'
import { parseInstanceId } from '#shared/domain/instances'
import { sameJson, type JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import type { StoredRow } from './store'
import type { Tx } from './tx'

/** A record as the service gave it, as a row. null: the service has no such record. */
export function storedRow(record: RemoteRecord): StoredRow | null {
  const { collection, parent, id, etag } = record
  const base = keptForm(collection, id, record.value)
  if (!base) return null
  const partial = base.attendeesOmitted === true || (collection === 'events' && base.status === 'cancelled')
  return {
    key: recordKey(collection, parent, id),
    collection,
    parent,
    id,
    base,
    ...(etag !== undefined && { etag }),
    complete: collections[collection].complete && !partial,
    ...(collection === 'events' && indexed(id, base)),
  }
}

function indexed(id: string, event: JsonObject): Pick<StoredRow, 'at' | 'series'> {
  if (parseInstanceId(id) || Array.isArray(event.recurrence)) return { series: 1 }
  const at = itemFields(id, event, 'UTC')?.start
  return at === undefined ? {} : { at }
}

/**
 * Takes the service's word for one record. Waiting edits stay on top of it; nothing is written where nothing changed.
 * `fresh`: it is part of a page of everything.
 */
export function takeRecord(tx: Tx, record: RemoteRecord, fresh = false): void {
  const { memory } = tx
  const key = recordKey(record.collection, record.parent, record.id)
  const row = storedRow(record)
  const known = memory.stored.get(key)
  if (row && known && known.etag === row.etag && known.complete === row.complete && sameJson(known.base, row.base))
    return
  if (row) tx.putRow(row, fresh)
  else {
    const exceptions = record.collection === 'events' ? memory.series.exceptionKeys(key) : []
    if (known || memory.isWindow(record.collection)) tx.removeRow(key)
    for (const exception of exceptions) if (memory.entriesOf(exception).length === 0) tx.removeRow(exception)
  }
}
