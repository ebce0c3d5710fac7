import type { JsonObject } from '#shared/json'
import type { Seed } from './fixture-replica'

export const zone = 'Europe/Berlin'
/** The preview looks the same every day. */
export const now = Date.parse('2026-06-10T08:00:00+02:00')
const me = 'nora@flightplan.example'
const dayMs = 86_400_000
const monday = ((): number => {
  const today = Math.floor(now / dayMs) * dayMs
  return today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs
})()
const date = (day: number): string => new Date(monday + day * dayMs).toISOString().slice(0, 10)
const at = (day: number, time: string): JsonObject => ({ dateTime: `${date(day)}T${time}:00`, timeZone: zone })

let next = 0
function event(
  calendar: string,
  summary: string,
  start: JsonObject,
  end: JsonObject,
  more: JsonObject = {},
  mark: Seed['mark'] = 'synced',
): Seed {
  const id = `event${next++}`
  return {
    collection: 'events',
    parent: calendar,
    id,
    mark,
    value: { id, summary, start, end, status: 'confirmed', ...more },
  }
}
const calendar = (id: string, summary: string, backgroundColor: string, more: JsonObject = {}): Seed => ({
  collection: 'calendarList',
  parent: null,
  id,
  value: {
    id,
    summary,
    backgroundColor,
    foregroundColor: '#ffffff',
    accessRole: 'owner',
    selected: true,
    timeZone: zone,
    ...more,
  },
})
const guest = (email: string, responseStatus: string, more: JsonObject = {}): JsonObject => ({
  email,
  responseStatus,
  ...more,
})

export const seeds: Seed[] = [
  calendar(me, 'Nora Lind', '#4986e7', { primary: true, defaultReminders: [{ method: 'popup', minutes: 10 }] }),
  calendar('team', 'Team', '#16a765'),
  calendar('launches', 'Launches', '#f83a22'),
  calendar('family', 'Family', '#fad165'),
  calendar('holidays', 'Holidays in Germany', '#9a9cff', { accessRole: 'reader' }),
  { collection: 'settings', parent: null, id: 'timezone', value: { id: 'timezone', value: zone } },
  { collection: 'settings', parent: null, id: 'weekStart', value: { id: 'weekStart', value: '1' } },
  { collection: 'settings', parent: null, id: 'format24HourTime', value: { id: 'format24HourTime', value: 'true' } },
  event('team', 'Stand-up', at(-28, '09:30'), at(-28, '09:45'), {
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  }),
  event(me, 'Review of the autumn flight plan', at(0, '10:00'), at(0, '11:30'), {
    location: 'Room 4.12',
    description: 'Agenda:<br>• placements<br>• <b>dates</b><br><a href="https://example.com/plan">The plan</a>',
    organizer: { email: me, self: true },
    attendees: [
      guest(me, 'accepted', { self: true, organizer: true }),
      guest('mina@flightplan.example', 'tentative'),
      guest('jonas@flightplan.example', 'declined', { optional: true }),
      guest('ute@partner.example', 'needsAction'),
    ],
    conferenceData: {
      entryPoints: [{ entryPointType: 'video', uri: 'https://meet.example/abc-defg' }],
      conferenceSolution: { name: 'Video meeting', key: { type: 'videoMeet' } },
    },
  }),
  event(me, 'Call Jonas', at(0, '10:30'), at(0, '11:00'), {}, 'local'),
  event('team', 'Tag sheet hand-over', at(0, '11:00'), at(0, '12:00'), {}, 'sending'),
  event(me, 'Lunch with Mina', at(1, '12:00'), at(1, '13:00'), { location: 'Café Nord' }),
  event('launches', 'Launch: Winter boots', at(2, '14:00'), at(2, '15:00'), {}, 'needsYou'),
  event(me, 'Dentist', at(2, '14:30'), at(2, '15:30'), { visibility: 'private' }),
  event('team', 'Budget workshop with a title that runs on and on beyond its box', at(3, '09:00'), at(3, '12:00'), {
    attendees: [guest(me, 'tentative', { self: true })],
  }),
  event('team', 'Vendor pitch', at(3, '10:00'), at(3, '11:00'), { attendees: [guest(me, 'declined', { self: true })] }),
  event('team', 'Interview', at(3, '10:30'), at(3, '11:15'), { attendees: [guest(me, 'needsAction', { self: true })] }),
  event(me, 'Focus: media plan', at(4, '08:00'), at(4, '10:00'), { eventType: 'focusTime' }),
  event(me, 'Night train to Vienna', at(4, '22:15'), at(5, '07:40')),
  event('family', 'Birthday dinner', at(5, '18:30'), at(5, '21:00')),
  event('launches', 'Summer flight', { date: date(0) }, { date: date(4) }),
  event('launches', 'Always-on search', { date: date(-3) }, { date: date(12) }),
  event('family', 'Grandparents visit', { date: date(4) }, { date: date(7) }, {}, 'local'),
  event('holidays', 'Assumption Day', { date: date(2) }, { date: date(3) }),
  event(me, 'Out of office', at(6, '00:00'), at(7, '00:00'), { eventType: 'outOfOffice' }),
  ...Array.from({ length: 9 }, (_, index) =>
    event(
      'team',
      `Slot ${index + 1}`,
      at(9, `${String(9 + index).padStart(2, '0')}:00`),
      at(9, `${String(9 + index).padStart(2, '0')}:45`),
    ),
  ),
  { collection: 'tasklists', parent: null, id: 'list', value: { id: 'list', title: 'My tasks' } },
  {
    collection: 'tasks',
    parent: 'list',
    id: 't1',
    value: { id: 't1', title: 'Send tags to Mina', status: 'needsAction', due: `${date(1)}T00:00:00.000Z` },
  },
  {
    collection: 'tasks',
    parent: 'list',
    id: 't2',
    value: { id: 't2', title: 'Book train', status: 'completed', due: `${date(3)}T00:00:00.000Z` },
  },
  {
    collection: 'tasks',
    parent: 'list',
    id: 't3',
    value: { id: 't3', title: 'Check creatives', status: 'needsAction', due: `${date(-2)}T00:00:00.000Z` },
  },
]

/** Adds `count` events over a year, to check performance. */
export function crowd(count: number): Seed[] {
  const calendars = [me, 'team', 'launches', 'family']
  return Array.from({ length: count }, (_, index) => {
    const day = ((index * 37) % 364) - 182
    const hour = 7 + ((index * 13) % 12)
    const time = `${String(hour).padStart(2, '0')}:${index % 2 ? '30' : '00'}`
    const end = `${String(hour + 1).padStart(2, '0')}:00`
    return index % 11 === 0
      ? event(calendars[index % 4]!, `All day ${index}`, { date: date(day) }, { date: date(day + 1 + (index % 3)) })
      : event(calendars[index % 4]!, `Meeting ${index}`, at(day, time), at(day, end))
  })
}
