import type { Account } from '#shared/ipc/account-questions'
import type { Budget } from '#shared/ipc/sync-questions'
import { providers } from '#shared/wire/providers'
import type { ServiceName } from '#shared/wire/services'
import { capital, laneWords, readWords } from '../../context/lane-words'
import type { SyncStatus } from '../../replica/api'

export interface ServiceHealth {
  service: ServiceName
  /** State, time of the last sync, and remaining quota. */
  words: string
  warning: boolean
}

/** State of each service of an account, in the order of its lanes. */
export function healthOf(
  account: Account,
  status: Pick<SyncStatus, 'lanes' | 'offline'>,
  budgets: readonly Budget[],
  now: number,
): ServiceHealth[] {
  return status.lanes.map((lane) => {
    const { text, tone } = laneWords(lane, { offline: status.offline, now, signedOut: account.signIn === 'out' })
    const quota = budgets.find(({ service, per }) => service === lane.service && per !== 'second')
    const words = [text, capital(readWords(lane.lastPull, now)), quota ? quotaWords(quota) : '']
    return { service: lane.service, words: words.filter(Boolean).join(' · '), warning: tone === 'warning' }
  })
}

/** `580 of 600 units left this minute`. */
function quotaWords({ per, used, limit }: Budget): string {
  const left = `${Math.max(0, limit - used).toLocaleString('en')} of ${limit.toLocaleString('en')}`
  return per === 'minute' ? `${left} units left this minute` : `${left} calls left today`
}

/** Permissions that Flightplan requests at sign-in, in plain words. Empty for sample data. */
export function permissionsOf({ kind, services }: Pick<Account, 'kind' | 'services'>): string[] {
  if (kind === 'sandbox') return []
  return Object.values(providers)
    .filter((provider) => Object.keys(provider.services).some((service) => Object.hasOwn(services, service)))
    .flatMap((provider) =>
      Object.entries(provider.permissions)
        // A provider of several services names one permission for each.
        .filter(([scope]) => !Object.hasOwn(provider.services, scope) || Object.hasOwn(services, scope))
        .map(([, words]) => words),
    )
}
