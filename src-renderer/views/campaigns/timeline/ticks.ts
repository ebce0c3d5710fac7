import {
  addMonths,
  dateOf,
  dayMs,
  dayOf,
  monthName,
  monthOf,
  monthShort,
  startOfMonth,
  startOfWeek,
  weekdayOf,
  weekdayShort,
  weekNumber,
  yearOf,
} from '../../../ui/dates'

/** A part of the axis between two walls of midnights, `end` exclusive. */
export interface Tick {
  start: number
  end: number
  label: string
}

export type Step = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Smallest part that has room for its label, and the one that contains it. */
export function stepsFor(perDay: number): { lower: Step; upper: Step } {
  if (perDay >= 17) return { lower: 'day', upper: 'month' }
  if (perDay >= 4) return { lower: 'week', upper: 'month' }
  if (perDay >= 0.9) return { lower: 'month', upper: 'year' }
  return { lower: 'quarter', upper: 'year' }
}

export interface TickStyle {
  /** 0 is Sunday. */
  weekStart: number
  weekNumbers: boolean
  perDay: number
}

const monthsIn: Readonly<Partial<Record<Step, number>>> = { month: 1, quarter: 3, year: 12 }

function startOf(day: number, step: Step, weekStart: number): number {
  if (step === 'day') return dayOf(day)
  if (step === 'week') return startOfWeek(dayOf(day), weekStart)
  const months = monthsIn[step]!
  return addMonths(startOfMonth(day), -(monthOf(day) % months))
}
const nextOf = (start: number, step: Step): number => {
  const months = monthsIn[step]
  return months === undefined ? start + (step === 'day' ? 1 : 7) * dayMs : addMonths(start, months)
}

function labelOf(start: number, step: Step, { perDay, weekNumbers, weekStart }: TickStyle): string {
  const date = String(dateOf(start))
  if (step === 'day') return perDay >= 44 ? `${weekdayShort(start)} ${date}` : date
  if (step === 'week') {
    // The week's Thursday decides in which year it counts, whichever day it begins on.
    if (weekNumbers) return `W${weekNumber(start + ((4 - weekStart + 7) % 7) * dayMs)}`
    return perDay * 7 >= 48 ? `${date} ${monthShort(start)}` : date
  }
  if (step === 'month') return perDay < 4 ? monthShort(start) : `${monthName(start)} ${yearOf(start)}`
  return step === 'quarter' ? `Q${monthOf(start) / 3 + 1}` : String(yearOf(start))
}

/** Parts of one size that reach into a stretch, `to` exclusive. */
export function ticksOf(step: Step, from: number, to: number, style: TickStyle): Tick[] {
  const ticks: Tick[] = []
  for (let start = startOf(from, step, style.weekStart); start < to;) {
    const end = nextOf(start, step)
    ticks.push({ start, end, label: labelOf(start, step, style) })
    start = end
  }
  return ticks
}

/** Width of a day, in CSS pixels, from which weekends are shaded. */
const minWeekend = 6

/** Weekends, Saturday and Sunday, that reach into a stretch. None if days are too narrow for them. */
export function weekendsOf(from: number, to: number, perDay: number): Omit<Tick, 'label'>[] {
  if (perDay < minWeekend) return []
  const weekends: Omit<Tick, 'label'>[] = []
  const day = dayOf(from)
  const saturday = weekdayOf(day) === 0 ? day - dayMs : day + (6 - weekdayOf(day)) * dayMs
  for (let start = saturday; start < to; start += 7 * dayMs) weekends.push({ start, end: start + 2 * dayMs })
  return weekends
}
