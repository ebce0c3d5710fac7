import type { RawWrite, Tables, TableName } from '../store'

/** Tables by key, without knowledge of blocks: the interface of a store. */
export interface Reader {
  get<N extends TableName>(table: N, keys: readonly string[]): PromiseLike<(Tables[N] | undefined)[]>
  /** Items with a key between the two, both excluded, by key. */
  range<N extends TableName>(table: N, lower: string, upper: string, limit?: number): PromiseLike<Tables[N][]>
  keys(table: TableName, lower: string, upper: string): PromiseLike<string[]>
  /** Rows with `at` in [from, to). */
  rowsAt(from: number, to: number): PromiseLike<Tables['rows'][]>
  /** Rows that memory needs whole. */
  rowsNeeded(): PromiseLike<Tables['rows'][]>
  /** Heads of a range of places, inclusive. */
  headsAt(first: string, last: string): PromiseLike<Tables['heads'][]>
}

export interface Disk {
  /** Reads a consistent snapshot of some tables. */
  read<T>(tables: readonly TableName[], work: (reader: Reader) => PromiseLike<T>): Promise<T>
  /** Runs an exclusive transaction: the writes that `work` returns are all stored or none. */
  change(tables: readonly TableName[], work: (reader: Reader) => PromiseLike<readonly RawWrite[]>): Promise<void>
  write(batch: readonly RawWrite[]): Promise<void>
}

/** Above every character that a key holds: ends a range of keys with one prefix. */
export const last = '\uffff'
