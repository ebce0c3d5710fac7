import { faultOf } from '#shared/fault'
import type { Bridge, RequestArguments } from '#shared/ipc/contract'
import type { Subscription } from '#shared/ipc/subscription-questions'
import { ask } from '../bridge'
import type { Toasts } from '../ui/toasts.svelte'

/** An address to subscribe to, as the dialog begins with it. */
export interface AskedAddress {
  address: string
  /** False if it came from a link. Then the user confirms it, and it may not lead into the local network. */
  typed: boolean
}

/** Calendars on the web that the account shows. Main downloads them. */
export class Subscriptions {
  readonly #bridge: Bridge
  readonly #toasts: Toasts
  readonly #accountId: string
  list = $state.raw<readonly Subscription[]>([])
  /** Why the list couldn't be read. */
  problem = $state.raw<string | null>(null)
  /** Address that the dialog asks about. Null while it's closed. */
  asked = $state.raw<AskedAddress | null>(null)

  constructor(bridge: Bridge, toasts: Toasts, accountId: string) {
    this.#bridge = bridge
    this.#toasts = toasts
    this.#accountId = accountId
  }

  /** Follows main until the returned function is called. */
  follow(): () => void {
    const off = this.#bridge.on('subscriptions/changed', ({ accountId, subscriptions }) => {
      if (accountId === this.#accountId) this.#take(subscriptions)
    })
    void ask(this.#bridge, 'subscriptions/list', { accountId: this.#accountId }).then(
      ({ subscriptions }) => this.#take(subscriptions),
      (error: unknown) => {
        const { code, message } = faultOf(error)
        if (code !== 'storage') return
        this.problem = message
        this.#toasts.show(message, { level: 'error' })
      },
    )
    return off
  }

  #take(subscriptions: readonly Subscription[]): void {
    this.list = subscriptions
    this.problem = null
  }

  of(calendarId: string): Subscription | undefined {
    return this.list.find(({ id }) => id === calendarId)
  }

  /** @throws FaultError */
  add(wanted: Omit<RequestArguments<'subscriptions/add'>, 'accountId'>): Promise<Subscription> {
    return ask(this.#bridge, 'subscriptions/add', { ...wanted, accountId: this.#accountId })
  }

  async change(
    id: string,
    change: Partial<Pick<Subscription, 'name' | 'color' | 'reminders' | 'alarms'>>,
  ): Promise<void> {
    const { reminders, ...rest } = change
    const all = { ...rest, ...(reminders && { reminders: [...reminders] }) }
    await this.#attempt('Couldn’t change the subscription.', () =>
      ask(this.#bridge, 'subscriptions/change', { accountId: this.#accountId, id, ...all }),
    )
  }

  /** Downloads one calendar now, or all. Their states say how that ended. */
  async refresh(id?: string): Promise<void> {
    await this.#attempt('Couldn’t refresh.', () =>
      ask(this.#bridge, 'subscriptions/refresh', { accountId: this.#accountId, ...(id !== undefined && { id }) }),
    )
  }

  /** Unsubscribes, with a way back. */
  async remove(one: Subscription): Promise<void> {
    const { id, address, typed, name, color, reminders, alarms } = one
    const done = await this.#attempt('Couldn’t unsubscribe.', () =>
      ask(this.#bridge, 'subscriptions/remove', { accountId: this.#accountId, id }),
    )
    if (!done) return
    const again = { address, typed, name, color, reminders: [...reminders], alarms }
    const back = (): void => void this.#attempt(`Couldn’t subscribe to “${name}” again.`, () => this.add(again))
    this.#toasts.show(`Unsubscribed from “${name}”`, { action: { label: 'Undo', run: back } })
  }

  async #attempt(failed: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      this.#toasts.show(`${failed} ${faultOf(error).message}`, { level: 'error' })
      return false
    }
  }
}
