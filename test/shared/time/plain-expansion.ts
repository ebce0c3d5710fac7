import { rulePart } from '#shared/time/recurrence-lines'
import { isSkipped } from '#shared/time/zones'

/**
 * A slow and literal implementation of RFC 5545, 3.3.10: checks every day of every period against each rule part. Shares only
 * the rule parser with the tested code.
 */
const dayMs = 86_400_000
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const utc = (year: number, month: number, day: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime()
}
const yearOf = (day: number): number => new Date(day).getUTCFullYear()
const monthOf = (day: number): number => new Date(day).getUTCMonth()
const weekdayOf = (day: number): number => new Date(day).getUTCDay()
const weekOf = (day: number, wkst: number): number => day - ((weekdayOf(day) - wkst + 7) % 7) * dayMs

/** Week 1 is the first with at least four days in the year. */
const firstWeek = (year: number, wkst: number): number => weekOf(utc(year, 0, 4), wkst)

function weekNumber(day: number, wkst: number): { year: number; number: number; last: number } {
  const year = yearOf(weekOf(day, wkst) + 3 * dayMs)
  const first = firstWeek(year, wkst)
  return {
    year,
    number: Math.floor((day - first) / (7 * dayMs)) + 1,
    last: Math.round((firstWeek(year + 1, wkst) - first) / (7 * dayMs)),
  }
}

/**
 * Wall-clock starts (as if UTC) of a daily or slower rule from `first` through `until`, at most COUNT. Skips nonexistent local
 * times.
 */
export function plainStarts(rule: string, first: number, until: number, zone: string): number[] {
  const numbers = (name: string): number[] | undefined => rulePart(rule, name)?.split(',').map(Number)
  const frequency = rulePart(rule, 'FREQ')!
  const interval = Number(rulePart(rule, 'INTERVAL') ?? 1)
  const count = Number(rulePart(rule, 'COUNT') ?? Infinity)
  const wkst = weekdays.indexOf(rulePart(rule, 'WKST') ?? 'MO')
  const start = new Date(first)
  const startDay = utc(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate())
  const byDay = rulePart(rule, 'BYDAY')
    ?.split(',')
    .map((text) => ({ nth: Number(text.slice(0, -2) || 0), day: weekdays.indexOf(text.slice(-2)) }))
  const byMonth = numbers('BYMONTH')
  const byMonthDay = numbers('BYMONTHDAY')
  const byYearDay = numbers('BYYEARDAY')
  const byWeekNo = numbers('BYWEEKNO')
  const setPositions = numbers('BYSETPOS')

  const inList = (list: readonly number[], fromStart: number, length: number): boolean =>
    list.includes(fromStart) || list.includes(fromStart - length - 1)
  const nthAmong = (day: number, low: number, high: number, nth: number): boolean => {
    const before = Math.floor((day - low) / (7 * dayMs)) + 1
    const after = -(Math.floor((high - dayMs - day) / (7 * dayMs)) + 1)
    return nth === before || nth === after
  }
  const fits = (day: number): boolean => {
    const [year, month] = [yearOf(day), monthOf(day)]
    const [monthStart, monthEnd] = [utc(year, month, 1), utc(year, month + 1, 1)]
    const [yearStart, yearEnd] = [utc(year, 0, 1), utc(year + 1, 0, 1)]
    const ofMonth = Math.round((day - monthStart) / dayMs) + 1
    if (byMonth && !byMonth.includes(month + 1)) return false
    if (byMonthDay && !inList(byMonthDay, ofMonth, Math.round((monthEnd - monthStart) / dayMs))) return false
    if (byYearDay) {
      const ofYear = Math.round((day - yearStart) / dayMs) + 1
      if (!inList(byYearDay, ofYear, Math.round((yearEnd - yearStart) / dayMs))) return false
    }
    if (byWeekNo) {
      const { number, last } = weekNumber(day, wkst)
      if (!inList(byWeekNo, number, last)) return false
    }
    if (byDay) {
      const inMonth = frequency === 'MONTHLY' || (frequency === 'YEARLY' && byMonth !== undefined)
      const [low, high] = inMonth ? [monthStart, monthEnd] : [yearStart, yearEnd]
      if (!byDay.some((one) => one.day === weekdayOf(day) && (one.nth === 0 || nthAmong(day, low, high, one.nth))))
        return false
    }
    // The first start provides what the rule leaves out.
    const dayNamed = byDay ?? byMonthDay ?? byYearDay
    if (dayNamed || frequency === 'DAILY') return true
    if (frequency === 'WEEKLY' || byWeekNo) return weekdayOf(day) === weekdayOf(first)
    if (frequency === 'YEARLY' && !byMonth && month !== start.getUTCMonth()) return false
    return ofMonth === start.getUTCDate()
  }
  /** The period with this index; 0 contains the first start. */
  const period = (index: number): [number, number] => {
    const step = index * interval
    if (frequency === 'DAILY') return [startDay + step * dayMs, startDay + (step + 1) * dayMs]
    if (frequency === 'WEEKLY') {
      const week = weekOf(startDay, wkst) + step * 7 * dayMs
      return [week, week + 7 * dayMs]
    }
    if (frequency === 'MONTHLY') {
      const month = start.getUTCMonth() + step
      return [utc(start.getUTCFullYear(), month, 1), utc(start.getUTCFullYear(), month + 1, 1)]
    }
    const year = byWeekNo ? weekNumber(startDay, wkst).year + step : start.getUTCFullYear() + step
    // A year's weeks may start before it and end after it.
    if (byWeekNo) return [firstWeek(year, wkst), firstWeek(year + 1, wkst)]
    return [utc(year, 0, 1), utc(year + 1, 0, 1)]
  }
  const times: number[] = []
  for (const hour of numbers('BYHOUR') ?? [start.getUTCHours()])
    for (const minute of numbers('BYMINUTE') ?? [start.getUTCMinutes()])
      for (const second of numbers('BYSECOND') ?? [start.getUTCSeconds()])
        times.push(((hour * 60 + minute) * 60 + second) * 1000)

  const found: number[] = []
  for (let index = 0; ; index++) {
    const [low, high] = period(index)
    if (low > until || found.length >= count) break
    const set: number[] = []
    for (let day = low; day < high; day += dayMs)
      if (fits(day)) for (const time of times) if (!isSkipped(day + time, zone)) set.push(day + time)
    set.sort((a, b) => a - b)
    const chosen = setPositions
      ? set.filter((_wall, at) => setPositions.includes(at + 1) || setPositions.includes(at - set.length))
      : set
    for (const wall of chosen) if (wall >= first && wall <= until && found.length < count) found.push(wall)
  }
  return found
}
