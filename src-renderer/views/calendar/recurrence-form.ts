import { listWords } from '#shared/list-words'
import { parseRecurrenceLine, rulePart, untilInstant, untilText, weekdayCodes } from '#shared/time/recurrence-lines'
import { customRepetition, ruleInWords } from '#shared/time/rule-words'
import { nextOccurrences, type Series } from '#shared/time/recurrence'
import { instantOf, isAllDay, wallOf, type EventTime } from '#shared/time/event-time'
import { instantOfWall, isSkipped, rfc3339, wallOfInstant } from '#shared/time/zones'
import { counted } from '../../ui/counted'
import {
  dateOf,
  dayMs,
  dayOf,
  daysInMonth,
  monthName,
  monthOf,
  shortDate,
  weekdayName,
  weekdayNames,
  weekdayOf,
} from '../../ui/dates'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** Recurrence rule as far as the form can express it. */
export interface RuleForm {
  frequency: Frequency
  interval: number
  /** Weekly: 0 is Sunday. */
  weekdays: readonly number[]
  /** Monthly: on the date, or on the nth weekday of the start (-1: the last). */
  monthly: 'date' | 'nth' | 'last'
  /** Code of the first day of the week, which determines every second week. Not shown in the form. */
  weekStart?: string | undefined
  end: { kind: 'never' } | { kind: 'until'; day: number } | { kind: 'count'; count: number }
}

const known = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'UNTIL', 'COUNT', 'WKST'])
export const frequencyNoun: Readonly<Record<Frequency, string>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
export const frequencies = Object.keys(frequencyNoun) as Frequency[]
const weekdaysOnly = [1, 2, 3, 4, 5]
const fromMonday = (a: number, b: number): number => ((a + 6) % 7) - ((b + 6) % 7)
export const nthOf = (day: number): number => Math.ceil(dateOf(day) / 7)
export const isLastWeekday = (day: number): boolean => dateOf(day) + 7 > daysInMonth(day)

/** Form values of recurrence lines for a series that starts at `start`. Null if they're too complex for the form. */
export function formOf(lines: readonly string[], start: EventTime): RuleForm | null {
  const rules = lines.filter((line) => /^RRULE/i.test(line))
  if (rules.length !== 1 || lines.some((line) => /^EXRULE|^RDATE/i.test(line))) return null
  const parsed = safely(() => parseRecurrenceLine(rules[0]!))
  if (!parsed || !('rule' in parsed)) return null
  const { rule } = parsed
  if (rule.split(';').some((part) => part && !known.has(part.split('=')[0]!))) return null
  const frequency = rulePart(rule, 'FREQ')!
  if (!(frequency in frequencyNoun)) return null
  const startDay = dayOf(wallOf(start))
  const byDay = rulePart(rule, 'BYDAY')?.split(',') ?? []
  const byMonthDay = rulePart(rule, 'BYMONTHDAY')
  const form: RuleForm = {
    frequency: frequency as Frequency,
    interval: Number(rulePart(rule, 'INTERVAL') ?? 1),
    weekdays: [weekdayOf(startDay)],
    monthly: 'date',
    end: endOf(rule, start),
  }
  const weekStart = rulePart(rule, 'WKST')
  if (weekStart) form.weekStart = weekStart
  if (frequency === 'WEEKLY') {
    if (byMonthDay || byDay.some((code) => !weekdayCodes.includes(code))) return null
    if (byDay.length > 0) form.weekdays = byDay.map((code) => weekdayCodes.indexOf(code)).sort(fromMonday)
  } else if (frequency === 'MONTHLY') {
    if (byDay.length > 0) {
      const nth = `${nthOf(startDay)}${weekdayCodes[weekdayOf(startDay)]}`
      const last = `-1${weekdayCodes[weekdayOf(startDay)]}`
      if (byDay.length > 1 || byMonthDay || (byDay[0] !== nth && byDay[0] !== last)) return null
      form.monthly = byDay[0] === last ? 'last' : 'nth'
    } else if (byMonthDay && Number(byMonthDay) !== dateOf(startDay)) return null
  } else if (frequency === 'DAILY') {
    if (byDay.length > 0 || byMonthDay) return null
  } else if (byDay.length > 0 || (byMonthDay && Number(byMonthDay) !== dateOf(startDay))) return null
  const byMonth = rulePart(rule, 'BYMONTH')
  if (byMonth && (frequency !== 'YEARLY' || Number(byMonth) !== monthOf(startDay) + 1)) return null
  return form
}

function endOf(rule: string, start: EventTime): RuleForm['end'] {
  const count = rulePart(rule, 'COUNT')
  if (count) return { kind: 'count', count: Number(count) }
  const until = rulePart(rule, 'UNTIL')
  if (!until) return { kind: 'never' }
  const zone = start.timeZone ?? 'UTC'
  const instant = untilInstant(until, zone, isAllDay(start))
  if (isAllDay(start)) return { kind: 'until', day: instant }
  const wall = wallOfInstant(instant, zone)
  const time = wallOf(start) - dayOf(wallOf(start))
  // A rule that ends in the morning has no occurrence that afternoon.
  return { kind: 'until', day: wall - dayOf(wall) < time ? dayOf(wall) - dayMs : dayOf(wall) }
}

/** A form with a changed part. A rule that begins to skip weeks skips those that the calendar shows. */
export function withPart(form: RuleForm, part: Partial<RuleForm>, weekStart: number): RuleForm {
  const next = { ...form, ...part }
  if (skipsWeeks(next) && !skipsWeeks(form)) next.weekStart = weekStart === 1 ? undefined : weekdayCodes[weekStart]
  return next
}
const skipsWeeks = ({ frequency, interval }: RuleForm): boolean => frequency === 'WEEKLY' && interval > 1

/** The RRULE line of a form; UNTIL lasts through its day in the series' zone. */
export function lineOf(form: RuleForm, start: EventTime): string {
  const day = dayOf(wallOf(start))
  const parts = [`FREQ=${form.frequency}`]
  if (form.interval > 1) parts.push(`INTERVAL=${form.interval}`)
  if (form.frequency === 'WEEKLY' && (form.weekdays.length > 1 || form.weekdays[0] !== weekdayOf(day))) {
    parts.push(
      `BYDAY=${[...form.weekdays]
        .sort(fromMonday)
        .map((index) => weekdayCodes[index])
        .join(',')}`,
    )
  }
  if (form.frequency === 'MONTHLY' && form.monthly !== 'date') {
    parts.push(`BYDAY=${form.monthly === 'last' ? -1 : nthOf(day)}${weekdayCodes[weekdayOf(day)]}`)
  }
  if (form.weekStart) parts.push(`WKST=${form.weekStart}`)
  if (form.end.kind === 'count') parts.push(`COUNT=${form.end.count}`)
  if (form.end.kind === 'until') {
    const allDay = isAllDay(start)
    const last = allDay ? form.end.day : instantOfWall(form.end.day + dayMs - 1000, start.timeZone ?? 'UTC')
    parts.push(`UNTIL=${untilText(last, allDay)}`)
  }
  return `RRULE:${parts.join(';')}`
}

export type Preset = 'none' | 'daily' | 'weekly' | 'weekdays' | 'monthly' | 'nth' | 'yearly' | 'custom'

/** Returns the presets for a start, with their labels and forms. */
export function presets(start: EventTime): { value: Preset; label: string; form: RuleForm | null }[] {
  const day = dayOf(wallOf(start))
  const base: RuleForm = {
    frequency: 'DAILY',
    interval: 1,
    weekdays: [weekdayOf(day)],
    monthly: 'date',
    end: { kind: 'never' },
  }
  const last = isLastWeekday(day) && nthOf(day) === 5
  return [
    { value: 'none', label: 'Doesn’t repeat', form: null },
    { value: 'daily', label: 'Every day', form: base },
    { value: 'weekly', label: `Every week on ${weekdayName(day)}`, form: { ...base, frequency: 'WEEKLY' } },
    {
      value: 'weekdays',
      label: 'Every weekday (Monday to Friday)',
      form: { ...base, frequency: 'WEEKLY', weekdays: weekdaysOnly },
    },
    { value: 'monthly', label: `Every month on day ${dateOf(day)}`, form: { ...base, frequency: 'MONTHLY' } },
    {
      value: 'nth',
      label: `Every month on the ${nthWords(day, last)}`,
      form: { ...base, frequency: 'MONTHLY', monthly: last ? 'last' : 'nth' },
    },
    {
      value: 'yearly',
      label: `Every year on ${dateOf(day)} ${monthName(day)}`,
      form: { ...base, frequency: 'YEARLY' },
    },
    { value: 'custom', label: 'Custom…', form: null },
  ]
}

const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth']
export const nthWords = (day: number, last: boolean): string =>
  `${last ? 'last' : ordinals[nthOf(day)]} ${weekdayName(day)}`

/** Which preset recurrence lines are. */
export function presetOf(lines: readonly string[] | undefined, start: EventTime): Preset {
  if (!lines || lines.length === 0) return 'none'
  const form = formOf(lines, start)
  if (!form || form.end.kind !== 'never' || lines.length > 1) return 'custom'
  // The first day of the week is irrelevant to a rule with an interval of 1.
  const line = lineOf(form.interval === 1 ? { ...form, weekStart: undefined } : form, start)
  return presets(start).find((preset) => preset.form && lineOf(preset.form, start) === line)?.value ?? 'custom'
}

/** Describes recurrence lines: `every 2 weeks on Monday and Friday, until Fri 17 Jul 2026`. */
export function recurrenceWords(lines: readonly string[], start: EventTime): string {
  const form = formOf(lines, start)
  if (!form) return wordsWithoutForm(lines, start)
  const day = dayOf(wallOf(start))
  const unit = frequencyNoun[form.frequency]
  let words = form.interval === 1 ? `every ${unit}` : `every ${counted(form.interval, unit)}`
  if (form.frequency === 'WEEKLY') {
    const same = form.weekdays.length === 5 && weekdaysOnly.every((index) => form.weekdays.includes(index))
    words =
      same && form.interval === 1
        ? 'every weekday'
        : `${words} on ${listWords(form.weekdays.map((index) => weekdayNames[index]!))}`
  }
  if (form.frequency === 'MONTHLY')
    words += form.monthly === 'date' ? ` on day ${dateOf(day)}` : ` on the ${nthWords(day, form.monthly === 'last')}`
  if (form.frequency === 'YEARLY') words += ` on ${dateOf(day)} ${monthName(day)}`
  return words + endWords(form.end)
}

function endWords(end: RuleForm['end']): string {
  if (end.kind === 'count') return end.count === 1 ? ', once' : `, ${end.count} times`
  return end.kind === 'until' ? `, until ${shortDate(end.day, 0)}` : ''
}

/** Describes a rule that the form can't show. A rule with extra dates is a custom recurrence. */
function wordsWithoutForm(lines: readonly string[], start: EventTime): string {
  const rules = lines.filter((line) => /^RRULE:/i.test(line)).map((line) => line.replace(/^RRULE:/i, ''))
  if (rules.length !== 1 || lines.some((line) => /^(?:EXRULE|RDATE)/i.test(line))) return customRepetition
  const words = ruleInWords(rules[0]!)
  return words === null ? customRepetition : words + (safely(() => endWords(endOf(rules[0]!, start))) ?? '')
}

export interface PreviewDate {
  text: string
  /** `+02:00`. Empty for all-day dates, and unless it changes from one date to another. */
  offset: string
  /**
   * Why there is no occurrence: `gap` if the clock jumps over this time on that day, `start` if the rule leaves out the
   * start.
   */
  skipped?: 'gap' | 'start'
}

/**
 * The next dates of a series from its start, with a start that the rule leaves out, and the ones that fall into a gap of
 * the clock. @throws RangeError
 */
export function previewDates(series: Series, count: number, text: (wall: number) => string): PreviewDate[] {
  const allDay = isAllDay(series.start)
  const zone = series.start.timeZone ?? 'UTC'
  const first = instantOf(series.start)
  const real = nextOccurrences(series, first, count).map(({ start }) => ({
    wall: allDay ? start : wallOfInstant(start, zone),
    start,
  }))
  const found: (PreviewDate & { wall: number })[] = real.map(({ wall, start }) => ({
    wall,
    text: text(wall),
    offset: allDay
      ? ''
      : rfc3339(start, zone)
          .replace(/^.{19}/, '')
          .replace('Z', '+00:00'),
  }))
  const own = allDay ? first : wallOfInstant(first, zone)
  const whole: Series = { ...series, recurrence: series.recurrence.filter((line) => !/^EX/i.test(line)) }
  if (nextOccurrences(whole, first, 1).some(({ start }) => start > first))
    found.push({ wall: own, text: text(own), offset: '', skipped: 'start' })
  if (!allDay && real.length > 0) {
    // The same rule without clock changes shows which occurrences they skip.
    const floating: Series = {
      start: { dateTime: `${new Date(wallOf(series.start)).toISOString().slice(0, 19)}Z`, timeZone: 'UTC' },
      end: { dateTime: `${new Date(wallOf(series.end, zone)).toISOString().slice(0, 19)}Z`, timeZone: 'UTC' },
      recurrence: series.recurrence.filter((line) => /^RRULE/i.test(line)),
    }
    for (const { start: wall } of nextOccurrences(floating, wallOf(series.start), count)) {
      if (wall <= real.at(-1)!.wall && isSkipped(wall, zone))
        found.push({ wall, text: text(wall), offset: '', skipped: 'gap' })
    }
  }
  const dates = found.sort((a, b) => a.wall - b.wall).slice(0, count)
  if (new Set(dates.map(({ offset }) => offset).filter(Boolean)).size <= 1) for (const date of dates) date.offset = ''
  return dates
}

function safely<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
