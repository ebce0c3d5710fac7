import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import 'fake-indexeddb/auto'
import { faultOf } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { systemClock } from '#shared/time/clock'
import { NetworkSwitch } from '../../src-main/app/network'
import type { Fetch } from '../../src-main/http/send'
import { Journal } from '../../src-main/journal/journal'
import { createClient } from '../../src-main/services/client'
import { rehearsalHandlers } from '../../src-main/app/rehearsal-handlers'
import { Rehearsals, type RehearsalService } from '../../src-main/app/rehearsals'
import { syncHandlers } from '../../src-main/app/sync-handlers'
import type { SubscribedSync } from '../../src-main/subscriptions/subscribed-sync'
import type { Replica } from '../../src-renderer/replica/api'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import { systemEnvironment, type Environment } from '../../src-renderer/replica/environment'
import { memoryDisk, MemoryStore } from '../../src-renderer/replica/memory-store'
import { openReplica } from '../../src-renderer/sync/open'
import { openFollowing } from '../../src-renderer/sync/open-following'
import type { Store } from '../../src-renderer/replica/store'
import { someAccount } from './account'
import { localPeers } from './local-peers'
import { outer } from './ring'

export interface Device {
  readonly replica: Replica
  network: NetworkSwitch
  /** Resolves when the replica's status passes the test. @throws Error after `timeout` milliseconds */
  until(what: string, test: (replica: Replica) => boolean, timeout?: number): Promise<void>
  /** Resolves when one change needs attention. @throws Error as soon as all are sent without a question */
  asks(): Promise<void>
  /** Resolves when everything possible is sent and pulled. */
  settled(): Promise<void>
  /** The page's side of the bridge. */
  readonly bridge: Bridge
  /** Folder of the data of rehearsals. */
  readonly rehearsals: string
  /** Crashes and reopens from disk. `wiped` clears IndexedDB. */
  restart(options?: { wiped?: boolean }): Promise<void>
  /** Opens the account in another window. @param latency milliseconds that each message between windows takes from now on */
  openWindow(latency?: number): Promise<Replica>
  /** Number of ends of lines between windows that are open. */
  readonly openLines: number
  /** Ends the window that was opened last, as a crash does. */
  crashWindow(): void
  /** Ends the window that owns the account, as a crash does, and reopens it. */
  crash(): Promise<void>
  close(): Promise<void>
}

export interface DeviceOptions {
  baseUrl: () => string
  token: () => string
  /** The journal's folder; defaults to a new one. */
  folder?: string
  store?: () => Store
  fetch?: Fetch
  /** Creates the sandbox of a rehearsal. */
  rehearsalService?: (dataDir: string) => RehearsalService
  /** Calendars that no service knows. */
  subscribed?: SubscribedSync
  /** Properties that differ from the default account. */
  account?: Partial<Account>
}

/** A device connected to a service. */
export const deviceOf = (
  service: { sandbox: { baseUrl: string; token: string } } & Pick<DeviceOptions, 'rehearsalService'>,
  options: Omit<DeviceOptions, 'baseUrl' | 'token'> = {},
): Promise<Device> =>
  openDevice({
    ...(service.rehearsalService && { rehearsalService: service.rehearsalService }),
    ...options,
    baseUrl: () => service.sandbox.baseUrl,
    token: () => service.sandbox.token,
  })

/** How much faster a device's timers run than real time: retry delays take a twentieth. */
const pace = 20
const hurriedEnvironment: Environment = {
  ...systemEnvironment,
  elapsed: () => systemEnvironment.elapsed() * pace,
  setTimer: (work, ms) => systemEnvironment.setTimer(work, ms / pace),
}

let devices = 0

/**
 * Opens stores on one new disk. The usual ring uses a memory store instead of IndexedDB: `store.conformance.ts` checks both
 * for the same behavior, and fake-indexeddb takes five times as long.
 */
function newDisk(): () => Store {
  const name = `device-${++devices}`
  const disk = memoryDisk()
  return () => (outer ? new DexieStore(name) : new MemoryStore(disk))
}

/** One computer with the real engine on both sides of the bridge. Only Electron's IPC is missing. */
export async function openDevice(options: DeviceOptions): Promise<Device> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'flightplan-device-')))
  const account = someAccount({ opened: false, ...options.account })
  const network = new NetworkSwitch()
  const client = createClient({
    baseUrl: options.baseUrl,
    token: options.token,
    versions: account.versions,
    fetch: network.guard(options.fetch ?? fetch),
    now: systemClock.now,
  })
  let newStore = options.store ?? newDisk()
  let journal = await Journal.open(join(folder, 'outbox.journal'))
  let openedHere = false
  let noted: Account['downloads'] = []
  const rehearsals = new Rehearsals({
    folder: join(folder, 'rehearsals'),
    service: (dataDir) => {
      if (!options.rehearsalService) throw new Error('This device can’t rehearse')
      return options.rehearsalService(dataDir)
    },
    versionsOf: () => account.versions,
    fetch,
    now: systemClock.now,
  })
  const peers = localPeers()
  let bridge!: Bridge
  let replica = await open()

  async function open(): Promise<Replica> {
    const opened = journal
    const answers: Record<string, (args: never) => unknown> = {
      'app/info': () => ({
        version: '0',
        electron: '',
        platform: 'test',
        timeZone: 'Europe/Berlin',
        userDataPath: folder,
        offline: network.offline,
      }),
      ...syncHandlers({
        clientOf: () => client,
        now: systemClock.now,
        ...(options.subscribed && { subscribed: options.subscribed }),
      }),
      ...rehearsalHandlers({ rehearsals }),
      'journal/open': () => opened.state(),
      'journal/append': ({ records }: never) => opened.append(records).then(() => null),
      'network/offline': ({ offline }: { offline: boolean }) => {
        network.set(offline)
        return { offline }
      },
      'app/unsent': () => null,
      'account/opened': () => {
        openedHere = true
        return null
      },
      'account/downloads': ({ downloads }: { downloads: Account['downloads'] }) => {
        noted = downloads
        return null
      },
    }
    bridge = {
      ask: async (name: string, args: unknown) => {
        try {
          // Serialized as text, as between processes.
          const value: unknown = await answers[name]!(structuredClone(args) as never)
          return { ok: true, value: structuredClone(value) }
        } catch (error) {
          return { ok: false, fault: faultOf(error) }
        }
      },
      on: () => () => undefined,
    } as Bridge
    return openReplica({
      account: { ...account, opened: openedHere, downloads: noted },
      bridge,
      store: newStore(),
      environment: hurriedEnvironment,
      peers,
    })
  }

  const until: Device['until'] = async (what, test, timeout = 120_000) => {
    const end = systemClock.elapsed() + timeout
    while (!test(replica)) {
      if (systemClock.elapsed() > end)
        throw new Error(
          `Never: ${what}. Status: ${JSON.stringify(replica.status)} Outbox: ${JSON.stringify(replica.outbox())}`,
        )
      await new Promise((done) => setTimeout(done, 10))
    }
  }
  return {
    get replica() {
      return replica
    },
    get bridge() {
      return bridge
    },
    get openLines() {
      return peers.open
    },
    rehearsals: join(folder, 'rehearsals'),
    network,
    until,
    asks: () =>
      until('a question', ({ status }) => {
        if (replica.outbox().length === 0) throw new Error('Everything was sent without a question')
        return status.needsYou === 1
      }),
    settled: async () => {
      const before = replica.status.lastPull
      replica.syncNow()
      await until(
        'idle after a pull',
        ({ status, outbox }) =>
          status.phase === 'idle' &&
          status.lastPull !== before &&
          outbox.call(replica).every(({ state }) => state === 'needsYou'),
      )
    },
    restart: async ({ wiped = false } = {}) => {
      await replica.close()
      await journal.close()
      if (wiped) newStore = newDisk()
      journal = await Journal.open(join(folder, 'outbox.journal'))
      replica = await open()
    },
    openWindow: (latency = 0) => {
      peers.latency = latency
      // How long it waits for its owner must not depend on this computer's speed.
      return openFollowing({ account, bridge, environment: systemEnvironment, peers })
    },
    crashWindow: () => peers.end('last'),
    crash: async () => {
      const crashed = replica
      peers.end('first')
      replica = await open()
      await crashed.close()
    },
    close: async () => {
      await replica.close()
      await rehearsals.close()
      await journal.close()
    },
  }
}
