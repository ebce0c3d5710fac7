import { parseRecordKey, recordKey, type Collection } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import { sameJson } from '#shared/json'
import type { Cursor } from '#shared/ipc/cursor'
import type { RemoteRecord } from '#shared/mutation/entry'
import { applyRecords, type ApplyDeps } from '../replica/apply'
import { readStored } from '../replica/read-stored'
import { historyKept } from '../replica/store'
import { recognize } from './arrivals'
import type { Engine } from './engine'
import { chosenTargets, isChosen } from './download-targets'
import { bookedWithin, type LostUpdate, type LostUpdates } from './lost-update'
import type { Target } from './target'

/** Number of IDs per read. */
const atOnce = 1_000

const day = 86_400_000
/** Period of a log's first read, and age at which its entries are deleted, in milliseconds. */
const firstRead = 7 * day
export const logKept = 30 * day

/**
 * Cursor of a log's first read: not the beginning, but before the changes sent from here, which may have replaced others
 * before the log was read.
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
  lost: LostUpdates,
  records: readonly RemoteRecord[],
): Promise<{ news: number; unstored: readonly RemoteRecord[]; lostUpdates: LostUpdate[] }> {
  const { target, log } = lost
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
  return { news: news.length, unstored, lostUpdates: await lost.on(records, news) }
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
