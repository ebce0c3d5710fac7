import { createHash, randomBytes } from 'node:crypto'
import type { Person } from '../operation'
import { personById } from '../people'
import type { Store } from '../store'

/** A consent: the person, the client, and the scopes. */
export interface Consent {
  client: string
  redirect: string
  /** S256 of the verifier that the client must show. */
  challenge: string
  person: Person
  scopes: readonly string[]
}

export interface Tokens {
  access: string
  refresh?: string
  seconds: number
  scopes: readonly string[]
}

/** Owner and permissions of an access token. */
export interface Holder {
  person: Person
  scopes: readonly string[]
  expired: boolean
}

const codeLife = 60_000
/** Milliseconds for which used codes are stored, to distinguish reuse from an unknown code. */
const codeMemory = 600_000
const usualSeconds = 3_600

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
const newSecret = (): string => randomBytes(32).toString('base64url')

interface Code extends Consent {
  issued: number
  /** The resulting sign-in, once the code was used. */
  signIn?: string
  used: boolean
}

/** Sign-ins that users allowed. Codes and tokens are stored as hashes only. */
export class SignIns {
  /** Life of new access tokens. */
  accessSeconds = usualSeconds
  readonly #store: Store
  readonly #codes = new Map<string, Code>()

  constructor(store: Store) {
    this.#store = store
    store.run(
      'CREATE TABLE IF NOT EXISTS sign_ins (id TEXT PRIMARY KEY, person TEXT NOT NULL, client TEXT NOT NULL, scopes TEXT NOT NULL)',
    )
    store.run(
      'CREATE TABLE IF NOT EXISTS sign_in_tokens (hash TEXT PRIMARY KEY, sign_in TEXT NOT NULL, kind TEXT NOT NULL, scopes TEXT NOT NULL, expires INTEGER)',
    )
  }

  /** A code for one exchange within a minute. */
  issueCode(consent: Consent): string {
    const now = this.#store.now
    for (const [hash, { issued }] of this.#codes) if (now - issued > codeMemory) this.#codes.delete(hash)
    const code = newSecret()
    this.#codes.set(hashOf(code), { ...consent, issued: now, used: false })
    return code
  }

  /**
   * Exchanges a code for tokens. Undefined if the code is unknown, expired, or another client's, or if its verifier is
   * wrong. A reused code was stolen, so its tokens are revoked.
   */
  redeem(text: string, client: string, redirect: string, verifier: string): Tokens | undefined {
    const code = this.#codes.get(hashOf(text))
    if (!code) return undefined
    if (code.used) {
      if (code.signIn) this.#end(code.signIn)
      return undefined
    }
    code.used = true
    const fits = code.client === client && code.redirect === redirect && hashOf(verifier) === code.challenge
    if (!fits || this.#store.now - code.issued > codeLife) return undefined
    const signIn = newSecret()
    code.signIn = signIn
    return this.#store.transaction(() => {
      const { person, scopes } = code
      this.#store.put('sign_ins', { id: signIn, person: person.id, client, scopes: scopes.join(' ') })
      const refresh = this.#newToken(signIn, 'refresh', scopes, null)
      return { access: this.#newAccess(signIn, scopes), refresh, seconds: this.accessSeconds, scopes }
    })
  }

  /**
   * Issues an access token with all or fewer of the scopes. Undefined if the refresh token isn't valid for this client.
   */
  refresh(token: string, client: string, wanted?: readonly string[]): Tokens | undefined | 'scope' {
    const row = this.#row(token)
    if (!row || row.kind !== 'refresh' || row.client !== client) return undefined
    const held = row.scopes.split(' ')
    if (wanted && !wanted.every((scope) => held.includes(scope))) return 'scope'
    const scopes = wanted ?? held
    return { access: this.#newAccess(row.sign_in, scopes), seconds: this.accessSeconds, scopes }
  }

  /** Ends the sign-in that a token belongs to (RFC 7009). Unknown tokens aren't an error. */
  revoke(token: string): void {
    const row = this.#row(token)
    if (row) this.#end(row.sign_in)
  }

  /**
   * Ends all sign-ins, or those of one person.
   * @returns the number of ended sign-ins
   */
  revokeAll(person?: Person): number {
    const rows = person
      ? this.#store.all<{ id: string }>('SELECT id FROM sign_ins WHERE person = ?', person.id)
      : this.#store.all<{ id: string }>('SELECT id FROM sign_ins')
    for (const { id } of rows) this.#end(id)
    return rows.length
  }

  /** Expires the access tokens of a person. Refresh tokens stay valid. */
  expire(person: Person): void {
    this.#store.run(
      "UPDATE sign_in_tokens SET expires = 0 WHERE kind = 'access' AND sign_in IN (SELECT id FROM sign_ins WHERE person = ?)",
      person.id,
    )
  }

  holder(access: string): Holder | undefined {
    const row = this.#row(access)
    const person = row?.kind === 'access' ? personById(row.person) : undefined
    if (!row || !person) return undefined
    return { person, scopes: row.scopes.split(' '), expired: row.expires !== null && row.expires <= this.#store.now }
  }

  #newAccess(signIn: string, scopes: readonly string[]): string {
    const { now } = this.#store
    this.#store.run("DELETE FROM sign_in_tokens WHERE kind = 'access' AND expires < ?", now - 86_400_000)
    return this.#newToken(signIn, 'access', scopes, now + this.accessSeconds * 1000)
  }

  #newToken(signIn: string, kind: string, scopes: readonly string[], expires: number | null): string {
    const token = newSecret()
    const row = { hash: hashOf(token), sign_in: signIn, kind, scopes: scopes.join(' '), expires }
    this.#store.put('sign_in_tokens', row)
    return token
  }

  #end(signIn: string): void {
    this.#store.transaction(() => {
      this.#store.run('DELETE FROM sign_in_tokens WHERE sign_in = ?', signIn)
      this.#store.run('DELETE FROM sign_ins WHERE id = ?', signIn)
    })
  }

  #row(
    token: string,
  ):
    | { sign_in: string; kind: string; scopes: string; expires: number | null; person: string; client: string }
    | undefined {
    return this.#store.get(
      'SELECT t.sign_in, t.kind, t.scopes, t.expires, s.person, s.client FROM sign_in_tokens t JOIN sign_ins s ON s.id = t.sign_in WHERE t.hash = ?',
      hashOf(token),
    )
  }
}
