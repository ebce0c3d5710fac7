import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { KeptDownload } from '#shared/ipc/account-questions'
import type { Answer, Bridge, CheckedArguments, RequestArguments, RequestName } from '#shared/ipc/contract'
import type { Budget, JournalRecord, JournalState } from '#shared/ipc/sync-questions'
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

/** The journal as main keeps it: it outlives the renderer. */
export class ModelJournal {
  epoch = 'epoch-1'
  lines: JournalRecord[] = []
  opened = false
  failing = false

  state(): JournalState {
    const open = new Map<string, OutboxEntry>()
    const ended = new Set<string>()
    for (const line of this.lines) {
      if (line.kind === 'entry') {
        open.set(line.entry.id, line.entry)
        ended.delete(line.entry.id)
      } else {
        open.delete(line.entryId)
        ended.add(line.entryId)
      }
    }
    const fresh = !this.opened
    this.opened = true
    return { epoch: this.epoch, fresh, open: [...open.values()], ended: [...ended], unknown: [], damaged: 0 }
  }
}

/** So that a few records are worth a block, and a few changes worth folding. */
const smallBlocks = { minRows: 1, loose: 1, rows: 4 }

const account = someAccount({ id: 'a', email: 'me@example.com', label: 'Me' })

/** A mistake between window and main, to see that the auditor finds it. */
export interface PlantedBug {
  /** What main is asked instead; the client is one that nobody watches. */
  asks?(name: RequestName, args: never, client: Client): unknown
  /** What main answers instead. */
  answers?(name: RequestName, value: unknown): unknown
}

/** One computer: a disk, a journal, and a window that may die at any moment. The real sync engine of main in between. */
export class Device {
  readonly disk = memoryDisk()
  readonly journal = new ModelJournal()
  store!: MemoryStore
  replica!: Replica
  offline = false
  /** Its replica was made here before. */
  opened = false
  /** What main knows to be chosen. */
  noted: readonly KeptDownload[] = []
  /** What main says of quotas; null: nothing, so that no sync check begins by itself. */
  budgets: Budget[] | null = null
  /** Keys of the targets of which it last asked to be told. */
  watching: string[] = []
  private life = 0
  /** Called before main answers; may throw, or never return as in a crash. */
  beforeAnswer: ((name: RequestName) => void | Promise<void>) | null = null

  /** Called with each entry that is about to be sent. */
  sends: ((entry: OutboxEntry) => void) | null = null
  /** What the author of an entry had seen. */
  sightOf: (entry: OutboxEntry) => Sight = () => ({ until: Infinity })

  constructor(
    readonly name: string,
    readonly service: ModelService,
    readonly clock: VirtualClock,
    private readonly random: () => number,
    /** What its wall clock says too much, in milliseconds; it may be set at any time. */
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

  /** Rows of one collection and parent as the disk holds them, wherever they lie. */
  async stored(collection: CollectionName, parent: string): Promise<StoredRow[]> {
    const keys = await this.store.rowKeys(collection, parent)
    return (await this.store.get('rows', keys)).map((row, index) => {
      if (!row) throw new Error(`The store names ${keys[index]} and does not have it`)
      return row
    })
  }

  /** The window is gone between two instructions: timers, memory and half-done work with it. */
  crash(): void {
    this.life++
    this.disk.epoch++
  }

  /** Lets time pass until this device has nothing left to send by itself. */
  quiesce(): Promise<void> {
    return quiesce([this])
  }

  /** All that it can send by itself was sent, and nothing is under way. */
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
          this.journal.lines.push(...structuredClone((args as { records: JournalRecord[] }).records))
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

/** Lets time pass until none of these has anything left to send by itself, and lets each look once more. */
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
