import { isLocalId, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { faults, type Fault } from '#shared/fault'
import type { Json } from '#shared/json'
import type { OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { EditContext } from '../replica/context'
import type { Memory } from '../replica/memory'
import { follow, keyNow } from '../replica/moved-records'
import { isKeptHere, lookUpAgain } from '../replica/pending'
import { askAboutUnread, reachedPlaces, reachOf } from '../replica/reach'
import { resolve } from '../replica/resolve'
import { restoresRecord } from '../replica/restoration'
import { settle } from '../replica/settle'
import type { Tx } from '../replica/tx'
import { backOff } from '../replica/environment'
import { orphaned } from './queue'
import { chosenTargets, isChosen, logTargets } from './download-targets'
import { isByChoice, keysFor, listOf } from './targets'
import { findMovedRecord, followParent, followRestored } from './find-moved-record'
import type { Engine } from './engine'

/**
 * Sends one entry and stores its outcome. Returns undefined if the entry may not be sent now.
 * @param isOutdated asked at the last moment, because the computer may have been asleep since the entry was selected
 * @param seen the record that was just read
 */
export async function sendEntry(
  engine: Engine,
  entryId: string,
  isOutdated: () => boolean,
  seen?: RemoteRecord,
): Promise<Outcome | undefined> {
  const { memory, commits } = engine
  const due = memory.outbox.get(entryId)
  if (due && (await followParent(engine, due))) return undefined
  if (due && restoresRecord(engine.memory, due) && (await followRestored(engine, due))) return undefined
  if (due && memory.outbox.isSendable(entryId) && (await isDone(engine, due))) {
    await book(engine, due, alreadyDone)
    return alreadyDone
  }
  const { value: entry, saved } = commits.run('sync', (tx) => {
    const waiting = memory.outbox.get(entryId)
    // Since it was selected, it may have been edited, made a draft again, or given a dependency.
    if (!waiting || memory.outbox.held > 0 || !memory.outbox.isSendable(entryId)) return undefined
    const { notBefore: _notBefore, ...rest } = waiting
    const sending: OutboxEntry = { ...rest, state: 'sending', ...asTried(engine, waiting) }
    tx.putEntry(sending)
    return sending
  })
  await saved
  if (!entry || !memory.outbox.has(entryId)) return undefined
  if (isOutdated()) {
    await booked(engine, (tx) => tx.putEntry({ ...(memory.outbox.get(entryId) ?? entry), state: 'waiting' }))
    return undefined
  }
  // A creation whose ID the service assigns needs the journal's list of existing records.
  const isNoted = commits.noted || entry.kind !== 'create' || memory.facts.of(entry.collection).ids !== 'service'
  const outcome = isNoted ? await attempt(engine, asSent(engine, entry), seen) : notYet
  engine.spend(outcome.units)
  const elsewhere = restoresRecord(memory, entry)
    ? {}
    : await findMovedRecord(engine, soughtBy(entry, outcome), outcome)
  const gone = outcome.kind === 'conflict' && outcome.made && outcome.remote.value === null ? outcome : undefined
  const { found, ending } = elsewhere
  if (gone && !found && !ending) {
    await booked(engine, (tx) => ruleOut({ tx, ids: engine.ids, now: engine.environment.now }, entry, gone.remote))
    return undefined
  }
  if (found && !gone) {
    await booked(engine, (tx) => follow(tx, entry, found.parent!, found))
    return undefined
  }
  const known = ending ?? (gone && found ? { ...gone, remote: found } : outcome)
  await book(engine, entry, known)
  return known
}

/** The entry as a change of its record, so that a created one is found where it was moved, too. */
function soughtBy(entry: OutboxEntry, outcome: Outcome): OutboxEntry {
  if (entry.kind !== 'create') return entry
  const sought: OutboxEntry = { ...entry, recordId: entry.adopts ?? entry.recordId, kind: 'change', base: null }
  if (outcome.kind !== 'conflict' || !outcome.made) return sought
  return { ...sought, parent: outcome.remote.parent, recordId: outcome.remote.id }
}

/**
 * Looks for the outcome of a creation again, without a record that no longer exists. If that is about to come back, asks about
 * it.
 */
function ruleOut(context: Pick<EditContext, 'tx' | 'ids' | 'now'>, { id }: OutboxEntry, gone: RemoteRecord): void {
  const { memory } = context.tx
  const entry = memory.outbox.get(id)
  const made = recordKey(gone.collection, gone.parent, gone.id)
  if (!entry) return
  if (isKeptHere(memory, made)) {
    const conflict = { remote: memory.row(made)!.value, fields: [], merged: {}, made }
    context.tx.putEntry({ ...entry, state: 'needsYou', conflict })
  } else lookUpAgain(context, { ...entry, state: 'waiting', twins: [...(entry.twins ?? []), gone.id] })
}

/** Asks about an entry instead of sending it, because lists that it removes from can't be read. */
export async function askFirst(
  { commits, memory }: Engine,
  entryId: string,
  unread: readonly string[],
): Promise<undefined> {
  await commits.run('sync', (tx) => {
    const waiting = memory.outbox.get(entryId)
    if (waiting && memory.outbox.isSendable(entryId)) askAboutUnread(tx, waiting, unread)
  }).saved
}

function asSent({ memory }: Engine, entry: OutboxEntry): OutboxEntry {
  const said = memory.behaviors.of(entry.collection).asSent?.(memory, entry) ?? entry
  const sent = localIdsIn(said.base).length > 0 ? unguarded(said) : said
  return sent.candidates ? { ...sent, candidates: sent.candidates.map((key) => keyNow(memory, key)) } : sent
}

/** Returns an entry without etag, so that its record is read first, because its base refers to records that aren't sent yet. */
function unguarded({ etag: _etag, ...entry }: OutboxEntry): OutboxEntry {
  return { ...entry, complete: false }
}

/** Outcome of an entry that an earlier attempt has carried out. */
export const alreadyDone: Outcome = { kind: 'confirmed', records: [], units: 0 }

/**
 * True if an action whose answer was lost has nothing left to remove: the first attempt did it, and repeating it could only
 * remove what someone adds at that moment. Its place was read again just before.
 */
async function isDone({ memory, store }: Engine, entry: OutboxEntry): Promise<boolean> {
  const { facts, behaviors } = memory
  const reach = entry.action && entry.unknownOutcome ? reachOf(behaviors, entry) : undefined
  if (!reach) return false
  const reached = reachedPlaces(behaviors, entry)
  for (const key of keysFor(facts, entry)) {
    const { collection, parent } = parseRecordKey(key)
    if (parent === null || !reached.includes(parent)) continue
    if (!memory.cursors.has(key)) return false
    if (memory.isWindow(collection) && (await store.rowKeys(collection, parent)).length > 0) return false
    const left = memory.everyRow(collection).some(({ parent: place, id, base }) => {
      const record = { collection, parent, id, value: base }
      return place === parent && base !== null && reach.has({ memory, entry, record })
    })
    if (left) return false
  }
  return true
}

const notYet: Outcome = {
  kind: 'retry',
  fault: { code: 'storage', message: 'Couldn’t write to the journal of pending changes. Free up disk space.' },
  wait: 0,
  unknown: false,
  units: 0,
}

async function attempt({ bridge, account, memory }: Engine, entry: OutboxEntry, seen?: RemoteRecord): Promise<Outcome> {
  const orphan = orphaned(memory.facts, entry)
  if (orphan) {
    const message =
      'This can’t be sent, because the record it belongs to was never sent. Discard this change, or create the record again.'
    return { kind: 'refused', fault: { code: 'invalid', message, location: orphan }, units: 0 }
  }
  try {
    const answer = await bridge.ask('sync/push', { accountId: account.id, entry, ...(seen && { seen }) })
    return answer.ok ? answer.value : outcomeOf(answer.fault)
  } catch (error) {
    return outcomeOf({ code: 'answerLost', message: error instanceof Error ? error.message : String(error) })
  }
}

/** Outcome of a fault between processes. Faults of the service arrive as outcomes. */
function outcomeOf(fault: Fault): Outcome {
  if (fault.code === 'signInExpired') return { kind: 'frozen', fault, units: 0 }
  const { retry, mayHaveArrived } = faults[fault.code]
  if (!retry) return { kind: 'refused', fault, units: 0 }
  return { kind: 'retry', fault, wait: 0, unknown: mayHaveArrived, units: 0 }
}

async function book(engine: Engine, entry: OutboxEntry, outcome: Outcome): Promise<void> {
  const { ids, environment, waits } = engine
  const { now, elapsed, random } = environment
  waits.delete(entry.id)
  const pause = (ms: number): number => {
    waits.set(entry.id, elapsed() + ms)
    return ms
  }
  const wait = (attempts: number, asked: number): number => pause(asked > 0 ? asked : backOff(attempts, random))
  const others = engine.judge(entry, outcome)
  const letsPass = others === undefined ? undefined : pause(others)
  const context = { ids, now, backOff: wait, ...(letsPass !== undefined && { letsPass }) }
  await booked(engine, (tx) => {
    settle({ tx, ...context }, entry.id, outcome)
    const asks = engine.memory.outbox.get(entry.id)?.conflict !== undefined
    if (asks && isDecided(engine, entry, outcome)) resolve({ tx, ids, now }, entry.id, { keep: 'mine' })
  })
}

/**
 * True if the author already decided to create a deleted record again, and its next ID was used and deleted as well, or to
 * restore one that the service no longer keeps.
 */
function isDecided({ memory }: Engine, entry: OutboxEntry, outcome: Outcome): boolean {
  if (outcome.kind !== 'conflict' || outcome.remote.value !== null) return false
  if (entry.kind === 'create') return entry.blind === true && !entry.unknownOutcome && !isLocalId(entry.recordId)
  // One that may have been restored before may have been deleted again.
  return restoresRecord(memory, entry) && !entry.unknownOutcome
}

/** Stores an outcome. If the disk rejects it, keeps it while this window is open. */
async function booked({ commits, environment }: Engine, change: (tx: Tx) => void): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await commits.run('sync', change).saved
      return
    } catch (error) {
      if (commits.closed) throw error
      await new Promise<void>((resolve) => environment.setTimer(resolve, backOff(tries, environment.random)))
    }
  }
}

/**
 * Facts that the journal must have of a creation before it's sent: the time of the attempt, because the record has no base, and an
 * edit that an older database merged into an arrived creation would count as an older value. Without a client ID, also the existing
 * records with the same title, because any other that appears after a lost answer is ours.
 */
function asTried(
  { memory, environment }: Engine,
  entry: OutboxEntry,
): Pick<OutboxEntry, 'twins' | 'blind' | 'triedAt'> {
  if (entry.kind !== 'create') return {}
  // Differs for each attempt, even if the clock is set back.
  const triedAt = Math.max(environment.now(), (entry.triedAt ?? 0) + 1)
  // The list of the attempt whose answer was lost still decides.
  if (entry.unknownOutcome || memory.facts.of(entry.collection).ids !== 'service') return { triedAt }
  const { collection, parent } = listOf(memory.facts, entry)
  const title = memory.facts.of(collection).title ?? 'title'
  const found = titled(memory, collection, parent, title, entry.patch[title] ?? '')
  return {
    triedAt,
    twins: [...new Set([...(entry.twins ?? []), ...found])],
    ...(!isRead(memory, entry, environment.now()) && { blind: true }),
  }
}

/** Milliseconds for which a log's state stays valid. */
const lately = 600_000

/**
 * True if the contents of a new record's list are known: it has been read. For downloads, the part that the record belongs
 * to has been read and followed since.
 */
function isRead(memory: Memory, { collection, parent, patch }: OutboxEntry, now: number): boolean {
  const { facts, cursors } = memory
  const list = listOf(facts, { collection, parent })
  const listed = facts.of(list.collection)
  if (!isByChoice(listed)) return cursors.has(list.key)
  const read = chosenTargets(memory, listed).filter(({ key }) => cursors.has(key))
  const followed = logTargets(memory, listed, parent).some(
    ({ key }) => (cursors.get(key)?.pulledAt ?? 0) >= now - lately,
  )
  return followed && isChosen(read, list.collection, list.parent, patch)
}

/** IDs of the service's records with this title, from bodies in memory or from columns. */
function titled(
  memory: Memory,
  collection: CollectionName,
  parent: string | null,
  title: string,
  wanted: Json,
): string[] {
  if (!memory.isWindow(collection)) {
    // A row with a pending deletion is hidden, but still exists on the service.
    const rows = memory.everyRow(collection).filter((row) => parent === null || row.parent === parent)
    return rows.filter(({ base }) => base !== null && (base[title] ?? '') === wanted).map(({ id }) => id)
  }
  const table = memory.columns(collection)
  const column = table.columns.indexOf(title)
  const ids: string[] = []
  table.each((key, cells) => {
    // For an edited row, columns show its new state.
    const text = memory.stored.get(key)?.base[title] ?? cells(column)
    if ((text ?? '') !== wanted) return
    const { parent: place, id } = parseRecordKey(key)
    if ((parent === null || place === parent) && !isLocalId(id)) ids.push(id)
  })
  return ids
}
