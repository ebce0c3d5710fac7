import { expect, it } from 'vitest'
import type { Json, JsonObject } from '#shared/json'
import { isJsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { actions } from '../../../src-main/actions/actions'
import { createClient } from '../../../src-main/services/client'
import { pull } from '../../../src-main/sync/pull'
import { push } from '../../../src-main/sync/push'

/** A service that has one record as this text, and knows more fields than the tables. */
function serviceOf(record: string): { sent: { method: string; body: string; ifMatch: string | null }[]; text: string } {
  return { sent: [], text: record }
}

const clientOf = (service: ReturnType<typeof serviceOf>): ReturnType<typeof createClient> =>
  createClient({
    baseUrl: () => 'http://127.0.0.1:1',
    token: () => 'token',
    now: () => 0,
    fetch: (_url, { method = 'GET', body, headers }) => {
      const ifMatch = new Headers(headers).get('if-match')
      if (method !== 'GET') service.sent.push({ method, body: String(body as string), ifMatch })
      const answer = method === 'GET' ? `{"items":[${service.text}]}` : service.text
      return Promise.resolve(new Response(answer))
    },
  })

/** Adds a field that no schema knows to every object. */
function withUnknown(value: Json): Json {
  if (Array.isArray(value)) return value.map(withUnknown)
  if (!isJsonObject(value)) return value
  const inner = Object.entries(value).map(([name, item]) => [name, withUnknown(item as Json)] as const)
  return {
    ...Object.fromEntries(inner),
    later: 'unknown',
    constructor: { toString: [1, { deep: null }] } as JsonObject,
  }
}

const event: JsonObject = {
  id: 'abcde',
  etag: '"1"',
  summary: 'Kickoff',
  location: 'Berlin',
  start: { dateTime: '2026-06-10T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-06-10T10:00:00+02:00', timeZone: 'Europe/Berlin' },
  attendees: [{ email: 'mina@example.com' }, { email: 'jonas@example.com' }],
  reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
  source: { url: 'https://example.com', title: 'Plan' },
}

async function changed(service: ReturnType<typeof serviceOf>, patch: JsonObject): Promise<void> {
  const client = clientOf(service)
  const params = { collection: 'events', parent: 'me', cursor: null, page: null } as const
  const [record] = (await pull(client, params)).records
  const entry = {
    id: 'e1',
    accountId: 'a',
    collection: 'events',
    parent: 'me',
    recordId: 'abcde',
    kind: 'change',
    patch,
    base: record!.value,
    etag: record!.etag,
    complete: true,
  } as unknown as OutboxEntry
  await push({ actions, client, now: () => 0 }, entry)
}

it('unknown fields survive a pull, an edit, and a PUT, at every level and in their order', async () => {
  const whole = withUnknown(event) as JsonObject
  const service = serviceOf(JSON.stringify(whole))
  await changed(service, { summary: 'Kickoff, new' })
  expect(service.sent).toMatchObject([{ method: 'PUT', ifMatch: '"1"' }])
  expect(JSON.parse(service.sent[0]!.body)).toEqual({ ...whole, summary: 'Kickoff, new' })
})

it('unknown fields of guests survive an edit of another guest', async () => {
  const whole = withUnknown(event) as JsonObject
  const service = serviceOf(JSON.stringify(whole))
  const [mina, jonas] = whole['attendees'] as JsonObject[]
  await changed(service, { attendees: [mina!, { ...jonas, responseStatus: 'accepted' }, { email: 'ada@example.com' }] })
  expect(JSON.parse(service.sent[0]!.body)).toEqual({
    ...whole,
    attendees: [mina, { ...jonas, responseStatus: 'accepted' }, { email: 'ada@example.com' }],
  })
})

it('a number that can only be read rounded is never written back', async () => {
  for (const number of ['12345678901234567890', '9007199254740993']) {
    const service = serviceOf(JSON.stringify({ ...event, later: { size: 0 } }).replace('"size":0', `"size":${number}`))
    await changed(service, { summary: 'Kickoff, new' })
    expect(service.sent).toEqual([{ method: 'PATCH', ifMatch: '"1"', body: '{"summary":"Kickoff, new"}' }])
  }
})
