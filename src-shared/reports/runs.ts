/**
 * Where a run stands. `held`: it waits for its report to be at the service as it stands here; `waiting`: for the service to
 * be asked; `asked`: the service is about to be told, or was and nobody knows whether it heard; `working`: it makes the
 * report; `fetching`: its files come; `kept`: the whole file is here. The last four never go on by themselves.
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

/** A run as the window sees it. Epoch milliseconds. */
export interface Run {
  id: string
  accountId: string
  service: 'trafficking' | 'search'
  /** The report at the service, or the definition kept here. */
  reportId?: string
  profileId?: string
  name: string
  type: string
  state: RunState
  /** What happened, for people. */
  words: string
  asked: number
  range?: { from: string; to: string }
  finished?: number
  rows?: number
  bytes?: number
  /** The format of its file. */
  format: 'csv' | 'tsv' | 'xlsx'
  totalsAgree?: boolean
  /** Kept whatever newer ones come. */
  pinned: boolean
  /** Its file is on this computer. */
  hasFile: boolean
  /** Changes of its report, by their entries in the outbox, that have to be at the service first. */
  awaits?: string[]
  /** The service knows of it: it can be looked for there. */
  begun?: boolean
  /** Bytes while they come. */
  fetched?: { done: number; of?: number }
  /** When the service is asked again, and what went wrong. */
  next?: { at: number; words?: string }
}

/** A search report as it is kept on this computer: the service keeps none. */
export interface SearchDefinition {
  id: string
  name: string
  /** As it is sent to the service. */
  request: Record<string, unknown>
  /** Epoch milliseconds. */
  changed: number
}
