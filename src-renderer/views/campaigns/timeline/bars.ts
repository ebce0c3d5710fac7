import type { Flight } from '#shared/facts/remark'
import type { Json } from '#shared/json'
import { wallOfInstant } from '#shared/time/zones'
import { isDate } from '#shared/wire/validate'
import { dayMs, dayOf, shortRangeTitle } from '../../../ui/dates'
import type { TableRows } from '../../../replica/api'
import type { CellOf } from '../cells'
import type { Grip } from '../shifting'

/** A flight on the axis: walls in the user's zone, `end` exclusive. A record of days ends at the midnight after its last. */
export interface Bar {
  start: number
  end: number
}

/** The wall of a day's midnight, or of a moment in a zone. `after`: days after it, where it's a day. */
function wallOf(value: Json | undefined, zone: string, after = 0): number | undefined {
  if (typeof value !== 'string') return undefined
  if (isDate(value)) return Date.parse(value) + after * dayMs
  const at = Date.parse(value)
  return Number.isFinite(at) ? wallOfInstant(at, zone) : undefined
}

/** The bar of a record with both dates, also if it ends before it starts. */
export function barOf({ start, end }: Pick<Flight, 'start' | 'end'>, cell: CellOf, zone: string): Bar | undefined {
  const [from, to] = [wallOf(cell(start), zone), wallOf(cell(end), zone, 1)]
  return from === undefined || to === undefined ? undefined : { start: from, end: to }
}

/**
 * The stretch of all flights of a list, about to the day. Undefined without any. Compares texts, because a list may have a
 * hundred thousand.
 */
export function stretchOf(
  { start, end }: Pick<Flight, 'start' | 'end'>,
  rows: Pick<TableRows, 'columns' | 'length' | 'cell'>,
): Bar | undefined {
  const columns = [start, end].map((path) => rows.columns.indexOf(path)).filter((column) => column >= 0)
  let [least, most] = ['', '']
  for (let row = 0; row < rows.length; row++)
    for (const column of columns) {
      const text = rows.cell(row, column)
      if (typeof text !== 'string' || text === '') continue
      if (least === '' || text < least) least = text
      if (text > most) most = text
    }
  const [from, to] = [Date.parse(least), Date.parse(most)]
  return Number.isFinite(from) && Number.isFinite(to) ? { start: from - dayMs, end: to + 2 * dayMs } : undefined
}

/** A bar after its flight, or one of its ends, moved by days. */
export function movedBar({ start, end }: Bar, grip: Grip, days: number): Bar {
  const by = days * dayMs
  return { start: grip === 'end' ? start : start + by, end: grip === 'start' ? end : end + by }
}

/** First and last day that a bar touches. */
export const daysOf = ({ start, end }: Bar): [first: number, last: number] => [
  dayOf(start),
  Math.max(dayOf(start), dayOf(end - 1)),
]

/** Number of days that a bar touches. Below one if it ends before it starts. */
export const dayCount = ({ start, end }: Bar): number => (dayOf(end - 1) - dayOf(start)) / dayMs + 1

/** `8 – 14 Jun`. A bar that ends before it starts names both ends in their order. */
export function barLabel(bar: Bar, thisYear: number): string {
  const [first, last] = [dayOf(bar.start), dayOf(bar.end - 1)]
  if (last >= first) return shortRangeTitle(first, last, thisYear)
  return `${shortRangeTitle(first, first, thisYear)} – ${shortRangeTitle(last, last, thisYear)}`
}

export type Phase = 'upcoming' | 'live' | 'ended'

/** @param now the present wall */
export const phaseOfBar = ({ start, end }: Bar, now: number): Phase =>
  start > now ? 'upcoming' : end <= now ? 'ended' : 'live'

export const phaseWords: Readonly<Record<Phase, string>> = { upcoming: 'Upcoming', live: 'Live', ended: 'Ended' }

/** The stretch that a bar covers on the axis, in order. */
export const inOrder = ({ start, end }: Bar): Bar =>
  end > start ? { start, end } : { start: end - dayMs, end: start + dayMs }
