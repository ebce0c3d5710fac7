import { parseRecordKey, recordKey, type Collection } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import type { LogFields } from '#shared/facts/remark'
import { FaultError } from '#shared/fault'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import type { Cursor } from '#shared/ipc/cursor'
import type { RemoteRecord } from '#shared/mutation/entry'
import type { HistoryItem } from '../replica/api'
import { applyRecords, type ApplyDeps } from '../replica/apply'
import { readStored } from '../replica/read-stored'
import { historyKept } from '../replica/store'
import { recognize } from './arrivals'
import type { Engine } from './engine'
import { chosenTargets, isChosen } from './download-targets'
import type { Target } from './target'

/** Someone else's change that one of ours replaced: neither author had seen the other's. */
export interface LostUpdate {
  /** The log's own ID of our change. */
  id: string
  label: string
  field: string
  /** The current value, and the lost one. */
  mine: string
  theirs: string
  who?: string
}

/** Ids that are read in one go. */
const atOnce = 1_000

const day = 86_400_000
/** What the first read of a log covers, and how long entries are kept, in milliseconds. */
const firstRead = 7 * day
export const logKept = 30 * day
/** Maximum time from a logged change to its place in the history here, in milliseconds. */
const bookedWithin = 30 * 60_000

/**
 * Where the first read of a log begins: not at its beginning, but no later than the changes sent from here, which may have
 * replaced others while no one read the log.
 */
export async function firstCursor(
  { store, memory, environment }: Engine,
  { collection, parent }: Target,
): Promise<Cursor | null> {
  if (memory.facts.of(collection).cursor !== 'minChangeTime') return null
  const now = environment.now()
  const sent = (await store.history(historyKept)).flatMap(({ unguarded, entry, at }) =>
    unguarded && isInside(entry.parent, parent) ? at - bookedWithin : [],
  )
  const from = Math.max(now - logKept, Math.min(now - firstRead, ...sent))
  return { kind: 'minChangeTime', value: new Date(from).toISOString() }
}

/**
 * Reads the changed records of a log page, if they're downloaded, before the log's cursor is stored. Reading twice only
 * costs a call, but skipping would leave them stale.
 * @returns the number of new entries, the entries that the store doesn't have as they are, and changes that ours replaced
 */
export async function followLog(
  engine: Engine,
  deps: ApplyDeps,
  target: Target,
  log: LogFields,
  records: readonly RemoteRecord[],
): Promise<{ news: number; unstored: readonly RemoteRecord[]; lostUpdates: LostUpdate[] }> {
  const known = await readStored(
    engine,
    records.map(({ collection, parent, id }) => recordKey(collection, parent, id)),
  )
  const news = records.flatMap(({ value }, index) => (value && !known[index] ? [value] : []))
  const unstored = records.filter(({ value }, index) => !value || !known[index] || !sameJson(known[index].base, value))
  if (news.length === 0) return { news: 0, unstored, lostUpdates: [] }
  const ids = new Map<string, Set<string>>()
  for (const one of news) {
    const type = String(one[log.type])
    if (!ids.has(type)) ids.set(type, new Set())
    ids.get(type)!.add(String(one[log.id]))
  }
  for (const [type, changed] of ids)
    for (const facts of named(engine, target, type)) await readAgain(engine, deps, target, facts, [...changed])
  return { news: news.length, unstored, lostUpdates: await lostUpdates(engine, target, log, news, records) }
}

/** Collections whose objects have this type in a log. */
const named = ({ memory: { facts } }: Engine, { collection }: Target, type: string): Collection[] =>
  facts.all.filter(({ objectType, service }) => objectType === type && service === facts.of(collection).service)

async function readAgain(
  engine: Engine,
  deps: ApplyDeps,
  { parent }: Target,
  facts: Collection,
  ids: readonly string[],
): Promise<void> {
  const { memory } = engine
  const { name } = facts
  if (!facts.readMany || facts.parents.length > 1) return readWhole(engine, name, parent)
  const wanted = chosenTargets(memory, facts).filter(({ key }) => memory.cursors.has(key))
  const keys = ids.map((id) => recordKey(name, parent, id))
  const stored = await readStored(engine, keys)
  const here = new Set(ids.filter((_id, index) => stored[index] ?? memory.row(keys[index]!)))
  const asked = wanted.some((one) => one.parent === parent) ? ids : ids.filter((id) => here.has(id))
  for (let at = 0; at < asked.length; at += atOnce) {
    const part = asked.slice(at, at + atOnce)
    const answer = await engine.bridge.ask('sync/read-many', {
      accountId: engine.account.id,
      collection: name,
      parent,
      ids: part,
    })
    // One of them can't be read, and it's unknown which. Lists skip it and keep its local state.
    if (!answer.ok && answer.fault.code === 'badAnswer') return readWhole(engine, name, parent)
    if (!answer.ok) throw new FaultError(answer.fault)
    engine.spend(answer.value.units)
    const kept = answer.value.records.filter(
      ({ id, value }) => here.has(id) || (value !== null && isChosen(wanted, name, parent, value)),
    )
    await recognize(engine, kept, true)
    await applyRecords(deps, kept)
  }
}

/** Marks lists as stale that must be read completely, also after a restart and while paused. */
async function readWhole(engine: Engine, name: Collection['name'], parent: string | null): Promise<void> {
  const { memory, commits } = engine
  const stale = [...memory.cursors.keys()].filter((key) => {
    const target = parseRecordKey(key)
    return target.collection === name && isInside(target.parent, parent)
  })
  await commits.run('sync', (tx) => stale.forEach((key) => tx.removeCursor(key))).saved
  engine.hurry((other) => other.collection === name && isInside(other.parent, parent))
}

const isInside = (parent: string | null, place: string | null): boolean =>
  parent === place || (parent !== null && place !== null && parent.startsWith(`${place}/`))

/**
 * Finds lost updates: if the log's value before our own change differs from the base we knew, someone else wrote between the
 * last read and the write.
 */
async function lostUpdates(
  { store, memory }: Engine,
  target: Target,
  log: LogFields,
  news: readonly JsonObject[],
  all: readonly RemoteRecord[],
): Promise<LostUpdate[]> {
  // The place is the profile under which changes are made.
  const own = news.filter((one) => one[log.whoId] === target.parent && one[log.field] !== undefined)
  if (own.length === 0) return []
  const history = (await store.history(historyKept)).filter(({ how }) => how !== 'withdrawn')
  return own.flatMap((one): LostUpdate[] => {
    // The log may contain a change before its answer arrives, or even if it was lost.
    const sent = memory.outbox
      .find('record', String(one[log.id]))
      .filter(({ state, unknownOutcome }) => state === 'sending' || unknownOutcome)
    const made = [...sent.map((entry): Made => ({ entry })), ...history].filter((item) =>
      isMadeBy(memory.facts, item, one, log),
    )
    const [item] = made
    if (!item || made.some((other) => says(valueAt(seenBy(other), pathOf(one, log)), one[log.before]))) return []
    const before = all.find(
      ({ value }) =>
        value?.[log.id] === one[log.id] &&
        value?.[log.field] === one[log.field] &&
        value?.[log.whoId] !== target.parent &&
        value?.[log.after] === one[log.before],
    )
    return [lostUpdate(one, item, log, before?.value?.[log.who])]
  })
}

/** A change of ours, ended or on its way. */
type Made = Pick<HistoryItem, 'entry' | 'receipt' | 'unguarded'>

/** Returns the record read just before our change was written, at least the written fields. */
const seenBy = ({ entry, unguarded }: Made): JsonObject => unguarded?.seen ?? entry.base ?? {}

/** True if a row of the log records this change of ours. The service may have completed what was sent. */
function isMadeBy(facts: Facts, made: Made, row: JsonObject, log: LogFields): boolean {
  const { entry, receipt, unguarded } = made
  const path = pathOf(row, log)
  const field = path[0]!
  const sent = unguarded?.sent ?? entry.patch
  const { objectType, rules } = facts.of(entry.collection)
  if (entry.kind !== 'change' || entry.recordId !== row[log.id] || objectType !== row[log.type]) return false
  if (!(field in sent) || (!unguarded && receipt?.combined.includes(field))) return false
  if (says(valueAt(sent, path), row[log.after])) return true
  const after = parsed(row[log.after])
  return (
    path.length === 1 &&
    typeof after === 'object' &&
    alreadyHolds(rules, seenBy(made), { [field]: after }, { [field]: sent[field] })
  )
}

const lostUpdate = (one: JsonObject, { entry }: Made, log: LogFields, who: Json | undefined): LostUpdate => ({
  id: String(one['id']),
  label: entry.label,
  field: String(one[log.field]),
  mine: textOf(one[log.after]),
  theirs: textOf(one[log.before]),
  ...(typeof who === 'string' && { who }),
})

const pathOf = (one: JsonObject, { field }: LogFields): string[] => String(one[field]).split('.')

const valueAt = (value: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((around, name) => (isJsonObject(around) ? around[name] : undefined), value)

const textOf = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** True if a log's text is about this value. */
function says(value: Json | undefined, text: Json | undefined): boolean {
  if (textOf(value) === textOf(text)) return true
  return typeof value === 'object' && value !== null && sameJson(parsed(text), value)
}

function parsed(text: Json | undefined): Json | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
