import { rulePart, weekdayCodes } from './recurrence-lines'
import { instantOfWall, isSkipped, wallOfInstant } from './zones'

const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day / dayMs + 4) % 7) + 7) % 7

const dayOf = (year: number, month: number, date: number): number => new Date(0).setUTCFullYear(year, month, date)
const daysBetween = (from: number, to: number): number => Math.round((to - from) / dayMs)

/**
 * True for rules that the library (rrule-temporal 2.2) expands wrongly. For a year it takes the union of BYWEEKNO,
 * BYYEARDAY, BYMONTHDAY, and BYDAY with numbers instead of the intersection (RFC 5545, 3.3.10). It takes the weekday of
 * BYWEEKNO alone from the start of the query (`BYWEEKNO=20` from Thursday 18 May 2017: Friday in 2019). It drops plain
 * days next to numbered ones (`BYDAY=-4SU,FR`).
 */
export function needsOwnYears(rule: string): boolean {
  if (rulePart(rule, 'FREQ') !== 'YEARLY') return false
  if (rulePart(rule, 'BYWEEKNO') || rulePart(rule, 'BYYEARDAY')) return true
  const days = rulePart(rule, 'BYDAY')?.split(',') ?? []
  const numbered = days.filter((text) => text.length > 2).length
  return numbered > 0 && (numbered < days.length || rulePart(rule, 'BYMONTHDAY') !== undefined)
}

/**
 * Expands a yearly rule in one pass over each year's days, and keeps those on which all parts agree. With BYWEEKNO,
 * years are those of the weeks, so INTERVAL counts them. The caller handles COUNT and UNTIL.
 */
export class YearlyRule {
  readonly #interval: number
  readonly #weekStart: number
  readonly #months: ReadonlySet<number> | undefined
  readonly #monthDays: ReadonlySet<number> | undefined
  readonly #yearDays: ReadonlySet<number> | undefined
  readonly #weeks: ReadonlySet<number> | undefined
  readonly #days: ReadonlyMap<number, ReadonlySet<number>> | undefined
  readonly #positions: readonly number[] | undefined
  readonly #times: readonly number[]
  readonly #firstYear: number
  readonly #firstWall: number

  constructor(
    rule: string,
    private readonly first: number,
    private readonly zone: string,
  ) {
    const list = (name: string): number[] | undefined => rulePart(rule, name)?.split(',').map(Number)
    const set = (name: string): ReadonlySet<number> | undefined => {
      const found = list(name)
      return found && new Set(found)
    }
    this.#firstWall = wallOfInstant(first, zone)
    const start = new Date(this.#firstWall)
    this.#interval = Number(rulePart(rule, 'INTERVAL') ?? 1)
    this.#weekStart = weekdayCodes.indexOf(rulePart(rule, 'WKST') ?? 'MO')
    this.#months = set('BYMONTH')
    this.#monthDays = set('BYMONTHDAY')
    this.#yearDays = set('BYYEARDAY')
    this.#weeks = set('BYWEEKNO')
    this.#positions = list('BYSETPOS')
    const days = new Map<number, Set<number>>()
    for (const text of rulePart(rule, 'BYDAY')?.split(',') ?? []) {
      const weekday = weekdayCodes.indexOf(text.slice(-2))
      days.set(weekday, (days.get(weekday) ?? new Set()).add(Number(text.slice(0, -2) || 0)))
    }
    // A week alone means the weekday of the first start.
    if (days.size === 0 && this.#weeks && !this.#monthDays && !this.#yearDays) days.set(start.getUTCDay(), new Set([0]))
    this.#days = days.size > 0 ? days : undefined
    const times = new Set<number>()
    for (const hour of list('BYHOUR') ?? [start.getUTCHours()])
      for (const minute of list('BYMINUTE') ?? [start.getUTCMinutes()])
        for (const second of list('BYSECOND') ?? [start.getUTCSeconds()])
          times.add(((hour * 60 + minute) * 60 + second) * 1000)
    this.#times = [...times].sort((a, b) => a - b)
    this.#firstYear = this.#yearOfWall(this.#firstWall)
  }

  /** Starts in [from, to), ascending, at most `most`. */
  between(from: number, to: number, most: number): number[] {
    const found: number[] = []
    const skipped = Math.max(
      0,
      this.#yearOfWall(wallOfInstant(Math.max(from, this.first), this.zone)) - this.#firstYear,
    )
    const lastWall = wallOfInstant(to, this.zone)
    for (let year = this.#firstYear + Math.floor(skipped / this.#interval) * this.#interval; ; year += this.#interval) {
      if (year > 9999 || this.#yearStart(year) > lastWall) return found
      for (const wall of this.#wallsOf(year)) {
        if (wall < this.#firstWall) continue
        const start = instantOfWall(wall, this.zone)
        if (start >= to) return found
        if (start >= from && found.push(start) >= most) return found
      }
    }
  }

  /** Week 1 is the first with at least four days in its year. */
  #yearStart(year: number): number {
    if (!this.#weeks) return dayOf(year, 0, 1)
    const fourth = dayOf(year, 0, 4)
    return fourth - ((weekdayOf(fourth) - this.#weekStart + 7) % 7) * dayMs
  }

  #yearOfWall(wall: number): number {
    const year = new Date(wall).getUTCFullYear()
    if (wall < this.#yearStart(year)) return year - 1
    return wall >= this.#yearStart(year + 1) ? year + 1 : year
  }

  #wallsOf(year: number): number[] {
    const [start, end] = [this.#yearStart(year), this.#yearStart(year + 1)]
    const walls: number[] = []
    for (let day = start; day < end; day += dayMs) {
      if (this.#weeks && !this.#either(this.#weeks, Math.floor((day - start) / weekMs), (end - start) / weekMs))
        continue
      if (!this.#fits(day)) continue
      for (const time of this.#times) if (!isSkipped(day + time, this.zone)) walls.push(day + time)
    }
    const places = this.#positions
    if (!places) return walls
    return walls.filter((_wall, index) => places.includes(index + 1) || places.includes(index - walls.length))
  }

  #fits(day: number): boolean {
    const date = new Date(day)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    if (this.#months && !this.#months.has(month + 1)) return false
    const [monthStart, monthEnd] = [dayOf(year, month, 1), dayOf(year, month + 1, 1)]
    const ofMonth = daysBetween(monthStart, day)
    if (this.#monthDays && !this.#either(this.#monthDays, ofMonth, daysBetween(monthStart, monthEnd))) return false
    const [yearStart, yearEnd] = [dayOf(year, 0, 1), dayOf(year + 1, 0, 1)]
    const ofYear = daysBetween(yearStart, day)
    if (this.#yearDays && !this.#either(this.#yearDays, ofYear, daysBetween(yearStart, yearEnd))) return false
    if (!this.#days) return true
    const nth = this.#days.get(weekdayOf(day))
    if (!nth || nth.has(0)) return nth !== undefined
    // Numbers count within the month where months are named, else within the year.
    const [low, high] = this.#months ? [monthStart, monthEnd] : [yearStart, yearEnd]
    return nth.has(Math.floor((day - low) / weekMs) + 1) || nth.has(-Math.floor((high - dayMs - day) / weekMs) - 1)
  }

  /** True if an index from 0 is in a list that counts from 1 or from the end. */
  #either(list: ReadonlySet<number>, place: number, of: number): boolean {
    return list.has(place + 1) || list.has(place - of)
  }
}
