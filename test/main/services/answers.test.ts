import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { createClient, type Client } from '../../../src-main/services/client'
import { pull } from '../../../src-main/sync/pull'

/** A client whose service always returns this body. */
const clientOf = (body: JsonObject): Client =>
  createClient({
    baseUrl: () => 'http://127.0.0.1:1',
    token: () => 'token',
    fetch: () =>
      Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })),
    now: () => 0,
  })

const event = (index: number): JsonObject => ({
  kind: 'calendar#event',
  id: `event${index}`,
  etag: '"1"',
  summary: `Plan ${index}`,
  start: { dateTime: '2026-06-10T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-06-10T10:00:00+02:00', timeZone: 'Europe/Berlin' },
  reminders: { useDefault: true },
  extendedProperties: { private: { colour: 'red' } },
  attendees: [{ email: 'mina@flightplan.example' }],
})
const page = (items: unknown): JsonObject => ({ kind: 'calendar#events', items: items as JsonObject[] })

const oddities: [string, JsonObject, string][] = [
  ['a number instead of text', { summary: 7 }, 'summary'],
  ['text instead of a time', { start: '2026-06-10' }, 'start'],
  ['text instead of a boolean', { reminders: { useDefault: 'yes' } }, 'reminders.useDefault'],
  ['an object instead of a list', { attendees: { 0: 'mina' } }, 'attendees'],
  ['an invalid guest', { attendees: [{ email: 'a@x.example' }, null] }, 'attendees[1]'],
  ['a number with a fraction', { sequence: 1.5 }, 'sequence'],
  [
    'an object instead of a property',
    { extendedProperties: { private: { colour: {} } } },
    'extendedProperties.private.colour',
  ],
]

describe('a response with one record', () => {
  const params = { calendarId: 'main', eventId: 'event1' }

  it.each(oddities)('%s is invalid, and the field is named', async (_name, change, location) => {
    const answer = clientOf({ ...event(1), ...change }).call('calendar.events.get', params)
    await expect(answer).rejects.toMatchObject({ fault: { code: 'badAnswer', location } })
  })

  it('accepts unknown and null fields: a service may be newer', async () => {
    const newer = { ...event(1), mood: { colour: 3 }, status: 'postponed', eventType: 'nap', location: null }
    await expect(clientOf(newer).call('calendar.events.get', params)).resolves.toMatchObject({ body: newer })
  })
})

describe('a list response', () => {
  const listed = (body: JsonObject): ReturnType<typeof pull> =>
    pull(clientOf(body), { collection: 'events', parent: 'main', cursor: null, page: null })

  it.each(oddities)('%s drops only its own record', async (_name, change, path) => {
    const answer = await listed(page([event(1), { ...event(2), ...change }, event(3)]))
    expect(answer.records.map(({ id }) => id)).toEqual(['event1', 'event3'])
    expect(answer.unreadable).toEqual([{ id: 'event2', path }])
  })

  it('counts an entry without a readable ID', async () => {
    const { records, unreadable } = await listed(page([event(1), 'event2', { ...event(3), id: 3 }]))
    expect(records.map(({ id }) => id)).toEqual(['event1'])
    expect(unreadable).toEqual([
      { id: null, path: '' },
      { id: null, path: 'id' },
    ])
  })

  it.each([
    ['an invalid list', page({ 0: event(1) }), 'items'],
    ['a numeric page token', { ...page([]), nextPageToken: 7 }, 'nextPageToken'],
  ])('%s is invalid', async (_name, body, location) => {
    await expect(listed(body)).rejects.toMatchObject({ fault: { code: 'badAnswer', location } })
  })
})
