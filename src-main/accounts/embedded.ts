import { FaultError } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import { serviceNames, type ServiceName } from '#shared/wire/services'
import type { Fetch } from '../http/send'
import { createClient, type Client } from '../services/client'
import type { AccountRecord } from './file'
import type { OpenAccount } from './open-account'

/** The ID of the account with sample data. */
export const embeddedId = 'sandbox'

/** The embedded sandbox, or another one running on this computer. */
export interface EmbeddedService {
  readonly address: { baseUrl: string; token: string }
  /** Resolves once the service has started or failed to. */
  started: Promise<unknown>
  /** Makes the service issue a new token, which `address` then has. @throws FaultError */
  renewToken(): Promise<void>
}

/** Name of the account. Earlier versions called it Sandbox. */
const sampleLabel = 'Sample data'

/** The account with sample data, in the sandbox. Its token comes from the sandbox, which creates a new one at every start. */
export class EmbeddedAccount implements OpenAccount {
  readonly id = embeddedId
  readonly #service: EmbeddedService
  readonly #changed: () => void
  readonly #fetch: Fetch
  readonly #now: () => number
  record: AccountRecord
  client: Client
  /** The token that the service rejected with 401. */
  #refused: string | undefined

  constructor(
    record: AccountRecord | undefined,
    options: { service: EmbeddedService; fetch: Fetch; now: () => number; changed: () => void },
  ) {
    const { service, fetch, now, changed } = options
    this.#service = service
    this.#now = now
    this.#changed = changed
    this.#fetch = fetch
    this.record = (record && { ...record, label: record.label === 'Sandbox' ? sampleLabel : record.label }) ?? {
      id: embeddedId,
      email: '',
      label: sampleLabel,
      vocabulary: 'neutral',
      services: {},
      versions: {},
      expired: false,
      opened: false,
      downloads: [],
    }
    this.client = this.#newClient()
  }

  account(): Account {
    const { id, email, label, vocabulary, versions, opened, downloads } = this.record
    const { baseUrl, token } = this.#service.address
    const expired = this.#refused !== undefined && this.#refused === token
    const services: Partial<Record<ServiceName, string>> = {}
    if (baseUrl) for (const name of serviceNames) if (name !== 'discovery') services[name] = baseUrl
    return {
      id,
      email,
      label,
      kind: 'sandbox',
      vocabulary,
      services,
      versions,
      signIn: expired ? 'expired' : 'in',
      kept: 'embedded',
      signedIn: !expired,
      opened,
      downloads,
    }
  }

  /**
   * Looks up the account's owner, once, so that the app can open without the service.
   * @returns true if the owner wasn't known
   */
  async learn(): Promise<boolean> {
    if (this.record.email !== '') return false
    const email = await this.client.call('calendar.calendars.get', { calendarId: 'primary' }).then(
      ({ body }) => body.id,
      () => undefined,
    )
    if (!email) return false
    this.record = { ...this.record, email }
    return true
  }

  change(more: Partial<Pick<AccountRecord, 'label' | 'versions'>>): void {
    this.record = { ...this.record, ...more }
    this.client = this.#newClient()
    this.#changed()
  }

  async signIn(): Promise<void> {
    await this.#service.renewToken()
    this.#changed()
  }

  cancel(): void {
    // This account never waits for a user.
  }

  signOut(): Promise<void> {
    const message = 'You can’t sign out of the sample data. Remove it instead.'
    return Promise.reject(new FaultError({ code: 'invalid', message }))
  }

  #newClient(): Client {
    const service = this.#service
    return createClient({
      // A port without a listener, because the sandbox has no address before its first start.
      baseUrl: () => service.address.baseUrl || 'http://127.0.0.1:9',
      token: async () => {
        await service.started
        return service.address.token
      },
      renew: (refused) => {
        if (refused !== service.address.token) return Promise.resolve(service.address.token)
        this.#refused = refused
        this.#changed()
        return Promise.reject(
          new FaultError({ code: 'signInExpired', message: 'Your session has expired. Sign in again.' }),
        )
      },
      versions: this.record.versions,
      fetch: this.#fetch,
      now: this.#now,
    })
  }
}
