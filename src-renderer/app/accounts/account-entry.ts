import type { Vocabulary } from '#shared/wire/vocabulary'

/** What people type to add an account with services at an address. */
export interface AccountEntry {
  address: string
  /** API naming, or `ask` to detect it. */
  words: Vocabulary | 'ask'
  label: string
  /** The services to add, by name. */
  chosen: Record<string, boolean>
  /** API version of Campaigns. */
  version: string
  /** Sign-in address. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Prefix of the permissions to ask for. */
  scopeBase: string
}
