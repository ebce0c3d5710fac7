import { describe, expect, it } from 'vitest'
import { hueDistance, lchOf, tintOf } from '../../../src-renderer/ui/colors'
import { cases } from '../../helpers/ring'
import { connect, query } from './client'

const now = Date.parse('2026-06-10T08:00:00Z')
const list = '/calendar/v3/users/me/calendarList'

interface Event {
  id: string
  summary?: string
  start: { dateTime?: string; date?: string }
  eventType: string
}

async function week(client: Awaited<ReturnType<typeof connect>>, from: string, to: string): Promise<Event[]> {
  const { body } = await client.get(list)
  const found: Event[] = []
  for (const { id } of body.items as Array<{ id: string }>) {
    const params = { singleEvents: true, maxResults: 2500, timeMin: from, timeMax: to }
    found.push(
      ...((await client.get(`/calendar/v3/calendars/${encodeURIComponent(id)}/events${query(params)}`)).body
        .items as Event[]),
    )
  }
  return found
}

describe('the demo calendar', () => {
  it('has calendar colors at least forty degrees apart', async () => {
    const client = await connect({ seed: 'demo', now: () => now })
    const { body: calendars } = await client.get(list)
    const hues = (calendars.items as Array<{ backgroundColor: string }>).map(
      ({ backgroundColor }) => lchOf(tintOf(backgroundColor, 'light').edge).hue,
    )
    expect(hues.length).toBeGreaterThan(5)
    for (const [index, hue] of hues.entries())
      for (const other of hues.slice(index + 1)) expect(hueDistance(hue, other)).toBeGreaterThanOrEqual(40)
  })

  it('has calendars with several roles, about 1,000 events of all types, and tasks in four lists', async () => {
    const client = await connect({ seed: 'demo', now: () => now })
    const { body: calendars } = await client.get(list)
    const roles = Object.fromEntries(
      calendars.items.map((item: { summary: string; accessRole: string }) => [item.summary, item.accessRole]),
    )
    expect(roles).toEqual({
      'Alex Morgan': 'owner',
      Team: 'owner',
      'Campaign launches': 'owner',
      'Media partners': 'writer',
      Family: 'owner',
      Holidays: 'reader',
    })
    const { body: state } = await client.get('/sandbox/v1/state')
    expect(state.counts.events).toBeGreaterThan(950)
    expect(state.counts.events).toBeLessThan(1050)
    expect([state.counts.taskLists, state.counts.tasks > 100]).toEqual([4, true])
    const all = Object.values(state.events as Record<string, Record<string, Record<string, unknown>>>).flatMap(
      (calendar) => Object.values(calendar),
    )
    for (const kind of ['default', 'outOfOffice', 'focusTime', 'workingLocation', 'birthday'])
      expect(all.some((event) => event.eventType === kind)).toBe(true)
    for (const field of [
      'attendees',
      'recurrence',
      'recurringEventId',
      'conferenceData',
      'location',
      'description',
      'colorId',
    ]) {
      expect([field, all.some((event) => event[field] !== undefined)]).toEqual([field, true])
    }
    const { body: holiday } = await client.get(`/calendar/v3/calendars/${client.sandbox.ids.holidaysCalendarId}/events`)
    expect(
      (
        await client.del(
          `/calendar/v3/calendars/${client.sandbox.ids.holidaysCalendarId}/events/${holiday.items[0].id}`,
        )
      ).reason,
    ).toBe('requiredAccessLevel')
  })

  it('has plausibly busy days around now, and is deterministic', async () => {
    const client = await connect({ seed: 'demo', now: () => now })
    const found = await week(client, '2026-06-08T00:00:00+02:00', '2026-06-13T00:00:00+02:00')
    const days = new Map<string, number>()
    for (const event of found) {
      const day = (event.start.dateTime ?? event.start.date)!.slice(0, 10)
      if (day >= '2026-06-08') days.set(day, (days.get(day) ?? 0) + 1)
    }
    expect([...days.keys()].sort()).toEqual(['2026-06-08', '2026-06-09', '2026-06-10', '2026-06-11', '2026-06-12'])
    for (const count of days.values()) {
      expect(count).toBeGreaterThanOrEqual(4)
      expect(count).toBeLessThanOrEqual(9)
    }
    const again = await connect({ seed: 'demo', now: () => now })
    const ids = (events: Event[]): string[] => events.map((event) => event.id).sort()
    expect(ids(await week(again, '2026-06-08T00:00:00+02:00', '2026-06-13T00:00:00+02:00'))).toEqual(ids(found))
  })

  it('accepts its own events: each of the week can be written back', async () => {
    const client = await connect({ seed: 'demo', now: () => now })
    const { teamCalendarId, primaryCalendarId } = client.sandbox.ids
    for (const calendar of [teamCalendarId!, primaryCalendarId!]) {
      const path = `/calendar/v3/calendars/${encodeURIComponent(calendar)}/events`
      const { body } = await client.get(`${path}?maxResults=400`)
      for (const event of body.items) {
        if (event.status === 'cancelled') continue
        const answer = await client.put(`${path}/${event.id}?conferenceDataVersion=1&supportsAttachments=true`, event, {
          'if-match': event.etag,
        })
        expect([event.summary, answer.status, answer.body.error]).toEqual([event.summary, 200, undefined])
        expect(answer.body).toEqual(event)
      }
    }
  })

  it('grows with its scale', async () => {
    const scale = cases(10, 20)
    const client = await connect({ seed: 'demo', now: () => now, scale })
    const { body } = await client.get('/sandbox/v1/state')
    expect(body.counts.events).toBeGreaterThan(scale * 995)
    const path = `/calendar/v3/calendars/primary/events`
    expect((await client.get(`${path}?maxResults=2500`)).body.items).toHaveLength(2500)
    expect((await week(client, '2026-06-01T00:00:00+02:00', '2026-07-01T00:00:00+02:00')).length).toBeGreaterThan(
      scale * 75,
    )
  })
})
