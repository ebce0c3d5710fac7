import type { Handlers } from '../ipc/handle'
import type { Accounts } from '../accounts/accounts'
import type { Reminders } from '../reminders/reminders'

export interface ReminderDeps {
  accounts: Accounts
  reminders: Reminders
}

type Names = Extract<keyof Handlers, `reminders/${string}` | `notifications/${string}`>

/** Handlers of requests about reminders and notifications. */
export function reminderHandlers({ accounts, reminders }: ReminderDeps): Pick<Handlers, Names> {
  const { scheduler } = reminders
  return {
    'reminders/set': ({ accountId, ...coming }) => {
      scheduler.set(accounts.get(accountId).id, coming)
      return null
    },
    'reminders/ringing': () => ({ ringing: [...scheduler.ringing] }),
    'reminders/dismiss': ({ reminders: chosen }) => {
      scheduler.dismiss(chosen)
      return null
    },
    'reminders/snooze': ({ accountId, key, minutes }) => {
      scheduler.snooze(accountId, key, minutes)
      return null
    },
    'reminders/attention': ({ count }) => {
      reminders.needAttention(count)
      return null
    },
    'notifications/settings': () => reminders.settings,
    'notifications/change': (patch) => reminders.change(patch),
    'notifications/test': async () => ({ problem: await reminders.test() }),
  }
}
