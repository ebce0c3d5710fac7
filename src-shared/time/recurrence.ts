import 'temporal-polyfill/global'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { instantOf, isAllDay, timeAtInstant, wallOf, type EventTime } from './event-time'
import {
  parseRecurrence,
  parseRecurrenceLine,
  rulePart,
  untilInstant,
  untilText,
  withRulePart,
  type DateValue,
} from './recurrence-lines'
import { needsOwnYears, YearlyRule } from './recurrence-yearly'
import { compactUtc, dateOfWall, instantOfWall, wallOfInstant } from './zones'

/** A recurring event as the calendar service writes it. */
export interface Series {
  start: EventTime
  end: EventTime
  recurrence: readonly string[]
}

/** Epoch milliseconds; an all-day occurrence runs between UTC midnights that carry its dates' names. */
export interface Occurrence {
  start: number
  end: number
  originalStart: EventTime
  /** Suffix after `<master id>_` in the instance's ID: `20260105T090000Z`, or `20260105` for all-day. */
  idSuffix: string
}

interface Expander {
  /** Original starts in [from, to), ascending, at most `limit`. */
  starts(from: number, to: number, limit: number): number[]
  durationOf(start: number): number
  allDay: boolean
  zone: string
}

const dayMs = 86_400_000
const cache = new Map<string, Expander>()
const cacheLimit = 5_000
/** Maximum number of cached starts of counted rules, across all series. */
const startsKeptLimit = 1_000_000
let startsKept = 0

/**
 * Maximum steps of the library per query. A rule is queried at most 12 times for one answer, so no rule (the 30th of
 * February, every day) costs more, and only once.
 */
const maxSteps = 22_000
const maxQueries = 12
const firstStretch = 92 * dayMs
/** Only BYSETPOS looks at more times than it gives; the library is slower where this is set. */
const maxSetPositions = 20_000
const tooRare = 'This rule has too few or too many dates'

/** Why a series can't be expanded, as a sentence for users. Undefined if it can. */
export function whyUnreadable(series: Series): string | undefined {
  try {
    expanderOf(series).starts(-8.64e15, 8.64e15, 1)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Occurrences whose [start, end) overlaps [from, to). Across DST, keeps the wall-clock time, the wall-clock duration of
 * all-day events, and the elapsed duration of timed ones. Skips local times that don't exist (RFC 5545, 3.3.10). Bounded
 * work for any rule. @throws RangeError if a recurrence line or the start is unreadable or can't be expanded
 */
export function occurrences(series: Series, from: number, to: number, limit = 10_000): Occurrence[] {
  const expander = expanderOf(series)
  const longest = expander.durationOf(0)
  const found: Occurrence[] = []
  // The earliest start that still overlaps: an occurrence that ends exactly at `from` must not use up the limit.
  for (const start of expander.starts(longest > 0 ? from - longest + 1 : from, to, limit)) {
    const end = start + expander.durationOf(start)
    if (end > from || (start === end && start >= from)) found.push(occurrenceAt(expander, start, end))
  }
  return found.slice(0, limit)
}

/** The next `count` occurrences that start at or after `from`. */
export function nextOccurrences(series: Series, from: number, count: number): Occurrence[] {
  const expander = expanderOf(series)
  const found: number[] = []
  for (let span = 32 * dayMs, at = from; found.length < count && span < 400_000 * dayMs; span *= 4) {
    found.push(...expander.starts(at, at + span, count - found.length))
    at += span
  }
  return found.map((start) => occurrenceAt(expander, start, start + expander.durationOf(start)))
}

/** The occurrence with an instance ID's suffix, if the series has it. A series that can't be expanded has none. */
export function occurrenceBySuffix(series: Series, idSuffix: string): Occurrence | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(idSuffix)
  if (!match) return undefined
  const instant = Date.UTC(+match[1]!, +match[2]! - 1, +match[3]!, +(match[4] ?? 0), +(match[5] ?? 0), +(match[6] ?? 0))
  try {
    const expander = expanderOf(series)
    if (expander.allDay !== (match[4] === undefined)) return undefined
    const [start] = expander.starts(instant, instant + 1, 1)
    return start === instant ? occurrenceAt(expander, start, start + expander.durationOf(start)) : undefined
  } catch {
    return undefined
  }
}

/** Maximum number of counted occurrences. More count as endless, because counting would take minutes. */
const maxCounted = 20_000

/** The last instant at which an occurrence ends, or undefined for a series without end (or one longer than is counted). */
export function seriesEnd(series: Series): number | undefined {
  const endless = series.recurrence.some((line) => {
    const parsed = parseRecurrenceLine(line)
    if (parsed.kind !== 'RRULE') return false
    const count = rulePart(parsed.rule, 'COUNT')
    return count ? Number(count) > maxCounted : !rulePart(parsed.rule, 'UNTIL')
  })
  if (endless) return undefined
  const expander = expanderOf(series)
  const all = startsOrNone(expander)
  if (!all || all.length > maxCounted) return undefined
  const last = all.at(-1)
  return last === undefined ? undefined : last + expander.durationOf(last)
}

function startsOrNone(expander: Expander): number[] | undefined {
  try {
    return expander.starts(-8.64e15, 8.64e15, maxCounted + 1)
  } catch {
    return undefined
  }
}

/** The recurrence lines that end a series just before the occurrence with this original start. */
export function endedBefore(series: Series, originalStart: EventTime): string[] {
  const expander = expanderOf(series)
  const cut = instantOf(originalStart, expander.zone)
  const until = untilText(expander.allDay ? cut - dayMs : cut - 1_000, expander.allDay)
  return series.recurrence.flatMap((line) => {
    const parsed = parseRecurrenceLine(line)
    if (parsed.kind === 'RRULE' || parsed.kind === 'EXRULE') {
      const own = rulePart(parsed.rule, 'UNTIL')
      if (own && untilInstant(own, expander.zone, expander.allDay) < cut) return [line]
      return [`${parsed.kind}:${withRulePart(withRulePart(parsed.rule, 'COUNT', undefined), 'UNTIL', until)}`]
    }
    const kept = parsed.values.filter((value) => instantOfValue(value, expander) < cut)
    return kept.length > 0 ? [dateLine(parsed.kind, kept, expander)] : []
  })
}

/**
 * Recurrence lines of the series that continues from the occurrence with this original start: reduces COUNT by earlier
 * occurrences and drops earlier RDATEs and EXDATEs.
 */
export function continuedFrom(series: Series, originalStart: EventTime): string[] {
  const expander = expanderOf(series)
  const cut = instantOf(originalStart, expander.zone)
  return series.recurrence.flatMap((line) => {
    const parsed = parseRecurrenceLine(line)
    if (parsed.kind === 'RRULE' || parsed.kind === 'EXRULE') {
      const count = rulePart(parsed.rule, 'COUNT')
      if (!count || Number(count) > maxCounted) return [line]
      const alone = expanderOf({ ...series, recurrence: [`RRULE:${parsed.rule}`] })
      const left = Number(count) - alone.starts(-8.64e15, cut, 100_000).length
      return left > 0 ? [`${parsed.kind}:${withRulePart(parsed.rule, 'COUNT', String(left))}`] : []
    }
    const kept = parsed.values.filter((value) => instantOfValue(value, expander) >= cut)
    return kept.length > 0 ? [dateLine(parsed.kind, kept, expander)] : []
  })
}

function dateLine(kind: 'RDATE' | 'EXDATE', values: readonly DateValue[], expander: Expander): string {
  if (expander.allDay) {
    return `${kind};VALUE=DATE:${values.map((value) => dateOfWall(value.wall).replace(/-/g, '')).join(',')}`
  }
  return `${kind}:${values.map((value) => compactUtc(instantOfValue(value, expander))).join(',')}`
}

function occurrenceAt(expander: Expander, start: number, end: number): Occurrence {
  if (expander.allDay) {
    const date = dateOfWall(start)
    return { start, end, originalStart: { date }, idSuffix: date.replace(/-/g, '') }
  }
  return { start, end, originalStart: timeAtInstant(start, expander.zone), idSuffix: compactUtc(start) }
}

function instantOfValue(value: DateValue, expander: Pick<Expander, 'allDay' | 'zone'>): number {
  if (expander.allDay) return Math.floor(value.wall / dayMs) * dayMs
  return value.instant ?? instantOfWall(value.wall, expander.zone)
}

function expanderOf(series: Series): Expander {
  const key = JSON.stringify([series.start, series.end, series.recurrence])
  const known = cache.get(key)
  if (known) return known
  const made = makeExpander(series)
  if (startsKept > startsKeptLimit) {
    cache.clear()
    startsKept = 0
  }
  if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value!)
  cache.set(key, made)
  return made
}

function makeExpander(series: Series): Expander {
  const allDay = isAllDay(series.start)
  const zone = allDay ? 'UTC' : (series.start.timeZone ?? 'UTC')
  const first = instantOf(series.start, zone)
  const length = allDay
    ? wallOf(series.end) - wallOf(series.start)
    : instantOf(series.end, series.end.timeZone ?? zone) - first
  const lines = parseRecurrence(series.recurrence)
  const rules: Rule[] = []
  const exRules: Rule[] = []
  const added: number[] = []
  const removed = new Set<number>()
  const removedDays = new Set<number>()
  for (const line of lines) {
    if (line.kind === 'RRULE' || line.kind === 'EXRULE') {
      ;(line.kind === 'RRULE' ? rules : exRules).push(new Rule(line.rule, first, zone, allDay))
    } else {
      for (const value of line.values) {
        if (line.kind === 'RDATE') added.push(dateOnlyAtStart(value, first, zone, allDay))
        else if (value.dateOnly && !allDay) removedDays.add(value.wall)
        else removed.add(instantOfValue(value, { allDay, zone }))
      }
    }
  }
  const excluded = (start: number): boolean =>
    removed.has(start) ||
    (removedDays.size > 0 && removedDays.has(Math.floor(wallOfInstant(start, zone) / dayMs) * dayMs))
  return {
    allDay,
    zone,
    durationOf: () => length,
    starts(from, to, limit) {
      const lower = Math.max(from, first)
      if (to <= lower && !added.some((start) => start >= from && start < to)) return []
      const starts = new Set<number>()
      if (rules.length === 0 && first >= from && first < to) starts.add(first)
      // Enough even if some are removed again.
      const wanted = limit + removed.size + removedDays.size * 24 + (exRules.length > 0 ? 1_000 : 0)
      for (const rule of rules) for (const start of rule.between(lower, to, wanted)) starts.add(start)
      for (const start of added) if (start >= from && start < to) starts.add(start)
      if (exRules.length > 0 && starts.size > 0) {
        const [low, high] = ends(starts)
        for (const rule of exRules) for (const start of rule.between(low, high + 1, 100_000)) starts.delete(start)
      }
      return [...starts]
        .filter((start) => !excluded(start))
        .sort((a, b) => a - b)
        .slice(0, limit)
    },
  }
}

/** An RDATE that names only a day keeps the series' own time of day. */
function dateOnlyAtStart(value: DateValue, first: number, zone: string, allDay: boolean): number {
  if (!value.dateOnly || allDay) return instantOfValue(value, { allDay, zone })
  const timeOfDay = wallOfInstant(first, zone) % dayMs
  return instantOfWall(value.wall + timeOfDay, zone)
}

function ends(starts: Iterable<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const start of starts) {
    low = Math.min(low, start)
    high = Math.max(high, start)
  }
  return [low, high]
}

const lastInstant = 253_402_300_799_000
const yearMs = 366 * dayMs
/** Approximate step of a rule. Below a day, the library skips days that don't match. */
const stepMs: Readonly<Record<string, number>> = {
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
  MONTHLY: 28 * dayMs,
  YEARLY: 365 * dayMs,
}
/** A counted rule that still runs after this time counts as endless. */
const countedFor = 200 * yearMs

/** One RRULE or EXRULE from its first start. */
class Rule {
  private readonly until: number
  private readonly endless: RRuleTemporal | YearlyRule
  private readonly counted: RRuleTemporal | YearlyRule | undefined
  private readonly count: number
  /** Cached times of a rule with COUNT, which must be counted from the start. */
  private all: number[] | undefined
  /** Queries that were too expensive once and aren't repeated. A month may work even if all time doesn't. */
  private readonly failed = new Set<'wide' | 'narrow'>()
  private readonly widest: number
  /** The rule has no occurrences from here on. */
  private over = Infinity

  constructor(
    rule: string,
    private readonly first: number,
    zone: string,
    allDay: boolean,
  ) {
    const until = rulePart(rule, 'UNTIL')
    this.until = until ? untilInstant(until, zone, allDay) : Infinity
    const exact = until ? withRulePart(rule, 'UNTIL', compactUtc(this.until)) : rule
    const dtstart = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(zone)
    const made = (text: string): RRuleTemporal | YearlyRule =>
      needsOwnYears(rule)
        ? new YearlyRule(rule, first, zone)
        : new RRuleTemporal({
            rruleString: `RRULE:${text}`,
            dtstart,
            cache: false,
            maxIterations: maxSteps,
            ...(rulePart(rule, 'BYSETPOS') !== undefined && { maxCandidateEvaluations: maxSetPositions }),
          })
    this.widest = 7_500 * (stepMs[rulePart(rule, 'FREQ')!] ?? dayMs / 4)
    this.endless = made(withRulePart(exact, 'COUNT', undefined))
    this.count = Number(rulePart(rule, 'COUNT') ?? Infinity)
    if (this.count <= maxCounted) this.counted = made(exact)
  }

  /** Starts in [from, to), ascending, at most `limit`. @throws RangeError */
  between(from: number, to: number, limit: number): number[] {
    if (!this.counted) return this.stretches(from, Math.min(to, lastInstant), limit)
    const all = this.countedStarts(this.counted)
    const horizon = this.first + countedFor
    if (all.length > 0 && all.at(-1)! > horizon - 10 * yearMs) {
      return this.stretches(from, Math.min(to, lastInstant), limit)
    }
    const found: number[] = []
    for (const start of all) if (start >= from && start < to && found.push(start) >= limit) break
    return found
  }

  private countedStarts(rule: RRuleTemporal | YearlyRule): number[] {
    if (!this.all) {
      this.all = this.ask(rule, this.first, Math.min(this.first + countedFor, lastInstant))
      startsKept += this.all.length
    }
    return this.all
  }

  /** Queries growing ranges, so that a limit on an endless rule only costs what it returns. */
  private stretches(from: number, upper: number, limit: number): number[] {
    const found: number[] = []
    const end = Math.min(upper, this.over, this.until + 1)
    let at = from
    for (let asked = 0; at < end && found.length < limit && asked < maxQueries; asked++) {
      const next = Math.min(at + Math.min(firstStretch * 2 ** asked, this.widest), end)
      found.push(...this.ask(this.endless, at, next))
      at = next
    }
    if (at < end && found.length === 0) this.over = Math.min(this.over, from)
    else if (at < end && found.length < limit) throw new RangeError(tooRare)
    return found.slice(0, limit)
  }

  private ask(rule: RRuleTemporal | YearlyRule, from: number, to: number): number[] {
    if (rule instanceof YearlyRule) {
      const starts = rule.between(from, to, Math.min(rule === this.counted ? this.count : Infinity, maxSteps))
      if (starts.length >= maxSteps) throw new RangeError(tooRare)
      return starts
    }
    const kind = to - from > firstStretch ? 'wide' : 'narrow'
    if (this.failed.has(kind)) throw new RangeError(tooRare)
    try {
      const dates = rule.between(new Date(from), new Date(to), true)
      return dates.map((date) => date.epochMilliseconds).filter((start) => start >= from && start < to)
    } catch (error) {
      this.failed.add(kind)
      throw new RangeError(tooRare, { cause: error })
    }
  }
}
