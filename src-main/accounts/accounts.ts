import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import type { Account, ServiceCheck } from '#shared/ipc/account-questions'
import type { OAuthClient } from '#shared/ipc/client-file'
import type { RequestArguments } from '#shared/ipc/contract'
import { SerialQueue } from '#shared/serial-queue'
import type { Clock } from '#shared/time/clock'
import { providerIssuer, providers, providerScopeBase } from '#shared/wire/providers'
import { serviceNames, versionsOf, type ServiceName } from '#shared/wire/services'
import type { Vault } from '../auth/vault'
import { KeptFile } from '../disk/kept-file'
import type { Fetch } from '../http/send'
import type { DayCounts } from '../services/quota'
import { checkServices } from './check'
import { discover, serviceAddress } from './discover'
import { EmbeddedAccount, embeddedId, type EmbeddedService } from './embedded'
import { readAccounts, writeAccounts, type AccountRecord } from './file'
import type { OpenAccount } from './open-account'
import { ServiceAccount } from './service'

export interface AccountsOptions {
  /** Folder of the accounts, without their secrets. */
  folder: string
  vault: Vault
  /** Respects offline mode. */
  fetch: Fetch
  clock: Clock
  openBrowser: (address: string) => Promise<void>
  embedded: EmbeddedService
  /** Adds the account with sample data, even if it isn't stored yet. */
  sample: boolean
  /** Starts and stops the sandbox with its account. Absent if the account can't be added or removed. */
  sampleData?: SampleData
  /** The client that was built in when this app was packaged. */
  builtInClient?: OAuthClient
  /** Number of an account's pending changes. */
  unsent: (accountId: string) => number
  changed: (accounts: Account[]) => void
}

/** The data behind the account with sample data. */
export interface SampleData {
  /** Starts the sandbox with fresh data. @throws FaultError `storage` */
  begin(): Promise<void>
  /** Stops the sandbox and deletes its data. */
  remove(): Promise<void>
}

type Wanted = RequestArguments<'account/add'>

const countsSchema = z.record(
  z.string(),
  z.record(z.string(), z.object({ day: z.string(), calls: z.number().int().nonnegative() })),
) as z.ZodType<Record<string, DayCounts>>

/** All accounts on this computer: sample data first, if it was added, then the others in order. */
export class Accounts {
  readonly #options: AccountsOptions
  /** The account with sample data. Used only while `#sampled`. */
  #embedded: EmbeddedAccount
  #sampled: boolean
  readonly #services = new Map<string, ServiceAccount>()
  readonly #path: string
  /** Today's calls by account, for services with a daily quota. Lost counts restart at zero. */
  readonly #countsFile: KeptFile<Record<string, DayCounts>>
  #counts: Record<string, DayCounts> = {}
  #countsTimer: ReturnType<typeof setTimeout> | undefined
  readonly #writing = new SerialQueue()

  private constructor(options: AccountsOptions, records: readonly AccountRecord[]) {
    this.#options = options
    this.#path = join(options.folder, 'accounts.json')
    this.#countsFile = new KeptFile(join(options.folder, 'day-counts.json'), countsSchema, { missing: {} })
    const record = records.find(({ id }) => id === embeddedId)
    this.#sampled = options.sample || record !== undefined
    this.#embedded = this.#newEmbedded(record)
  }

  #newEmbedded(record?: AccountRecord): EmbeddedAccount {
    const { embedded: service, fetch, clock } = this.#options
    return new EmbeddedAccount(record, { service, fetch, now: clock.now, changed: () => this.#announce() })
  }

  /** Loads stored accounts. If sample data is new, waits for the sandbox to learn whose account it is. */
  static async open(options: AccountsOptions): Promise<Accounts> {
    const { records, whole } = await readAccounts(join(options.folder, 'accounts.json'), options.clock.now)
    const accounts = new Accounts(options, records)
    accounts.#counts = await accounts.#countsFile.read()
    // If a record couldn't be read, its secrets aren't orphaned, so don't sweep.
    if (whole) await options.vault.sweep(records.map(({ id }) => id))
    for (const record of records) if (record.id !== embeddedId) await accounts.#open(record)
    if (accounts.#sampled && (await accounts.#embedded.learn())) await accounts.#keep().catch(() => undefined)
    return accounts
  }

  /** Kind of storage for sign-ins on this computer. */
  get keeps(): Vault['kind'] {
    return this.#options.vault.kind
  }

  list(): Account[] {
    return this.#all().map((open) => open.account())
  }

  #all(): (EmbeddedAccount | ServiceAccount)[] {
    return [...(this.#sampled ? [this.#embedded] : []), ...this.#services.values()]
  }

  /** Undefined for an account that was removed. */
  find(accountId: string): OpenAccount | undefined {
    return this.#sample(accountId) ?? this.#services.get(accountId)
  }

  /** @throws FaultError `invalid` for an unknown account */
  get(accountId: string): OpenAccount {
    return this.#sample(accountId) ?? this.#service(accountId)
  }

  #sample(accountId: string): EmbeddedAccount | undefined {
    return this.#sampled && accountId === embeddedId ? this.#embedded : undefined
  }

  /** True if this build of the app can sign in to providers without a client of the user's own. */
  get hasBuiltInClient(): boolean {
    return this.#options.builtInClient !== undefined
  }

  /**
   * Adds the account with sample data, or returns the one that is there.
   * @throws FaultError `storage` if the sandbox doesn't start
   */
  async addSample(): Promise<Account> {
    if (this.#sampled) return this.#embedded.account()
    await this.#options.sampleData?.begin()
    this.#embedded = this.#newEmbedded()
    await this.#embedded.learn()
    this.#sampled = true
    await this.#keep()
    this.#announce()
    return this.#embedded.account()
  }

  /** Tests the connection to every service of an account. @throws FaultError `invalid` for an unknown account */
  check(accountId: string): Promise<ServiceCheck[]> {
    const open = this.get(accountId)
    return checkServices(open.client, open.account().services)
  }

  /** @throws FaultError `invalid`, or as `discover` if it must contact the address */
  async add(wanted: Wanted): Promise<Account> {
    const { services, versions, issuer } = await this.#readWanted(wanted)
    const client = this.#clientFor(wanted)
    const record: AccountRecord = {
      id: `account-${randomBytes(6).toString('hex')}`,
      email: '',
      label: wanted.label,
      vocabulary: wanted.provider ? 'public' : wanted.vocabulary,
      services,
      versions,
      issuer,
      clientId: client.clientId || undefined,
      scopeBase: wanted.provider ? providerScopeBase : wanted.scopeBase || undefined,
      expired: false,
      opened: false,
      downloads: [],
    }
    const open = await this.#open(record)
    try {
      if (client.clientSecret) await open.setClientSecret(client.clientSecret)
      await this.#keep()
    } catch (error) {
      this.#services.delete(record.id)
      throw error
    }
    this.#announce()
    return open.account()
  }

  /** @throws FaultError `invalid` */
  async change({ accountId, label, services, versions }: RequestArguments<'account/change'>): Promise<Account> {
    const more = {
      ...(label === undefined ? {} : { label }),
      ...(versions === undefined ? {} : { versions: knownVersions(versions) }),
    }
    const sample = this.#sample(accountId)
    if (sample) {
      if (services) throw new FaultError({ code: 'invalid', message: 'The sandbox’s address can’t be changed.' })
      sample.change(more)
    } else {
      await this.#service(accountId).change(services ? { ...more, services: knownServices(services) } : more)
    }
    await this.#keep()
    return this.get(accountId).account()
  }

  /** Called when the renderer has created the account's replica. From then on, an empty database means a lost one. */
  async opened(accountId: string): Promise<void> {
    const open = this.#sample(accountId) ?? this.#services.get(accountId)
    if (!open || open.record.opened) return
    open.record = { ...open.record, opened: true }
    await this.#keep()
  }

  /** @throws FaultError `storage` */
  async noteDownloads({ accountId, downloads }: RequestArguments<'account/downloads'>): Promise<void> {
    const open = this.#sample(accountId) ?? this.#services.get(accountId)
    if (!open) return
    open.record = { ...open.record, downloads }
    await this.#keep()
  }

  /** @throws FaultError `invalid` while the account has pending changes */
  async remove(accountId: string): Promise<void> {
    const open = this.#sample(accountId) ?? this.#service(accountId)
    const count = this.#options.unsent(accountId)
    if (count > 0) {
      const { label } = open.record
      const message =
        count === 1
          ? `${label} has 1 pending change. Send or discard it first.`
          : `${label} has ${count.toLocaleString('en')} pending changes. Send or discard them first.`
      throw new FaultError({ code: 'invalid', message })
    }
    if (open === this.#embedded) {
      this.#sampled = false
      await this.#options.sampleData?.remove()
    } else {
      this.#services.delete(accountId)
      await open.signOut()
      await this.#options.vault.write(accountId, {})
    }
    delete this.#counts[accountId]
    await this.#keep()
    this.#announce()
  }

  /** Cancels sign-ins that wait for the browser, and saves unsaved data. */
  async close(): Promise<void> {
    for (const open of this.#services.values()) open.cancel()
    clearTimeout(this.#countsTimer)
    await this.#writing.idle()
    await this.#countsFile.write(this.#counts).catch(() => undefined)
  }

  async #open(record: AccountRecord): Promise<ServiceAccount> {
    const { vault, fetch, clock, openBrowser } = this.#options
    const open = await ServiceAccount.open(record, {
      vault,
      fetch,
      clock,
      openBrowser,
      changed: () => {
        if (!this.#services.has(record.id)) return
        void this.#keep().catch(() => undefined)
        this.#announce()
      },
      kept: this.#counts[record.id],
      countsChanged: (counts) => this.#count(record.id, counts),
    })
    this.#services.set(record.id, open)
    return open
  }

  #service(accountId: string): ServiceAccount {
    const found = this.#services.get(accountId)
    if (!found) throw new FaultError({ code: 'invalid', message: `Unknown account ${accountId}.` })
    return found
  }

  /** @throws FaultError `invalid` if a provider needs a client and there is none */
  #clientFor({ provider, clientId, clientSecret }: Wanted): Partial<OAuthClient> {
    if (clientId || !provider) return { clientId, clientSecret }
    const { builtInClient } = this.#options
    if (builtInClient) return builtInClient
    throw new FaultError({ code: 'invalid', message: 'Enter a client ID.', location: 'clientId' })
  }

  async #readWanted(wanted: Wanted): Promise<Pick<AccountRecord, 'services' | 'versions' | 'issuer'>> {
    const { address, vocabulary, provider } = wanted
    if (provider) return { services: providers[provider].services, versions: {}, issuer: providerIssuer }
    let services = wanted.services && knownServices(wanted.services)
    let versions = knownVersions(wanted.versions ?? {})
    let issuer = wanted.issuer === undefined ? undefined : serviceAddress(wanted.issuer)
    if (!services && address !== undefined) {
      const { fetch, clock } = this.#options
      const offer = await discover({ fetch, now: clock.now }, address, vocabulary)
      services = Object.fromEntries(offer.services.map(({ service, baseUrl }) => [service, baseUrl]))
      const trafficking = offer.services.find(({ service }) => service === 'trafficking')
      if (trafficking) versions = { trafficking: trafficking.versions[0], ...versions }
      issuer ??= offer.issuer ?? undefined
    }
    if (!services || Object.keys(services).length === 0)
      throw new FaultError({
        code: 'invalid',
        message: 'Flightplan doesn’t support any service at this address.',
      })
    const [first] = Object.values(services)
    return { services, versions, issuer: issuer ?? new URL(address ? serviceAddress(address) : first!).origin }
  }

  #announce(): void {
    this.#options.changed(this.list())
  }

  /**
   * Serializes writes.
   * @throws FaultError `storage`
   */
  #keep(): Promise<void> {
    const records = this.#all().map(({ record }) => record)
    return this.#writing.run(() => writeAccounts(this.#path, records))
  }

  #count(accountId: string, counts: DayCounts): void {
    this.#counts[accountId] = counts
    this.#countsTimer ??= setTimeout(() => {
      this.#countsTimer = undefined
      void this.#countsFile.write(this.#counts).catch(() => undefined)
    }, 2_000)
  }
}

/** @throws FaultError `invalid` for an unknown service or an unusable address */
function knownServices(services: Record<string, string>): Partial<Record<ServiceName, string>> {
  const known: Partial<Record<ServiceName, string>> = {}
  for (const [name, address] of Object.entries(services)) {
    const service = serviceNames.find((one) => one === name)
    if (!service) throw new FaultError({ code: 'invalid', message: `Unknown service ${name}.`, location: name })
    known[service] = serviceAddress(address)
  }
  return known
}

/** @throws FaultError `invalid` */
function knownVersions({ trafficking }: { trafficking?: string }): { trafficking?: string } {
  if (trafficking === undefined) return {}
  if (versionsOf('trafficking').includes(trafficking)) return { trafficking }
  throw new FaultError({ code: 'invalid', message: `Unknown version ${trafficking} of Campaigns.` })
}
