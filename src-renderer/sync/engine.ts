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
  /** Waits until the quota has room for one more call, then books what it cost. */
  throttle(): Promise<void>
  spend(units: number): void
}
