import { FaultError } from '#shared/fault'
import type { CollectionName } from '#shared/domain/collections'
import type { HistoryItem } from './api'
import { Blocks } from './blocks/blocks'
import type { Disk, Reader } from './blocks/disk'
import { newestLayouts, type Layouts } from './blocks/layouts'
import { usualLimits, type BlockLimits } from './blocks/plan'
import type { LiveBlock } from './blocks/shelf'
import {
  tableNames,
  writeKey,
  type Moved,
  type PlainTable,
  type RawWrite,
  type ShelfName,
  type Store,
  type StoredRow,
  type TableName,
  type Tables,
  type WindowPart,
  type Write,
} from './store'

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
  beforeWrite: ((batch: readonly RawWrite[]) => void | Promise<void>) | null = null
  readonly layouts: Layouts
  private readonly blocks: Blocks

  constructor(
    private readonly kept: MemoryDisk = memoryDisk(),
    { layouts = newestLayouts, limits = usualLimits }: { layouts?: Layouts; limits?: BlockLimits } = {},
  ) {
    this.layouts = layouts
    this.blocks = new Blocks(this.disk, layouts, limits)
  }

  async open(): Promise<void> {
    await Promise.resolve()
    this.epoch = ++this.kept.epoch
  }

  write(batch: readonly Write[]): Promise<void> {
    return this.blocks.write(batch)
  }

  async all(table: TableName): Promise<unknown[]> {
    return this.sorted(table)
  }

  async get<N extends PlainTable>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]> {
    if (table === 'rows') return this.blocks.get(keys) as Promise<(Tables[N] | undefined)[]>
    await this.ready()
    return this.reader.get(table, keys)
  }

  wholeRows(): Promise<StoredRow[]> {
    return this.blocks.wholeRows()
  }

  neededRows(): Promise<StoredRow[]> {
    return this.blocks.neededRows()
  }

  windowAt(from: number, to: number): Promise<WindowPart> {
    return this.blocks.windowAt(from, to)
  }

  shelfNames(): Promise<ShelfName[]> {
    return this.blocks.shelfNames()
  }

  blocksOf(shelf: ShelfName): Promise<readonly LiveBlock[]> {
    return this.blocks.blocksOf(shelf)
  }

  looseRows(after: string, limit: number): Promise<StoredRow[]> {
    return this.blocks.looseRows(after, limit)
  }

  fold(): Promise<boolean> {
    return this.blocks.fold()
  }

  rowKeys(collection: CollectionName, parent: string | null): Promise<string[]> {
    return this.blocks.rowKeys(collection, parent)
  }

  async history(limit: number): Promise<HistoryItem[]> {
    return (await this.sorted('history')).reverse().slice(0, limit)
  }

  onMoved(listener: (moved: Moved) => void): void {
    this.blocks.onMoved(listener)
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
    return [...map.keys()].filter((key) => key > lower && key < upper).sort()
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

  /** A store that was closed, or whose disk a later one has opened, writes nothing any more. */
  private check(): void {
    if (this.epoch !== this.kept.epoch) throw new FaultError({ code: 'storage', message: 'The database is closed' })
  }
}
