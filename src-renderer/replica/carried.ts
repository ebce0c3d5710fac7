import { isLocalId, recordKey } from '#shared/domain/collections'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { Memory } from './memory'
import { ownEntries, renewed } from './pending'
import { takeRecord } from './records'
import { rebase, relocated } from './settle'
import type { Tx } from './tx'

/** The other lists or calendars of the service in which a record may lie that is gone from its own. */
export function otherPlaces(memory: Memory, { collection, parent, kind }: OutboxEntry): string[] {
  const places = memory.facts.of(collection).parent
  if (kind !== 'change' || !places || !memory.habits.of(collection).carried) return []
  return memory
    .list(places.collection)
    .flatMap(({ id, value }) => (id === parent || isLocalId(id) || !value ? [] : [id]))
}

/** The place among them in which this computer knows the record to be. */
export function carriedTo(memory: Memory, entry: OutboxEntry): string | undefined {
  const { carried } = memory.habits.of(entry.collection)
  return otherPlaces(memory, entry).find((place) => {
    const key = recordKey(entry.collection, place, entry.recordId)
    const known = memory.stored.get(key)
    // Of most events the body lies on disk alone.
    return known ? carried?.(entry.base, known.base) : memory.window.get(key) !== undefined
  })
}

/**
 * Edits of fields follow a record that somebody carried to another list or calendar: they are compared with it there, as ever.
 * `found`: what the service says of it, where that was asked.
 */
export function follow(tx: Tx, entry: OutboxEntry, place: string, found?: RemoteRecord): void {
  const { collection, parent, recordId: id } = entry
  for (const own of ownEntries(tx.memory, ownKey(entry))) {
    if (own.kind === 'action') break
    const { etag: _etag, conflict: _conflict, ...rest } = own.id === entry.id ? renewed(own) : own
    tx.putEntry({ ...relocated(rest, place), complete: false })
  }
  takeRecord(tx, { collection, parent, id, value: null })
  if (found) takeRecord(tx, found)
  rebase(tx, recordKey(collection, place, id))
}
