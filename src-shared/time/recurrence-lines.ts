import { compactUtc, instantOfWall, isZone, wallOfText } from './zones'

/** One line of `recurrence[]` (RFC 5545): an RRULE or EXRULE with its rule, or the instants of an RDATE or EXDATE. */
export type RecurrenceLine = RuleLine<'RRULE'> | RuleLine<'EXRULE'> | DatesLine<'RDATE'> | DatesLine<'EXDATE'>
interface RuleLine<Kind> {
  kind: Kind
  rule: string
}
interface DatesLine<Kind> {
  kind: Kind
  values: readonly DateValue[]
}

/** `wall` is the wall-clock time as if UTC. `instant` is set if the value has its own zone (Z or TZID). */
export interface DateValue {
  dateOnly: boolean
  wall: number
  instant?: number
}

/** Maximum occurrences on one day. More isn't a calendar entry, and expanding it would never end. */
const maxPerDay = 24
/** Dates that the RDATE and EXDATE lines of one series may name together. */
const maxDates = 5_000
/** RRULE and EXRULE lines of one series. */
const maxRules = 10
/** Maximum length of a line to parse. */
const maxLineLength = 200_000

const lineForm = /^(RRULE|EXRULE|RDATE|EXDATE)((?:;[^:]*)?):(.+)$/i
const frequencies = new Set(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'])
const ruleParts = new Set(
  'FREQ UNTIL COUNT INTERVAL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST'.split(
    ' ',
  ),
)

/** Weekdays of rules (RFC 5545, 3.3.10), Sunday first. */
export const weekdayCodes: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const weekday = `(?:${weekdayCodes.join('|')})`

/** Valid list entries of each rule part (RFC 5545, 3.3.10). */
const listForms: Record<string, RegExp> = {
  BYDAY: new RegExp(`^(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?${weekday}$`, 'i'),
  BYMONTHDAY: /^[+-]?(?:[1-9]|[12]\d|3[01])$/,
  BYMONTH: /^(?:0?[1-9]|1[0-2])$/,
  BYYEARDAY: /^[+-]?(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6])$/,
  BYWEEKNO: /^[+-]?(?:[1-9]|[1-4]\d|5[0-3])$/,
  BYSETPOS: /^[+-]?(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6])$/,
  BYHOUR: /^(?:[01]?\d|2[0-3])$/,
  BYMINUTE: /^[0-5]?\d$/,
  BYSECOND: /^(?:[0-5]?\d|60)$/,
  WKST: new RegExp(`^${weekday}$`, 'i'),
}

const count = (number: number): string => number.toLocaleString('en')

/** `20260105` or `20260105T090000[Z]`. @throws RangeError */
export function dateValue(text: string, zone?: string): DateValue {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/i.exec(text.trim())
  if (!match) throw new RangeError(`Invalid iCalendar date: ${text}`)
  const [, year, month, day, hour, minute, second, utc] = match
  const dateOnly = hour === undefined
  const wall = wallOfText(`${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`)
  if (utc) return { dateOnly, wall, instant: wall }
  if (zone && !dateOnly) return { dateOnly, wall, instant: instantOfWall(wall, zone) }
  return { dateOnly, wall }
}

/** @throws RangeError with a message for users if the calendar service wouldn't accept the line */
export function parseRecurrenceLine(line: string): RecurrenceLine {
  if (line.length > maxLineLength)
    throw new RangeError(`A recurrence line of ${count(line.length)} characters is too long`)
  const match = lineForm.exec(line.trim())
  if (!match) throw new RangeError(`Only RRULE, EXRULE, RDATE, and EXDATE lines are allowed: ${line}`)
  const kind = match[1]!.toUpperCase() as RecurrenceLine['kind']
  if (kind === 'RRULE' || kind === 'EXRULE') return { kind, rule: checkedRule(match[3]!) }
  const zone = /;TZID="?([^;":]+)"?/i.exec(match[2] ?? '')?.[1]
  if (zone && !isZone(zone)) throw new RangeError(`Unknown time zone: ${zone}`)
  const texts = match[3]!.split(',')
  if (texts.length > maxDates)
    throw new RangeError(`A series can have up to ${count(maxDates)} dates, and this one has ${count(texts.length)}`)
  return { kind, values: texts.map((text) => dateValue(text.split('/')[0]!, zone)) }
}

/**
 * All lines of a series, within limits: 24 occurrences per day and rule, 10 rules, 5,000 dates.
 * @throws RangeError with a message for users
 */
export function parseRecurrence(lines: readonly string[]): RecurrenceLine[] {
  const parsed = lines.map(parseRecurrenceLine)
  let [rules, dates] = [0, 0]
  for (const line of parsed) {
    if ('rule' in line) rules++
    else dates += line.values.length
  }
  if (rules > maxRules) throw new RangeError(`A series can have up to ${maxRules} rules, and this one has ${rules}`)
  if (dates > maxDates)
    throw new RangeError(`A series can have up to ${count(maxDates)} dates, and this one has ${count(dates)}`)
  return parsed
}

/** Maximum number of times per day that a rule can produce. Counts its lists without expanding anything. */
export function timesPerDay(rule: string): number {
  const listed = (name: string): number | undefined => {
    const list = rulePart(rule, name)
    return list === undefined ? undefined : new Set(list.split(',').map(Number)).size
  }
  const steps = (perDay: number): number => Math.ceil(perDay / Number(rulePart(rule, 'INTERVAL') ?? 1))
  const hours = listed('BYHOUR')
  const minutes = listed('BYMINUTE')
  const seconds = listed('BYSECOND')
  switch (rulePart(rule, 'FREQ')) {
    case 'HOURLY':
      return Math.min(hours ?? 24, steps(24)) * (minutes ?? 1) * (seconds ?? 1)
    case 'MINUTELY':
      return Math.min((hours ?? 24) * (minutes ?? 60), steps(1_440)) * (seconds ?? 1)
    case 'SECONDLY':
      return Math.min((hours ?? 24) * (minutes ?? 60) * (seconds ?? 60), steps(86_400))
    default:
      return (hours ?? 1) * (minutes ?? 1) * (seconds ?? 1)
  }
}

function checkedRule(rule: string): string {
  const seen = new Set<string>()
  for (const part of rule.split(';')) {
    if (part === '') continue
    const [name, value] = part.split('=')
    const upper = (name ?? '').toUpperCase()
    if (!ruleParts.has(upper) || !value) throw new RangeError(`Unknown part of a recurrence rule: ${part}`)
    if (seen.has(upper)) throw new RangeError(`A recurrence rule can have only one ${upper}`)
    seen.add(upper)
    if (upper === 'FREQ' && !frequencies.has(value.toUpperCase())) throw new RangeError(`Unknown frequency: ${value}`)
    if ((upper === 'COUNT' || upper === 'INTERVAL') && !/^[1-9]\d{0,8}$/.test(value)) {
      throw new RangeError(`${upper} must be a whole number above 0: ${value}`)
    }
    if (upper === 'UNTIL') dateValue(value)
    const form = listForms[upper]
    if (form && !value.split(',').every((item) => form.test(item))) {
      throw new RangeError(`Invalid value of ${upper}: ${value}`)
    }
  }
  if (!seen.has('FREQ')) throw new RangeError('A recurrence rule needs FREQ')
  if (seen.has('UNTIL') && seen.has('COUNT')) throw new RangeError('A recurrence rule has UNTIL or COUNT, not both')
  const upper = rule.toUpperCase()
  if (timesPerDay(upper) > maxPerDay) throw new RangeError(`A series can repeat up to ${maxPerDay} times a day`)
  return upper
}

/** The value of one part of a rule, or undefined. */
export function rulePart(rule: string, name: string): string | undefined {
  return new RegExp(`(?:^|;)${name}=([^;]*)`, 'i').exec(rule)?.[1]
}

/** The rule with one part set, or removed when `value` is undefined. */
export function withRulePart(rule: string, name: string, value: string | undefined): string {
  const kept = rule.split(';').filter((part) => part !== '' && !part.toUpperCase().startsWith(`${name}=`))
  return (value === undefined ? kept : [...kept, `${name}=${value}`]).join(';')
}

/** UNTIL as an instant: a date-only value of a timed series lasts through that day in the series' zone. */
export function untilInstant(value: string, zone: string, allDay: boolean): number {
  const until = dateValue(value)
  if (allDay) return until.dateOnly ? until.wall : Math.floor(until.wall / 86_400_000) * 86_400_000
  if (until.dateOnly) return instantOfWall(until.wall + 86_399_000, zone)
  return until.instant ?? instantOfWall(until.wall, zone)
}

/** The UNTIL text that ends a series at an instant, in the form its kind of start asks for. */
export function untilText(instant: number, allDay: boolean): string {
  return allDay ? compactUtc(instant).slice(0, 8) : compactUtc(instant)
}
