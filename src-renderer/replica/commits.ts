import { FaultError, faultOf } from '#shared/fault'
import type { Bridge } from '#shared/ipc/contract'
import type { JournalRecord } from '#shared/ipc/sync-questions'
import type { Topic } from './api'
import type { Memory } from './memory'
import type { Store, Write } from './store'
import { Tx } from './tx'

/** `back` undoes an edit that was saved in part. It stays in memory even if the store rejects it. */
type Kind = 'edit' | 'sync' | 'back'

interface Waiting {
  tx: Tx
  kind: Kind
  work: (tx: Tx) => unknown
  /** True if the next change belongs to this one. */
  more: boolean
  resolve: () => void
  reject: (error: unknown) => void
}

/** Parts of a transaction that other windows repeat. */
type SavedChange = Pick<Tx, 'writes' | 'renames' | 'bodies' | 'remote' | 'topics'>

/** Topics that are read from the store, so their listeners are called after it is written. */
const fromStore: ReadonlySet<Topic> = new Set<Topic>(['history'])

/** Above this many writes, edits no longer share a transaction. */
const batchLimit = 400

/**
 * Makes changes durable, one after the other: the store first, then the journal. If either rejects an edit, rolls it
 * back together with everything built on it, in memory and on disk.
 */
export class Commits {
  private readonly queue: Waiting[] = []
  private running: Promise<void> | null = null
  /** Ends and renames of entries that the journal hasn't accepted yet. The store has them, but after a loss they might be repeated. */
  private backlog: JournalRecord[] = []
  /** Undo writes that the store rejected. They're written before anything else. */
  private owed: Write[] = []
  /** Topics of `owed`, for windows that read the store before these writes. */
  private readonly owedTopics = new Set<Topic>()
  /** Topics that changed in memory and weren't announced yet. */
  private unannounced = new Set<Topic>()
  closed = false
  /** Called with changes once they are saved, in their order. */
  onsaved: (saved: readonly SavedChange[]) => void = () => undefined

  constructor(
    private readonly memory: Memory,
    private readonly store: Store,
    private readonly bridge: Bridge,
    private readonly changed: (topics: ReadonlySet<Topic>) => void,
  ) {}

  /**
   * Runs a change. Memory has changed when this returns, and the promise resolves once it's saved. With `more`, the
   * next change follows at once, and both are written and announced together.
   * @throws errors of `work`, unchanged
   */
  run<T>(
    kind: Kind,
    work: (tx: Tx) => T,
    { more = false }: { more?: boolean } = {},
  ): { value: T; saved: Promise<void> } {
    if (this.closed)
      throw new FaultError({
        code: 'storage',
        message: 'Couldn’t save this, because this account’s data is closed. Restart Flightplan, then try again.',
      })
    const tx = new Tx(this.memory)
    let value: T
    try {
      value = kind === 'sync' ? this.memory.remotely(() => work(tx)) : work(tx)
    } catch (error) {
      tx.rollback()
      this.tidy()
      throw error
    }
    tx.remote = this.memory.remote.takeChanges()
    for (const topic of tx.topics) if (!fromStore.has(topic)) this.unannounced.add(topic)
    // Notify views once for changes that belong together.
    if (!more) this.tell()
    if (tx.writes.length === 0) {
      if (!more) this.endChain()
      this.tidy()
      return { value, saved: Promise.resolve() }
    }
    const saved = new Promise<void>((resolve, reject) => {
      this.queue.push({ tx, kind, work, more, resolve, reject })
    })
    saved.catch(() => undefined)
    if (!more) this.start()
    return { value, saved }
  }

  private tell(): void {
    if (this.unannounced.size === 0) return
    const topics = this.unannounced
    this.unannounced = new Set()
    this.changed(topics)
  }

  /** True if a queued change doesn't wait for its continuation. */
  private get ready(): boolean {
    return this.queue.some(({ more }) => !more)
  }

  /** Ends a chain whose continuation never came. */
  private endChain(): void {
    this.tell()
    const tail = this.queue.at(-1)
    if (!tail) return
    tail.more = false
    this.start()
  }

  /** Starts writing, also of changes that were queued while the last run was ending. */
  private start(): void {
    this.running ??= this.drain().finally(() => {
      this.running = null
      if (this.ready) this.start()
    })
  }

  /** True while changes are being written. */
  get isWriting(): boolean {
    return this.running !== null
  }

  /** Runs work when everything that changed in memory is saved, except changes that wait for their continuation. */
  async whenSaved<T>(work: () => T): Promise<T> {
    // Until then, another window would read from the store what memory has rolled back.
    if (this.owed.length > 0) this.start()
    while (this.running) await this.running
    return work()
  }

  /** Resolves when all pending writes have finished. */
  async settled(): Promise<void> {
    this.endChain()
    await this.whenSaved(() => undefined)
  }

  /** Removes earlier rollbacks from the store before anything else. */
  private async settle(): Promise<void> {
    while (this.owed.length > 0) {
      const { owed } = this
      await this.store.write(owed)
      const paid = new Set(owed)
      this.owed = this.owed.filter((write) => !paid.has(write))
      // Another window may have read what was rolled back.
      this.onsaved([{ writes: owed, renames: [], bodies: [], remote: [], topics: new Set(this.owedTopics) }])
    }
    this.owedTopics.clear()
  }

  private async drain(): Promise<void> {
    while (this.ready) {
      const batch = this.nextBatch()
      const edits = batch[0]!.kind === 'edit'
      const writes = batch.flatMap((waiting) => waiting.tx.writes)
      const lines = batch.flatMap((waiting) => waiting.tx.journal)
      try {
        await this.settle()
        await this.store.write(writes)
      } catch (error) {
        if (batch[0]!.kind !== 'back') {
          this.takeBack(batch, error)
          continue
        }
        this.owed = [...this.owed, ...writes]
      }
      try {
        await this.note(lines, edits)
      } catch (error) {
        await this.revertStore(batch)
        this.takeBack(batch, error)
        continue
      }
      this.onsaved(batch.map(({ tx }) => tx))
      const written = new Set<Topic>()
      for (const { tx } of batch) for (const topic of fromStore) if (tx.topics.has(topic)) written.add(topic)
      if (written.size > 0) this.changed(written)
      for (const waiting of batch) waiting.resolve()
    }
    // If it can't be removed from the store now, the next start restores it rather than losing it.
    await this.settle().catch(() => undefined)
    if (this.queue.length === 0) this.memory.letGo()
  }

  /** Evicts bodies from memory only when the store has all of them, so that a reader finds each row in one of the two. */
  private tidy(): void {
    if (!this.running && this.queue.length === 0) this.memory.letGo()
  }

  private nextBatch(): Waiting[] {
    const first = this.queue.shift()!
    const batch = [first]
    while (batch.at(-1)!.more && this.queue[0]?.kind === 'sync') batch.push(this.queue.shift()!)
    let size = first.tx.writes.length
    while (first.kind === 'edit' && this.queue[0]?.kind === 'edit' && size < batchLimit) {
      const next = this.queue.shift()!
      size += next.tx.writes.length
      batch.push(next)
    }
    return batch
  }

  /** True if the journal has everything that the store has. */
  get noted(): boolean {
    return this.backlog.length === 0
  }

  private async note(lines: JournalRecord[], edits: boolean): Promise<void> {
    const records = [...this.backlog, ...lines]
    if (records.length === 0) return
    const answer = await this.bridge.ask('journal/append', { records }).catch((error: unknown) => ({
      ok: false as const,
      fault: faultOf(error),
    }))
    if (answer.ok) {
      this.backlog = []
      return
    }
    if (edits) throw new FaultError({ ...answer.fault, code: 'storage' })
    this.backlog = records
  }

  private async revertStore(batch: readonly Waiting[]): Promise<void> {
    this.owed = [...this.owed, ...[...batch].reverse().flatMap(({ tx }) => tx.reverting())]
    for (const { tx } of batch) for (const topic of tx.topics) this.owedTopics.add(topic)
    await this.settle().catch(() => undefined)
  }

  private takeBack(batch: readonly Waiting[], error: unknown): void {
    const all = [...batch, ...this.queue.splice(0)]
    const topics = new Set<Topic>()
    for (const { tx } of [...all].reverse()) {
      tx.rollback()
      for (const topic of tx.topics) topics.add(topic)
    }
    const fault =
      error instanceof FaultError
        ? error
        : new FaultError({ code: 'storage', message: error instanceof Error ? error.message : String(error) })
    for (const waiting of all) if (waiting.kind !== 'back') waiting.reject(fault)
    this.changed(topics)
    for (const { kind, work, resolve } of all) if (kind === 'back') void this.run(kind, work).saved.then(resolve)
  }
}
