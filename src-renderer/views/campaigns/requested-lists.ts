import { z } from 'zod'
import { readStoredList, writeStored } from '../../context/account-storage'
import type { AppContext } from '../../context/context'

/**
 * Downloads the lists of a profile's advertisers and campaigns on its first sight, which takes two calls, so that there are names
 * instead of nothing. Only once, so that lists that people remove stay away.
 */
export function requestLists({ account, replica }: AppContext, profile: string): void {
  const requested = readStoredList(localStorage, 'listed-profiles', account.id, z.string())
  if (requested.includes(profile)) return
  writeStored(localStorage, 'listed-profiles', account.id, [...requested, profile])
  void replica.download({ parent: profile, what: 'index' }).catch(() => undefined)
}
