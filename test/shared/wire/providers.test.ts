import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { providerIds, providers } from '#shared/wire/providers'
import { serviceNames, versionsOf, type ServiceName } from '#shared/wire/services'
import { serviceWord } from '#shared/wire/vocabulary'
import { scopesOf } from '../../../src-main/auth/scopes'

const { resolve } = createRequire(import.meta.url)

/** The root address in the public client of a service. */
function publicRoot(service: ServiceName): string | undefined {
  const name = serviceWord(service, 'public')
  const [version = ''] = versionsOf(service)
  const source = readFileSync(resolve(`googleapis/build/src/apis/${name}/${version}.js`), 'utf8')
  return /rootUrl \|\| '([^']+)\/'/.exec(source)?.[1]
}

describe('providers', () => {
  it('have the addresses of the public clients', () => {
    const all = providerIds.flatMap((id) => Object.entries(providers[id].services)) as [ServiceName, string][]
    expect(all.map(([service, address]) => [service, address])).toEqual(
      all.map(([service]) => [service, publicRoot(service)]),
    )
    expect(all.map(([service]) => service).sort()).toEqual(serviceNames.filter((name) => name !== 'discovery').sort())
  })

  it.each(providerIds)('say what each scope of %s allows', (id) => {
    const { services, permissions } = providers[id]
    const asked = scopesOf(Object.keys(services) as ServiceName[], {})
    expect(Object.keys(permissions).sort()).toEqual(asked.sort())
  })
})
