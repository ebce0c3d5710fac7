import Dexie, { type Table } from 'dexie'
import { FaultError } from '#shared/fault'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { storageFault } from '#shared/storage-words'
import type { HistoryItem } from './api'
import {
  schemaVersion,
  tableNames,
  writeKey,
  type Store,
  type StoredRow,
  type TableName,
  type Tables,
  type Write,
} from './store'

/** Above every character that an id holds: ends a range of keys with one prefix. */
const last = '\uffff'
const newerVersion = 'The database was written by a newer version of Flightplan'

class Database extends Dexie {
  constructor(name: string, options: ConstructorParameters<typeof Dexie>[1]) {
    // Relaxed: not every commit waits for the disk. What is unsent stands in the journal, and the rest can be fetched again.
    super(name, { chromeTransactionDurability: 'relaxed', ...options })
    // Released versions are added below, never edited.
    this.version(schemaVersion).stores({
      rows: 'key, at, series',
      outbox: 'id',
      history: 'id',
      cursors: 'key',
      undo: 'id',
      notices: 'id',
      meta: 'key',
      unreadable: 'id',
    })
  }
}

type Transaction = (mode: 'rw', tables: string[], scope: () => Promise<void>) => PromiseLike<void>

/** The store in IndexedDB, one database for each account. A closed connection is opened again once, then it is a fault. */
export class DexieStore implements Store {
  private database: Database
  private readonly lost: (() => void)[] = []
  private closing = false

  constructor(
    readonly name: string,
    private readonly options: ConstructorParameters<typeof Dexie>[1] = {},
  ) {
    this.database = new Database(name, options)
  }

  async open(): Promise<void> {
    this.closing = false
    const database = new Database(this.name, { ...this.options, autoOpen: false })
    // Without listening, Dexie would close for a newer version in another window and say nothing.
    database.on('close', () => {
      if (!this.closing && this.database === database) for (const listener of this.lost) listener()
    })
    try {
      await this.refuseNewer()
      await database.open()
    } catch (error) {
      throw databaseFault(error)
    }
    this.database = database
  }

  /** Dexie would open a newer database and bend it to this version's shape; what it holds is not ours to guess. */
  private async refuseNewer(): Promise<void> {
    const found = (await indexedDB.databases()).find((database) => database.name === this.name)
    // Dexie multiplies its version numbers by ten.
    if (!found?.version || Math.floor(found.version / 10) <= schemaVersion) return
    throw new FaultError({ code: 'storage', message: newerVersion, reason: 'VersionError' })
  }

  write(batch: readonly Write[]): Promise<void> {
    const last = new Map<string, Write>()
    for (const write of batch) last.set(`${write.table} ${writeKey(write)}`, write)
    const puts = new Map<TableName, unknown[]>()
    const removes = new Map<TableName, string[]>()
    for (const write of last.values()) {
      if ('remove' in write) list(removes, write.table).push(write.remove)
      else list(puts, write.table).push(write.put)
    }
    const names = tableNames.filter((name) => puts.has(name) || removes.has(name))
    if (names.length === 0) return Promise.resolve()
    return this.attempt(async (database) => {
      // Dexie's own type of this method is deeper than the compiler follows.
      const transaction = database.transaction.bind(database) as unknown as Transaction
      await transaction('rw', names, async () => {
        for (const name of names) {
          const table: Table<unknown, string> = database.table(name)
          await table.bulkDelete(removes.get(name) ?? [])
          await table.bulkPut(puts.get(name) ?? [])
        }
      })
    })
  }

  all(table: TableName): Promise<unknown[]> {
    return this.attempt((database) => database.table(table).toArray())
  }

  get<N extends TableName>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]> {
    return this.attempt((database) => (database.table(table) as Table<Tables[N], string>).bulkGet([...keys]))
  }

  smallRows(): Promise<StoredRow[]> {
    return this.attempt(async (database) => {
      const below = await this.rows(database).where('key').below('events\n').toArray()
      return below.concat(await this.rows(database).where('key').above(`events\n${last}`).toArray())
    })
  }

  seriesRows(): Promise<StoredRow[]> {
    return this.attempt((database) => this.rows(database).where('series').equals(1).toArray())
  }

  eventsAt(from: number, to: number): Promise<StoredRow[]> {
    return this.attempt((database) => this.rows(database).where('at').between(from, to).toArray())
  }

  eventsAfter(after: string, limit: number): Promise<StoredRow[]> {
    const lower = after > 'events\n' ? after : 'events\n'
    return this.attempt((database) =>
      this.rows(database).where('key').between(lower, `events\n${last}`, false).limit(limit).toArray(),
    )
  }

  rowKeys(collection: CollectionName, parent: string | null): Promise<string[]> {
    const prefix = recordKey(collection, parent, '')
    return this.attempt(
      (database) =>
        this.rows(database)
          .where('key')
          .between(prefix, prefix + last)
          .primaryKeys() as Promise<string[]>,
    )
  }

  history(limit: number): Promise<HistoryItem[]> {
    return this.attempt((database) => database.table('history').orderBy('id').reverse().limit(limit).toArray())
  }

  onLost(listener: () => void): void {
    this.lost.push(listener)
  }

  async close(): Promise<void> {
    this.closing = true
    this.database.close()
  }

  async destroy(): Promise<void> {
    this.closing = true
    this.database.close()
    try {
      await Dexie.delete(this.name)
    } catch (error) {
      throw databaseFault(error)
    }
  }

  private rows(database: Database): Table<StoredRow, string> {
    return database.table('rows')
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

function list<V>(map: Map<TableName, V[]>, name: TableName): V[] {
  let found = map.get(name)
  if (!found) map.set(name, (found = []))
  return found
}

const errorName = (error: unknown): string => {
  const outer = error as { name?: string; inner?: { name?: string } } | null
  return outer?.inner?.name ?? outer?.name ?? ''
}

/** Errors after which nothing was written and a new connection may help. */
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
  return storageFault(error, 'Nothing was changed.')
}
