import { tableOf, type ServiceName, type Versions } from '#shared/wire/services'
import { serviceWord, type Vocabulary } from '#shared/wire/vocabulary'

/** The smallest set of scopes that covers every operation of the services. */
export function scopesOf(services: readonly ServiceName[], versions: Versions): string[] {
  const all = new Set(
    services.flatMap((service) => tableOf(service, versions[service]).methods.flatMap(({ scopes = [] }) => scopes)),
  )
  return [...all].filter((scope) => ![...all].some((other) => scope.startsWith(`${other}.`)))
}

export interface ScopeNaming {
  vocabulary: Vocabulary
  /** Scopes in the issuer's metadata, with their full addresses. */
  supported?: readonly string[]
  /** Prefix of names that the metadata don't list. */
  base?: string
}

/** The permissions as this issuer names them, for the `scope` parameter. */
export function scopeText(scopes: readonly string[], { vocabulary, supported = [], base = '' }: ScopeNaming): string {
  return scopes
    .map((scope) => serviceWord(scope, vocabulary))
    .map((name) => supported.find((full) => full === name || full.endsWith(`/${name}`)) ?? base + name)
    .join(' ')
}
