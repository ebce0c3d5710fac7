import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sqlite, { type Database as SqliteDatabase, type JSValue, type Statement } from 'node-sqlite3-wasm'
import { isRunning, runningProcess } from '../processes/running-process'
import { schemaSql, tables } from './tables'

export type Value = JSValue

/**
 * The service's state in SQLite, with one writer in one process. Commits survive SIGKILL (write-ahead log). Prepares
 * each statement once. Without a folder, keeps everything in memory.
 */
export class Store {
  readonly #db: SqliteDatabase
  readonly #statements = new Map<string, Statement>()
  readonly #lock: string | undefined
  readonly #now: () => number
  #stamp = 0
  #savedStamp = 0
  #afterCommit = new Map<unknown, () => void>()
  #depth = 0
  #wrote = false
  /** Increases with each rollback, which invalidates rows cached in memory. */
  generation = 0

  /** @throws Error if another running process uses the folder */
  constructor(dataDir: string | undefined, now: () => number) {
    this.#now = now
    if (dataDir) {
      mkdirSync(dataDir, { recursive: true })
      this.#lock = holdFolder(dataDir)
    }
    this.#db = new sqlite.Database(dataDir ? join(dataDir, 'sandbox.sqlite') : ':memory:')
    // The log needs no shared memory while one connection holds the file, and this build of SQLite has none.
    this.#db.exec('PRAGMA locking_mode=EXCLUSIVE')
    this.#db.get('PRAGMA journal_mode=WAL')
    this.#db.exec('PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY')
    this.#db.exec(schemaSql)
    this.#stamp = this.#savedStamp = Number(this.meta('stamp') ?? 0)
  }

  get now(): number {
    return this.#now()
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#prepared(sql).all(values) as T[]
  }

  get<T>(sql: string, ...values: Value[]): T | undefined {
    return (this.#prepared(sql).get(values) as T | null) ?? undefined
  }

  /** @returns the number of changed rows */
  run(sql: string, ...values: Value[]): number {
    this.#wrote = true
    return this.#prepared(sql).run(values).changes
  }

  /** Inserts or replaces the row with the same primary key. */
  put(table: string, row: Record<string, Value>): void {
    this.#wrote = true
    const names = Object.keys(row)
    const sql = `INSERT OR REPLACE INTO ${table} (${names.join(',')}) VALUES (${names.map(() => '?').join(',')})`
    this.#prepared(sql).run(Object.values(row))
  }

  meta(key: string): string | undefined {
    return this.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value
  }

  setMeta(key: string, value: string): void {
    this.put('meta', { key, value })
  }

  /** A secret, created once per database. */
  secret(key: string): string {
    const known = this.meta(key)
    if (known) return known
    const made = randomBytes(24).toString('base64url')
    this.setMeta(key, made)
    return made
  }

  /**
   * A version stamp: the clock in microseconds, but always above all earlier stamps. Orders changes for sync tokens, and is the
   * source of etags.
   */
  stamp(): number {
    this.#stamp = Math.max(this.#now() * 1000, this.#stamp + 1)
    return this.#stamp
  }

  /** Commits everything or nothing. Nested calls join the outer transaction. Rolls back if `work` throws. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#db.exec('BEGIN IMMEDIATE')
    this.#wrote = false
    this.#depth++
    let result: T
    try {
      result = work()
      if (this.#stamp !== this.#savedStamp) this.setMeta('stamp', String(this.#stamp))
      this.#db.exec('COMMIT')
      this.#savedStamp = this.#stamp
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      if (this.#wrote) this.generation++
      this.#afterCommit.clear()
      throw error
    } finally {
      this.#depth--
    }
    const tasks = [...this.#afterCommit.values()]
    this.#afterCommit.clear()
    for (const task of tasks) task()
    return result
  }

  /** Runs a task once per key after the current transaction commits, and never if it's rolled back. */
  afterCommit(task: () => void, key: unknown = task): void {
    if (this.#depth === 0) task()
    else if (!this.#afterCommit.has(key)) this.#afterCommit.set(key, task)
  }

  /** Empties all tables, except for secrets and tokens. */
  wipe(): void {
    this.generation++
    for (const table of tables) if (table !== 'meta') this.#db.exec(`DELETE FROM ${table}`)
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize()
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
    if (this.#lock) {
      rmSync(this.#lock, { force: true })
      heldHere.delete(this.#lock)
    }
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/**
 * Marks the folder as used by this process. The database's own lock is a folder that a killed process leaves behind. Deletes
 * that lock if no living process holds the mark.
 */
function holdFolder(dataDir: string): string {
  const mark = join(dataDir, 'sandbox.pid')
  const held = existsSync(mark) ? readFileSync(mark, 'utf8') : ''
  const holder = Number(held.split(' ')[0])
  if (holder === process.pid ? heldHere.has(mark) : isRunning(held)) {
    throw new Error(`The data folder is in use by process ${holder}: ${dataDir}`)
  }
  rmSync(join(dataDir, 'sandbox.sqlite.lock'), { recursive: true, force: true })
  writeFileSync(mark, runningProcess(process.pid)!)
  heldHere.add(mark)
  return mark
}

/** Marks of this process. A killed process may have left a mark with the same process ID. */
const heldHere = new Set<string>()
