import { randomBytes } from 'node:crypto'
import type { Person } from './operation'
import type { Store } from './store'

/** The people of the sandbox; the first is the caller whose token the ready line carries. */
export const people: readonly Person[] = [
  { id: 'you', email: 'alex.morgan@flightplan.example', name: 'Alex Morgan' },
  { id: 'mina', email: 'mina.park@flightplan.example', name: 'Mina Park' },
  { id: 'jonas', email: 'jonas.weber@flightplan.example', name: 'Jonas Weber' },
]

export const groups: ReadonlyArray<{ email: string; members: readonly string[] }> = [
  { email: 'planning@flightplan.example', members: people.map((person) => person.email) },
]

export const personById = (id: string): Person | undefined => people.find((person) => person.id === id)
export const personByEmail = (email: string): Person | undefined =>
  people.find((person) => person.email === email.toLowerCase())

/** Bearer tokens: one a person, kept with the data. */
export class Bearers {
  readonly #store: Store
  constructor(store: Store, chosen: string | undefined) {
    this.#store = store
    if (chosen) store.setMeta('token:you', chosen)
  }

  tokenOf(person: Person): string {
    return this.#store.secret(`token:${person.id}`)
  }

  /** Who a token belongs to, whether or not it was declared expired. */
  owner(token: string): Person | undefined {
    return people.find((person) => this.tokenOf(person) === token)
  }

  isExpired(person: Person): boolean {
    return this.#store.meta(`expired:${person.id}`) === '1'
  }

  expire(person: Person): void {
    this.#store.setMeta(`expired:${person.id}`, '1')
  }

  renew(person: Person): string {
    const token = randomBytes(24).toString('base64url')
    this.#store.setMeta(`token:${person.id}`, token)
    this.#store.setMeta(`expired:${person.id}`, '0')
    return token
  }
}
