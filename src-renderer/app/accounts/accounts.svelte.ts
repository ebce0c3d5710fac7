import { untrack } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import { FaultError } from '#shared/fault'
import type { Account, AppInfo, Bridge, RequestArguments } from '#shared/ipc/contract'
import { ask } from '../../bridge'
import type { Replica } from '../../replica/api'
import { deleteReplica } from '../../sync/open'

export type OpenReplica = (account: Account) => Promise<Replica>

const remembered = 'flightplan.account'

/**
 * Every account of this computer. Each has its own replica, which pulls and sends whether or not it is shown; one of
 * them is shown.
 */
export class Accounts {
  all = $state.raw<readonly Account[]>([])
  #shownId = $state('')
  /** Waits for the person to come back from the browser. */
  signingIn = $state<string | null>(null)
  readonly #replicas = new Map<string, Promise<Replica>>()
  readonly #ready = new Map<string, Replica>()
  readonly #counted: () => void
  #recount: () => void = () => undefined

  constructor(
    readonly bridge: Bridge,
    readonly info: AppInfo,
    private readonly open: OpenReplica,
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'>,
  ) {
    this.#counted = createSubscriber((update) => {
      this.#recount = update
      return () => (this.#recount = () => undefined)
    })
    bridge.on('account/changed', ({ accounts }) => (this.all = accounts))
  }

  /** Reads the list and opens the account that was shown last. @throws FaultError when that one cannot be opened */
  async start(): Promise<void> {
    this.all = await ask(this.bridge, 'account/list', {})
    const wanted = this.storage.getItem(remembered)
    const account = this.all.find(({ id }) => id === wanted) ?? this.all[0]
    if (!account) throw new FaultError({ code: 'signInExpired', message: 'There is no account on this computer yet.' })
    await this.replicaOf(account.id)
    this.#shownId = account.id
  }

  /** Opens the others, so that they sync too. One that does not open says so when it is shown. */
  openOthers(): void {
    for (const { id } of untrack(() => this.all)) void this.replicaOf(id).catch(() => undefined)
  }

  get shownId(): string {
    return this.#shownId
  }

  get shown(): Account {
    return this.all.find(({ id }) => id === this.#shownId) ?? this.all[0]!
  }

  /** The replica of the account that is shown. */
  get replica(): Replica {
    return this.#ready.get(this.#shownId)!
  }

  /** @throws FaultError when its database does not open */
  async show(id: string): Promise<void> {
    if (id === this.#shownId) return
    await this.replicaOf(id)
    this.#shownId = id
    try {
      this.storage.setItem(remembered, id)
    } catch {
      // A full disk only costs the memory of what was shown.
    }
  }

  /** Changes of an account that were not sent; undefined while its replica is not open. Reactive. */
  unsent(id: string): number | undefined {
    this.#counted()
    return this.#ready.get(id)?.status.unsent
  }

  needsYou(id: string): number {
    this.#counted()
    return this.#ready.get(id)?.status.needsYou ?? 0
  }

  get allUnsent(): number {
    return this.all.reduce((sum, { id }) => sum + (this.unsent(id) ?? 0), 0)
  }

  /** Adds an account and lets the person sign in. The account stays when they do not. @throws FaultError */
  async add(wanted: RequestArguments<'account/add'>): Promise<Account> {
    const account = await ask(this.bridge, 'account/add', wanted)
    this.all = await ask(this.bridge, 'account/list', {})
    await this.replicaOf(account.id)
    return account
  }

  /** Asks for a sign-in in the browser; sending goes on afterwards. @throws FaultError `aborted` when it was cancelled */
  async signIn(id: string): Promise<void> {
    this.signingIn = id
    try {
      await ask(this.bridge, 'account/sign-in', { accountId: id })
    } finally {
      if (this.signingIn === id) this.signingIn = null
    }
    ;(await this.replicaOf(id)).syncNow()
  }

  async cancelSignIn(id: string): Promise<void> {
    await ask(this.bridge, 'account/cancel-sign-in', { accountId: id })
  }

  /** Forgets the sign-in; what is on this computer stays, unsent changes too. @throws FaultError */
  async signOut(id: string): Promise<void> {
    await ask(this.bridge, 'account/sign-out', { accountId: id })
  }

  /** @throws FaultError */
  async change(change: RequestArguments<'account/change'>): Promise<void> {
    await ask(this.bridge, 'account/change', change)
  }

  /** Forgets the account and what this computer holds of it. @throws FaultError while something of it is unsent */
  async remove(id: string): Promise<void> {
    const replica = this.#ready.get(id)
    // The journal's word counts: main refuses while it holds anything of this account.
    await ask(this.bridge, 'account/remove', { accountId: id })
    if (id === this.#shownId) await this.show(this.all.find((account) => account.id !== id)!.id)
    this.all = this.all.filter((account) => account.id !== id)
    this.#ready.delete(id)
    this.#replicas.delete(id)
    await replica?.close()
    await deleteReplica(id)
  }

  private replicaOf(id: string): Promise<Replica> {
    const known = this.#replicas.get(id)
    if (known) return known
    const account = this.all.find((one) => one.id === id)
    if (!account) return Promise.reject(new FaultError({ code: 'invalid', message: 'This account is gone.' }))
    const opening = this.open(account).then((replica) => {
      this.#ready.set(id, replica)
      replica.subscribe((topics) => {
        if (topics.has('status') || topics.has('outbox')) this.#recount()
      })
      this.#recount()
      return replica
    })
    this.#replicas.set(id, opening)
    opening.catch(() => this.#replicas.delete(id))
    return opening
  }
}
