import { expect, it } from 'vitest'
import { autostartFile } from '../../../src-main/app/autostart-file'
import { OpeningInbox, openingOf, Openings } from '../../../src-main/app/openings'

it('a command line names links, calendar files, and quick add', () => {
  const argv = [
    '/opt/flightplan',
    '--no-sandbox',
    'FlightPlan://date/2026-06-10',
    'webcal://example.org/team.ics',
    'trip.ics',
    '/abs/team.ICAL',
    'notes.txt',
  ]
  expect(openingOf(argv, '/home/alex')).toEqual({
    quickAdd: false,
    links: ['FlightPlan://date/2026-06-10', 'webcal://example.org/team.ics'],
    files: ['/home/alex/trip.ics', '/abs/team.ICAL'],
  })
  expect(openingOf(['/opt/flightplan', '--quick-add'], '/').quickAdd).toBe(true)
  expect(openingOf(['/opt/flightplan', '--open-file', 'trip.ics', '--x=a.ics'], '/').files).toEqual([])
})

it('openings wait until someone follows, and until the window takes them', () => {
  const inbox = new OpeningInbox()
  inbox.add({ links: ['flightplan://view/tasks'] })
  let heard = 0
  const openings = new Openings(() => heard++)
  inbox.follow((opening) => openings.add(opening))
  inbox.add({ files: ['/a.ics', '/b.ics'] })
  inbox.add({ quickAdd: true })
  expect(heard).toBe(2)
  expect(openings.take()).toEqual({ links: ['flightplan://view/tasks'], files: 2 })
  expect(openings.take()).toEqual({ links: [], files: 2 })
  expect([openings.takeFile(), openings.takeFile(), openings.takeFile()]).toEqual(['/a.ics', '/b.ics', undefined])
})

it('the autostart entry quotes its command', () => {
  expect(autostartFile(['/opt/My "apps"/$fp', '/a 100%', '--start-hidden'])).toContain(
    'Exec="/opt/My \\"apps\\"/\\$fp" "/a 100%%" "--start-hidden"\n',
  )
})
