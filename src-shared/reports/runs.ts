import type { Fault } from '../fault'
import type { PlannedDeliveries } from '../pacing/planned'

/**
 * States of a run. `held`: its report has pending changes. `waiting`: queued. `asked`: the request is about to be sent,
 * or was sent without a response. `working`: the service runs the report. `fetching`: its files are downloading.
 * `kept`: complete. The last four never continue on their own.
 */
export const runStates = [
  'held',
  'waiting',
  'asked',
  'working',
  'fetching',
  'kept',
  'failed',
  'stopped',
  'needsYou',
] as const
export type RunState = (typeof runStates)[number]

const under: ReadonlySet<RunState> = new Set<RunState>(['held', 'waiting', 'asked', 'working', 'fetching'])
export const isOver = (state: RunState): boolean => !under.has(state)

/** Run as shown in the window. All times are epoch milliseconds. */
export interface Run {
  id: string
  accountId: string
  service: 'trafficking' | 'search'
  /** ID of the report on the server, or of the local definition. */
  reportId?: string
  profileId?: string
  name: string
  type: string
  state: RunState
  /** State in words. */
  words: string
  asked: number
  /** Time of the request to the service, by the service's clock. */
  requested?: number
  range?: { from: string; to: string }
  finished?: number
  rows?: number
  bytes?: number
  /** Format of the result file. */
  format: 'csv' | 'tsv' | 'xlsx'
  totalsAgree?: boolean
  /** Exempt from cleanup. */
  pinned: boolean
  /** True if its file is on this computer. */
  hasFile: boolean
  /** True if its record can't be read, so that nothing of it is known. */
  damaged?: true
  /** Deliveries in its results, by the definition that ran. Absent if they lack each placement's delivery by day. */
  deliveries?: PlannedDeliveries
  /** Outbox entries of the report that must be sent first. */
  awaits?: string[]
  /** True if the run exists on the server, so it can be looked up. */
  begun?: boolean
  /** True if it was found on the server, so it wasn’t started here. */
  found?: boolean
  /** Download progress in bytes. */
  fetched?: { done: number; of?: number }
  /** Time of the next request, and the error that caused the delay. */
  next?: { at: number; fault?: Pick<Fault, 'code' | 'status' | 'message'> }
}

/** Run of a report on the server that this computer doesn’t have: a schedule or someone else ran it, or it was deleted here. */
export interface ServerRun {
  /** ID of its file. */
  id: string
  /** Time of its file in epoch milliseconds. */
  made: number
  /** False while it’s running. */
  isReady: boolean
  range?: { from: string; to: string }
}

export interface ServerRuns {
  /** Newest first. */
  runs: ServerRun[]
  /** Continues with older runs, if there are any. */
  pageToken?: string
}

/** Search report definition. It's stored on this computer, because the service stores none. */
export interface SearchDefinition {
  id: string
  name: string
  /** Request body. */
  request: Record<string, unknown>
  /** Epoch milliseconds. */
  changed: number
}
