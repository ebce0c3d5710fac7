import { FaultError } from '#shared/fault'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { HistoryItem } from './api'
import { tableNames, writeKey, type Store, type StoredRow, type TableName, type Tables, type Write } from './store'

type Data = { [N in TableName]: Map<string, Tables[N]> }

const empty = (): Data => Object.fromEntries(tableNames.map((name) => [name, new Map()])) as unknown as Data

/** What survives a crash of a `MemoryStore`. */
export interface MemoryDisk {
  data: Data
  epoch: number
}
export const memoryDisk = (): MemoryDisk => ({ data: empty(), epoch: 0 })

/** The store in memory, for simulations and tests: the same behaviour, with a disk that outlives it. */
export class MemoryStore implements Store {
  private epoch = -1
  private readonly listeners: (() => void)[] = []
  /** Set by tests: the next writes fail with this. */
  failing: Error | null = null
  /** Set by tests: called before a batch becomes durable; may throw. */
  beforeWrite: ((batch: readonly Write[]) => void | Promise<void>) | null = null

  constructor(private readonly disk: MemoryDisk = memoryDisk()) {}

  async open(): Promise<void> {
    await Promise.resolve()
    this.epoch = ++this.disk.epoch
  }

  async write(batch: readonly Write[]): Promise<void> {
    this.check()
    await this.beforeWrite?.(batch)
    await Promise.resolve()
    this.check()
    if (this.failing) throw new FaultError({ code: 'storage', message: this.failing.message }, { cause: this.failing })
    for (const write of batch) {
      const table = this.disk.data[write.table] as Map<string, unknown>
      if ('remove' in write) table.delete(write.remove)
      else table.set(writeKey(write), write.put)
    }
  }

  async all(table: TableName): Promise<unknown[]> {
    return this.sorted(table)
  }

  async get<N extends TableName>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]> {
    await this.ready()
    return keys.map((key) => this.disk.data[table].get(key))
  }

  async smallRows(): Promise<StoredRow[]> {
    return (await this.sorted('rows')).filter((row) => row.collection !== 'events')
  }

  async seriesRows(): Promise<StoredRow[]> {
    return (await this.sorted('rows')).filter((row) => row.series === 1)
  }

  async eventsAt(from: number, to: number): Promise<StoredRow[]> {
    return (await this.sorted('rows')).filter((row) => row.at !== undefined && row.at >= from && row.at < to)
  }

  async eventsAfter(after: string, limit: number): Promise<StoredRow[]> {
    return (await this.sorted('rows')).filter((row) => row.collection === 'events' && row.key > after).slice(0, limit)
  }

  async rowKeys(collection: CollectionName, parent: string | null): Promise<string[]> {
    const prefix = recordKey(collection, parent, '')
    return (await this.sorted('rows')).filter((row) => row.key.startsWith(prefix)).map((row) => row.key)
  }

  async history(limit: number): Promise<HistoryItem[]> {
    return (await this.sorted('history')).reverse().slice(0, limit)
  }

  onLost(listener: () => void): void {
    this.listeners.push(listener)
  }

  /** The system closes the store under us: everything fails until it is opened again. */
  lose(): void {
    this.epoch = -1
    for (const listener of this.listeners) listener()
  }

  async close(): Promise<void> {
    this.epoch = -1
  }

  async destroy(): Promise<void> {
    this.disk.data = empty()
  }

  private async sorted<N extends TableName>(table: N): Promise<Tables[N][]> {
    await this.ready()
    const map = this.disk.data[table] as Map<string, Tables[N]>
    return [...map.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
  }

  private async ready(): Promise<void> {
    await Promise.resolve()
    this.check()
  }

  /** A store that was closed, or whose disk a later one has opened, writes nothing any more. */
  private check(): void {
    if (this.epoch !== this.disk.epoch) throw new FaultError({ code: 'storage', message: 'The database is closed' })
  }
}
