import { offsetClock, offsetTo, readMoment, type Clock } from '#shared/time/clock'

/** The default time at which the app starts in tests and on the tour: a Wednesday in summer, 8:00 in Berlin. */
export const usualMoment = '2026-06-10T08:00:00+02:00'

/** The start time of real windows: `FLIGHTPLAN_NOW`, or the default. */
export const moment = process.env['FLIGHTPLAN_NOW'] || usualMoment

/** This computer's time zone as the app sees it. */
export const zone = process.env['TZ'] || 'Europe/Berlin'

/** A clock that starts at this time. */
export const clockFromMoment = (): Clock => offsetClock(offsetTo(readMoment(moment)))

/** A clock that starts at the default time, whatever the run's time, for tests that rely on exact demo data. */
export const usualClock = (): Clock => offsetClock(offsetTo(readMoment(usualMoment)))

const clocks = new Map<string, Clock>()

/** The clock of the app with this `userData`: starts at the run's time and continues over restarts. */
export function clockOf(userData: string): Clock {
  const clock = clocks.get(userData) ?? clockFromMoment()
  clocks.set(userData, clock)
  return clock
}
