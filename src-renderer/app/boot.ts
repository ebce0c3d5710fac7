import { FaultError } from '#shared/fault'
import type { Account, AppInfo, Bridge } from '#shared/ipc/contract'
import { ask } from '../bridge'
import type { Replica } from '../replica/api'
import { openReplica } from '../sync/open'

export interface Opened {
  bridge: Bridge
  replica: Replica
  account: Account
  info: AppInfo
}

/** Opens the first account and its replica. @throws FaultError when main or the database refuses. */
export async function openFlightplan(bridge: Bridge): Promise<Opened> {
  const [info, accounts] = await Promise.all([ask(bridge, 'app/info', {}), ask(bridge, 'account/list', {})])
  const account = accounts[0]
  if (!account) throw new FaultError({ code: 'signInExpired', message: 'There is no account on this computer yet.' })
  return { bridge, info, account, replica: await openReplica({ account, bridge }) }
}
