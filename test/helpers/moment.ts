import { offsetClock, offsetTo, readMoment, type Clock } from '#shared/time/clock'

/** When the app starts in tests and on the tour unless somebody says otherwise: a Wednesday in summer, eight in Berlin. */
export const usualMoment = '2026-06-10T08:00:00+02:00'

/** The moment at which real windows start: `FLIGHTPLAN_NOW`, or the usual one. */
export const moment = process.env['FLIGHTPLAN_NOW'] || usualMoment

/** The zone of this computer as the app sees it. */
export const zone = process.env['TZ'] || 'Europe/Berlin'

/** A clock that shows the moment now and runs on from there. */
export const clockFromMoment = (): Clock => offsetClock(offsetTo(readMoment(moment)))

/** A clock that shows the usual moment and runs on, whatever the run's: for tests that know the demo by heart. */
export const usualClock = (): Clock => offsetClock(offsetTo(readMoment(usualMoment)))

const clocks = new Map<string, Clock>()

/** The clock of an app that keeps its things in `userData`: it starts at the moment once, and goes on over later starts. */
export function clockOf(userData: string): Clock {
  const clock = clocks.get(userData) ?? clockFromMoment()
  clocks.set(userData, clock)
  return clock
}
