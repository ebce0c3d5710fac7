import type { CollectionName } from '#shared/domain/collections'
import { anomalyLines, type AnomalyLine } from '#shared/pacing/anomaly-lines'
import { dayAnomalies, totalAnomalies, type Anomaly } from '#shared/pacing/anomalies'
import { activityOf, flightOf, hasGoal, measureOf } from '#shared/pacing/pacing'
import { pacingSteps, type PacingRow } from '#shared/pacing/pacing-rows'
import { unsettledDays } from '#shared/pacing/settled'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { DeliveryFile } from '../../../context/delivery-files'
import type { Replica } from '../../../replica/api'
import { FrameYield } from '../../../replica/tables/frame-yield'

/** Number of days for which a note on a day is shown. */
const recent = 7
/** Number of records to read from disk at once. */
const batch = 200

/** Pacing and anomalies of placements. */
export interface ReportSummary {
  /** Highest money at risk first. */
  rows: readonly PacingRow[]
  /** Highest spend first, with similar notes grouped. */
  notes: readonly AnomalyLine[]
  /** ID of the campaign of each downloaded placement in the results, by the placement's. */
  campaignIds: ReadonlyMap<string, string>
  /** Number of placements in the results that aren't downloaded, so their booking is unknown. */
  away: number
  /**
   * Number of placements with a goal in a metric that the results don't include, such as conversions of one activity.
   */
  unmeasured: number
}

/**
 * Pacing of a profile's placements, including pending changes. Yields to keep frames responsive. `narrowed`: only
 * placements in the results, because a filtered report lacks the others. @throws the signal's reason
 */
export async function summarizeReport(
  replica: Pick<Replica, 'table' | 'readAll'>,
  { profile, file, narrowed }: { profile: string; file: DeliveryFile; narrowed: boolean },
  signal: AbortSignal,
): Promise<ReportSummary> {
  const { days, from, asOf } = file
  const yielder = new FrameYield(
    { elapsed: systemClock.elapsed, setTimer: (run, after) => setTimeout(run, after) },
    signal,
  )
  const placements = await recordsOf(replica, 'placements', profile, yielder, signal)
  const groups = await recordsOf(replica, 'placementGroups', profile, yielder, signal)
  const known = new Map(placements.map((one) => [idOf(one), one]))
  const tells = (record: JsonObject): boolean => days.tells(measureOf(record), activityOf(record))
  // Skip placements that ended before the results start.
  const hasPacing = (record: JsonObject): boolean => (flightOf(record)?.to ?? asOf) >= from && tells(record)
  const named = narrowed ? placements.filter((one) => days.has(idOf(one))) : placements
  const inFile = new Set(named.map(({ placementGroupId }) => placementGroupId))
  const wantedGroups = groups.filter((one) => !isArchived(one) && hasPacing(one) && (!narrowed || inFile.has(one.id)))
  // Ended and archived placements still count towards the goal of their group.
  const goals = new Set(wantedGroups.filter((one) => hasGoal(one)).map(idOf))
  const wanted = named.filter((one) => goals.has(textOf(one.placementGroupId)) || (!isArchived(one) && hasPacing(one)))

  const steps = pacingSteps(wanted, wantedGroups, { from, asOf }, (...one) => days.of(...one))
  let next = steps.next()
  for (; !next.done; next = steps.next()) if (yielder.due) await yielder.take()

  const notes: Anomaly[] = []
  const money = new Map<string, number>()
  for (const id of days.ids) {
    if (yielder.due) await yielder.take()
    const record = known.get(id)
    const name = (record && textOf(record.name)) || days.nameOf(id) || id
    // No anomalies for days that may still change.
    const until = asOf - unsettledDays
    const flight = record && flightOf(record)
    const subject = { key: id, name }
    const ofDays = days.of(id)
    money.set(id, spent(ofDays, asOf))
    notes.push(...dayAnomalies(subject, ofDays, { until, ...(flight && { flight }) }).filter(isRecent(asOf)))
    notes.push(...totalAnomalies(subject, days.totalsOf(id, until)))
  }
  return {
    rows: next.value,
    notes: anomalyLines(notes, (id) => money.get(id) ?? 0),
    campaignIds: new Map(
      days.ids.flatMap((id) => (known.has(id) ? [[id, textOf(known.get(id)!.campaignId)] as const] : [])),
    ),
    away: days.ids.filter((id) => !known.has(id)).length,
    unmeasured: [...placements, ...groups].filter((one) => {
      const flight = flightOf(one)
      const lasts = flight !== undefined && flight.from <= asOf && flight.to >= from
      return lasts && !isArchived(one) && hasGoal(one) && !tells(one)
    }).length,
  }
}

/** Spend of a placement in the last week. Without costs, its delivery serves as a weight. */
const spent = (days: ReturnType<DeliveryFile['days']['of']>, asOf: number): number =>
  days
    .filter(({ day }) => day > asOf - recent && day <= asOf)
    .reduce((sum, { cost, impressions = 0 }) => sum + (cost ?? impressions), 0)

const isRecent =
  (asOf: number) =>
  ({ day }: Anomaly): boolean =>
    day === undefined || day > asOf - recent

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isArchived = ({ archived }: JsonObject): boolean => archived === true
const idOf = ({ id }: JsonObject): string => textOf(id)

/** Fields for pacing. Dropping the others saves memory with thousands of records. */
const fields = [
  'id',
  'name',
  'advertiserId',
  'campaignId',
  'siteId',
  'archived',
  'placementGroupId',
  'placementGroupType',
  'primaryPlacementId',
  'pricingSchedule',
] as const

/** Loads all records of a profile, including pending changes. */
async function recordsOf(
  replica: Pick<Replica, 'table' | 'readAll'>,
  collection: CollectionName,
  profile: string,
  yielder: FrameYield,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const table = await replica.table(collection, { parent: profile, columns: [] }, signal)
  const keys = Array.from({ length: table.length }, (_, row) => table.key(row)).sort()
  const found: JsonObject[] = []
  for (let at = 0; at < keys.length; at += batch) {
    for (const { value } of (await replica.readAll(keys.slice(at, at + batch))).values())
      if (value) found.push(Object.fromEntries(fields.flatMap((name) => (name in value ? [[name, value[name]!]] : []))))
    if (yielder.due) await yielder.take()
  }
  return found
}
