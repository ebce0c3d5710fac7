import { FaultError } from '#shared/fault'
import type { HistoryItem } from './api'
import { BlockStore } from './block-store'
import { Blocks } from './blocks/blocks'
import type { Disk, Reader } from './blocks/disk'
import { newestLayouts, type Layouts } from './blocks/layouts'
import { usualLimits, type BlockLimits } from './blocks/plan'
import { tableNames, writeKey, type PlainTable, type RawWrite, type TableName, type Tables } from './store'

type Data = { [N in TableName]: Map<string, Tables[N]> }

const empty = (): Data => Object.fromEntries(tableNames.map((name) => [name, new Map()])) as unknown as Data

/** Data of a `MemoryStore` that survives its crash. */
export interface MemoryDisk {
  data: Data
  epoch: number
}
export const memoryDisk = (): MemoryDisk => ({ data: empty(), epoch: 0 })

/** In-memory store for rehearsals, simulations, and tests. Behaves like the real one, with a disk that outlives it. */
export class MemoryStore extends BlockStore {
  private epoch = -1
  private readonly listeners: (() => void)[] = []
  /** Set by tests: the next writes fail with this. */
  failing: Error | null = null
  /** Set by tests: called before a batch becomes durable; may throw. */
  beforeWrite: ((batch: readonly RawWrite[]) => void | Promise<void>) | null = null
  readonly layouts: Layouts
  protected readonly blocks: Blocks

  constructor(
    private readonly kept: MemoryDisk = memoryDisk(),
    { layouts = newestLayouts, limits = usualLimits }: { layouts?: Layouts; limits?: BlockLimits } = {},
  ) {
    super()
    this.layouts = layouts
    this.blocks = new Blocks(this.disk, layouts, limits)
  }

  async open(): Promise<void> {
    await Promise.resolve()
    this.epoch = ++this.kept.epoch
  }

  async all(table: TableName): Promise<unknown[]> {
    return this.sorted(table)
  }

  protected async getPlain<N extends PlainTable>(
    table: N,
    keys: readonly string[],
  ): Promise<(Tables[N] | undefined)[]> {
    await this.ready()
    return this.reader.get(table, keys)
  }

  async history(limit: number): Promise<HistoryItem[]> {
    return (await this.sorted('history')).reverse().slice(0, limit)
  }

  onLost(listener: () => void): void {
    this.listeners.push(listener)
  }

  onEmptied(): void {
    // The disk outlives the store. Only its owner empties it.
  }

  /** The system closes the store under us: everything fails until it is opened again. */
  lose(): void {
    this.epoch = -1
    for (const listener of this.listeners) listener()
  }

  async close(): Promise<void> {
    this.epoch = -1
    this.blocks.forget()
  }

  async destroy(): Promise<void> {
    this.kept.data = empty()
    this.blocks.forget()
  }

  private readonly reader: Reader = {
    get: async (table, keys) => keys.map((key) => this.kept.data[table].get(key)),
    range: async (table, lower, upper, limit) => this.between(table, lower, upper).slice(0, limit),
    keys: async (table, lower, upper) => this.keysBetween(table, lower, upper),
    rowsAt: async (from, to) =>
      this.between('rows', '', '\uffff').filter(({ at }) => at !== undefined && at >= from && at < to),
    rowsNeeded: async () => this.between('rows', '', '\uffff').filter(({ series }) => series === 1),
    headsAt: async (first, last) =>
      this.between('heads', '', '\uffff').filter(({ place }) => place >= first && place <= last),
  }

  private readonly disk: Disk = {
    read: async (_tables, work) => {
      await this.ready()
      return work(this.reader)
    },
    change: async (_tables, work) => {
      await this.ready()
      await this.disk.write(await work(this.reader))
    },
    write: async (batch) => {
      this.check()
      await this.beforeWrite?.(batch)
      await Promise.resolve()
      this.check()
      if (this.failing)
        throw new FaultError({ code: 'storage', message: this.failing.message }, { cause: this.failing })
      for (const write of batch) {
        const table = this.kept.data[write.table] as Map<string, unknown>
        if ('remove' in write) table.delete(write.remove)
        else table.set(writeKey(write), write.put)
      }
    },
  }

  private keysBetween(table: TableName, lower: string, upper: string): string[] {
    const map = this.kept.data[table] as Map<string, unknown>
    const keys: string[] = []
    for (const key of map.keys()) if (key > lower && key < upper) keys.push(key)
    return keys.sort()
  }

  private between<N extends TableName>(table: N, lower: string, upper: string): Tables[N][] {
    return this.keysBetween(table, lower, upper).map((key) => this.kept.data[table].get(key)!)
  }

  private async sorted<N extends TableName>(table: N): Promise<Tables[N][]> {
    await this.ready()
    const map = this.kept.data[table] as Map<string, Tables[N]>
    return [...map.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
  }

  private async ready(): Promise<void> {
    await Promise.resolve()
    this.check()
  }

  /** Rejects writes of a closed store, or of one whose disk a later store opened. */
  private check(): void {
    if (this.epoch !== this.kept.epoch) throw new FaultError({ code: 'storage', message: 'The database is closed' })
  }
}
