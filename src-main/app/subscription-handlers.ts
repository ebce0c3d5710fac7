import type { HandlersOf } from '../ipc/handle'
import type { Subscriptions } from '../subscriptions/subscriptions'

export interface SubscriptionDeps {
  subscriptions: Subscriptions
}

/** Handlers of requests about subscribed calendars. */
export const subscriptionHandlers = ({ subscriptions }: SubscriptionDeps): HandlersOf<'subscriptions'> => ({
  'subscriptions/list': async ({ accountId }) => {
    await subscriptions.ready()
    return { subscriptions: subscriptions.list(accountId) }
  },
  'subscriptions/add': ({ accountId, ...wanted }) => subscriptions.add(accountId, wanted),
  'subscriptions/change': ({ accountId, id, ...change }) => subscriptions.change(accountId, id, change),
  'subscriptions/refresh': ({ accountId, id }) => subscriptions.refresh(accountId, id),
  'subscriptions/remove': ({ accountId, id }) => subscriptions.remove(accountId, id),
})
