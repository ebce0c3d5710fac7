import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { RunRecord } from '../../../src-main/reports/run-record'
import { searchRuns } from '../../../src-main/reports/search-runs'
import { createClient, type Client } from '../../../src-main/services/client'
import { pull } from '../../../src-main/sync/pull'

/** A client whose service always returns this body. */
const clientOf = (body: JsonObject | string, status = 200): Client =>
  createClient({
    baseUrl: () => 'http://127.0.0.1:1',
    token: () => 'token',
    fetch: () =>
      Promise.resolve(
        new Response(typeof body === 'string' ? body : JSON.stringify(body), {
          status,
          headers: { 'content-type': 'application/json' },
        }),
      ),
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

it('an accepted request without a body is still running', async () => {
  const run = { serviceId: '7' } as RunRecord
  const look = (status: number): Promise<unknown> =>
    searchRuns(clientOf('', status), () => 0).look(run, new AbortController().signal)
  expect(await look(202)).toEqual({ state: 'working' })
  await expect(look(200)).rejects.toMatchObject({ fault: { code: 'badAnswer' } })
})

describe('a list of pages', () => {
  const pagesUntilFault = async (tokenOf: (page: number) => string): Promise<number> => {
    let asked = 0
    const client = createClient({
      baseUrl: () => 'http://127.0.0.1:1',
      token: () => 'token',
      fetch: () => Promise.resolve(new Response(JSON.stringify({ items: [], nextPageToken: tokenOf(++asked) }))),
      now: () => 0,
    })
    const read = async (): Promise<void> => {
      for await (const _page of client.pages('trafficking.reports.list', { profileId: '1' }));
    }
    await expect(read()).rejects.toMatchObject({ fault: { code: 'badAnswer' } })
    return asked
  }

  it('ends with an error when pages repeat, one after the other or in turn, or never end', async () => {
    expect(await pagesUntilFault(() => 'a')).toBe(2)
    expect(await pagesUntilFault((page) => ['a', 'b', 'c'][page % 3]!)).toBe(4)
    expect(await pagesUntilFault((page) => `p${page}`)).toBeLessThan(3_000)
  })
})

describe('a list response', () => {
  const listed = (body: JsonObject | string): ReturnType<typeof pull> =>
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

  /** A page of three events, where the second one contains this text in JSON. */
  const around = (text: string): string => {
    const whole = JSON.stringify(page([event(1), { ...event(2), odd: 'HERE' }, event(3)]))
    return whole.replace('"odd":"HERE"', text)
  }

  it.each([
    ['nested 10,000 levels deep in an unknown field', `"later":${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['nested 10,000 levels deep in objects', `"later":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['with a number too large for a computer', '"later":{"a":[1e400]}'],
    ['with an ID that no address can name', '"id":"a\\ud800"'],
  ])('an event %s drops only its own record', async (_name, text) => {
    const answer = await listed(around(text))
    expect(answer.records.map(({ id }) => id)).toEqual(['event1', 'event3'])
    expect(answer.unreadable).toHaveLength(1)
  })

  it.each(['__proto__', '\\u005f_proto__', '__pr\\u006fto__'])(
    'a key written as %s reaches no prototype',
    async (key) => {
      const inner = `{"${key}":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`
      const answer = await listed(
        around(`"${key}":{"polluted":true},"extendedProperties":{"later":${inner}},"later":${inner}`),
      )
      const { value } = answer.records[1]!
      expect(JSON.stringify(value)).not.toContain('__proto__')
      expect(value).toMatchObject({ later: { constructor: { prototype: { polluted: true } } } })
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )

  it('leaves out an etag that no header can carry', async () => {
    const answer = await listed(page([{ ...event(1), etag: '"a\r\nx: y"' }, { ...event(2), etag: '"€"' }, event(3)]))
    expect(answer.records.map(({ etag }) => etag)).toEqual([undefined, undefined, '"1"'])
  })
})
