import { faultOf } from '#shared/fault'
import type { Bridge } from '#shared/ipc/contract'
import { defaultNotifications, type NotificationSettings, type Ringing } from '#shared/ipc/reminder-questions'
import { ask } from '../bridge'
import type { Toasts } from '../ui/toasts.svelte'

/** Notifications: what was chosen about them, and the reminders that ring. Main knows both. */
export class Notifications {
  readonly #bridge: Bridge
  readonly #toasts: Toasts
  settings = $state.raw<NotificationSettings>(defaultNotifications)
  ringing = $state.raw<readonly Ringing[]>([])

  constructor(bridge: Bridge, toasts: Toasts) {
    this.#bridge = bridge
    this.#toasts = toasts
  }

  /** Follows main until the returned function is called. */
  follow(): () => void {
    const off = [
      this.#bridge.on('notifications/changed', (settings) => (this.settings = settings)),
      this.#bridge.on('reminders/ringing', ({ ringing }) => (this.ringing = ringing)),
    ]
    void ask(this.#bridge, 'notifications/settings', {}).then(
      (settings) => (this.settings = settings),
      () => undefined,
    )
    void ask(this.#bridge, 'reminders/ringing', {}).then(
      ({ ringing }) => (this.ringing = ringing),
      () => undefined,
    )
    return () => off.forEach((end) => end())
  }

  async change(patch: Partial<NotificationSettings>): Promise<void> {
    try {
      this.settings = await ask(this.#bridge, 'notifications/change', patch)
    } catch (error) {
      this.#toasts.show(`Couldn’t save the setting. ${faultOf(error).message}`, { level: 'error' })
    }
  }

  dismiss(...ringing: readonly Pick<Ringing, 'accountId' | 'reminder'>[]): void {
    const reminders = ringing.map(({ accountId, reminder }) => ({ accountId, key: reminder.key }))
    void this.#bridge.ask('reminders/dismiss', { reminders })
  }

  snooze({ accountId, reminder }: Ringing, minutes: number | 'start'): void {
    void this.#bridge.ask('reminders/snooze', { accountId, key: reminder.key, minutes })
  }
}
