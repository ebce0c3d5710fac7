import type { RawWrite, Tables, TableName } from '../store'

/** Tables by key, without a notion of what lies in a block: what a store has to have. */
export interface Reader {
  get<N extends TableName>(table: N, keys: readonly string[]): PromiseLike<(Tables[N] | undefined)[]>
  /** Items with a key between the two, both excluded, by key. */
  range<N extends TableName>(table: N, lower: string, upper: string, limit?: number): PromiseLike<Tables[N][]>
  keys(table: TableName, lower: string, upper: string): PromiseLike<string[]>
  /** Rows with `at` in [from, to). */
  rowsAt(from: number, to: number): PromiseLike<Tables['rows'][]>
  /** Rows that memory needs whole. */
  rowsNeeded(): PromiseLike<Tables['rows'][]>
  /** Heads of the places from one to another, both included. */
  headsAt(first: string, last: string): PromiseLike<Tables['heads'][]>
}

export interface Disk {
  /** One look at some tables, as they are at one moment. */
  read<T>(tables: readonly TableName[], work: (reader: Reader) => PromiseLike<T>): Promise<T>
  /** One transaction: what `work` answers is written whole or not at all, and nothing else is written meanwhile. */
  change(tables: readonly TableName[], work: (reader: Reader) => PromiseLike<readonly RawWrite[]>): Promise<void>
  write(batch: readonly RawWrite[]): Promise<void>
}

/** Above every character that a key holds: ends a range of keys with one prefix. */
export const last = '\uffff'
