import { describe, expect, it } from 'vitest'
import type { AppContext } from '../../../src-renderer/context/context'
import { peopleEntries } from '../../../src-renderer/context/found-entries'
import { People } from '../../../src-renderer/context/people.svelte'
import type { CalendarItem } from '../../../src-renderer/replica/api'

const now = Date.parse('2026-06-11T00:30:00Z')
const email = 'mina@northwind.example'
const event = (itemKey: string, start: number, end: number, isAllDay = false): CalendarItem =>
  ({ itemKey, rowKey: itemKey, title: itemKey, calendarId: 'work', start, end, allDay: isAllDay }) as CalendarItem
const allDay = (date: string, itemKey = date) => {
  const start = Date.parse(date)
  return event(itemKey, start, start + 86_400_000, true)
}

/** What the search says of someone with whom these events are. */
async function found(zone: string, items: readonly CalendarItem[]) {
  const replica = {
    items: () => items,
    readAll: (keys: readonly string[]) =>
      Promise.resolve(new Map(keys.map((key) => [key, { value: { attendees: [{ email }] } }]))),
    rows: () => [],
  }
  const clock = { now, today: () => Date.parse('2026-06-10') }
  const preferences = { zone, hour12: false }
  const app = { replica, account: { email: 'alex@northwind.example' }, clock, preferences } as unknown as AppContext
  const people = new People(app)
  await people.load()
  const [entry] = peopleEntries(app, people, 'mina')
  return { aside: entry!.aside, events: entry!.lists!().map(({ title }) => title) }
}

describe('people in the search', () => {
  it.each(['America/New_York', 'Europe/Berlin', 'Pacific/Auckland'])(
    'name the day of an all-day event in %s',
    async (zone) => {
      expect((await found(zone, [allDay('2026-06-15')])).aside).toBe('next event Mon 15 Jun')
      expect((await found(zone, [allDay('2026-06-05')])).aside).toBe('last event Fri 5 Jun')
    },
  )
  it('list an all-day event first while it lasts', async () => {
    // In Honolulu it’s still the day before the one in UTC.
    const later = event('later', now + 9e6, now + 1e7)
    const items = [later, allDay('2026-06-10', 'today'), allDay('2026-06-09', 'yesterday')]
    expect((await found('Pacific/Honolulu', items)).events).toEqual(['today', 'later', 'yesterday'])
  })
})
