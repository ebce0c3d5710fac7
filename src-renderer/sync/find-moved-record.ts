import { faults, type Fault } from '#shared/fault'
import type { Action, OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { isLocalId, recordKey } from '#shared/domain/collections'
import { ownKey } from '#shared/mutation/fold'
import { keyOfParent } from '../replica/id-names'
import { follow, knownIn, otherPlaces, placesOf } from '../replica/moved-records'
import { derivedRecord, ownEntries } from '../replica/pending'
import { takeAnswered } from '../replica/records'
import { relocated, settle } from '../replica/settle'
import type { Memory } from '../replica/memory'
import type { Engine } from './engine'
import { targetOf } from './targets'

/** Neither set: the record is nowhere, or in a place that can't be read. */
interface Elsewhere {
  found?: RemoteRecord
  /** Outcome of the attempt instead: nothing is left to do, or it's unknown. */
  ending?: Outcome
}

/**
 * Finds a record that is no longer in its place by its ID in the account's other lists, as someone may have moved it there.
 * Those lists are read first, once for all such records. The service is only asked about the record where this computer
 * has one with that ID, and about lists that can't be read.
 */
export async function findMovedRecord(engine: Engine, entry: OutboxEntry, outcome: Outcome): Promise<Elsewhere> {
  const { memory, missed, since } = engine
  const places = placesOf(memory, entry)
  if (!places || !isGone(entry, outcome)) return {}
  const holder = targetOf(places).key
  // After a lost cache, the other places haven't been read yet.
  if (!memory.cursors.has(holder)) return { ending: later(entry, unread) }
  const { carried } = memory.behaviors.of(entry.collection)
  const others = otherPlaces(memory, entry)
  const mark = missed.get(entry.id)?.mark
  const asks = others.filter((parent) => {
    if (
      knownIn(memory, entry, parent) ||
      derivedRecord(memory, recordKey(entry.collection, parent, entry.recordId), '')
    )
      return true
    return mark !== undefined && since(targetOf(entry.collection, parent).key, mark) !== 'read'
  })
  for (const parent of asks) {
    const { record, fault } = await look(engine, entry, parent)
    if (fault?.code === 'signInExpired') return { ending: { kind: 'frozen', fault, units: 0 } }
    if (fault && faults[fault.code].retry) return { ending: later(entry, fault) }
    if (!record?.value || !carried?.(entry.base, record.value)) continue
    missed.delete(entry.id)
    return settled(entry, record) ?? { found: record }
  }
  // A place created since the last read isn't known here.
  if (mark === undefined || since(holder, mark) !== 'read') {
    const keys = new Set([holder, ...others.map((parent) => targetOf(entry.collection, parent).key)])
    missed.set(entry.id, { mark: mark ?? engine.mark(), keys: [...keys] })
    engine.hurry(({ collection, parent }) => keys.has(targetOf(collection, parent).key))
    return { ending: later(entry, unread) }
  }
  missed.delete(entry.id)
  if (!entry.action || !isPlacement(entry.action)) return {}
  // The refusal may mean the parent or the record before the new position instead.
  const { record, fault } = await look(engine, entry, entry.parent!)
  if (fault && faults[fault.code].retry) return { ending: later(entry, fault) }
  return record && !record.value ? { ending: displaced(entry, []) } : {}
}

/** True if an entry waits for reads of other lists, in which its record may be. */
export function awaitsLists({ missed, since }: Engine, { id }: OutboxEntry): boolean {
  const sought = missed.get(id)
  return sought !== undefined && sought.keys.some((key) => since(key, sought.mark) === 'pending')
}

/** For rejected actions, only the service's message says whether the record is gone. */
const isGone = ({ action }: OutboxEntry, outcome: Outcome): boolean =>
  outcome.kind === 'confirmed'
    ? outcome.alreadyGone === true
    : outcome.kind === 'conflict'
      ? outcome.remote.value === null
      : outcome.kind === 'refused' &&
        action !== undefined &&
        (outcome.fault.code === 'notFound' || outcome.fault.code === 'gone')

const unread: Fault = {
  code: 'aborted',
  message: 'Someone moved this record. Flightplan will look for it again after the next sync.',
}

const later = ({ unknownOutcome }: OutboxEntry, fault: Fault): Outcome => ({
  kind: 'retry',
  fault,
  wait: 0,
  unknown: unknownOutcome,
  units: 0,
})

/**
 * True if a pending deletion removes a record without a new one inside: that was created in another one, which turned out to be
 * the deleted record.
 */
function isDeletedApart(memory: Memory, key: string, entry: OutboxEntry): boolean {
  const deletion = ownEntries(memory, key).find(({ kind }) => kind === 'delete')
  const isWithin =
    deletion?.shows?.some((shown) => shown.key === ownKey(entry)) || deletion?.dependsOn.includes(entry.id)
  return deletion !== undefined && !isWithin
}

/**
 * Moves a new record along with its parent if someone moved that to another list. Without a parent, or if that or its list is
 * being deleted here without the new record, this goes to the top level.
 * @returns true if the entry was changed or has to wait, so that it can't be sent now
 */
export async function followParent(engine: Engine, entry: OutboxEntry): Promise<boolean> {
  const { memory, commits, ids, environment } = engine
  const { collection, parent, kind, place, adopts } = entry
  const into = place?.parent
  if (kind !== 'create' || adopts !== undefined || into === undefined || isLocalId(into)) return false
  const holder = recordKey(collection, parent, into)
  const isEnding = isDeletedApart(memory, holder, entry)
  if (memory.row(holder)?.base && !isEnding) return false
  const gone = { collection, parent, id: into, value: null }
  const sought: OutboxEntry = { ...entry, recordId: into, kind: 'change', base: null }
  const answer: Outcome = { kind: 'conflict', remote: gone, fields: [], merged: {}, units: 0 }
  const { found: moved, ending } = isEnding ? {} : await findMovedRecord(engine, sought, answer)
  const list = moved && keyOfParent(memory.facts.of(collection), moved.parent)
  // What's about to be deleted would take the record along.
  const isKept = moved && (list === undefined || memory.row(list)?.value)
  const found = isKept && !isDeletedApart(memory, recordKey(collection, moved.parent, into), entry) ? moved : undefined
  const backOff = (): number => pause(engine, entry)
  await commits.run('sync', (tx) => {
    const now = memory.outbox.get(entry.id)
    if (!now) return
    if (ending) return settle({ tx, ids, now: environment.now, backOff }, entry.id, ending)
    const later = found ? ownEntries(memory, ownKey(now)).filter(({ id }) => id !== now.id) : []
    const placed = found ? relocated(now, found.parent!) : now
    const at = found ? place : {}
    const shows = memory.behaviors.of(collection).showsNew?.(memory, ownKey(placed), placed.patch, at)
    tx.putEntry({ ...placed, place: at, ...(shows && { shows }) })
    for (const own of later) tx.putEntry(relocated(own, found!.parent!))
    if (found) takeAnswered(tx, found, true)
  }).saved
  return true
}

/**
 * Moves an entry that restores a record to where the record is: what its list took for a deletion may have been a move.
 * @returns true if the entry was changed or has to wait, so that it can't be sent now
 */
export async function followRestored(engine: Engine, entry: OutboxEntry): Promise<boolean> {
  const { memory, commits, ids, environment } = engine
  const { collection, parent, recordId: id } = entry
  const remote = { collection, parent, id, value: null }
  const answer: Outcome = { kind: 'conflict', remote, fields: [], merged: {}, units: 0 }
  const { found, ending: later } = await findMovedRecord(engine, entry, answer)
  if (!found && !later) return false
  // Changes of the record while the other lists are read are noticed when it's restored.
  const etag = found || entry.unknownOutcome ? undefined : (await look(engine, entry, parent!)).record?.etag
  const ending = later?.kind === 'retry' && etag !== undefined ? { ...later, etag } : later
  await commits.run('sync', (tx) => {
    if (!memory.outbox.has(entry.id)) return
    if (found) follow(tx, entry, found.parent!, found)
    else settle({ tx, ids, now: environment.now, backOff: () => pause(engine, entry) }, entry.id, ending!)
  }).saved
  return true
}

function pause({ waits, environment }: Engine, { id }: OutboxEntry): number {
  waits.set(id, environment.elapsed() + soon)
  return soon
}

/** Pause until the lists have been read again, in milliseconds. */
const soon = 1_000

/** A position in a list is meaningless once the record has left that list. */
const settled = (entry: OutboxEntry, record: RemoteRecord): Elsewhere | undefined =>
  entry.action && isPlacement(entry.action) ? { ending: displaced(entry, [record]) } : undefined

const isPlacement = (action: Action): boolean => !('destination' in action && action.destination !== undefined)

function displaced({ collection, parent, recordId }: OutboxEntry, found: RemoteRecord[]): Outcome {
  const left = { collection, parent, id: recordId, value: null }
  return {
    kind: 'merged',
    records: [left, ...found],
    receipt: { mine: [], theirs: ['position'], combined: [] },
    units: 0,
  }
}

async function look(
  { bridge, account, spend }: Engine,
  { collection, recordId }: OutboxEntry,
  parent: string,
): Promise<{ record?: RemoteRecord | undefined; fault?: Fault }> {
  try {
    const answer = await bridge.ask('sync/read-many', { accountId: account.id, collection, parent, ids: [recordId] })
    if (!answer.ok) return { fault: answer.fault }
    spend(answer.value.units)
    return { record: answer.value.records[0] }
  } catch (error) {
    return { fault: { code: 'answerLost', message: error instanceof Error ? error.message : String(error) } }
  }
}
