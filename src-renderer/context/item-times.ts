import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import type { CalendarItem } from '../replica/api'

type Times = Pick<CalendarItem, 'start' | 'end' | 'allDay'>
interface Span {
  start: number
  end: number
}

/** When an item is, as instants. Times of an all-day item are days, which begin at midnight in the displayed zone. */
export const instantsOf = ({ start, end, allDay }: Times, zone: string): Span =>
  allDay ? { start: instantOfWall(start, zone), end: instantOfWall(end, zone) } : { start, end }

/** When an item is, as local times. */
export const wallsOf = ({ start, end, allDay }: Times, zone: string): Span =>
  allDay ? { start, end } : { start: wallOfInstant(start, zone), end: wallOfInstant(end, zone) }
