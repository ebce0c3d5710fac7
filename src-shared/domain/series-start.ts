import { parseRecurrenceLine, rulePart } from '#shared/time/recurrence-lines'

const dayMs = 86_400_000
/** Rule parts that set the days of a series, independently of its start. */
const explicit = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYSETPOS']

interface Period {
  /** Wall-clock reading `count` periods earlier. */
  back: (wall: number, count: number) => number
  /** True if a rule has the same days whichever of the two it begins on. */
  alike: (a: Date, b: Date) => boolean
}

const monthsBack = (wall: number, count: number): number =>
  new Date(wall).setUTCMonth(new Date(wall).getUTCMonth() - count)
const sameDate = (a: Date, b: Date): boolean => a.getUTCDate() === b.getUTCDate()
const periods: Readonly<Record<string, Period>> = {
  WEEKLY: {
    back: (wall, count) => wall - count * 7 * dayMs,
    alike: (a, b) => a.getUTCDay() === b.getUTCDay(),
  },
  MONTHLY: { back: monthsBack, alike: sameDate },
  YEARLY: {
    back: (wall, count) => monthsBack(wall, 12 * count),
    alike: (a, b) => sameDate(a, b) && a.getUTCMonth() === b.getUTCMonth(),
  },
}

/**
 * Start of a series, so that a rule means the weekday or date of the occurrence in which it was chosen: whole periods before
 * that, but not before the current start.
 * @param chosen wall-clock reading of the occurrence
 * @param earliest wall-clock reading of the current start
 */
export function startFor(lines: readonly string[], chosen: number, earliest: number): number {
  const [rule] = lines.flatMap((line) => {
    const parsed = parseRecurrenceLine(line)
    return parsed.kind === 'RRULE' ? [parsed.rule] : []
  })
  if (rule === undefined || explicit.some((part) => rulePart(rule, part) !== undefined)) return earliest
  const period = periods[rulePart(rule, 'FREQ')?.toUpperCase() ?? '']
  const day = new Date(chosen)
  if (!period || period.alike(new Date(earliest), day)) return earliest
  const interval = Math.max(1, Number(rulePart(rule, 'INTERVAL') ?? 1))
  let start = chosen
  for (let count = interval; ; count += interval) {
    const before = period.back(chosen, count)
    if (!(before >= earliest)) return start
    // The 31st isn’t in every month.
    if (period.alike(new Date(before), day)) start = before
  }
}
