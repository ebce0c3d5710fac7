import { recordKey } from '#shared/domain/collections'
import { logOf } from '#shared/facts/log'
import { sameJson } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { adopted, isCreatedBy, mayBeCreatedBy } from '#shared/mutation/created-record'
import { isKeptHere, lookUpAgain, renewed } from '../replica/pending'
import { reachOf } from '../replica/reach'
import { readStored } from '../replica/read-stored'
import { settle } from '../replica/settle'
import type { Engine } from './engine'
import { neverSent } from './never-sent'
import { alreadyDone } from './push'
import { listOf } from './targets'

/**
 * Recognizes records that pending creations may have made, before they're stored and users mistake them for others. A
 * record that proves to be the outcome of a lost answer ends its creation. One that may be is noted for the next
 * attempt. If a later copy of this database may have sent a creation, asks its author.
 * @param listed true if the list was read before, so that records unknown here are new
 */
export async function recognize(engine: Engine, records: readonly RemoteRecord[], listed: boolean): Promise<void> {
  const { outbox } = engine.memory
  for (const { value, ...record } of records) if (value === null) await letGo(engine, record)
  // In a service's log, only new entries prove anything, because names are seldom unique.
  const waited = neverSent(engine.memory).filter((entry) => listed || !isLogged(engine, entry))
  if (waited.length === 0 && outbox.find('mayBeMade', '').length === 0) return
  for (const record of await newOnes(engine, records)) {
    if (await adoptedBy(engine, record)) continue
    if (!(await notedBy(engine, record, listed))) await askWhetherMade(engine, record, waited)
  }
}

/** Ends a creation whose answer was lost with the record that proves to be its outcome. */
async function adoptedBy(engine: Engine, record: RemoteRecord): Promise<boolean> {
  const { memory, commits, ids, environment } = engine
  const entry = memory.outbox
    .find('mayBeMade', '')
    .find((one) => one.state === 'waiting' && !isLogged(engine, one) && isCreatedBy(factsFor(engine, one), one, record))
  if (!entry) return false
  const context = { ids, now: environment.now, backOff: () => 0 }
  const ending = { ...adopted(factsFor(engine, entry), entry, record), units: 0 }
  await commits.run('sync', (tx) => {
    for (const id of emptiedBefore(engine, entry)) settle({ tx, ...context }, id, alreadyDone)
    settle({ tx, ...context }, entry.id, ending)
  }).saved
  return true
}

/**
 * IDs of actions that a creation waited for, and that removed other records: they had ended when it was sent. Repeated, they would
 * remove its record.
 */
function emptiedBefore({ memory }: Engine, { dependsOn }: OutboxEntry): string[] {
  return dependsOn.filter((id) => {
    const before = memory.outbox.get(id)
    return before?.action && before.unknownOutcome && reachOf(memory.behaviors, before) !== undefined
  })
}

/** Notes a record for creations that may have made it. */
async function notedBy(engine: Engine, record: RemoteRecord, listed: boolean): Promise<boolean> {
  const { memory, commits } = engine
  const found = memory.outbox.find('mayBeMade', '').flatMap((entry) => {
    const own = asOwn(engine, entry, record)
    const fits = own && !isLogged(engine, entry) && mayBeCreatedBy(factsFor(engine, entry), entry, own, listed)
    return fits ? [{ entry, key: keyOf(own) }] : []
  })
  if (found.length === 0) return false
  await commits.run('sync', (tx) => {
    for (const { entry, key } of found) {
      const { candidates = [], ...rest } = memory.outbox.get(entry.id) ?? entry
      if (memory.outbox.has(entry.id) && !candidates.includes(key))
        tx.putEntry({ ...rest, candidates: [...candidates, key] })
    }
  }).saved
  return true
}

/** Asks the author of the first creation that waited when the app started and that may have made a record. */
async function askWhetherMade(engine: Engine, record: RemoteRecord, waited: readonly OutboxEntry[]): Promise<void> {
  const { memory, commits } = engine
  const isAsked = (entry: OutboxEntry): boolean => {
    const facts = factsFor(engine, entry)
    const own = asOwn(engine, entry, record)
    const near = own?.parent === entry.parent || memory.behaviors.of(entry.collection).carried !== undefined
    const inPlace = facts.fixed.every((field) => sameJson(own?.value?.[field], entry.patch[field]))
    return own !== undefined && near && inPlace && mayBeCreatedBy(facts, entry, own, false)
  }
  const asked = waited.filter((one) => memory.outbox.get(one.id)?.state === 'waiting' && isAsked(one))
  const isEqual = (one: OutboxEntry): boolean => adopted(factsFor(engine, one), one, record).kind === 'confirmed'
  const entry = asked.find(isEqual) ?? asked[0]
  // A similar record that's being sent from here may be this one.
  if (!entry || memory.outbox.find('mayBeMade', '').some(isAsked)) return
  const { etag, value } = record
  const made = keyOf(asOwn(engine, entry, record)!)
  const conflict = { remote: value, ...(etag && { remoteEtag: etag }), fields: [], merged: {}, made }
  await commits.run('sync', (tx) => {
    const now = memory.outbox.get(entry.id)
    if (now?.state === 'waiting') tx.putEntry({ ...renewed(now), state: 'needsYou', conflict })
  }).saved
}

/** Ends the question about a record that's gone, unless a pending change brings it back. It may only have been moved. */
async function letGo(engine: Engine, record: Omit<RemoteRecord, 'value'>): Promise<void> {
  const { memory, commits, ids, environment } = engine
  if (!memory.outbox.any('asksAbout', keyOf(record)) || isKeptHere(memory, keyOf(record))) return
  await commits.run('sync', (tx) => {
    for (const entry of memory.outbox.find('asksAbout', keyOf(record))) {
      const { conflict: _conflict, candidates = [], ...rest } = renewed(entry)
      lookUpAgain(
        { tx, ids, now: environment.now },
        { ...rest, candidates: [...new Set([...candidates, keyOf(record)])] },
      )
    }
  }).saved
}

/** Records that this computer doesn't have. */
async function newOnes(engine: Engine, records: readonly RemoteRecord[]): Promise<RemoteRecord[]> {
  const { memory } = engine
  const unknown = records.filter((record) => record.value !== null && !memory.stored.has(keyOf(record)))
  // Rows of a window are on disk and not in memory.
  const sought = unknown.filter(({ collection }) => memory.isWindow(collection)).map(keyOf)
  const rows = await readStored(engine, sought)
  const onDisk = new Set(sought.filter((_key, at) => rows[at]))
  return unknown.filter((record) => !onDisk.has(keyOf(record)))
}

/** Converts a record to the entry's collection, if its list is where such records appear. */
function asOwn({ memory }: Engine, entry: OutboxEntry, record: RemoteRecord): RemoteRecord | undefined {
  if (record.collection === entry.collection) return record
  const { collection, parent } = entry
  return listOf(memory.facts, entry).collection === record.collection ? { ...record, collection, parent } : undefined
}

const factsFor = ({ memory }: Engine, { collection }: OutboxEntry) => memory.facts.of(collection)

/** A name alone proves nothing. If the service logs creations, main asks the log instead. */
const isLogged = (engine: Engine, entry: OutboxEntry): boolean =>
  logOf(engine.memory.facts, factsFor(engine, entry)) !== undefined

const keyOf = ({ collection, parent, id }: Omit<RemoteRecord, 'value'>): string => recordKey(collection, parent, id)
