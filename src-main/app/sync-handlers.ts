import type { CheckedArguments, RequestAnswers } from '#shared/ipc/contract'
import { actions } from '../actions/actions'
import type { Client } from '../services/client'
import { pull } from '../sync/pull'
import { push } from '../sync/push'
import { readMany, readRecord } from '../sync/read'
import type { SubscribedSync } from '../subscriptions/subscribed-sync'

export interface SyncDeps {
  clientOf: (accountId: string) => Client
  now: () => number
  /** Sync of subscribed calendars, which no service has. */
  subscribed?: SubscribedSync
}

type SyncRequest = 'sync/pull' | 'sync/push' | 'sync/read' | 'sync/read-many'
export type SyncHandlers = {
  [N in SyncRequest]: (args: CheckedArguments<N>) => Promise<RequestAnswers[N]>
}

/** Handlers for records. Independent of the window, so that tests use the same ones. */
export function syncHandlers({ clientOf, now, subscribed }: SyncDeps): SyncHandlers {
  const handlers: SyncHandlers = {
    'sync/pull': ({ accountId, ...request }) => pull(clientOf(accountId), request),
    'sync/push': ({ accountId, entry, seen }) =>
      push({ client: clientOf(accountId), actions, now, ...(seen && { seen }) }, entry),
    'sync/read': ({ accountId, collection, parent, id }) => readRecord(clientOf(accountId), collection, parent, id),
    'sync/read-many': ({ accountId, collection, parent, ids }) =>
      readMany(clientOf(accountId), collection, parent, ids),
  }
  if (!subscribed) return handlers
  return {
    'sync/pull': (asked) => subscribed.pull(asked, handlers['sync/pull']),
    'sync/push': (asked) => subscribed.push(asked.entry, () => handlers['sync/push'](asked)),
    'sync/read': (asked) => subscribed.read(asked, asked.id, () => handlers['sync/read'](asked)),
    'sync/read-many': (asked) =>
      subscribed.readMany(asked, asked.ids, (ids) => handlers['sync/read-many']({ ...asked, ids })),
  }
}
