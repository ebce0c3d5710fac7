import type { Bridge } from '#shared/ipc/contract'
import { ask } from '../bridge'
import { openReplica } from '../sync/open'
import { Accounts } from './accounts/accounts.svelte'

/** Opens the account that was shown last and its replica. @throws FaultError when main or the database refuses. */
export async function openFlightplan(bridge: Bridge, storage: Storage): Promise<Accounts> {
  const info = await ask(bridge, 'app/info', {})
  const accounts = new Accounts(bridge, info, (account) => openReplica({ account, bridge }), storage)
  await accounts.start()
  return accounts
}
