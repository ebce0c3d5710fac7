import type { Day } from '#shared/facts/report-ranges'
import { wallOfInstant } from '#shared/time/zones'

export {
  dayOf,
  dayText,
  monthStart,
  quarterStart,
  relativeSpan,
  weekday,
  weekStart,
  yearStart,
  type Day,
  type Span,
} from '#shared/facts/report-ranges'

export const dayMs = 86_400_000

/** The day on which an instant falls in a zone. */
export const dayAt = (instant: number, zone: string): Day => Math.floor(wallOfInstant(instant, zone) / dayMs)
