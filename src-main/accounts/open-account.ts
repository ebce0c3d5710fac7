import type { Account } from '#shared/ipc/account-questions'
import type { Client } from '../services/client'
import type { QuotaKeeper } from '../services/quota'
import type { AccountRecord } from './file'

/** An account as main uses it. Accounts share nothing. */
export interface OpenAccount {
  readonly id: string
  readonly record: AccountRecord
  readonly client: Client
  /** Absent if the service has no limits. */
  readonly quota?: QuotaKeeper
  account(): Account
  signIn(): Promise<void>
  cancel(): void
  signOut(): Promise<void>
}
