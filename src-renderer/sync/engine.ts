import type { CollectionName } from '#shared/domain/collections'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import type { IdSource } from '#shared/mutation/ids'
import type { Commits } from '../replica/commits'
import type { Memory } from '../replica/memory'
import type { Store } from '../replica/store'
import type { Environment } from '../replica/environment'
import type { Pace } from './pace'

/** Shared by the lanes of an account. */
export interface Shared {
  account: Account
  bridge: Bridge
  memory: Memory
  commits: Commits
  store: Store
  ids: IdSource
  environment: Environment
  pace: Pace
  /** Records the cost of a call, in quota units. */
  spend(units: number): void
}

/** Shared by pulling and pushing in one lane. */
export interface Engine extends Shared {
  /** Until when entries are left alone, by their IDs, as `environment.elapsed` counts. */
  waits: Map<string, number>
  /** Entries whose record is looked for, by ID: since which moment, and in which targets, by their keys. */
  missed: Map<string, { mark: number; keys: readonly string[] }>
  /**
   * Called with each outcome before it's stored.
   * @returns how long the entry lets others go first, in milliseconds
   */
  judge(entry: OutboxEntry, outcome: Outcome): number | undefined
  /** The current moment, for `since`. */
  mark(): number
  /** Whether a target was read from its start after a moment, and not from a cache, will be, or can't be. */
  since(key: string, mark: number): 'read' | 'pending' | 'unreadable'
  /** Reports that a target has changed since it was last read, so removals from it wait for the next read. */
  outdated(key: string): void
  /** Reads matching targets at once. */
  hurry(wanted: (target: { collection: CollectionName; parent: string | null }) => boolean): void
}
