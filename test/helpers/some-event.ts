/** The calendar that the person of a new service has. */
export const primary = 'alex.morgan@flightplan.example'

/** From nine to ten on a Monday, where that person is. */
export const times = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}
