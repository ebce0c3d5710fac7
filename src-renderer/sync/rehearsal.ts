import { isLocalId, recordKey } from '#shared/domain/collections'
import { partsOf } from '#shared/facts/ids'
import { refusalNumbers } from '#shared/facts/refusal-numbers'
import { FaultError, type Fault } from '#shared/fault'
import type { Bridge, RequestArguments, RequestName } from '#shared/ipc/contract'
import { idSource } from '#shared/mutation/ids'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import { behaviors } from '../behaviors'
import { ask } from '../bridge'
import type { Rehearsal, Replica, Row, Work } from '../replica/api'
import { Commits } from '../replica/commits'
import { systemEnvironment, type Environment } from '../replica/environment'
import { Memory } from '../replica/memory'
import { MemoryStore } from '../replica/memory-store'
import { post } from '../replica/post'
import type { Engine } from './engine'
import { Pace } from './pace'
import { sendEntry } from './push'
import { pick } from './queue'
import { heldBy, rehearsedKeys, rehearsedRecord } from './rehearsal-records'

/** Records in one message to the sandbox. */
const chunk = 500

const missing: Fault = { code: 'notFound', message: 'This refers to a record that isn’t on this computer.' }

/**
 * Posts drafts, and those that they depend on, to a sandbox with what this computer knows of the service, by the same path as
 * real posts, from a queue in memory. Nothing changes, and the account's service isn't called.
 * @throws FaultError, or the signal's reason
 */
export async function rehearse(
  replica: Replica,
  bridge: Bridge,
  entryIds: readonly string[],
  { signal, onprogress }: Work = {},
  environment: Environment = systemEnvironment,
): Promise<Rehearsal> {
  const entries = sentWith(replica, new Set(entryIds))
  if (entries.length === 0) return { left: new Map(), untried: new Set() }
  const sandboxes = new Map<string, string>()
  try {
    const rows = new Map<string, Row>()
    for (const [profile, own] of byProfile(replica, entries)) {
      const outermost = replica.facts.of(own[0]!.collection).parents[0]!.collection
      const { value } = replica.peek(recordKey(outermost, null, profile)) ?? {}
      if (!value) throw new FaultError({ code: 'notFound', message: 'The user profile isn’t on this computer.' })
      const { id } = await ask(bridge, 'rehearsal/begin', { accountId: replica.account.id, profile: value })
      sandboxes.set(profile, id)
      const keys = [...(await rehearsedKeys(replica, profile, own, signal))]
      for (let at = 0; at < keys.length; at += chunk) {
        signal?.throwIfAborted()
        const read = await replica.readAll(keys.slice(at, at + chunk))
        for (const [key, row] of read) rows.set(key, row)
        const records = [...read.values()].flatMap(
          (row) => rehearsedRecord(replica.facts.of(row.collection), row) ?? [],
        )
        if (records.length > 0) await ask(bridge, 'rehearsal/load', { id, records })
      }
    }
    return await postAll({ replica, bridge, environment, sandboxes, rows, entries, entryIds }, { signal, onprogress })
  } finally {
    for (const id of sandboxes.values()) void bridge.ask('rehearsal/end', { id })
  }
}

/** Entries that would be sent to the drafts' profiles if these were posted: them, what they depend on, and what was posted before. */
function sentWith(replica: Replica, wanted: ReadonlySet<string>): OutboxEntry[] {
  const { facts } = replica
  const all = new Map(replica.outbox().map((entry) => [entry.id, entry]))
  const placeOf = (entry: OutboxEntry): string => {
    const { service, parents } = facts.of(entry.collection)
    return `${service} ${profileOf(parents.length, entry)}`
  }
  const places = new Set([...wanted].flatMap((id) => all.get(id) ?? []).map(placeOf))
  const needed = new Set(wanted)
  for (const id of needed) for (const other of all.get(id)?.dependsOn ?? []) needed.add(other)
  return [...all.values()].filter((entry) => places.has(placeOf(entry)) && (!entry.held || needed.has(entry.id)))
}

/** Entries by the profile in whose account they are. */
function byProfile({ facts }: Replica, entries: readonly OutboxEntry[]): Map<string, OutboxEntry[]> {
  const found = new Map<string, OutboxEntry[]>()
  for (const entry of entries) {
    const profile = profileOf(facts.of(entry.collection).parents.length, entry)
    const known = found.get(profile)
    if (known) known.push(entry)
    else found.set(profile, [entry])
  }
  return found
}
const profileOf = (parents: number, { parent }: Pick<OutboxEntry, 'parent'>): string =>
  partsOf(parent ?? '', parents)[0]!

interface Prepared {
  replica: Replica
  bridge: Bridge
  environment: Environment
  /** IDs of rehearsals by profile. */
  sandboxes: ReadonlyMap<string, string>
  /** Records that this computer has, by key. */
  rows: ReadonlyMap<string, Row>
  entries: readonly OutboxEntry[]
  entryIds: readonly string[]
}

async function postAll(prepared: Prepared, { signal, onprogress }: Work): Promise<Rehearsal> {
  const { replica, environment, rows, entries, entryIds } = prepared
  const { service } = replica.facts.of(entries[0]!.collection)
  const engine = await openEngine(prepared)
  const { memory, commits, waits } = engine
  const { outbox } = memory
  await commits.run('sync', (tx) => {
    for (const entry of entries) {
      const row = rows.get(ownKey(entry))
      if (row?.base && !memory.stored.has(row.key)) tx.putRow({ ...row, base: row.base })
      const isKnown = isHeldHere(replica, rows, entry)
      const waiting = entry.state === 'sending' ? { ...entry, state: 'waiting' as const } : entry
      tx.putEntry(isKnown ? waiting : { ...waiting, state: 'needsYou', fault: missing })
    }
  }).saved
  await commits.run('edit', (tx) => post(tx, entryIds)).saved
  const of = outbox.list().filter(({ held, state }) => !held && state === 'waiting').length
  /** Names of new records by the IDs that they got in the sandbox. */
  const names = new Map<string, string>()
  let last = ''
  for (let done = 0; ; done++) {
    signal?.throwIfAborted()
    onprogress?.(Math.min(done, of), of)
    const [entry] = pick(outbox, service, waits, environment.elapsed()).ready
    if (!entry) break
    const outcome = await sendEntry(engine, entry.id, () => false)
    if (entry.kind === 'create' && outcome?.kind === 'confirmed') noteName(replica, entry, outcome, names)
    if (outcome?.kind === 'retry' || outcome?.kind === 'frozen') throw new FaultError(outcome.fault)
    if (outcome === undefined && last === entry.id)
      throw new FaultError({ code: 'mistake', message: 'A change couldn’t be simulated.' })
    last = entry.id
  }
  const left = new Map(outbox.list().map((entry) => [entry.id, named(entry, names)]))
  return { left, untried: untriedIn(left) }
}

function noteName(
  { facts }: Replica,
  { collection, patch }: OutboxEntry,
  { records }: Extract<Outcome, { kind: 'confirmed' }>,
  names: Map<string, string>,
): void {
  const name = patch[facts.of(collection).title ?? '']
  const made = records.find((record) => record.collection === collection)
  if (made && typeof name === 'string') names.set(made.id, name)
}

/** An entry whose fault names new records instead of IDs that only the sandbox knows. */
function named(entry: OutboxEntry, names: ReadonlyMap<string, string>): OutboxEntry {
  const { fault } = entry
  if (!fault) return entry
  const message = fault.message.replace(/\d{6,}/g, (id) => (names.has(id) ? `“${names.get(id)}”` : id))
  return { ...entry, fault: { ...fault, message } }
}

/** True if what holds an entry's record is on this computer, so that rules about both can be tried. */
function isHeldHere({ facts }: Replica, rows: ReadonlyMap<string, Row>, entry: OutboxEntry): boolean {
  const kind = facts.of(entry.collection)
  const profile = profileOf(kind.parents.length, entry)
  return heldBy(kind, entry).every(([by, id]) => isLocalId(id) || rows.has(recordKey(by, profile, id)))
}

/** IDs of entries that the sandbox rejected for want of a record, and of those that wait for them. */
function untriedIn(left: ReadonlyMap<string, OutboxEntry>): Set<string> {
  const untried = new Set([...left.values()].filter(({ fault }) => isUnknown(fault)).map(({ id }) => id))
  for (let before = -1; before !== untried.size;) {
    before = untried.size
    for (const { id, dependsOn } of left.values()) if (dependsOn.some((one) => untried.has(one))) untried.add(id)
  }
  return untried
}

/** True for a rejection because a record doesn't exist: the service may have it. */
const isUnknown = (fault: Fault | undefined): boolean =>
  fault !== undefined && (fault.message === missing.message || fault.message.startsWith(String(refusalNumbers.unknown)))

/** An engine whose queue is in memory, and which sends to the sandboxes. */
async function openEngine({ replica, bridge, environment, sandboxes }: Prepared): Promise<Engine> {
  const { account, facts } = replica
  const store = new MemoryStore()
  await store.open()
  const memory = new Memory(behaviors, store.layouts, facts)
  const answers: Partial<Record<RequestName, (args: never) => unknown>> = {
    'journal/append': () => ({ ok: true, value: null }),
    'sync/push': ({ entry, seen }: RequestArguments<'sync/push'>) => {
      const id = sandboxes.get(profileOf(facts.of(entry.collection).parents.length, entry))
      return bridge.ask('rehearsal/push', { id: id ?? '', entry, ...(seen && { seen }) })
    },
  }
  const inside = {
    ask: async (name: RequestName, args: never) =>
      answers[name]?.(args) ?? {
        ok: false,
        fault: { code: 'aborted', message: `${name} isn’t part of a simulation.` },
      },
    on: () => () => undefined,
  } as unknown as Bridge
  const commits = new Commits(memory, store, inside, () => undefined)
  return {
    ...{ account, bridge: inside, memory, commits, store, environment },
    ids: idSource(environment.now, environment.random, replica.outbox().at(-1)?.id),
    pace: new Pace(memory, environment.elapsed),
    spend: () => undefined,
    waits: new Map(),
    missed: new Map(),
    judge: () => undefined,
    mark: () => 0,
    since: () => 'unreadable',
    hurry: () => undefined,
    outdated: () => undefined,
  }
}
