import {
  addMonths,
  dayFrom,
  dayMs,
  daysInMonth,
  monthName,
  monthShort,
  rangeTitle,
  shortRangeTitle,
  startOfMonth,
  startOfWeek,
  weekdayOf,
  yearOf,
} from '../../../ui/dates'

export type Layout = 'day' | 'days' | 'workWeek' | 'week' | 'twoWeeks' | 'month' | 'agenda' | 'year'

/** Every layout with its name, its key, and other words for it, those in the switch of the toolbar first. */
export const layoutList: readonly { value: Layout; label: string; keys: string; words?: string }[] = [
  { value: 'day', label: 'Day', keys: '1' },
  { value: 'week', label: 'Week', keys: '2' },
  { value: 'month', label: 'Month', keys: '3' },
  { value: 'agenda', label: 'Agenda', keys: '4', words: 'list schedule' },
  { value: 'year', label: 'Year', keys: '5', words: 'months' },
  { value: 'workWeek', label: 'Work week', keys: '6', words: 'weekdays' },
  { value: 'twoWeeks', label: '2 weeks', keys: '7', words: 'two fortnight' },
  { value: 'days', label: 'Several days', keys: '8' },
]
export const layouts: readonly Layout[] = layoutList.map(({ value }) => value)

/** Numbers of days that the layout of several days can show. */
export const dayCounts = [2, 3, 4, 5, 6, 7, 8, 9] as const

/** True for a layout whose columns have hours. */
export const hasHours = (layout: Layout): boolean => layout !== 'month' && layout !== 'agenda' && layout !== 'year'

export interface StretchOptions {
  /** 0 is Sunday. */
  weekStart: number
  /** Number of days of the layout of several days. */
  dayCount: number
  /** Leaves Saturdays and Sundays out of weeks. */
  hideWeekends: boolean
}

/** The days on screen, both inclusive, as wall midnights. */
export interface Stretch {
  layout: Layout
  first: number
  last: number
  /** Without those left out. */
  days: readonly number[]
  title: string
}

/** Length of one step forward or back. */
export function stepName(layout: Layout, dayCount: number): string {
  return {
    day: 'day',
    days: `${dayCount} days`,
    workWeek: 'week',
    week: 'week',
    twoWeeks: '2 weeks',
    month: 'month',
    agenda: '4 weeks',
    year: 'year',
  }[layout]
}

/** `Week`, `3 days`: what the layout is called on screen. */
export const layoutName = (layout: Layout, dayCount: number): string =>
  layout === 'days' ? `${dayCount} days` : layoutList.find(({ value }) => value === layout)!.label

/** Returns a short title. Omits the year if it's `thisYear`. */
export function shortTitle({ layout, first, last }: Stretch, day: number, thisYear: number): string {
  if (layout === 'year') return String(yearOf(day))
  if (layout !== 'month') return shortRangeTitle(first, last, thisYear)
  return yearOf(day) === thisYear ? monthName(day) : `${monthShort(day)} ${yearOf(day)}`
}

const agendaDays = 28

export function stretchOf(layout: Layout, day: number, options: StretchOptions): Stretch {
  const [from, count] = extent(layout, day, options)
  const all = Array.from({ length: count }, (_, index) => from + index * dayMs)
  const weekdaysOnly = layout === 'workWeek' || (options.hideWeekends && (layout === 'week' || layout === 'twoWeeks'))
  const days = weekdaysOnly ? all.filter((one) => !isWeekend(one)) : all
  const [first, last] = [days[0]!, days.at(-1)!]
  const title =
    layout === 'year'
      ? String(yearOf(day))
      : layout === 'month'
        ? `${monthName(day)} ${yearOf(day)}`
        : rangeTitle(first, last)
  return { layout, first, last, days, title }
}

export const isWeekend = (day: number): boolean => weekdayOf(day) === 0 || weekdayOf(day) === 6

function extent(layout: Layout, day: number, { weekStart, dayCount }: StretchOptions): [first: number, count: number] {
  switch (layout) {
    case 'day':
      return [day, 1]
    case 'days':
      return [day, dayCount]
    case 'workWeek':
    case 'week':
      return [startOfWeek(day, weekStart), 7]
    case 'twoWeeks':
      return [startOfWeek(day, weekStart), 14]
    case 'agenda':
      return [day, agendaDays]
    case 'year': {
      const first = dayFrom(yearOf(day), 0, 1)
      return [first, (dayFrom(yearOf(day) + 1, 0, 1) - first) / dayMs]
    }
    case 'month': {
      const first = startOfWeek(startOfMonth(day), weekStart)
      const end = startOfMonth(day) + daysInMonth(day) * dayMs
      return [first, Math.ceil((end - first) / (7 * dayMs)) * 7]
    }
  }
}

/** The day to show `steps` screens on. */
export function turned(layout: Layout, day: number, steps: number, dayCount: number): number {
  if (layout === 'month') return addMonths(day, steps)
  if (layout === 'year') return addMonths(day, steps * 12)
  const days = { day: 1, days: dayCount, workWeek: 7, week: 7, twoWeeks: 14, agenda: agendaDays }[layout]
  return day + steps * dayMs * days
}
