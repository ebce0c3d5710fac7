import type { JsonObject } from '#shared/json'
import { hasGoal, pacingStateWords, type PacingState } from '#shared/pacing/pacing'
import { recordPacing, type RecordFile } from '#shared/pacing/record-pacing'

/** Pacing of a placement, as its cells show it. */
export interface PacingCell {
  /** Undefined if nothing can be judged: `sentence` says why. */
  state: PacingState | undefined
  words: string | undefined
  /** Delivered part of what is due by now, in whole percent. */
  percent: number | undefined
  sentence: string
}

/** What the cells show of a placement. `group`: the one it belongs to. */
export function pacingCell(record: JsonObject, group: JsonObject | undefined, file: RecordFile): PacingCell {
  const found = recordPacing({ record, ...(group && hasGoal(group) && { group }) }, file)
  if (typeof found === 'string') return { state: undefined, words: undefined, percent: undefined, sentence: found }
  const { state, pace, goal, sentence } = found
  const words = state === 'noGoal' ? undefined : pacingStateWords[state]
  const judged = goal > 0 && state !== 'incomplete' && state !== 'notStarted' && pace !== null
  return { state, words, percent: judged ? Math.round(pace * 100) : undefined, sentence }
}
