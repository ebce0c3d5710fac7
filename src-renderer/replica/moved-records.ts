import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { Memory } from './memory'
import { derivedRecord, ownEntries, renewed } from './pending'
import { askAboutFollowed, askAboutReach } from './reach'
import { takeAnswered, takeRecord } from './records'
import { rebase, relocated } from './settle'
import type { Tx } from './tx'

/** Collection of the lists or calendars in which a missing record may be found. */
export function placesOf(
  { facts, behaviors }: Memory,
  { collection, kind, action }: Pick<OutboxEntry, 'collection' | 'kind' | 'action'>,
): CollectionName | undefined {
  if (kind !== 'change' && kind !== 'delete' && !(action && behaviors.action(action.name).places)) return undefined
  return behaviors.of(collection).carried && facts.of(collection).parent?.collection
}

/** A record as identified by an entry. */
type Sought = Pick<OutboxEntry, 'collection' | 'parent' | 'recordId' | 'kind' | 'action' | 'base'>

/** Other parents on the service in which the record may be, including those that a pending change deletes. */
export function otherPlaces(memory: Memory, entry: Sought): string[] {
  const places = placesOf(memory, entry)
  if (!places) return []
  return memory.everyRow(places).flatMap(({ id, base }) => (id === entry.parent || isLocalId(id) || !base ? [] : [id]))
}

/** The other parent in which this computer knows the record, if any. */
export function carriedTo(memory: Memory, entry: Sought): string | undefined {
  const { carried } = memory.behaviors.of(entry.collection)
  return otherPlaces(memory, entry).find((place) => {
    const known = knownIn(memory, entry, place)
    return known && carried?.(entry.base, known)
  })
}

/** Current key of a record that may have moved. Doesn't follow events, because one elsewhere could be another guest's copy. */
export function keyNow(memory: Memory, key: string): string {
  const { collection, parent, id } = parseRecordKey(key)
  if (memory.isWindow(collection) || memory.row(key) || derivedRecord(memory, key)) return key
  const place = carriedTo(memory, { collection, parent, recordId: id, kind: 'change', base: null })
  return place === undefined ? key : recordKey(collection, place, id)
}

/** The local version of a record with the same ID in another place, or undefined. */
export function knownIn(
  memory: Memory,
  { collection, recordId }: Pick<Sought, 'collection' | 'recordId'>,
  place: string,
): JsonObject | undefined {
  const key = recordKey(collection, place, recordId)
  // For most events, the body is only on disk.
  return memory.stored.get(key)?.base ?? (memory.window.get(key) && {})
}

/**
 * Edits follow a record that someone moved to another list or calendar. Edits of fields are compared with it there. An
 * edit that moves it as well asks which place is right, and a deletion asks whether it's still meant.
 * `found`: the service's record, if it was read.
 */
export function follow(tx: Tx, entry: OutboxEntry, place: string, found?: RemoteRecord): void {
  const { collection, parent, recordId: id } = entry
  const { memory } = tx
  const inside = (key: string): string[] => memory.behaviors.of(collection).children?.(memory, key) ?? []
  const before = new Map(inside(ownKey(entry)).map((key) => [parseRecordKey(key).id, memory.stored.get(key)?.base]))
  const key = recordKey(collection, place, id)
  // Check before applying edits, which would otherwise count as seen by someone who deletes the parent.
  if (found && (memory.stored.has(key) || !memory.window.get(key)))
    askAboutReach(tx, found, memory.stored.get(key)?.base)
  for (const own of ownEntries(memory, ownKey(entry))) {
    if (own.kind === 'action' && own.id !== entry.id) break
    const { etag: _etag, conflict: _conflict, ...rest } = own.id === entry.id ? renewed(own) : own
    const decides = own.kind === 'action' || (own.kind === 'delete' && own.id === entry.id)
    const asks = decides && found && { state: 'needsYou' as const, conflict: quarrel(found) }
    tx.putEntry({ ...relocated(withoutHidden(rest), place), complete: false, ...asks })
    if (own.kind === 'action') break
  }
  takeRecord(tx, { collection, parent, id, value: null })
  if (found) takeAnswered(tx, found, true)
  rebase(tx, key)
  if (entry.kind === 'change') askAboutFollowed(tx, place, [key])
  for (const child of inside(key)) {
    const value = memory.stored.get(child)?.base ?? null
    const { id: childId } = parseRecordKey(child)
    askAboutReach(tx, { collection, parent: place, id: childId, value }, before.get(childId) ?? undefined)
  }
}

/** Returns a change without the rows that it hides, because its author hasn't seen them at the new place. */
function withoutHidden(entry: OutboxEntry): OutboxEntry {
  if (entry.kind !== 'change' || !entry.shows) return entry
  const shows = entry.shows.filter(({ key, patch }) => patch !== null || key === ownKey(entry))
  return { ...entry, shows }
}

const quarrel = ({ value, etag }: RemoteRecord): NonNullable<OutboxEntry['conflict']> => ({
  remote: value,
  ...(etag && { remoteEtag: etag }),
  fields: [],
  merged: {},
})
