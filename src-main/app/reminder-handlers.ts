import type { HandlersOf } from '../ipc/handle'
import type { Accounts } from '../accounts/accounts'
import type { Reminders } from '../reminders/reminders'

export interface ReminderDeps {
  accounts: Accounts
  reminders: Reminders
}

/** Handlers of requests about reminders and notifications. */
export function reminderHandlers({ accounts, reminders }: ReminderDeps): HandlersOf<'reminders' | 'notifications'> {
  const { scheduler } = reminders
  return {
    'reminders/set': ({ accountId, ...coming }) => {
      scheduler.set(accounts.get(accountId).id, coming)
    },
    'reminders/ringing': () => ({ ringing: [...scheduler.ringing] }),
    'reminders/dismiss': ({ reminders: chosen }) => {
      scheduler.dismiss(chosen)
    },
    'reminders/snooze': ({ accountId, key, minutes }) => {
      scheduler.snooze(accountId, key, minutes)
    },
    'reminders/failed': ({ accountId, key, why }) => {
      reminders.failed(accountId, key, why)
    },
    'reminders/attention': ({ count }) => {
      reminders.needAttention(count)
    },
    'notifications/settings': () => reminders.settings,
    'notifications/change': (patch) => reminders.change(patch),
    'notifications/test': async () => ({ problem: await reminders.test() }),
  }
}
