import { factsOf } from '#shared/facts/facts'
import { FaultError } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { safeParse } from '#shared/safe-parse'
import { idSource } from '#shared/mutation/ids'
import { behaviors } from '../behaviors'
import { eventBehind, eventKeys, itemsBetween } from '../behaviors/calendar-items'
import type { Replica, SyncStatus, Topic } from '../replica/api'
import { layoutsFor } from '../replica/blocks/layouts'
import { Commits } from '../replica/commits'
import { systemEnvironment, type Environment } from '../replica/environment'
import { applyMeta, applySaved, takeState } from '../replica/follow/apply-saved'
import { Connection, ownerGone } from '../replica/follow/connection'
import { FollowingReplica } from '../replica/follow/following-replica'
import { meeting, type FromOwner } from '../replica/follow/messages'
import { ownerStore } from '../replica/follow/owner-store'
import { meetingLine, systemPeers, type Peers } from '../replica/follow/peers'
import { fillWindow, loadState, loadVisible } from '../replica/load'
import type { Loop } from '../replica/local-replica'
import { Memory } from '../replica/memory'
import { Tx } from '../replica/tx'
import { renamePrefix } from '../replica/undo-steps'
import { Downloads, type Looks, type Reader } from './downloads'
import { Pace } from './pace'

/** State of the owner's loop. */
export interface Live {
  status: SyncStatus
  /** State of reading, by service. */
  looks: readonly Looks[]
}

export interface FollowOptions {
  account: Account
  bridge: Bridge
  environment?: Environment
  peers?: Peers
}

type Message = FromOwner<Live>

/** A connection to the owner, and memory that follows it. */
interface Following {
  connection: Connection
  memory: Memory
  downloads: Downloads
  live: Live
  /** Resolves when the owner ends, so that memory is out of date. */
  ended: Promise<void>
}

/** Maximum time for the owner's window to open the account, in milliseconds. */
const patience = 30_000
/** Milliseconds until another try to follow. */
const retryPause = 1_000

/**
 * Opens the replica of an account in another window than its owner's. It follows the owner, and again after that was loaded
 * again.
 * @throws FaultError `storage` if no window owns the account
 */
export async function openFollowing(options: FollowOptions): Promise<Replica> {
  const { account, bridge, environment = systemEnvironment, peers = systemPeers } = options
  const facts = factsOf(account.versions)
  const layouts = layoutsFor(facts)
  const listeners = new Set<(topics: ReadonlySet<Topic>) => void>()
  const changed = (topics: ReadonlySet<Topic>): void => listeners.forEach((listener) => listener(topics))
  const ids = idSource(environment.now, environment.random, '')
  const everything = new Set<Topic>([
    ...facts.all.map(({ name }) => name),
    ...(['outbox', 'history', 'deleted', 'status', 'notices', 'undo', 'downloads'] as const),
  ])
  let closed = false
  let now: Following

  const meet = peers.line(meetingLine(account.id))
  let greet = (): void => undefined
  meet.listen((message) => {
    const read = safeParse(meeting, message)
    if (read.success && read.data.kind === 'here') greet()
  })

  /** Ends the latest connection, which the owner then forgets. */
  let leave = (): void => undefined
  /** Follows an owner, as soon as there is one. @throws FaultError if the owner ends first, or its database can't be read */
  const follow = (): Promise<Following> =>
    connect().catch((error: unknown) => {
      leave()
      throw error
    })

  async function connect(): Promise<Following> {
    const name = `${meetingLine(account.id)}:${crypto.randomUUID()}`
    const release = await peers.hold(name)
    const line = peers.line(name)
    const connection = new Connection(line)
    const memory = new Memory(behaviors, layouts, facts)
    const early: Message[] = []
    let take = (message: Message): void => void early.push(message)
    let isOver = false
    let tellEnded = (): void => undefined
    const ended = new Promise<void>((resolve) => (tellEnded = resolve))
    const end = (): void => {
      isOver = true
      connection.close()
      release()
      tellEnded()
    }
    leave = end
    const welcome = await new Promise<Message & { kind: 'welcome' }>((resolve) => {
      line.listen((data) => {
        // Sent by this app's own code in a window of the same origin.
        const message = data as Message
        if (message.kind === 'welcome') resolve(message)
        else if (message.kind === 'bye') end()
        else take(message)
        connection.take(message)
      })
      greet = () => meet.send({ kind: 'hello', name })
      greet()
    })
    greet = () => undefined
    void peers.released(welcome.owner).then(end)
    const store = ownerStore(() => connection, layouts)
    takeState(memory, welcome.state)
    const state = await loadState(store, memory, environment.now())
    const tx = new Tx(memory)
    for (const [key, value] of state.meta) if (key.startsWith(renamePrefix)) applyMeta(tx, key, value as never)
    await loadVisible(store, memory, state.entries, environment.now())
    const commits = new Commits(memory, store, bridge, changed)
    const pace = new Pace(memory, environment.elapsed)
    const shared = { account, bridge, memory, commits, store, ids, environment, pace, spend: () => undefined }
    const { live } = welcome
    const reader: Reader = {
      recordsOf: (key) => made.live.looks.find(({ current }) => current?.key === key)?.current?.records,
      faultOf: (key) => made.live.looks.flatMap(({ unread }) => unread).find(([one]) => one === key)?.[1],
      chosen: () => undefined,
    }
    const readers = new Map(facts.all.map(({ service }) => [service, reader]))
    const made: Following = { connection, memory, live, downloads: new Downloads(shared, readers), ended }
    take = (message) => {
      const topics = apply(made, message)
      if (topics.size > 0) changed(topics)
    }
    for (const message of early) apply(made, message)
    void fillWindow(store, memory, environment, changed, () => isOver).catch(() => undefined)
    return made
  }

  async function keepFollowing(): Promise<void> {
    while (!closed) {
      await now.ended
      if (closed) return
      try {
        now = await follow()
        changed(everything)
      } catch {
        await new Promise<void>((resolve) => void environment.setTimer(resolve, retryPause))
      }
    }
  }

  const late = new Promise<never>((_resolve, reject) => {
    environment.setTimer(() => reject(new FaultError(ownerGone)), patience)
  })
  try {
    now = await Promise.race([follow(), late])
  } catch (error) {
    leave()
    meet.close()
    throw error
  }
  void keepFollowing()
  const replica = new FollowingReplica(
    {
      ...{ account, bridge, ids, environment, listeners, offline: false },
      store: ownerStore(() => now.connection, layouts),
      get memory() {
        return now.memory
      },
      // Only the owner writes.
      commits: new Commits(
        now.memory,
        ownerStore(() => now.connection, layouts),
        bridge,
        changed,
      ),
      writing: () => false,
      items: { between: itemsBetween, behind: eventBehind, keys: eventKeys },
      loopOf: () => loopOf(() => now),
    },
    () => now.connection,
  )
  replica.onClose(() => {
    closed = true
    leave()
    meet.close()
  })
  return replica
}

/** Takes a message of the owner into memory. @returns what changed */
function apply(following: Following, message: Message): ReadonlySet<Topic> {
  switch (message.kind) {
    case 'saved':
      for (const saved of message.saved) applySaved(following.memory, saved)
      return new Set(message.saved.flatMap(({ topics }) => topics))
    case 'moved':
      following.memory.follow(message.moved)
      return new Set()
    case 'live':
      following.live = message.live
      return new Set(message.topics)
    default:
      return new Set()
  }
}

/** The owner's loop, as far as its state is known here. */
const loopOf = (now: () => Following): Loop => ({
  get status() {
    return now().live.status
  },
  get downloads() {
    return now().downloads
  },
  syncNow: () => undefined,
  sendNow: () => undefined,
  checkSync: () => undefined,
  cancelCheck: () => undefined,
  stop: () => Promise.resolve(),
  edited: () => undefined,
  resume: () => undefined,
  notified: () => undefined,
  setOffline: () => undefined,
  setPaused: () => undefined,
})
