import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { FaultError, faultOf, type Fault } from '#shared/fault'
import type { Account, ServiceCheck } from '#shared/ipc/account-questions'
import type { AppInfo, Bridge, RequestArguments } from '#shared/ipc/contract'
import { Announcer } from '../ui/announcer.svelte'
import { Toasts } from '../ui/toasts.svelte'
import { ask } from '../bridge'
import { clock } from '../clock'
import { forgetAccount } from './account-storage'
import { concernWords, nameOf } from './account-words'
import type { Place } from './navigation.svelte'
import { EditsUnderWay } from './edits-under-way.svelte'
import type { Replica, Row, SyncStatus } from '../replica/api'
import { fillSampleData } from './sample-data'

export interface AccountsOptions {
  bridge: Bridge
  info: AppInfo
  /** False in a window that follows another one. */
  owns: boolean
  open: (account: Account) => Promise<Replica>
  /** Deletes the replica of an account that was removed. */
  destroy: (accountId: string) => Promise<void>
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** Key of the account that is shown, in every window. */
export const shownAccountKey = 'flightplan.account'
/** Maximum time to wait on sign-out for watch channels to stop, in milliseconds. The remaining ones expire. */
const patience = 1_500

/**
 * Every account of this computer. Each has its own replica, which pulls and sends whether or not it is shown; one of
 * them is shown.
 */
export class Accounts {
  readonly bridge: Bridge
  readonly info: AppInfo = $state()!
  /** True in the window that owns the data. Only this window acts on its own, such as resolving by rules. */
  readonly owns: boolean
  /** A shared announcer, so that announcements survive switching accounts. */
  readonly announcer = new Announcer()
  /** Edits, which continue while another account is shown. */
  readonly edits: EditsUnderWay
  /** Messages of the current account. */
  #toasts: Toasts | undefined
  all = $state.raw<readonly Account[]>([])
  #shownId = $state('')
  /** The account requested last. It's shown even if another one opens later. */
  #wantedId = $state('')
  /** Faults of replicas that couldn't be opened, by account ID. */
  #faults = $state.raw<ReadonlyMap<string, Fault>>(new Map())
  #signingIn = $state.raw<ReadonlyMap<string, Promise<void>>>(new Map())
  /** Selector of the element that the next shell focuses: the control that was used. */
  focusNext = ''
  /** The view that the next shell begins with; '' for the one that was there last. */
  viewNext = ''
  /** Deletes what the settings of the current session hold of an account that was removed. */
  onforget: (accountId: string) => void = () => undefined
  /** The place that the next shell begins at, instead of a view. */
  placeNext: Place | null = null
  readonly #replicas = new Map<string, Promise<Replica>>()
  readonly #ready = new Map<string, Replica>()
  /** Accounts that this window removes. */
  readonly #removing = new Set<string>()
  readonly #counted: () => void
  #recount: () => void = () => undefined

  constructor(private readonly options: AccountsOptions) {
    this.bridge = options.bridge
    this.info = options.info
    this.owns = options.owns
    this.edits = new EditsUnderWay(options.bridge)
    this.#counted = createSubscriber((update) => {
      this.#recount = update
      return () => (this.#recount = () => undefined)
    })
    this.bridge.on('account/changed', ({ accounts }) => this.#take(accounts))
    this.bridge.on('app/zone', ({ timeZone }) => (this.info.timeZone = timeZone))
  }

  /**
   * Loads the accounts and opens the one shown last. If its database doesn't open, shows none and sets `fault`. Shows
   * none on a computer that has no account yet.
   * @throws FaultError if main rejects the request
   */
  async start(): Promise<void> {
    this.all = await ask(this.bridge, 'account/list', {})
    const wanted = this.options.storage.getItem(shownAccountKey)
    const account = this.all.find(({ id }) => id === wanted) ?? this.all[0]
    if (account) await this.show(account.id).catch(() => undefined)
  }

  /** Opens the other accounts, so that they sync, too. Failures appear in the menu and when the account is shown. */
  openOthers(): void {
    for (const { id } of untrack(() => this.all)) void this.#replicaOf(id).catch(() => undefined)
  }

  /** Creates the message list for the next account, and moves messages of running work to it. */
  newToasts(): Toasts {
    const account = { id: this.shown.id, name: nameOf(this.shown) }
    const toasts = new Toasts((text) => this.announcer.say(text), clock, account)
    this.#toasts?.handOver(toasts)
    return (this.#toasts = toasts)
  }

  /** '' while no replica could be opened. */
  get shownId(): string {
    return this.#shownId
  }

  get wanted(): Account | undefined {
    return this.all.find(({ id }) => id === this.#wantedId)
  }

  get shown(): Account {
    return this.all.find(({ id }) => id === this.#shownId) ?? this.all[0]!
  }

  /** An account, other than the shown one, that has a record on this computer. */
  async accountWith(key: string): Promise<{ id: string; replica: Replica; row: Row } | undefined> {
    for (const [id, replica] of this.#ready) {
      const row = id === this.#shownId ? undefined : await replica.read(key).catch(() => undefined)
      if (row?.value) return { id, replica, row }
    }
    return undefined
  }

  /** The replica of any account, once it’s open. @throws FaultError if its database doesn’t open */
  opened(id: string): Promise<Replica> {
    return this.#replicaOf(id)
  }

  /** The replica of the account that is shown. */
  get replica(): Replica {
    return this.#ready.get(this.#shownId)!
  }

  /**
   * @returns false if another account has been requested since
   * @throws FaultError if its database doesn't open
   */
  async show(id: string): Promise<boolean> {
    this.#wantedId = id
    if (id === this.#shownId) return true
    await this.#replicaOf(id)
    if (this.#wantedId !== id) return false
    this.#shownId = id
    try {
      this.options.storage.setItem(shownAccountKey, id)
    } catch {
      // If the disk is full, only the last shown account is forgotten.
    }
    return true
  }

  /** Why the replica of an account isn't open. Undefined if it's open or opening. */
  fault(id: string): Fault | undefined {
    return this.#faults.get(id)
  }

  /** Sync status of an account. Undefined while its replica isn't open. Reactive. */
  status(id: string): SyncStatus | undefined {
    this.#counted()
    return this.#ready.get(id)?.status
  }

  /** Number of pending changes of an account, including drafts. Undefined while its replica isn't open. Reactive. */
  unsent(id: string): number | undefined {
    this.#counted()
    return this.#ready.get(id)?.status.unsent
  }

  drafts(id: string): number {
    this.#counted()
    return this.#ready.get(id)?.status.drafts ?? 0
  }

  needsYou(id: string): number {
    this.#counted()
    return this.#ready.get(id)?.status.needsYou ?? 0
  }

  get allUnsent(): number {
    return this.all.reduce((sum, { id }) => sum + (this.unsent(id) ?? 0), 0)
  }

  get allNeedYou(): number {
    return this.all.reduce((sum, { id }) => sum + this.needsYou(id), 0)
  }

  /**
   * Adds a signed-out account. A replica that doesn't open becomes a `fault`.
   * @throws FaultError if nothing was added
   */
  async add(wanted: RequestArguments<'account/add'>): Promise<Account> {
    const account = await ask(this.bridge, 'account/add', wanted)
    if (!this.all.some(({ id }) => id === account.id)) this.all = [...this.all, account]
    await this.#replicaOf(account.id).catch(() => undefined)
    return account
  }

  /** Adds the account with sample data. @throws FaultError if it couldn't be added */
  async addSample(): Promise<Account> {
    const account = await ask(this.bridge, 'account/add-sample', {})
    if (!this.all.some(({ id }) => id === account.id)) this.all = [account, ...this.all]
    await this.#replicaOf(account.id).then(fillSampleData, () => undefined)
    return account
  }

  /** Asks each service of an account whether it answers. @throws FaultError */
  async check(id: string): Promise<readonly ServiceCheck[]> {
    return (await ask(this.bridge, 'account/check', { accountId: id })).services
  }

  /** Problems of an account. Usually empty. */
  remark(account: Account): string {
    const { id } = account
    return concernWords(account, {
      signingIn: this.isSigningIn(id),
      closed: this.fault(id) !== undefined,
      needsYou: this.needsYou(id),
      unsent: this.unsent(id) ?? 0,
      drafts: this.drafts(id),
    })
  }

  /** True while waiting for the user to sign in in the browser. */
  isSigningIn(id: string): boolean {
    return this.#signingIn.has(id)
  }

  /**
   * Signs in with the browser. Sending resumes afterwards. Joins a sign-in that is already running.
   * @throws FaultError `aborted` if it was canceled
   */
  signIn(id: string): Promise<void> {
    const under = this.#signingIn.get(id)
    if (under) return under
    const work = this.#signIn(id).finally(() => {
      const left = new Map(this.#signingIn)
      left.delete(id)
      this.#signingIn = left
    })
    this.#signingIn = new Map(this.#signingIn).set(id, work)
    return work
  }

  async #signIn(id: string): Promise<void> {
    const renewed = this.all.find((account) => account.id === id)?.signIn === 'in'
    await ask(this.bridge, 'account/sign-in', { accountId: id })
    // Otherwise the announcement that it is signed in again sets it going.
    if (renewed) this.#ready.get(id)?.syncNow()
  }

  async cancelSignIn(id: string): Promise<void> {
    await ask(this.bridge, 'account/cancel-sign-in', { accountId: id })
  }

  /** Deletes the sign-in. Local data and pending changes stay. @throws FaultError */
  async signOut(id: string): Promise<void> {
    await this.#unwatch(id)
    await ask(this.bridge, 'account/sign-out', { accountId: id })
  }

  /** @throws FaultError */
  async change(change: RequestArguments<'account/change'>): Promise<void> {
    const under = this.edits.begin('Change account')
    await ask(this.bridge, 'account/change', change).finally(under.end)
  }

  /**
   * Removes the account and its local data.
   * @throws FaultError while it has pending changes
   */
  async remove(id: string): Promise<void> {
    this.#removing.add(id)
    try {
      if ((this.unsent(id) ?? 0) === 0) await this.#unwatch(id)
      // The journal's word counts: main refuses while it holds anything of this account.
      await ask(this.bridge, 'account/remove', { accountId: id })
      this.all = this.all.filter((account) => account.id !== id)
      await this.#gone(id)
    } finally {
      this.#removing.delete(id)
    }
  }

  /** Lets go of an account that was removed, in this window or another one. */
  async #gone(id: string): Promise<void> {
    // The next session reads the settings of this one.
    this.onforget(id)
    if (id === this.#shownId || id === this.#wantedId) await this.#showAnother()
    // Wait for a replica that's still opening, because it would recreate its database.
    const replica = await this.#replicas.get(id)?.catch(() => undefined)
    this.#ready.delete(id)
    this.#replicas.delete(id)
    this.#setFault(id, undefined)
    this.#recount()
    try {
      await replica?.close()
      await this.options.destroy(id)
    } finally {
      // Last, because closing its views may store drafts.
      forgetAccount(this.options.storage, id)
    }
  }

  /** Channels are stopped with the sign-in that opened them. */
  async #unwatch(id: string): Promise<void> {
    if (this.all.find((account) => account.id === id)?.signIn !== 'in') return
    const stopped = this.bridge.ask('sync/watch', { accountId: id, targets: [] })
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, patience))])
  }

  async #showAnother(): Promise<void> {
    for (const { id } of this.all) {
      try {
        await this.show(id)
        return
      } catch {
        // The next one may open.
      }
    }
    this.#shownId = ''
  }

  #take(accounts: readonly Account[]): void {
    const before = new Map(this.all.map(({ id, signIn }) => [id, signIn]))
    this.all = accounts
    for (const id of before.keys())
      if (!this.#removing.has(id) && !accounts.some((account) => account.id === id))
        void this.#gone(id).catch(() => undefined)
    // Another window may have added one.
    for (const { id } of accounts) if (!before.has(id)) void this.#replicaOf(id).catch(() => undefined)
    // An expired sign-in pauses its queue and says so. A restored one resumes it.
    for (const { id, signIn } of accounts)
      if (before.has(id) && before.get(id) !== signIn) this.#ready.get(id)?.syncNow()
  }

  #setFault(id: string, fault: Fault | undefined): void {
    if (!fault && !this.#faults.has(id)) return
    const faults = new Map(this.#faults)
    if (fault) faults.set(id, fault)
    else faults.delete(id)
    this.#faults = faults
  }

  #replicaOf(id: string): Promise<Replica> {
    const known = this.#replicas.get(id)
    if (known) return known
    const account = this.all.find((one) => one.id === id)
    if (!account) return Promise.reject(new FaultError({ code: 'invalid', message: 'This account no longer exists.' }))
    const opening = this.options.open(account).then(
      (replica) => {
        this.#ready.set(id, replica)
        replica.subscribe((topics) => {
          if (topics.has('status') || topics.has('outbox')) this.#recount()
        })
        this.#setFault(id, undefined)
        this.#recount()
        return replica
      },
      (error: unknown) => {
        this.#replicas.delete(id)
        this.#setFault(id, faultOf(error))
        throw error
      },
    )
    this.#replicas.set(id, opening)
    return opening
  }
}
