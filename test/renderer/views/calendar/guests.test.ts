import { expect, it } from 'vitest'
import { unlistedOrganizer } from '../../../../src-renderer/views/calendar/guests'

const organizer = { email: 'host@x.example' }
const attendees = [{ email: 'mina@x.example' }]
const named = (event: object, isCalendar = false): string | undefined =>
  unlistedOrganizer(
    event,
    () => isCalendar,
    'me@x.example',
    (email) => (email === 'host@x.example' ? 'Nora Host' : undefined),
  )

it('an organizer is named if neither the guests nor a calendar show who that is', () => {
  expect(named({ organizer, attendees })).toBe('Nora Host')
  expect(named({ organizer, attendees: [...attendees, organizer] })).toBeUndefined()
  expect(named({ organizer: { email: 'Host@x.example' }, attendees: [...attendees, organizer] })).toBeUndefined()
  expect(named({ organizer: { ...organizer, displayName: 'Host@x.example' }, attendees })).toBe('Nora Host')
  expect(named({ organizer, attendees }, true)).toBeUndefined()
  expect(named({ organizer: { ...organizer, self: true }, attendees })).toBeUndefined()
  expect(named({ organizer })).toBeUndefined()
})
