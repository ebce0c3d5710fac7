import type { Account, Bridge } from '#shared/ipc/contract'
import type { IdSource } from '#shared/mutation/ids'
import type { Commits } from '../replica/commits'
import type { Memory } from '../replica/memory'
import type { Store } from '../replica/store'
import type { Environment } from '../replica/environment'

/** What pulling and pushing share. */
export interface Engine {
  account: Account
  bridge: Bridge
  memory: Memory
  commits: Commits
  store: Store
  ids: IdSource
  environment: Environment
  /** Until when entries are left alone, by their ids, as `environment.elapsed` counts. */
  waits: Map<string, number>
  /** Books what a call cost, in quota units. */
  spend(units: number): void
}
