import type { EventReminder } from '#shared/wire/calendar/types'
import { counted } from '../ui/counted'

/** Units that a reminder's time is shown in. */
export const reminderUnits = [
  { minutes: 1, noun: 'minute' },
  { minutes: 60, noun: 'hour' },
  { minutes: 1440, noun: 'day' },
  { minutes: 10080, noun: 'week' },
] as const

/** The largest unit, in minutes, that a time is a multiple of. */
export const reminderUnit = (minutes: number): number =>
  [10080, 1440, 60].find((unit) => minutes > 0 && minutes % unit === 0) ?? 1

/** `10 minutes before`, `1 day before by email`. */
export function reminderWords({ method, minutes = 0 }: EventReminder): string {
  const { minutes: unit, noun } = reminderUnits.find((one) => one.minutes === reminderUnit(minutes))!
  return `${counted(minutes / unit, noun)} before${method === 'email' ? ' by email' : ''}`
}
