import { z } from 'zod'

/** The working hours of a day, in minutes after midnight. */
export interface DayHours {
  from: number
  to: number
}

/** Working hours by weekday, Sunday first. Null for a day off. */
export type WorkingHours = readonly (DayHours | null)[]

const dayMinutes = 1440
const usual: DayHours = { from: 9 * 60, to: 17 * 60 }
export const usualHours: WorkingHours = [null, usual, usual, usual, usual, usual, null]

const minutes = z.number().int().min(0).max(dayMinutes)
export const workingHoursSchema = z
  .array(
    z
      .object({ from: minutes, to: minutes })
      .refine(({ from, to }) => from < to)
      .nullable(),
  )
  .length(7)

/** Shortest working day, in minutes. */
const shortest = 15

/** Hours with another start or end. Moves the other end if they would cross. */
export function withEnd(hours: DayHours, end: 'from' | 'to', at: number): DayHours {
  if (end === 'from') {
    const from = Math.min(at, dayMinutes - shortest)
    return { from, to: Math.max(hours.to, from + shortest) }
  }
  // Midnight at the end of a day is 24:00.
  const to = at === 0 ? dayMinutes : Math.max(at, shortest)
  return { from: Math.min(hours.from, to - shortest), to }
}

/** The working hours of a day, given by its midnight as wall time. */
export const hoursOn = (hours: WorkingHours, day: number): DayHours | null => hours[new Date(day).getUTCDay()] ?? null
