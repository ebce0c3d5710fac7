import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { placeOfFragment } from '#shared/links/place'
import { ask } from '../bridge'
import { deleteReplica, openReplica } from '../sync/open'
import { openFollowing } from '../sync/open-following'
import { Accounts } from '../context/accounts.svelte'
import type { Replica } from '../replica/api'
import { parseSettings } from '../context/settings.svelte'
import { watchReminders } from './reminders/watch'
import { onZoneChange, zoneChanged } from './reminders/zone-changes'
import { viewNamed } from './views'

/**
 * Opens the account that was shown last.
 * @param place where a window that follows the first one begins, as the fragment of its address
 * @throws FaultError when main refuses; see `Accounts.start` for its database
 */
export async function openFlightplan(bridge: Bridge, storage: Storage, place?: string): Promise<Accounts> {
  // Its script is read while main answers and the database opens.
  const shown = viewNamed(parseSettings(storage.getItem('flightplan.settings')).view).part.load()
  const info = await ask(bridge, 'app/info', {})
  const owns = place === undefined
  const open = async (account: Account): Promise<Replica> => {
    if (!owns) return openFollowing({ account, bridge })
    const replica = await openReplica({ account, bridge })
    watchReminders({
      account,
      replica,
      bridge,
      storage,
      computerZone: () => accounts.info.timeZone,
      onzone: onZoneChange,
    })
    return replica
  }
  const destroy = owns ? deleteReplica : (): Promise<void> => Promise.resolve()
  const accounts = new Accounts({ bridge, info, owns, open, destroy, storage })
  bridge.on('app/zone', zoneChanged)
  accounts.placeNext = place === undefined ? null : placeOfFragment(place)
  await Promise.all([accounts.start(), shown])
  return accounts
}
