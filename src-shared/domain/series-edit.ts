import { collections, recordKey } from '#shared/domain/collections'
import { sameJson, type JsonObject } from '#shared/json'
import { applyPatch } from '#shared/mutation/fold'
import {
  dateText,
  instantOf,
  isAllDay,
  timeAtInstant,
  timeAtWall,
  wallOf,
  type EventTime,
} from '#shared/time/event-time'
import {
  continuedFrom,
  endedBefore,
  nextOccurrences,
  occurrenceBySuffix,
  occurrences,
  seriesEnd,
  type Series,
} from '#shared/time/recurrence'
import { rulePart, withRulePart } from '#shared/time/recurrence-lines'
import { compactUtc, instantOfWall } from '#shared/time/zones'
import { deriveInstance, instanceId, parseInstanceId, seriesOf } from './instances'
import { startFor } from './series-start'
import { dateLine, isMove, shiftedLines, type Shift } from './series-shift'
import { contentToCreate } from './writable'

/** Occurrences of a recurring event to which an edit applies. */
export type Scope = 'this' | 'following' | 'all'

/** Changes in the replica's format. */
export type SeriesChange =
  | { kind: 'create'; collection: 'events'; parent: string; id: string; value: JsonObject; after: string }
  | { kind: 'change'; key: string; patch: JsonObject; hides?: string[] }
  | { kind: 'delete'; key: string }

export interface Exception {
  id: string
  value: JsonObject | null
}

/** A series, its exceptions (null or canceled: the occurrence is gone), and the edited occurrence. */
export interface SeriesContext {
  calendarId: string
  masterId: string
  master: JsonObject
  exceptions: readonly Exception[]
  eventId: string
  /** Creates the ID of the series that continues after a split. */
  newId: () => string
}

/**
 * Converts an edit of one occurrence to the changes of each scope. `patch` is the new content of the occurrence. If it
 * moves, the series moves by the same amount. Nothing outside the scope changes, and exceptions move with their
 * occurrences. @throws RangeError if the series has no such occurrence
 */
export function editSeries(context: SeriesContext, patch: JsonObject, scope: Scope): SeriesChange[] {
  return edited(context, patch, scope).changes
}

/** Edited occurrences that the same edit deletes, because the changed series doesn’t have them. */
export function lostOccurrences(context: SeriesContext, patch: JsonObject, scope: Scope): Exception[] {
  return edited(context, patch, scope).lost
}

interface Edited {
  changes: SeriesChange[]
  lost: Exception[]
}

function edited(context: SeriesContext, patch: JsonObject, scope: Scope): Edited {
  if (scope === 'this') {
    const { recurrence: _recurrence, ...own } = patch
    return { changes: [{ kind: 'change', key: keyOf(context, context.eventId), patch: own }], lost: [] }
  }
  const plan = planOf(context, patch)
  if (scope === 'all' || isFirst(plan)) return editAll(context, plan, patch)
  return split(context, plan, patch)
}

/** Deletes one occurrence, this and the following ones, or the whole series. */
export function deleteSeries(context: SeriesContext, scope: Scope): SeriesChange[] {
  if (scope === 'this') return [{ kind: 'delete', key: keyOf(context, context.eventId) }]
  const plan = planOf(context, {})
  if (scope === 'all' || isFirst(plan)) return [{ kind: 'delete', key: keyOf(context, context.masterId) }]
  return [trim(context, plan)]
}

/** Number of occurrences in each scope. Undefined if endless. */
export function occurrenceCounts(context: SeriesContext): Record<Scope, number | undefined> {
  const { series, originalStart } = planOf(context, {})
  const end = seriesEnd(series)
  if (end === undefined) return { this: 1, following: undefined, all: undefined }
  const gone = new Set(context.exceptions.filter(({ value }) => isGone(value)).map(({ id }) => id))
  const all = occurrences(series, -8.64e15, 8.64e15, Infinity).filter(
    (one) => !gone.has(instanceId(context.masterId, one.idSuffix)),
  )
  const cut = instantOf(originalStart)
  return { this: 1, following: all.filter((one) => one.start >= cut).length, all: all.length }
}

interface Plan {
  series: Series
  originalStart: EventTime
  /** The occurrence as the series alone has it. */
  derived: JsonObject
  shift: Shift
  /** New start and end of the master. */
  start: EventTime
  end: EventTime
}

function planOf(context: SeriesContext, patch: JsonObject): Plan {
  const { master, eventId } = context
  const series = seriesOf(master)
  const instance = parseInstanceId(eventId)
  const occurrence = series && instance && occurrenceBySuffix(series, instance.suffix)
  if (!series || !occurrence) throw new RangeError('The series has no such occurrence')
  const derived = deriveInstance(master, occurrence)
  const from = derived.start as unknown as EventTime
  const to = (patch.start ?? derived.start) as unknown as EventTime
  // An occurrence with its own times changes its length by as much as its author sees.
  const own = 'start' in patch ? undefined : ownOf(context)
  const endFrom = (own?.end ?? derived.end) as unknown as EventTime
  const wall = wallOf(to) - wallOf(from)
  const endTo = patch.end as unknown as EventTime | undefined
  const startFrom = (own?.start ?? derived.start) as unknown as EventTime
  // Elapsed lengths, because wall-clock lengths differ on a day with a clock change.
  const longer = endTo ? lengthOf('start' in patch ? to : startFrom, endTo) - lengthOf(startFrom, endFrom) : 0
  const start = timeAtWall(wallOf(series.start) + wall, to)
  return {
    series,
    originalStart: occurrence.originalStart,
    derived,
    shift: { from: series.start, to, wall },
    start,
    end: endAfter(start, lengthOf(series.start, series.end) + longer, endTo ?? to),
  }
}

const lengthOf = (start: EventTime, end: EventTime): number => instantOf(end, 'UTC') - instantOf(start, 'UTC')

function endAfter(start: EventTime, length: number, like: EventTime): EventTime {
  const end = instantOf(start, 'UTC') + length
  return isAllDay(like) ? { date: dateText(end) } : timeAtInstant(end, like.timeZone ?? start.timeZone ?? 'UTC')
}

function isFirst({ series, originalStart }: Plan): boolean {
  const [first] = occurrences(series, -8.64e15, 8.64e15, 1)
  return first !== undefined && instantOf(first.originalStart) === instantOf(originalStart)
}

/** Wall-clock reading of the edited occurrence after its move. */
const movedTo = ({ derived, shift }: Plan): number => wallOf(derived.start as unknown as EventTime) + shift.wall

interface MovedSeries {
  lines: string[]
  /** Wall-clock reading of the start. */
  begins: number
}

/**
 * Rule and start of a series that moves with one of its occurrences. If the first occurrence would move to another place in its
 * month than this one (the day before the fifth Friday can be the fourth Thursday), this one decides.
 */
function movedSeries(plan: Plan): MovedSeries {
  const { series, shift, start, end } = plan
  const moved = movedTo(plan)
  const seriesAt = (begins: number, recurrence: string[]): Series => {
    const from = timeAtWall(begins, start)
    return { start: from, end: endAfter(from, lengthOf(start, end), end), recurrence }
  }
  const linesFor = (wall: number): string[] => shiftedLines(series.recurrence, shift, wall)
  const counted = ({ lines, begins }: MovedSeries): MovedSeries => ({
    lines: countedOn(series, shift, seriesAt(begins, lines)),
    begins,
  })
  const usual = counted({ lines: linesFor(wallOf(start)), begins: wallOf(start) })
  const has = ({ lines, begins }: MovedSeries): boolean =>
    occurrenceBySuffix(seriesAt(begins, lines), suffixAt(moved, shift.to)) !== undefined
  const lines = linesFor(moved)
  const rules = lines.filter((line) => /^RRULE:.*FREQ=(MONTHLY|YEARLY)/i.test(line))
  if (has(usual) || rules.length !== 1) return usual
  const month = monthOf(wallOf(series.start)) + monthOf(moved) - monthOf(moved - shift.wall)
  const inMonth = seriesAt(new Date(moved).setUTCFullYear(0, month, 1), rules)
  const [first] = nextOccurrences(inMonth, instantOf(inMonth.start, 'UTC'), 1)
  const own = counted({ lines, begins: startFor(rules, moved, first ? wallOf(first.originalStart) : usual.begins) })
  return has(own) ? own : usual
}

/**
 * Lines of a moved series with an adjusted COUNT, so that it ends where its last occurrence moved, or with the first one after
 * that. For example, a series on every 31st has fewer occurrences a year than one on every 30th.
 */
function countedOn(series: Series, shift: Shift, moved: Series): string[] {
  return moved.recurrence.map((line) => {
    const rule = /^RRULE:(.*FREQ=(?:MONTHLY|YEARLY).*)/i.exec(line)?.[1]
    const count = rule && rulePart(rule, 'COUNT')
    const before = { ...series, recurrence: series.recurrence.filter((one) => /^RRULE:/i.test(one)) }
    if (!count || before.recurrence.length > 1 || seriesEnd(before) === undefined) return line
    const last = occurrences(before, -8.64e15, 8.64e15, Infinity).at(-1)!
    const until = instantOf(timeAtWall(wallOf(last.originalStart) + shift.wall, shift.to))
    const endless = { ...moved, recurrence: [`RRULE:${withRulePart(rule, 'COUNT', undefined)}`] }
    const inside = occurrences(endless, -8.64e15, until + 1)
    const least = inside.length
    const most = inside.at(-1)?.start === until ? least : least + 1
    const counted = Math.min(Math.max(Number(count), least), most)
    return counted === Number(count) ? line : `RRULE:${withRulePart(rule, 'COUNT', String(counted))}`
  })
}

/** Months from year 0 to a wall-clock reading. */
const monthOf = (wall: number): number => new Date(wall).getUTCFullYear() * 12 + new Date(wall).getUTCMonth()

const keyOf = (context: SeriesContext, id: string): string => recordKey('events', context.calendarId, id)
const isGone = (value: JsonObject | null): boolean => value === null || value.status === 'cancelled'
const movesTime = (patch: JsonObject): boolean => 'start' in patch || 'end' in patch

function editAll(context: SeriesContext, plan: Plan, patch: JsonObject): Edited {
  const key = keyOf(context, context.masterId)
  const { start: _start, end: _end, ...fields } = patch
  const own = ownOf(context)
  // A rule chosen in an occurrence is meant for its day, not the first one's.
  const first = wallOf(plan.start)
  const rule = ruleOf(patch)
  const { lines, begins } = rule ? { lines: rule, begins: startFor(rule, movedTo(plan), first) } : movedSeries(plan)
  const days = begins - first
  const start = timeAtWall(begins, plan.start)
  const end = endAfter(start, lengthOf(plan.start, plan.end), plan.end)
  const times = { start: { ...start }, end: { ...end } }
  const isOther = rule !== undefined || isMove(plan.shift)
  const carried = carry(context, plan, patch, { ...times, id: context.masterId, recurrence: lines }, () => isOther)
  if (isOther && movesTime(patch)) {
    const master = { ...fields, ...times, recurrence: [...lines, ...carried.removed] }
    const taken = takenOver(context, applyPatch(context.master, master), carried.changes)
    const stays = new Set(taken.map((one) => one.key))
    const hides = carried.keys.filter((one) => !stays.has(one))
    const others = carried.changes.filter((one) => !stays.has(one.key))
    const change: SeriesChange = { kind: 'change', key, patch: master, hides }
    return {
      changes: [change, ...others, ...taken.filter((one) => Object.keys(one.patch).length > 0)],
      lost: carried.lost,
    }
  }
  // Exceptions that stay need no change.
  const { left } = carried
  const change: SeriesChange = {
    kind: 'change',
    key,
    patch: { ...fields, ...((movesTime(patch) || days !== 0) && times) },
    ...(left.length > 0 && { hides: left }),
  }
  const ownEnd = own && hasOwnTimes(plan.derived, own) && patch.end !== undefined ? { end: patch.end } : {}
  const same = left.includes(keyOf(context, context.eventId))
    ? []
    : sameOnException(context, own, { ...fields, ...ownEnd })
  return { changes: [change, ...same], lost: carried.lost }
}

/**
 * Changes of exceptions whose ID is another occurrence's after a move. The service keeps these exceptions, so they get that
 * occurrence's content. Canceled ones stay canceled.
 */
function takenOver(context: SeriesContext, master: JsonObject, carried: readonly CarriedChange[]): CarriedChange[] {
  const series = seriesOf(master)
  return context.exceptions.flatMap(({ id, value }) => {
    const occurrence = series && !isGone(value) && occurrenceBySuffix(series, parseInstanceId(id)!.suffix)
    if (!occurrence) return []
    const key = keyOf(context, id)
    const own = carried.find((one) => one.key === key)?.patch ?? {}
    const next = applyPatch(deriveInstance(master, occurrence), own)
    const fields = Object.keys(differences(next, value!))
    return { kind: 'change', key, patch: Object.fromEntries(fields.map((field) => [field, next[field] ?? null])) }
  })
}

/** The rule that an edit gives a series. Empty if it no longer repeats, undefined if its rule stays. */
const ruleOf = (patch: JsonObject): string[] | undefined =>
  'recurrence' in patch ? ((patch.recurrence as string[] | null) ?? []) : undefined

/** The edited occurrence if it has its own values. */
function ownOf({ exceptions, eventId }: SeriesContext): JsonObject | undefined {
  const value = exceptions.find(({ id }) => id === eventId)?.value
  return value && !isGone(value) ? value : undefined
}

const sameInstant = (a: unknown, b: unknown): boolean => instantOf(a as EventTime) === instantOf(b as EventTime)
const hasOwnTimes = (derived: JsonObject, { start, end }: JsonObject): boolean =>
  start !== undefined && end !== undefined && !(sameInstant(start, derived.start) && sameInstant(end, derived.end))

/** Applies an edit of all occurrences to the edited one if it has its own value. */
function sameOnException(context: SeriesContext, own: JsonObject | undefined, fields: JsonObject): SeriesChange[] {
  if (!own) return []
  const patch = Object.fromEntries(
    Object.entries(fields).filter(([name]) => name !== 'recurrence' && !sameJson(own[name], context.master[name])),
  )
  return Object.keys(patch).length > 0 ? [{ kind: 'change', key: keyOf(context, context.eventId), patch }] : []
}

function trim(context: SeriesContext, plan: Plan): Extract<SeriesChange, { kind: 'change' }> {
  const cut = instantOf(plan.originalStart)
  const hides = context.exceptions
    .filter(({ id }) => parseInstanceId(id)!.instant >= cut)
    .map(({ id }) => keyOf(context, id))
  return {
    kind: 'change',
    key: keyOf(context, context.masterId),
    patch: { recurrence: endedBefore(plan.series, plan.originalStart) },
    ...(hides.length > 0 && { hides }),
  }
}

function split(context: SeriesContext, plan: Plan, patch: JsonObject): Edited {
  const trimmed = trim(context, plan)
  const id = context.newId()
  const start = timeAtWall(wallOf(plan.derived.start as unknown as EventTime) + plan.shift.wall, plan.start)
  const end = endAfter(start, lengthOf(plan.start, plan.end), plan.end)
  const rest = { ...plan.series, start: plan.originalStart, recurrence: continuedFrom(plan.series, plan.originalStart) }
  const moved = { start, end, recurrence: shiftedLines(rest.recurrence, plan.shift, wallOf(start)) }
  const lines = ruleOf(patch) ?? countedOn(rest, plan.shift, moved)
  const cut = instantOf(plan.originalStart)
  const times = { start: { ...start }, end: { ...end } }
  const carried = carry(context, plan, patch, { ...times, id, recurrence: lines }, (instant) => instant >= cut)
  const value = applyPatch(contentToCreate(collections.events, context.master), {
    ...patch,
    ...times,
    recurrence: [...lines, ...carried.removed],
  })
  const create: SeriesChange = {
    kind: 'create',
    collection: 'events',
    parent: context.calendarId,
    id,
    value,
    after: trimmed.key,
  }
  return { changes: [trimmed, create, ...carried.changes], lost: carried.lost }
}

type CarriedChange = Extract<SeriesChange, { kind: 'change' }>
interface Carried {
  /** Edited exceptions as changes of the occurrences they become. */
  changes: CarriedChange[]
  /** Canceled exceptions, as EXDATE lines. */
  removed: string[]
  /** Keys of the exceptions' current rows. */
  keys: string[]
  /** Keys among these whose occurrence the destination doesn’t have. */
  left: string[]
  /** Edited exceptions among `left`. */
  lost: Exception[]
}

/** Exceptions of occurrences that move to another series or time, relative to their destination. */
function carry(
  context: SeriesContext,
  { series, shift }: Plan,
  patch: JsonObject,
  destination: { id: string; start: JsonObject; end: JsonObject; recurrence: string[] },
  goes: (instant: number) => boolean,
): Carried {
  const next = seriesOf(destination)
  const zone = shift.from.date ? 'UTC' : (shift.from.timeZone ?? 'UTC')
  const carried: Carried = { changes: [], removed: [], keys: [], left: [], lost: [] }
  const gone: number[] = []
  for (const exception of context.exceptions) {
    const { id, value } = exception
    const instance = parseInstanceId(id)
    if (!instance || !goes(instance.instant)) continue
    const key = keyOf(context, id)
    carried.keys.push(key)
    const wall = wallOf(
      instance.allDay
        ? { date: new Date(instance.instant).toISOString().slice(0, 10) }
        : { dateTime: new Date(instance.instant).toISOString(), timeZone: zone },
    )
    const occurrence = occurrenceBySuffix(series, instance.suffix)
    const suffix = suffixAt(wall + shift.wall, shift.to)
    const hasPlace = occurrence && next && occurrenceBySuffix(next, suffix)
    if (!hasPlace) carried.left.push(key)
    if (isGone(value)) {
      if (hasPlace) gone.push(wall + shift.wall)
      continue
    }
    if (!occurrence) {
      carried.lost.push(exception)
      continue
    }
    const own = differences(deriveInstance(context.master, occurrence), value!)
    if (id === context.eventId) for (const field of Object.keys(patch)) delete own[field]
    Object.assign(own, timesOf(own, value!, shift, id === context.eventId ? patch : {}))
    if (Object.keys(own).length === 0) continue
    if (hasPlace)
      carried.changes.push({ kind: 'change', key: keyOf(context, instanceId(destination.id, suffix)), patch: own })
    else carried.lost.push(exception)
  }
  if (gone.length > 0) carried.removed.push(dateLine('EXDATE', gone, shift.to))
  return carried
}

/**
 * Start and end of a carried exception, which belong together: an exception with its own start keeps both, and one that only has
 * its own end moves with its series.
 */
function timesOf(own: JsonObject, { end }: JsonObject, shift: Shift, patch: JsonObject): JsonObject {
  if (end === undefined || !('start' in own || 'end' in own)) return {}
  if ('start' in own) return { end: patch.end ?? end }
  return { end: { ...timeAtWall(wallOf(end as unknown as EventTime) + shift.wall, shift.to) } }
}

function suffixAt(wall: number, like: EventTime): string {
  if (like.date) return new Date(wall).toISOString().slice(0, 10).replace(/-/g, '')
  return compactUtc(instantOfWall(wall, like.timeZone ?? 'UTC'))
}

const identity = new Set(['originalStartTime', 'recurringEventId', 'recurrence'])

/** Fields in which an exception's content differs from its series. */
function differences(derived: JsonObject, exception: JsonObject): JsonObject {
  const mine = contentToCreate(collections.events, exception)
  const theirs = contentToCreate(collections.events, derived)
  const patch: JsonObject = {}
  // A canceled exception restored by a pending edit is only partly known. Everything else comes from the series.
  const compared = mine['start'] === undefined ? Object.keys(mine) : [...Object.keys(mine), ...Object.keys(theirs)]
  for (const field of new Set(compared)) {
    if (identity.has(field)) continue
    const time = field === 'start' || field === 'end'
    const same = time ? sameInstant(mine[field], theirs[field]) : sameJson(mine[field], theirs[field])
    if (!same) patch[field] = exception[field] ?? null
  }
  return patch
}
