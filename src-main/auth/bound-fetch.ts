import { FaultError } from '#shared/fault'
import type { Fetch } from '../http/send'

/** The origins an account's services have. */
export const originsOf = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.map((text) => new URL(text).origin)),
]

/** Refuses to send a token to any origin it wasn't issued for. */
export function boundFetch(fetch: Fetch, origins: () => readonly string[]): Fetch {
  return async (url, init) => {
    const signed = new Headers(init.headers).has('authorization')
    if (signed && !origins().includes(new URL(url).origin)) {
      throw new FaultError({
        code: 'invalid',
        message: `${new URL(url).host} isn’t a service of this account, so your sign-in wasn’t sent there.`,
      })
    }
    return fetch(url, init)
  }
}
