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
  /** Entries whose record was missing everywhere, by ID, with the time when the places had last been read. */
  missed: Map<string, number>
  /**
   * Called with each outcome before it's stored.
   * @returns how long the entry lets others go first, in milliseconds
   */
  judge(entry: OutboxEntry, outcome: Outcome): number | undefined
  /** Reads matching targets at once. */
  hurry(wanted: (target: { collection: CollectionName; parent: string | null }) => boolean): void
}
