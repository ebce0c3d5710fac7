import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { ask } from '../bridge'
import { deleteReplica, openReplica } from '../sync/open'
import { Accounts } from '../context/accounts.svelte'
import type { Replica } from '../replica/api'
import { parseSettings } from '../context/settings.svelte'
import { watchReminders } from './reminders/watch'
import { onZoneChange } from './reminders/zone-changes'
import { viewNamed } from './views'

/** Opens the account that was shown last. @throws FaultError when main refuses; see `Accounts.start` for its database */
export async function openFlightplan(bridge: Bridge, storage: Storage): Promise<Accounts> {
  // Its script is read while main answers and the database opens.
  const shown = viewNamed(parseSettings(storage.getItem('flightplan.settings')).view).part.load()
  const info = await ask(bridge, 'app/info', {})
  const open = async (account: Account): Promise<Replica> => {
    const replica = await openReplica({ account, bridge })
    watchReminders({ account, replica, bridge, storage, computerZone: info.timeZone, onzone: onZoneChange })
    return replica
  }
  const accounts = new Accounts({ bridge, info, open, destroy: deleteReplica, storage })
  await Promise.all([accounts.start(), shown])
  return accounts
}
