import {
  addMonths,
  dayMs,
  daysInMonth,
  monthName,
  monthShort,
  rangeTitle,
  shortRangeTitle,
  startOfMonth,
  startOfWeek,
  yearOf,
} from '../../../ui/dates'

export type Layout = 'day' | 'week' | 'month' | 'agenda'
export const layouts: readonly Layout[] = ['day', 'week', 'month', 'agenda']

/** The days on screen, both inclusive, as wall midnights. */
export interface Stretch {
  layout: Layout
  first: number
  last: number
  days: readonly number[]
  title: string
}

/** Returns a short title. Omits the year if it's `thisYear`. */
export function shortTitle({ layout, first, last }: Stretch, day: number, thisYear: number): string {
  if (layout !== 'month') return shortRangeTitle(first, last, thisYear)
  return yearOf(day) === thisYear ? monthName(day) : `${monthShort(day)} ${yearOf(day)}`
}

const agendaDays = 28

export function stretchOf(layout: Layout, day: number, weekStart: number): Stretch {
  const [first, count] = extent(layout, day, weekStart)
  const days = Array.from({ length: count }, (_, index) => first + index * dayMs)
  const last = days.at(-1)!
  const title = layout === 'month' ? `${monthName(day)} ${yearOf(day)}` : rangeTitle(first, last)
  return { layout, first, last, days, title }
}

function extent(layout: Layout, day: number, weekStart: number): [first: number, count: number] {
  if (layout === 'day') return [day, 1]
  if (layout === 'week') return [startOfWeek(day, weekStart), 7]
  if (layout === 'agenda') return [day, agendaDays]
  const first = startOfWeek(startOfMonth(day), weekStart)
  const end = startOfMonth(day) + daysInMonth(day) * dayMs
  return [first, Math.ceil((end - first) / (7 * dayMs)) * 7]
}

/** The day to show `steps` screens on. */
export function turned(layout: Layout, day: number, steps: number): number {
  if (layout === 'month') return addMonths(day, steps)
  return day + steps * dayMs * { day: 1, week: 7, agenda: agendaDays }[layout]
}
