import { factsOf } from '#shared/facts/facts'
import { FaultError } from '#shared/fault'
import { sameJson } from '#shared/json'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import type { JournalState } from '#shared/ipc/sync-questions'
import { idSource } from '#shared/mutation/ids'
import type { UnknownEntry } from '#shared/mutation/unknown'
import { systemEnvironment, type Environment } from '../replica/environment'
import { takeWriterLock, type WriterLock } from '../replica/writer-lock'
import { ask } from '../bridge'
import type { HistoryItem, Replica, SyncPhase, Topic } from '../replica/api'
import { behaviors } from '../behaviors'
import { eventBehind, eventKeys, itemsBetween } from '../behaviors/calendar-items'
import { layoutsFor } from '../replica/blocks/layouts'
import { dueWrite } from '../replica/checks-due'
import { Commits } from '../replica/commits'
import { choicesOf, downloadOf, downloadsMeta } from '../replica/downloads'
import { DexieStore } from '../replica/dexie-store'
import { interruptedEditMeta, interruptedEditAlert } from '../replica/interrupted-edit'
import { fillWindow, foldInIdleTime, loadState, loadVisible, type LoadedState } from '../replica/load'
import { serveFollowers } from '../replica/follow/owner'
import { systemPeers, type Peers } from '../replica/follow/peers'
import { Memory } from '../replica/memory'
import {
  damagedLinesNotice,
  lossNotice,
  lossOf,
  reconcile,
  unknownNotice,
  unknownNoticeId,
  unreadableNotice,
  type Loss,
  type Reconciled,
} from '../replica/recover'
import { rename } from '../replica/pending'
import { LocalReplica } from '../replica/local-replica'
import { SyncLoop } from './loop'
import type { Live } from './open-following'
import { alertsFor } from './sync-alerts'
import { historyKept, type Store, type Write } from '../replica/store'

export interface OpenOptions {
  account: Account
  bridge: Bridge
  store?: Store
  /** Clock, randomness, and timers. Default: the system's. */
  environment?: Environment
  locks?: LockManager
  /** Other windows of the account. Default: those of the page, if any. */
  peers?: Peers
}

/** Phases in which the store has enough to do. */
const working: ReadonlySet<SyncPhase> = new Set<SyncPhase>(['firstSync', 'pulling', 'pushing'])

/**
 * Opens the replica of an account: reads what the first frame needs, reconciles outbox and journal, and starts to sync.
 * Fetches a database again that's lost, damaged, or from a newer version, and restores unsent changes from the journal.
 * @throws FaultError `storage` if neither works
 */
export async function openReplica(options: OpenOptions): Promise<Replica> {
  const { account } = options
  const environment = options.environment ?? systemEnvironment
  const locks = options.locks ?? (typeof navigator === 'undefined' || options.store ? undefined : navigator.locks)
  const lock = await takeWriterLock(account.id, locks)
  try {
    return await openLocked(options, environment, lock)
  } catch (error) {
    // Otherwise, the next try would count as a second window, which only reads.
    lock.release()
    throw error
  }
}

async function openLocked(
  { account, bridge, ...options }: OpenOptions,
  environment: Environment,
  lock: WriterLock,
): Promise<Replica> {
  const facts = factsOf(account.versions)
  const store = options.store ?? new DexieStore(databaseOf(account.id), { layouts: layoutsFor(facts) })
  // Main answers while the database opens. Its result is used below.
  const opening = store.open()
  opening.catch(() => undefined)
  const [journal, info] = await Promise.all([ask(bridge, 'journal/open', {}), ask(bridge, 'app/info', {})])
  const memory = new Memory(behaviors, store.layouts, facts)
  const { state, loss, aside } = await openStore(
    { account, bridge, store, memory, journal, now: environment.now() },
    opening,
  )
  const listeners = new Set<(topics: ReadonlySet<Topic>) => void>()
  const changed = (topics: ReadonlySet<Topic>): void => listeners.forEach((listener) => listener(topics))
  store.onMoved((moved) => memory.follow(moved))
  const commits = new Commits(memory, store, bridge, changed)
  const [names, newest] = await Promise.all([
    bringIntoStep({ account, bridge, store, memory, journal, now: environment.now() }, { state, loss, aside }),
    store.history(1),
  ])
  const renamed = commits.run('sync', (tx) => names.forEach(({ key, to }) => rename(tx, key, to, memory.undo.lastId)))
  await renamed.saved
  const chosen = choicesOf(memory.downloads.values())
  if (lock.held && !sameJson(chosen, [...account.downloads]))
    // If this fails, the next choice stores the downloads.
    void bridge.ask('account/downloads', { accountId: account.id, downloads: chosen })
  if (!account.opened) await ask(bridge, 'account/opened', { accountId: account.id })
  const ids = idSource(environment.now, environment.random, lastId(newest, memory))
  const parts = { account, bridge, store, memory, commits, ids, environment, writing: () => lock.held }
  let loop!: SyncLoop
  const replica = new LocalReplica({
    ...parts,
    listeners,
    offline: info.offline,
    items: { between: itemsBetween, behind: eventBehind, keys: eventKeys },
    loopOf: ({ changed, alert }) =>
      (loop = new SyncLoop(parts, {
        changed,
        pulled: (target, pulled) => alert(alertsFor(memory, target, pulled, environment.now())),
      })),
  })
  follow(replica, store, lock, environment)
  loop.setPaused(state.meta.get('paused') === true)
  let stopped = false
  replica.onClose(() => (stopped = true))
  const filled = fillWindow(store, memory, environment, changed, () => stopped).catch(() => undefined)
  void filled.then(() => {
    if (stopped || !lock.held) return
    void loop.downloads.finish()
    replica.onClose(foldInIdleTime(store, environment, () => working.has(replica.status.phase)))
  })
  const peers = options.peers ?? (typeof navigator === 'undefined' || options.store ? undefined : systemPeers)
  if (lock.held && peers) {
    const live = (): Live => ({ status: loop.status, looks: loop.looks })
    const serving = serveFollowers({ replica, memory, commits, store, environment, peers, live })
    replica.onClose(() => void serving.then((end) => end()))
  }
  if (lock.held) loop.start()
  return replica
}

/**
 * Deletes the replica of a removed account. It can't contain unsent changes, because main refuses to remove such an
 * account.
 */
export async function deleteReplica(accountId: string): Promise<void> {
  await new DexieStore(databaseOf(accountId)).destroy()
}

const databaseOf = (accountId: string): string => `flightplan-${accountId}`

interface Parts {
  account: Account
  bridge: Bridge
  store: Store
  memory: Memory
  journal: JournalState
  now: number
}

interface Opened {
  state: LoadedState
  loss: Loss
  /** Location of the damaged files. */
  aside: string | null
}

/** Opens and reads the store, and empties it if it can't be trusted. */
async function openStore(parts: Parts, opening: Promise<void>): Promise<Opened> {
  const read = await readStore(parts, opening)
  return { ...read, aside: read.loss === 'none' ? null : await emptyStore(parts) }
}

/** Returns the trustworthy part of the store. @throws FaultError `storage` if the disk is full */
async function readStore(
  { account, store, memory, journal, now }: Parts,
  opening: Promise<void>,
): Promise<Omit<Opened, 'aside'>> {
  try {
    await opening
    const state = await loadState(store, memory, now)
    const loss = lossOf(state.meta.get('epoch'), journal, account.opened)
    // Its rows and cursors can't be trusted, but unsent changes can. One that was lost while it was open may have some of both.
    return { state: loss === 'none' ? state : { ...state, meta: new Map() }, loss }
  } catch (error) {
    if (isFull(error)) throw error
    const isNewer = error instanceof FaultError && error.fault.reason === 'VersionError'
    const loss = isNewer ? 'newer' : account.opened && journal.fresh ? 'both' : 'damaged'
    return { state: { meta: new Map(), entries: [], unknown: [], unreadable: [] }, loss }
  }
}

const isFull = (error: unknown): boolean => error instanceof FaultError && error.fault.reason === 'QuotaExceededError'

/** Returns where the store's files are if they had to be moved aside. */
async function emptyStore({ bridge, store, memory }: Parts): Promise<string | null> {
  memory.cursors.clear()
  memory.pages.clear()
  memory.brought.clear()
  memory.leaving.clear()
  memory.removing = []
  memory.undo.clear()
  memory.notices.clear()
  memory.deleted.clear()
  memory.checks.clear()
  memory.checksDue.clear()
  try {
    await store.destroy()
    await store.open()
    return null
  } catch (error) {
    if (isFull(error)) throw error
    const { path } = await ask(bridge, 'databases/set-aside', {})
    if (path === null) throw error
    await store.open()
    return path
  }
}

/** Returns the names that an older database doesn't know yet. */
async function bringIntoStep(
  { account, bridge, store, memory, journal, now }: Parts,
  { state, loss, aside }: Opened,
): Promise<Reconciled['names']> {
  const strange = unknownEntries(account.id, journal, state)
  // An entry that one side can't read isn't sent in the other side's older form.
  const isKnown = (entry: { id: string }): boolean => !strange.has(entry.id)
  const stored = state.entries.filter(isKnown)
  const noted = { open: journal.open.filter(isKnown), ended: journal.ended }
  const known = new Set(stored.map((entry) => entry.id))
  const missing = noted.open.some((entry) => entry.accountId === account.id && !known.has(entry.id))
  const history = missing ? await store.history(historyKept) : []
  const inHistory = new Set(history.map((item) => item.entry.id))
  const step = reconcile(memory.facts, account.id, stored, noted, inHistory)
  const { entries, restored, dropped, journal: lines } = step
  memory.outbox.setUnknown([...strange.values()])
  // Downloads must be read again, not chosen again.
  if (loss !== 'none' && memory.downloads.size === 0)
    for (const download of account.downloads.map(downloadOf)) memory.downloads.set(download.key, download)
  // A long queue isn't rewritten at every start. An emptied store has none of it.
  const there = new Set(loss === 'none' ? stored : [])
  await loadVisible(store, memory, entries, now)
  // A database that was emptied is no older copy.
  for (const { id, kind, collection } of loss === 'none' ? entries : [])
    if (kind === 'create' && memory.facts.of(collection).ids === 'service') memory.carriedOver.add(id)
  const writes: Write[] = [
    ...(state.meta.get('epoch') === journal.epoch
      ? []
      : [{ table: 'meta', put: { key: 'epoch', value: journal.epoch } } as const]),
    ...entries.filter((entry) => !there.has(entry)).map((entry): Write => ({ table: 'outbox', put: entry })),
    ...dropped.map((id): Write => ({ table: 'outbox', remove: id })),
    ...state.unknown.map(({ item }): Write => ({ table: 'unreadable', put: item })),
    ...memory.undo.rewritten(state.meta),
    // Downloads stay chosen, though all data must be read again.
    ...(state.meta.has(downloadsMeta) || memory.downloads.size === 0
      ? []
      : [{ table: 'meta', put: { key: downloadsMeta, value: choicesOf(memory.downloads.values()) } } as const]),
    ...(strange.size === 0 && memory.notices.delete(unknownNoticeId)
      ? [{ table: 'notices', remove: unknownNoticeId } as const]
      : []),
  ]
  // One side lost data. If it's the database, its records may be older than it claims.
  if (loss === 'none' && (restored.length > 0 || dropped.length > 0)) {
    for (const key of memory.cursors.keys()) {
      memory.checksDue.set(key, 0)
      writes.push(dueWrite(key, 0))
    }
  }
  const half = interruptedEditAlert(state.meta, memory.undo, now)
  if (state.meta.has(interruptedEditMeta)) writes.push({ table: 'meta', remove: interruptedEditMeta })
  const notices = [
    ...(half ? [half] : []),
    ...(loss !== 'none' ? [lossNotice(loss, entries.length, now, aside)] : []),
    ...(journal.damaged > 0 ? [damagedLinesNotice(journal.damaged, journal.damagedFile, now)] : []),
    ...(strange.size > 0 ? [unknownNotice(strange.size, now)] : []),
    ...(state.unreadable.length > 0 ? [unreadableNotice(state.unreadable, now)] : []),
  ]
  for (const notice of notices) {
    memory.notices.set(notice.id, notice)
    writes.push({ table: 'notices', put: notice })
  }
  await store.write(writes)
  if (lines.length > 0) await ask(bridge, 'journal/append', { records: lines })
  return loss === 'none' ? step.names : []
}

/** Changes of an account that need a newer version, from the store and the journal. */
function unknownEntries(accountId: string, journal: JournalState, state: LoadedState): Map<string, UnknownEntry> {
  const noted = journal.unknown.filter((about) => (about.accountId ?? accountId) === accountId)
  return new Map([...state.unknown.map(({ about }) => about), ...noted].map((about) => [about.id, about]))
}

/** The newest local ID, because entries, undo steps, and history sort by theirs. */
function lastId(history: readonly HistoryItem[], memory: Memory): string {
  const all = [memory.outbox.lastId ?? '', ...memory.undo.keys(), ...history.map((item) => item.id)]
  return all.reduce((last, id) => (id > last ? id : last), '')
}

/** Reopens a connection that the system closed. A second window takes over when the first one closes. */
function follow(replica: LocalReplica, store: Store, lock: WriterLock, environment: Environment): void {
  store.onLost(() => {
    environment.setTimer(() => void store.open().catch(() => undefined), 0)
  })
  // What is only in memory, such as cursors, no longer fits the database.
  store.onEmptied(reload)
  replica.onClose(() => lock.release())
  if (lock.held) return
  void lock.granted.then(() => {
    // The other window's writes aren't in this one's memory.
    reload()
  })
}

function reload(): void {
  if (typeof location !== 'undefined') location.reload()
}
