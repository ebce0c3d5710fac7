import type { CollectionName } from '#shared/domain/collections'
import { noteLines, type NoteLine } from '#shared/figures/note-lines'
import { noticedInDays, noticedInTotals, type Note } from '#shared/figures/noticed'
import { activityOf, flightOf, hasGoal, measureOf } from '#shared/figures/pacing'
import { pacingSteps, type PacingRow } from '#shared/figures/pacing-rows'
import { unsettledDays } from '#shared/figures/settled'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { DeliveryFile } from '../../../context/delivery-files'
import type { Replica } from '../../../replica/api'
import { FrameYield } from '../../../replica/tables/frame-yield'

/** Notes on a day are told so many days long; later they are history. */
const recent = 7
/** Records that are read from the disk at once. */
const batch = 200

/** How placements stand by a file of deliveries. */
export interface Standing {
  /** Most money at risk first. */
  rows: readonly PacingRow[]
  /** Most money first, what is alike in one. */
  notes: readonly NoteLine[]
  /** Placements of the file that are not on this computer: nobody here knows what was booked for them. */
  away: number
  /** Placements with a goal in something that the file does not tell, as conversions of one activity. */
  untold: number
}

/**
 * How the placements of a profile stand, with all edits that wait here, in pieces that keep no frame waiting. `narrowed`: only
 * those that the file has, as it may lack the others. @throws what the signal says
 */
export async function standingOf(
  replica: Pick<Replica, 'table' | 'readAll'>,
  { profile, file, narrowed }: { profile: string; file: DeliveryFile; narrowed: boolean },
  signal: AbortSignal,
): Promise<Standing> {
  const { days, from, asOf } = file
  const breath = new FrameYield(
    { elapsed: systemClock.elapsed, setTimer: (run, after) => setTimeout(run, after) },
    signal,
  )
  const placements = await recordsOf(replica, 'placements', profile, breath, signal)
  const groups = await recordsOf(replica, 'placementGroups', profile, breath, signal)
  const known = new Map(placements.map((one) => [idOf(one), one]))
  const tells = (record: JsonObject): boolean => days.tells(measureOf(record), activityOf(record))
  // Of what ended before the file begins, it tells nothing.
  const told = (record: JsonObject): boolean => (flightOf(record)?.to ?? asOf) >= from && tells(record)
  const named = narrowed ? placements.filter((one) => days.has(idOf(one))) : placements
  const inFile = new Set(named.map(({ placementGroupId }) => placementGroupId))
  const wantedGroups = groups.filter((one) => !isArchived(one) && told(one) && (!narrowed || inFile.has(one.id)))
  // What ended or is archived delivered towards the goal of its group all the same.
  const goals = new Set(wantedGroups.filter((one) => hasGoal(one)).map(idOf))
  const wanted = named.filter((one) => goals.has(textOf(one.placementGroupId)) || (!isArchived(one) && told(one)))

  const steps = pacingSteps(wanted, wantedGroups, { from, asOf }, (...one) => days.of(...one))
  let next = steps.next()
  for (; !next.done; next = steps.next()) if (breath.due) await breath.take()

  const notes: Note[] = []
  const money = new Map<string, number>()
  for (const id of days.ids) {
    if (breath.due) await breath.take()
    const record = known.get(id)
    const name = (record && textOf(record.name)) || days.nameOf(id) || id
    // Nobody is told what is odd about days that may still change.
    const until = asOf - unsettledDays
    const flight = record && flightOf(record)
    const subject = { key: id, name }
    const ofDays = days.of(id)
    money.set(id, spent(ofDays, asOf))
    notes.push(...noticedInDays(subject, ofDays, { until, ...(flight && { flight }) }).filter(isRecent(asOf)))
    notes.push(...noticedInTotals(subject, days.totalsOf(id, until)))
  }
  return {
    rows: next.value,
    notes: noteLines(notes, (id) => money.get(id) ?? 0),
    away: days.ids.filter((id) => !known.has(id)).length,
    untold: [...placements, ...groups].filter((one) => {
      const flight = flightOf(one)
      const lasts = flight !== undefined && flight.from <= asOf && flight.to >= from
      return lasts && !isArchived(one) && hasGoal(one) && !tells(one)
    }).length,
  }
}

/** What a placement cost in the last week; where the file has no cost, what it delivered stands for it. */
const spent = (days: ReturnType<DeliveryFile['days']['of']>, asOf: number): number =>
  days
    .filter(({ day }) => day > asOf - recent && day <= asOf)
    .reduce((sum, { cost, impressions = 0 }) => sum + (cost ?? impressions), 0)

const isRecent =
  (asOf: number) =>
  ({ day }: Note): boolean =>
    day === undefined || day > asOf - recent

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isArchived = ({ archived }: JsonObject): boolean => archived === true
const idOf = ({ id }: JsonObject): string => textOf(id)

/** What pacing looks at; of thousands of records the rest is let go. */
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

/** All of a profile, as they are with the edits that wait. */
async function recordsOf(
  replica: Pick<Replica, 'table' | 'readAll'>,
  collection: CollectionName,
  profile: string,
  breath: FrameYield,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const table = await replica.table(collection, { parent: profile, columns: [] }, signal)
  const keys = Array.from({ length: table.length }, (_, row) => table.key(row)).sort()
  const found: JsonObject[] = []
  for (let at = 0; at < keys.length; at += batch) {
    for (const { value } of (await replica.readAll(keys.slice(at, at + batch))).values())
      if (value) found.push(Object.fromEntries(fields.flatMap((name) => (name in value ? [[name, value[name]!]] : []))))
    if (breath.due) await breath.take()
  }
  return found
}
