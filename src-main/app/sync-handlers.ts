import type { CheckedArguments, RequestAnswers } from '#shared/ipc/contract'
import { actions } from '../actions/actions'
import type { Client } from '../services/client'
import { pull } from '../sync/pull'
import { push } from '../sync/push'
import { readMany, readRecord } from '../sync/read'

export interface SyncDeps {
  clientOf: (accountId: string) => Client
  now: () => number
}

type SyncRequest = 'sync/pull' | 'sync/push' | 'sync/read' | 'sync/read-many'
export type SyncHandlers = {
  [N in SyncRequest]: (args: CheckedArguments<N>) => Promise<RequestAnswers[N]>
}

/** Handlers for records. They don't know the window, so tests use the same ones. */
export function syncHandlers({ clientOf, now }: SyncDeps): SyncHandlers {
  return {
    'sync/pull': ({ accountId, ...request }) => pull(clientOf(accountId), request),
    'sync/push': ({ accountId, entry, seen }) =>
      push({ client: clientOf(accountId), actions, now, ...(seen && { seen }) }, entry),
    'sync/read': ({ accountId, collection, parent, id }) => readRecord(clientOf(accountId), collection, parent, id),
    'sync/read-many': ({ accountId, collection, parent, ids }) =>
      readMany(clientOf(accountId), collection, parent, ids),
  }
}
