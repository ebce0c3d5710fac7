import type { Bridge } from '#shared/ipc/contract'
import { ask } from '../bridge'
import { deleteReplica, openReplica } from '../sync/open'
import { Accounts } from '../context/accounts.svelte'
import { parseSettings } from '../context/settings.svelte'
import { viewNamed } from './views'

/** Opens the account that was shown last. @throws FaultError when main refuses; see `Accounts.start` for its database */
export async function openFlightplan(bridge: Bridge, storage: Storage): Promise<Accounts> {
  // Its script is read while main answers and the database opens.
  const shown = viewNamed(parseSettings(storage.getItem('flightplan.settings')).view).part.load()
  const info = await ask(bridge, 'app/info', {})
  const open = (account: Parameters<typeof openReplica>[0]['account']) => openReplica({ account, bridge })
  const accounts = new Accounts({ bridge, info, open, destroy: deleteReplica, storage })
  await Promise.all([accounts.start(), shown])
  return accounts
}
