import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '../operation'
import { people } from '../people'
import type { Store } from '../store'
import { SignIns, type Holder as SignedIn } from './sign-ins'

export interface Holder {
  person: Person
  /** `all`: a token of the ready line, which may do everything and steer the sandbox. */
  scopes: readonly string[] | 'all'
  expired: boolean
}

const digest = (token: string): string => createHash('sha256').update(token).digest('base64')

/**
 * Owners of bearer tokens. Each person has one token until the service stops, which is never written anywhere. Other
 * tokens come from sign-ins.
 */
export class Bearers {
  readonly signIns: SignIns
  readonly #tokens = new Map<string, { token: string; digest: string; expired: boolean }>()

  constructor(store: Store, chosen: string | undefined) {
    this.signIns = new SignIns(store)
    for (const person of people) this.#give(person, person === people[0] ? chosen : undefined)
    // Earlier versions stored the tokens themselves.
    store.run("DELETE FROM meta WHERE key LIKE 'token:%' OR key LIKE 'expired:%'")
  }

  tokenOf(person: Person): string {
    return this.#tokens.get(person.id)!.token
  }

  /** Owner of a token, or undefined if it is unknown. */
  holder(token: string): Holder | SignedIn | undefined {
    // Compare digests, so that the duration reveals nothing about the token.
    const given = digest(token)
    const person = people.find(({ id }) => this.#tokens.get(id)!.digest === given)
    if (person) return { person, scopes: 'all', expired: this.#tokens.get(person.id)!.expired }
    return this.signIns.holder(token)
  }

  /** The person's tokens fail with 401. Sign-ins can still be refreshed. */
  expire(person: Person): void {
    this.#tokens.get(person.id)!.expired = true
    this.signIns.expire(person)
  }

  renew(person: Person): string {
    return this.#give(person)
  }

  #give(person: Person, chosen?: string): string {
    const token = chosen ?? randomBytes(24).toString('base64url')
    this.#tokens.set(person.id, { token, digest: digest(token), expired: false })
    return token
  }
}
