import { FaultError, faultOf } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import type { Clock } from '#shared/time/clock'
import { serviceTitle } from '#shared/wire/service-titles'
import type { ServiceName } from '#shared/wire/services'
import { boundFetch, originsOf } from '../auth/bound-fetch'
import { scopesOf } from '../auth/scopes'
import { SignIn } from '../auth/sign-in'
import type { Vault } from '../auth/vault'
import type { Fetch } from '../http/send'
import { createClient, type Client } from '../services/client'
import { QuotaKeeper, type DayCounts } from '../services/quota'
import type { AccountRecord } from './file'
import type { OpenAccount } from './open-account'

/** Client ID if none was given. */
const usualClientId = 'Flightplan'

export interface ServiceAccountOptions {
  vault: Vault
  fetch: Fetch
  clock: Clock
  openBrowser: (address: string) => Promise<void>
  /** Called when the record or the sign-in has changed, to store and announce it. */
  changed: () => void
  kept?: DayCounts
  countsChanged: (counts: DayCounts) => void
}

/** An account of services on the network: its own client, tokens and quotas. */
export class ServiceAccount implements OpenAccount {
  readonly id: string
  readonly quota: QuotaKeeper
  record: AccountRecord
  client: Client
  readonly #options: ServiceAccountOptions
  readonly #signIn: SignIn

  private constructor(record: AccountRecord, signIn: SignIn, options: ServiceAccountOptions) {
    this.id = record.id
    this.record = record
    this.#signIn = signIn
    this.#options = options
    this.quota = new QuotaKeeper({
      clock: options.clock,
      wait: waited,
      kept: options.kept,
      changed: options.countsChanged,
    })
    this.client = this.#newClient()
  }

  static async open(record: AccountRecord, options: ServiceAccountOptions): Promise<ServiceAccount> {
    let opened: ServiceAccount | undefined
    const changed = (state: string): void => {
      if (!opened) return
      opened.record = { ...opened.record, expired: state === 'expired' }
      options.changed()
    }
    const { vault, fetch, clock, openBrowser } = options
    const asking = { accountId: record.id, vault, fetch, now: clock.now, openBrowser, changed }
    const signIn = await SignIn.open(asking, record.expired)
    opened = new ServiceAccount(record, signIn, options)
    // The accounts file isn't encrypted, so tokens are only sent to the hosts they were issued for.
    if (signIn.state === 'in' && !opened.#covers(signIn.audience)) await signIn.end(false)
    return opened
  }

  account(): Account {
    const { id, email, label, vocabulary, services, versions, opened, downloads } = this.record
    const { state } = this.#signIn
    return {
      id,
      email,
      label,
      kind: 'service',
      vocabulary,
      services,
      versions,
      signIn: state,
      kept: this.#options.vault.kind,
      signedIn: state === 'in',
      opened,
      downloads,
    }
  }

  setClientSecret(clientSecret: string): Promise<void> {
    return this.#signIn.setClientSecret(clientSecret)
  }

  /** Moving a service to another host ends the sign-in. */
  async change(more: Partial<Pick<AccountRecord, 'label' | 'services' | 'versions'>>): Promise<void> {
    this.record = { ...this.record, ...more }
    this.client = this.#newClient()
    if (this.#signIn.state === 'in' && !this.#covers(this.#signIn.audience)) await this.#signIn.end(true)
    this.#options.changed()
  }

  /** Resolves when sign-in is complete. @throws FaultError `forbidden` if someone else signed in */
  async signIn(): Promise<void> {
    const { record } = this
    const services = Object.keys(record.services) as ServiceName[]
    if (record.issuer === undefined)
      throw new FaultError({ code: 'invalid', message: 'This account has no sign-in address.' })
    const audience = originsOf(Object.values(record.services))
    let email = record.email
    await this.#signIn.ask(
      {
        issuer: record.issuer,
        clientId: record.clientId ?? usualClientId,
        scopes: scopesOf(services, record.versions),
        scopeBase: record.scopeBase,
        vocabulary: record.vocabulary,
        audience,
        hint: record.email || undefined,
      },
      async (token) => {
        email = await this.#personOf(token, audience)
      },
    )
    this.record = { ...this.record, email, expired: false }
    this.#options.changed()
  }

  cancel(): void {
    this.#signIn.cancel()
  }

  async signOut(): Promise<void> {
    await this.#signIn.end(true)
    this.record = { ...this.record, expired: false }
    this.#options.changed()
  }

  #covers(audience: readonly string[]): boolean {
    return originsOf(Object.values(this.record.services)).every((origin) => audience.includes(origin))
  }

  #newClient(token?: { value: string; audience: readonly string[] }): Client {
    const { services, vocabulary, versions } = this.record
    const { fetch, clock } = this.#options
    return createClient({
      baseUrl: (service) => {
        const address = services[service]
        if (address) return address
        throw new FaultError({
          code: 'invalid',
          message: `${this.record.label} has no address for ${serviceTitle(service)}.`,
        })
      },
      versions,
      vocabulary,
      token: token ? () => token.value : () => this.#signIn.token(),
      renew: token ? undefined : (refused) => this.#signIn.renew(refused),
      quota: this.quota,
      fetch: boundFetch(fetch, () => token?.audience ?? this.#signIn.audience),
      now: clock.now,
    })
  }

  /**
   * Identifies who signed in. An account belongs to one person, because its replica and pending changes are theirs.
   * @throws FaultError `forbidden` if it's someone else, or can't be identified
   */
  async #personOf(token: string, audience: readonly string[]): Promise<string> {
    const { email, services, label } = this.record
    const client = this.#newClient({ value: token, audience })
    let found: string | undefined
    try {
      if (services.calendar) found = (await client.call('calendar.calendars.get', { calendarId: 'primary' })).body.id
      else if (services.trafficking)
        found = (await client.call('trafficking.userProfiles.list', {})).body.items?.[0]?.userName
    } catch (error) {
      if (email !== '') {
        const message = `Couldn’t check who signed in. ${label} belongs to ${email}. ${faultOf(error).message}`
        throw new FaultError({ code: 'forbidden', message })
      }
    }
    if (found && email !== '' && found.toLowerCase() !== email.toLowerCase()) {
      const message = `You signed in as ${found}, but ${label} belongs to ${email}. Add another account for ${found}.`
      throw new FaultError({ code: 'forbidden', message })
    }
    return found ?? email
  }
}

function waited(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(new FaultError({ code: 'aborted', message: 'Canceled.' }))
    }
    function done(): void {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
