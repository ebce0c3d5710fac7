import { FaultError } from '#shared/fault'
import type { Fetch } from '../http/send'
import { authorize, refresh, revoke, type AuthorizeRequest, type Tokens } from './grants'
import type { Secrets, Vault } from './vault'

export type SignInState = 'in' | 'out' | 'expired'

export interface SignInOptions {
  accountId: string
  vault: Vault
  fetch: Fetch
  /** Epoch milliseconds. */
  now: () => number
  openBrowser: (address: string) => Promise<void>
  /** Called after every change of `state`. */
  changed: (state: SignInState) => void
}

/** Timeout for the browser, in milliseconds. */
const patience = 5 * 60_000
/** Remaining lifetime, in milliseconds, below which a token is renewed before use. */
const margin = 60_000

/** The sign-in of one account: its tokens and their renewal. Exposes the access token only through `token`. */
export class SignIn {
  readonly #options: SignInOptions
  #secrets: Secrets
  #state: SignInState
  #renewing: Promise<string> | undefined
  #asking: AbortController | undefined
  /** Counts sign-ins and sign-outs, to discard a renewal that started before one of them. */
  #turn = 0

  private constructor(options: SignInOptions, secrets: Secrets, state: SignInState) {
    this.#options = options
    this.#secrets = secrets
    this.#state = state
  }

  /** @param expired true if the sign-in had expired when the app last ran */
  static async open(options: SignInOptions, expired: boolean): Promise<SignIn> {
    const secrets = await options.vault.read(options.accountId)
    return new SignIn(options, secrets, secrets.tokens ? 'in' : expired ? 'expired' : 'out')
  }

  get state(): SignInState {
    return this.#state
  }

  /** Origins that the tokens may be sent to. Empty without tokens. */
  get audience(): readonly string[] {
    return this.#secrets.tokens?.audience ?? []
  }

  /**
   * The current access token, renewed shortly before it expires.
   * @throws FaultError `signInExpired`, or as `send`
   */
  async token(): Promise<string> {
    const tokens = this.#tokens()
    const { expires = Infinity } = tokens
    const left = expires - this.#options.now()
    if (left > margin || (tokens.refresh === undefined && left > 0)) return tokens.access
    return this.#renewOnce(tokens).catch((error: unknown) => {
      // The renewal failed, but the token is still valid for a moment, which may be enough.
      if (left > 0 && this.#state === 'in' && this.#secrets.tokens === tokens) return tokens.access
      throw error
    })
  }

  /**
   * A token other than the rejected one. Concurrent calls share one renewal.
   * @throws as `token`
   */
  async renew(refused: string): Promise<string> {
    const tokens = this.#tokens()
    return tokens.access === refused ? this.#renewOnce(tokens) : tokens.access
  }

  /**
   * Signs in through the browser. `accept` receives the new token before it's stored. Cancels a sign-in in progress.
   * @throws FaultError `aborted` if the user gives up, `forbidden` if the user declines
   */
  async ask(request: Omit<AuthorizeRequest, 'clientSecret'>, accept: (token: string) => Promise<void>): Promise<void> {
    this.cancel()
    const { fetch, now, openBrowser } = this.#options
    const asking = (this.#asking = new AbortController())
    const timer = setTimeout(() => asking.abort(aborted('Sign-in timed out after 5 minutes.')), patience)
    try {
      const tokens = await authorize(
        { ...request, clientSecret: this.#secrets.clientSecret },
        { fetch, now, openBrowser, signal: asking.signal, accept: ({ access }) => accept(access) },
      )
      this.#turn++
      await this.#keep({ ...this.#secrets, tokens })
      this.#become('in')
    } finally {
      clearTimeout(timer)
      if (this.#asking === asking) this.#asking = undefined
    }
  }

  cancel(): void {
    this.#asking?.abort(aborted('Sign-in canceled. Nothing changed.'))
  }

  /** Deletes the tokens. `tellService` also revokes them. Keeps the client secret for the next sign-in. */
  async end(tellService: boolean): Promise<void> {
    this.cancel()
    const { tokens, clientSecret } = this.#secrets
    this.#turn++
    await this.#keep({ clientSecret })
    this.#become('out')
    if (tellService && tokens) await revoke(this.#options.fetch, tokens, clientSecret)
  }

  /** Stores the client secret that the service gave this app. */
  async setClientSecret(clientSecret: string): Promise<void> {
    await this.#keep({ ...this.#secrets, clientSecret })
  }

  #tokens(): Tokens {
    const { tokens } = this.#secrets
    if (tokens) return tokens
    const message = this.#state === 'expired' ? 'Your session has expired. Sign in again.' : 'You’re signed out.'
    throw new FaultError({ code: 'signInExpired', message })
  }

  #renewOnce(tokens: Tokens): Promise<string> {
    this.#renewing ??= this.#renew(tokens).finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  async #renew(tokens: Tokens): Promise<string> {
    const turn = this.#turn
    const { fetch, now } = this.#options
    try {
      const fresh = await refresh(fetch, tokens, this.#secrets.clientSecret, now)
      if (turn !== this.#turn) return this.#tokens().access
      await this.#keep({ ...this.#secrets, tokens: fresh })
      return fresh.access
    } catch (error) {
      if (turn === this.#turn && error instanceof FaultError && error.fault.code === 'signInExpired') {
        this.#turn++
        await this.#keep({ clientSecret: this.#secrets.clientSecret })
        this.#become('expired')
      }
      throw error
    }
  }

  /** Memory has the current tokens. With a full disk, the user only has to sign in again after the next start. */
  async #keep(secrets: Secrets): Promise<void> {
    this.#secrets = secrets
    await this.#options.vault.write(this.#options.accountId, secrets).catch(() => undefined)
  }

  #become(state: SignInState): void {
    if (state === this.#state) return
    this.#state = state
    this.#options.changed(state)
  }
}

const aborted = (message: string): FaultError => new FaultError({ code: 'aborted', message })
