import { FaultError } from '#shared/fault'
import type { Offer } from '#shared/ipc/account-questions'
import { serviceNames, versionsOf, type ServiceName } from '#shared/wire/services'
import { serviceWord, type Vocabulary } from '#shared/wire/vocabulary'
import { readIssuer } from '../auth/issuer'
import { checkedBaseUrl, isLoopback } from '../http/address'
import type { Fetch } from '../http/send'
import { createClient, type Client } from '../services/client'

/** A service's base address without a last slash. @throws FaultError `invalid` with a sentence for people */
export function serviceAddress(text: string): string {
  try {
    return checkedBaseUrl(text.trim()).href.replace(/\/$/, '')
  } catch (error) {
    throw new FaultError({
      code: 'invalid',
      message: error instanceof Error ? error.message : 'Enter a valid address.',
    })
  }
}

/** Reads the service directory of an address, without a token. @throws FaultError */
export async function discover(
  { fetch, now }: { fetch: Fetch; now: () => number },
  given: string,
  vocabulary: Vocabulary,
): Promise<Offer> {
  const address = serviceAddress(given)
  const token = (): never => {
    throw new FaultError({
      code: 'signInExpired',
      message: 'The service directory requires sign-in, but it should be public. Check the address.',
    })
  }
  const client = createClient({ baseUrl: () => address, vocabulary, token, fetch, now })
  const { body } = await client.call('discovery.apis.list', {})
  const offered = new Map<ServiceName, string[]>()
  const others = new Set<string>()
  for (const { name = '', version = '', preferred } of body.items ?? []) {
    const service = serviceNames.find((known) => known === name)
    if (service === 'discovery') continue
    if (!service || !versionsOf(service).includes(version)) others.add(name)
    else {
      const known = offered.get(service) ?? []
      offered.set(service, preferred ? [version, ...known] : [...known, version])
    }
  }
  const services = await Promise.all(
    serviceNames.flatMap((service) => {
      const versions = offered.get(service)
      if (!versions) return []
      return [
        rootOf(client, service, versions[0]!, vocabulary, address).then((baseUrl) => ({ service, baseUrl, versions })),
      ]
    }),
  )
  const issuer = await readIssuer(fetch, new URL(address).origin).then(
    (server) => server.issuer,
    () => null,
  )
  return { services, others: [...others].filter((name) => !offered.has(name as ServiceName)).length, issuer }
}

/** The root address in a service's description. Falls back to the listing's own if it's missing or untrusted. */
async function rootOf(
  client: Client,
  service: ServiceName,
  version: string,
  vocabulary: Vocabulary,
  address: string,
): Promise<string> {
  try {
    const api = serviceWord(service, vocabulary)
    const { body } = await client.call('discovery.apis.getRest', { api, version }, { timeout: 10_000 })
    const root = checkedBaseUrl(body.rootUrl ?? '')
    // A remote listing mustn't refer to an address on this computer.
    const moved = isLoopback(root.hostname) !== isLoopback(new URL(address).hostname)
    return moved ? address : root.href.replace(/\/$/, '')
  } catch {
    return address
  }
}
