import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import type { Fetch } from '../../src-main/http/send'
import { openDevice, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

const primary = 'alex.morgan@flightplan.example'
const day = { start: { date: '2026-05-04' }, end: { date: '2026-05-05' } }

let service: TestService
let here: Device
/** Changes an event on its way here. */
let mangled: ((event: JsonObject) => unknown) | undefined

const oddRecords: Fetch = async (url, init) => {
  const answer = await fetch(url, init)
  if (!mangled || !answer.ok || init.method !== 'GET' || !url.includes(`/${encodeURIComponent(primary)}/events?`))
    return answer
  const body = (await answer.json()) as JsonObject
  const items = (body['items'] as JsonObject[]).map(mangled)
  const headers = { 'content-type': 'application/json' }
  return new Response(JSON.stringify({ ...body, items }), { status: answer.status, headers })
}

beforeEach(async () => {
  mangled = undefined
  service = await startService()
  here = await openDevice({
    baseUrl: () => service.sandbox.baseUrl,
    token: () => service.sandbox.token,
    fetch: oddRecords,
  })
  await here.settled()
})
afterEach(async () => {
  await here?.close()
  await service.stop()
})

const make = async (summary: string): Promise<string> => {
  const value = { summary, ...day }
  const { keys } = await here.replica.edit([{ kind: 'create', collection: 'events', parent: primary, value }], {
    label: summary,
  })
  await here.settled()
  return keys[0]!
}
const titleOf = async (key: string): Promise<unknown> => (await here.replica.read(key))?.value?.['summary']

it.each<[string, (event: JsonObject) => unknown]>([
  ['its title is a number', (event) => (event['summary'] === 'Odd' ? { ...event, summary: 7 } : event)],
  ["it isn't an object", (event) => (event['summary'] === 'Odd' ? 'Odd' : event)],
])('an event in an unknown form stays unchanged and is reported: %s', async (_name, change) => {
  const odd = await make('Odd')
  const other = await make('Other')
  mangled = change
  await service.order('POST', '/expire-sync-tokens')
  await service.client.call(
    'calendar.events.patch',
    { calendarId: primary, eventId: other.split('\n')[2]! },
    { body: { summary: 'Other, changed there' } },
  )
  await here.settled()
  expect(await titleOf(other)).toBe('Other, changed there')
  expect(await titleOf(odd)).toBe('Odd')
  const [notice] = here.replica.notices().filter(({ id }) => id.startsWith('unread-'))
  expect(notice?.text).toMatch(/^The service sent 1 record of “.+” in an unknown format/)
  here.replica.dismiss(notice!.id)

  mangled = undefined
  await service.order('POST', '/expire-sync-tokens')
  await here.settled()
  expect(await titleOf(odd)).toBe('Odd')
  expect(here.replica.notices().filter(({ id }) => id.startsWith('unread-'))).toEqual([])
})
