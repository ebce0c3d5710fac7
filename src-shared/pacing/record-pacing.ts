import type { JsonObject } from '../json'
import type { DeliveredDays } from './delivered-days'
import { activityOf, hasGoal, measureOf, measureWords, pacingOf, type Deliveries, type Pacing } from './pacing'
import { deliveredOf, deliveringOf } from './pacing-rows'

/** Placement or group, with related local records. */
export interface PacedRecord {
  record: JsonObject
  /** All placements of a group. */
  children?: readonly JsonObject[]
  /** Group of a placement, if any. */
  group?: JsonObject
  /** Name of the paid activity. */
  activityName?: string
}

/** Report of deliveries, if downloaded. `narrowed`: it's filtered, so missing placements may have delivered. */
export type RecordFile = (Omit<Deliveries, 'days'> & { days: DeliveredDays; narrowed: boolean }) | undefined

const whole = new Intl.NumberFormat('en')
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Record with the goal: the group of a placement if it has a goal, else the record. */
export const goalOf = ({ record, group }: PacedRecord): JsonObject => (group && hasGoal(group) ? group : record)

/** Pacing sentence of a placement or group, or which report to run for it. */
export function recordSentence(paced: PacedRecord, file: RecordFile): string {
  const found = recordPacing(paced, file)
  return typeof found === 'string' ? found : found.sentence
}

/** Pacing of a placement or group, or a sentence that says why it's unknown. */
export function recordPacing(paced: PacedRecord, file: RecordFile): Pacing | string {
  const { record, children } = paced
  const goal = goalOf(paced)
  const activityId = activityOf(goal)
  const measure = measureOf(goal)
  if (!file) return activityId === undefined ? 'No daily data yet.' : noActivity(paced, activityId)
  const { days, from, asOf, narrowed } = file
  if (!days.tells(measure, activityId)) {
    if (activityId !== undefined) return noActivity(paced, activityId)
    return measure === 'conversions'
      ? 'Priced by conversions, but without an activity. Choose one to see pacing.'
      : `The latest results don’t include ${measureWords[measure][1]}. Run “Daily results” to get them.`
  }
  if (children) {
    const counted = deliveringOf(record, children)
    if (counted.length === 0) return 'No placements to count yet.'
    const named = counted.filter(({ id }) => days.has(text(id))).length
    if (narrowed && named < counted.length)
      return `The latest results include only ${whole.format(named)} of ${whole.format(counted.length)} placements. Run a report without filters to see pacing.`
    return pacingOf(record, { from, asOf, days: deliveredOf(record, children, (...one) => days.of(...one)) })
  }
  const id = text(record.id)
  if (narrowed && !days.has(id)) return 'The latest results don’t include this placement.'
  const own = days.of(id, activityId)
  if (goal === record) return pacingOf(record, { from, asOf, days: own })
  const delivered = Math.round(own.filter(({ day }) => day <= asOf).reduce((sum, day) => sum + (day[measure] ?? 0), 0))
  const [one, many] = measureWords[measure]
  return `The goal is booked on “${text(goal.name)}”. This placement has delivered ${whole.format(delivered)} ${delivered === 1 ? one : many} so far.`
}

function noActivity({ activityName }: PacedRecord, activityId: string): string {
  const activity = activityName ? `“${activityName}”` : `activity ${activityId}`
  return `Priced by conversions of ${activity}, but the latest results don’t include them by day. In “Daily results”, add this activity with Total Conversions under Activities, then run the report.`
}
