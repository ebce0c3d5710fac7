import Dexie, { type Table } from 'dexie'
import { FaultError } from '#shared/fault'
import { storageFault } from '#shared/storage-words'
import type { HistoryItem } from './api'
import { BlockStore } from './block-store'
import { Blocks } from './blocks/blocks'
import type { Disk, Reader } from './blocks/disk'
import { newestLayouts, type Layouts } from './blocks/layouts'
import { usualLimits, type BlockLimits } from './blocks/plan'
import { schemaVersion, tableNames, type PlainTable, type RawWrite, type TableName, type Tables } from './store'

const newerVersion = 'The database was written by a newer version of Flightplan'

class Database extends Dexie {
  constructor(name: string, options: ConstructorParameters<typeof Dexie>[1]) {
    // Relaxed: commits don't wait for the disk. The journal has pending changes, and everything else can be read again.
    super(name, { chromeTransactionDurability: 'relaxed', ...options })
    // Released versions are added below, never edited.
    this.version(1).stores({
      rows: 'key, at, series',
      outbox: 'id',
      history: 'id',
      cursors: 'key',
      undo: 'id',
      notices: 'id',
      meta: 'key',
      unreadable: 'id',
    })
    this.version(schemaVersion).stores({ heads: 'key, place', bodies: 'key', dead: 'key' })
  }
}

type Transaction = <T>(mode: 'r' | 'rw', tables: readonly string[], scope: () => PromiseLike<T>) => PromiseLike<T>

export interface DexieStoreOptions {
  indexedDb?: ConstructorParameters<typeof Dexie>[1]
  layouts?: Layouts
  limits?: BlockLimits
}

/** The store in IndexedDB, one database per account. Reopens a closed connection once before reporting a fault. */
export class DexieStore extends BlockStore {
  private database: Database
  private readonly lost: (() => void)[] = []
  private readonly emptied: (() => void)[] = []
  private closing = false
  /** True if the database was opened before. One that is created later was emptied. */
  private isKnown = false
  readonly layouts: Layouts
  protected readonly blocks: Blocks
  private readonly indexedDb: ConstructorParameters<typeof Dexie>[1]

  constructor(
    readonly name: string,
    { indexedDb = {}, layouts = newestLayouts, limits = usualLimits }: DexieStoreOptions = {},
  ) {
    super()
    this.indexedDb = indexedDb
    this.database = new Database(name, indexedDb)
    this.layouts = layouts
    this.blocks = new Blocks(this.disk, layouts, limits)
  }

  async open(): Promise<void> {
    this.closing = false
    const database = new Database(this.name, { ...this.indexedDb, autoOpen: false })
    // Without a listener, Dexie would silently close for a newer version in another window.
    database.on('close', () => {
      if (!this.closing && this.database === database) for (const listener of this.lost) listener()
    })
    // Dexie may reopen it, too, so this can happen at any time.
    database.on('populate', () => {
      if (this.isKnown) for (const listener of this.emptied) listener()
    })
    try {
      await this.refuseNewer()
      await database.open()
    } catch (error) {
      throw databaseFault(error)
    }
    this.database = database
    this.isKnown = true
  }

  /** Rejects a newer database, which Dexie would convert to this version's schema. */
  private async refuseNewer(): Promise<void> {
    const found = (await indexedDB.databases()).find((database) => database.name === this.name)
    // Dexie multiplies its version numbers by ten.
    if (!found?.version || Math.floor(found.version / 10) <= schemaVersion) return
    throw new FaultError({ code: 'storage', message: newerVersion, reason: 'VersionError' })
  }

  all(table: TableName): Promise<unknown[]> {
    return this.attempt((database) => database.table(table).toArray())
  }

  protected getPlain<N extends PlainTable>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]> {
    return this.attempt((database) => readerOf(database).get(table, keys))
  }

  history(limit: number): Promise<HistoryItem[]> {
    return this.attempt((database) => database.table('history').orderBy('id').reverse().limit(limit).toArray())
  }

  onLost(listener: () => void): void {
    this.lost.push(listener)
  }

  onEmptied(listener: () => void): void {
    this.emptied.push(listener)
  }

  async close(): Promise<void> {
    this.closing = true
    this.database.close()
    this.blocks.forget()
  }

  async destroy(): Promise<void> {
    this.closing = true
    this.isKnown = false
    this.database.close()
    this.blocks.forget()
    try {
      await deleteDatabase(this.name)
    } catch (error) {
      throw databaseFault(error)
    }
  }

  private readonly disk: Disk = {
    read: (tables, work) =>
      this.attempt((database) => inTransaction(database, 'r', tables, () => work(readerOf(database)))),
    change: (tables, work) =>
      this.attempt((database) =>
        inTransaction(database, 'rw', tables, async () => writeAll(database, await work(readerOf(database)))),
      ),
    write: (batch) =>
      this.attempt(async (database) => {
        const names = new Set(batch.map(({ table }) => table))
        if (names.size > 0) await inTransaction(database, 'rw', [...names], () => writeAll(database, batch))
      }),
  }

  private async attempt<T>(work: (database: Database) => PromiseLike<T>): Promise<T> {
    try {
      return await work(this.database)
    } catch (error) {
      if (this.closing || !connectionLost(error)) throw databaseFault(error)
    }
    this.database.close()
    await this.open()
    try {
      return await work(this.database)
    } catch (error) {
      throw databaseFault(error)
    }
  }
}

/** Waits for connections that are still closing, about which Dexie would warn. */
function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(name)
    deleting.onsuccess = () => resolve()
    deleting.onerror = () => reject(deleting.error!)
  })
}

function inTransaction<T>(
  database: Database,
  mode: 'r' | 'rw',
  tables: readonly TableName[],
  work: () => PromiseLike<T>,
): PromiseLike<T> {
  // Dexie's own type of this method is deeper than the compiler follows.
  return (database.transaction.bind(database) as unknown as Transaction)(mode, tables, work)
}

async function writeAll(database: Database, batch: readonly RawWrite[]): Promise<void> {
  for (const name of tableNames) {
    const own = batch.filter((write) => write.table === name)
    if (own.length === 0) continue
    const table: Table<unknown, string> = database.table(name)
    await table.bulkDelete(own.flatMap((write) => ('remove' in write ? write.remove : [])))
    await table.bulkPut(own.flatMap((write) => ('put' in write ? [write.put as unknown] : [])))
  }
}

function readerOf(database: Database): Reader {
  const table = <N extends TableName>(name: N): Table<Tables[N], string> => database.table(name)
  return {
    get: (name, keys) => table(name).bulkGet([...keys]),
    range: (name, lower, upper, limit) => {
      const found = table(name).where(':id').between(lower, upper, false)
      return limit === undefined ? found.toArray() : found.limit(limit).toArray()
    },
    keys: (name, lower, upper) => table(name).where(':id').between(lower, upper, false).primaryKeys(),
    rowsAt: (from, to) => table('rows').where('at').between(from, to).toArray(),
    rowsNeeded: () => table('rows').where('series').equals(1).toArray(),
    headsAt: (first, last) => table('heads').where('place').between(first, last, true, true).toArray(),
  }
}

const errorName = (error: unknown): string => {
  const outer = error as { name?: string; inner?: { name?: string } } | null
  return outer?.inner?.name ?? outer?.name ?? ''
}

/** True for errors after which nothing was written and a new connection may help. */
function connectionLost(error: unknown): boolean {
  return ['InvalidStateError', 'DatabaseClosedError', 'DatabaseClosed', 'AbortError', 'UnknownError'].includes(
    errorName(error),
  )
}

function databaseFault(error: unknown): FaultError {
  if (error instanceof FaultError) return error
  const reason = errorName(error)
  if (reason === 'VersionError')
    return new FaultError({ code: 'storage', message: newerVersion, reason }, { cause: error })
  return storageFault(error, 'Nothing changed.')
}
