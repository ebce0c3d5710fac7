/** The primary calendar of a new service's user. */
export const primary = 'alex.morgan@flightplan.example'

/** Monday from 9:00 to 10:00, in the user's time zone. */
export const times = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}
