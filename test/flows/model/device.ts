import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { KeptDownload } from '#shared/ipc/account-questions'
import type { Answer, Bridge, CheckedArguments, RequestArguments, RequestName } from '#shared/ipc/contract'
import type { Budget, EndedEntry, JournalRecord, JournalState } from '#shared/ipc/sync-questions'
import { faultOf } from '#shared/fault'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Client } from '../../../src-main/services/client'
import { syncHandlers, type SyncHandlers } from '../../../src-main/app/sync-handlers'
import type { Replica } from '../../../src-renderer/replica/api'
import { memoryDisk, MemoryStore } from '../../../src-renderer/replica/memory-store'
import type { StoredRow } from '../../../src-renderer/replica/store'
import { openReplica } from '../../../src-renderer/sync/open'
import { someAccount } from '../../helpers/account'
import type { VirtualClock } from './clock'
import type { Sight } from './ledger'
import type { ModelService } from './service'

/** Main's journal, which outlives the renderer. */
export class ModelJournal {
  epoch = 'epoch-1'
  lines: JournalRecord[] = []
  opened = false
  failing = false

  state(): JournalState {
    const open = new Map<string, OutboxEntry>()
    const ended = new Map<string, EndedEntry>()
    for (const line of this.lines) {
      if (line.kind === 'entry') {
        open.set(line.entry.id, line.entry)
        ended.delete(line.entry.id)
      } else {
        open.delete(line.entryId)
        ended.set(line.entryId, { id: line.entryId, made: line.made })
      }
    }
    const fresh = !this.opened
    this.opened = true
    return { epoch: this.epoch, fresh, open: [...open.values()], ended: [...ended.values()], unknown: [], damaged: 0 }
  }
}

/** Small limits, so that a few records fill a block, and a few changes trigger compaction. */
const smallBlocks = { minRows: 1, loose: 1, rows: 4 }

const account = someAccount({ id: 'a', email: 'me@example.com', label: 'Me' })

/** A bug between window and main, to verify that the auditor finds it. */
export interface PlantedBug {
  /** Replaces a request to main. The client isn't recorded. */
  asks?(name: RequestName, args: never, client: Client): unknown
  /** Replaces main's response. */
  answers?(name: RequestName, value: unknown): unknown
}

/** One computer: a disk, a journal, and a window that may crash at any time, with main's real sync engine. */
export class Device {
  readonly disk = memoryDisk()
  readonly journal = new ModelJournal()
  store!: MemoryStore
  replica!: Replica
  offline = false
  /** True if its replica was created here before. */
  opened = false
  /** The downloads that main knows. */
  noted: readonly KeptDownload[] = []
  /** Quotas reported by main. With null, no sync check starts on its own. */
  budgets: Budget[] | null = null
  /** Target keys of its latest watch request. */
  watching: string[] = []
  private life = 0
  /** Called before main responds. May throw, or never return, as in a crash. */
  beforeAnswer: ((name: RequestName) => void | Promise<void>) | null = null

  /** Called with each entry about to be sent. */
  sends: ((entry: OutboxEntry) => void) | null = null
  /** What an entry's author had seen. */
  sightOf: (entry: OutboxEntry) => Sight = () => ({ until: Infinity })

  constructor(
    readonly name: string,
    readonly service: ModelService,
    readonly clock: VirtualClock,
    private readonly random: () => number,
    /** How far its wall clock is ahead, in milliseconds. Can be set at any time. */
    public skew = 0,
    private readonly bug: PlantedBug = {},
  ) {}

  async start(): Promise<Replica> {
    const life = ++this.life
    const alive = (): boolean => this.life === life
    this.store = new MemoryStore(this.disk, { limits: smallBlocks })
    this.replica = await openReplica({
      account: { ...account, opened: this.opened, downloads: this.noted },
      bridge: this.bridge(alive),
      store: this.store,
      environment: this.clock.environment(this.random, alive, () => this.skew),
    })
    return this.replica
  }

  /** The rows of a collection and parent on disk, in blocks or outside. */
  async stored(collection: CollectionName, parent: string): Promise<StoredRow[]> {
    const keys = await this.store.rowKeys(collection, parent)
    const rows = await this.store.get('rows', keys)
    // A sync may remove some between the two.
    const now = rows.every(Boolean) ? [] : await this.store.rowKeys(collection, parent)
    return rows.flatMap((row, index) => {
      if (!row && now.includes(keys[index]!)) throw new Error(`The store names ${keys[index]} and does not have it`)
      return row ? [row] : []
    })
  }

  /** Crashes the window between two instructions, with its timers, memory, and partial work. */
  crash(): void {
    this.life++
    this.disk.epoch++
  }

  /** Advances time until this device has nothing left to send on its own. */
  quiesce(): Promise<void> {
    return quiesce([this])
  }

  /** True if it has sent everything it can on its own and nothing is running. */
  get isQuiet(): boolean {
    const { unsent, needsYou, phase } = this.replica.status
    return unsent === needsYou && (phase === 'idle' || phase === 'waiting')
  }

  private bridge(alive: () => boolean): Bridge {
    const client = this.service.client(this.name)
    const unnoticed = this.service.client()
    const pulling = syncHandlers({ clientOf: () => client, now: () => this.clock.time })
    const writingFor = (sight: () => Sight): SyncHandlers => {
      const client = this.service.client(this.name, sight)
      return syncHandlers({ clientOf: () => client, now: () => this.clock.time })
    }
    const looking = writingFor(() => ({ until: -1 }))
    const answer = async (name: RequestName, args: never): Promise<unknown> => {
      switch (name) {
        case 'account/opened':
          this.opened = true
          return null
        case 'account/downloads':
          this.noted = (args as { downloads: KeptDownload[] }).downloads
          return null
        case 'app/info':
          return { offline: this.offline, timeZone: 'UTC' }
        case 'network/offline':
          this.offline = (args as { offline: boolean }).offline
          return { offline: this.offline }
        case 'journal/open':
          return structuredClone(this.journal.state())
        case 'journal/append':
          if (this.journal.failing) throw new Error('The disk is full')
          this.journal.lines.push(
            ...(JSON.parse(JSON.stringify((args as { records: JournalRecord[] }).records)) as JournalRecord[]),
          )
          return null
        case 'sync/watch': {
          const { targets } = args as RequestArguments<'sync/watch'>
          this.watching = targets.map(({ collection, parent }) => recordKey(collection, parent, ''))
          return { watched: [] }
        }
        case 'sync/pull':
          return pulling[name](args)
        case 'sync/push': {
          const { entry } = args as CheckedArguments<'sync/push'>
          this.sends?.(entry)
          return writingFor(() => this.sightOf(entry))[name](args)
        }
        case 'sync/read':
        case 'sync/read-many':
          return looking[name](args)
        case 'sync/budget':
          if (this.budgets) return { budgets: this.budgets }
          throw new Error('Nothing is known of quotas')
        default:
          throw new Error(`The model has no ${name}`)
      }
    }
    return {
      ask: (async (name: RequestName, args: never): Promise<Answer<unknown>> => {
        const never = new Promise<never>(() => undefined)
        if (!alive()) return never
        try {
          await this.beforeAnswer?.(name)
          if (!alive()) return await never
          const { bug } = this
          const asked = (bug.asks ? await bug.asks(name, args, unnoticed) : args) as never
          const said = await answer(name, asked)
          const value = bug.answers ? bug.answers(name, said) : said
          return alive() ? { ok: true, value } : await never
        } catch (error) {
          return alive() ? { ok: false, fault: faultOf(error) } : never
        }
      }) as Bridge['ask'],
      on: () => () => undefined,
    }
  }
}

/** Advances time until none of the devices has anything left to send on its own, then syncs each again. */
export async function quiesce(devices: readonly Device[]): Promise<void> {
  const syncAll = async (ms: number): Promise<void> => {
    for (const { replica } of devices) replica.syncNow()
    await devices[0]!.clock.pass(ms)
  }
  for (const { replica } of devices) {
    replica.pause(false)
    if (replica.status.offline) await replica.setOffline(false)
  }
  for (let round = 0; round < 12; round++) {
    await syncAll(round < 3 ? 2_000 : 70_000)
    if (devices.every(({ isQuiet }) => isQuiet)) break
  }
  await syncAll(1_000)
}
