import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey } from '#shared/domain/collections'
import { editSeries } from '#shared/domain/series-edit'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device } from '../helpers/device'
import { seeded, VirtualClock } from './model/clock'
import { Device as ModelDevice } from './model/device'
import { ModelService } from './model/service'

const primary = 'alex.morgan@flightplan.example'
const at = (hour: number, timeZone = 'Europe/Berlin', offset = '+02:00'): JsonObject => ({
  dateTime: `2026-05-04T${String(hour).padStart(2, '0')}:00:00${offset}`,
  timeZone,
})
const times = { start: at(9), end: at(10) }

const service = serviceForEach()
let here: Device

beforeEach(async () => {
  here = await deviceOf(service)
  await here.settled()
})
afterEach(() => here?.close())

/** Creates an event known to both sides. @returns its key */
async function sent(value: JsonObject): Promise<string> {
  const { keys } = await here.replica.edit(
    [{ kind: 'create', collection: 'events', parent: primary, value: { summary: 'Review', ...times, ...value } }],
    { label: 'New event' },
  )
  await here.settled()
  return keys[0]!
}
const change = (key: string, patch: JsonObject): Promise<unknown> =>
  here.replica.edit([{ kind: 'change', key, patch }], { label: 'Change' })

const named = (key: string): { calendarId: string; eventId: string } => ({
  calendarId: primary,
  eventId: parseRecordKey(key).id,
})
const stored = async (key: string): Promise<JsonObject> =>
  (await service.client.call('calendar.events.get', named(key))).body as JsonObject
/** The same user's other computer, with direct calls to the service. */
const elsewhere = (key: string, body: JsonObject): Promise<unknown> =>
  service.client.call('calendar.events.patch', named(key), { body: body as never })

const guest = { email: 'mina@flightplan.example', optional: true, comment: 'only the first half' }
const removals: [string, JsonObject, JsonObject, (event: JsonObject) => unknown][] = [
  [
    "a guest's comment",
    { attendees: [guest] },
    { attendees: [{ email: guest.email, responseStatus: 'needsAction' }] },
    ({ attendees }) => (attendees as JsonObject[]).map(({ optional, comment }) => [optional ?? false, comment]),
  ],
  [
    'a private property',
    { extendedProperties: { private: { a: '1', b: '2' } } },
    { extendedProperties: { private: { a: '1' } } },
    ({ extendedProperties }) => extendedProperties,
  ],
  [
    'the reminders',
    { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 10 }] } },
    { reminders: { useDefault: false } },
    ({ reminders }) => ((reminders as JsonObject)['overrides'] as unknown[] | undefined)?.length ?? 0,
  ],
  [
    'the zone, with the same instant',
    {},
    { start: at(8, 'Africa/Lagos', '+01:00'), end: at(9, 'Africa/Lagos', '+01:00') },
    ({ start, end }) => [(start as JsonObject)['timeZone'], (end as JsonObject)['timeZone']],
  ],
  [
    'the zone of a series',
    { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] },
    { start: at(9, 'Europe/Paris'), end: at(10, 'Europe/Paris') },
    ({ start, end }) => [(start as JsonObject)['timeZone'], (end as JsonObject)['timeZone']],
  ],
]

describe('an edit that removes something arrives', () => {
  it.each(removals)('%s, despite a server error on the first try', async (_name, value, patch, seen) => {
    const key = await sent(value)
    const before = seen(await stored(key))
    await service.fail('calendar.events.update', { status: 503 })
    await change(key, patch)
    await here.until('sent', ({ status }) => status.unsent === 0)
    const after = seen(await stored(key))
    expect(after).not.toEqual(before)
    await here.settled()
    expect(seen((await here.replica.read(key))!.value!)).toEqual(after)
  })

  it.each(removals)("%s, despite another's change to another field", async (_name, value, patch, seen) => {
    const key = await sent(value)
    const before = seen(await stored(key))
    await here.replica.setOffline(true)
    await change(key, patch)
    await elsewhere(key, { location: 'Room Elbe' })
    await here.replica.setOffline(false)
    await here.until('sent', ({ status }) => status.unsent === 0)
    expect(seen(await stored(key))).not.toEqual(before)
    expect(await stored(key)).toMatchObject({ location: 'Room Elbe' })
  })

  it.each(removals)('%s, once, despite a response lost after the commit', async (_name, value, patch, seen) => {
    const key = await sent(value)
    const before = seen(await stored(key))
    await service.fail('calendar.events.update', { drop: 'after' })
    await change(key, patch)
    await here.until('sent', ({ status }) => status.unsent === 0)
    expect(here.replica.status.needsYou).toBe(0)
    expect(seen(await stored(key))).not.toEqual(before)
    const writes = (await service.requests()).filter(({ operation }) => operation === 'calendar.events.update')
    expect(writes).toHaveLength(1)
  })

  it('from an occurrence without its own record, where only single fields can be sent', async () => {
    const key = await sent({
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      extendedProperties: { private: { a: '1', b: '2' } },
    })
    const [item] = here.replica.items(Date.parse('2026-05-05'), Date.parse('2026-05-06'))
    const occurrence = key.replace(/[^\n]+$/, item!.eventId)
    await change(occurrence, { extendedProperties: { private: { a: '1' } } })
    await here.until('sent', ({ status }) => status.unsent === 0)
    expect(await stored(occurrence)).toMatchObject({ extendedProperties: { private: { a: '1' } } })
    expect(JSON.stringify(await stored(occurrence))).not.toContain('"b"')
  })
})

it('an arrived edit that someone reverts before the lookup prompts', async () => {
  const key = await sent({ location: 'Room 1' })
  await service.fail('calendar.events.update', { drop: 'after' })
  await service.order('POST', '/trouble', { operation: 'calendar.events.get', count: 50, status: 503 })
  await change(key, { location: 'Room 2', colorId: '5' })
  await here.until('unknown', ({ outbox }) => outbox.call(here.replica)[0]?.unknownOutcome === true)
  await here.replica.setOffline(true)
  expect(await stored(key).catch(() => undefined)).toBeUndefined()
  await service.order('DELETE', '/trouble')
  expect(await stored(key)).toMatchObject({ location: 'Room 2' })
  await elsewhere(key, { location: 'Room 1', colorId: null } as never)
  await here.replica.setOffline(false)
  await here.asks()
  expect(here.replica.outbox()[0]!.conflict!.fields.sort()).toEqual(['colorId', 'location'])
  expect(await stored(key)).toMatchObject({ location: 'Room 1' })
})

describe('a creation whose response was lost after the commit', () => {
  const lost = async (): Promise<string> => {
    await service.fail('calendar.events.insert', { drop: 'after' })
    const { keys } = await here.replica.edit(
      [{ kind: 'create', collection: 'events', parent: primary, value: { summary: 'Review', ...times } }],
      { label: 'New event' },
    )
    await here.until('unknown', ({ outbox }) => outbox.call(here.replica)[0]?.unknownOutcome === true)
    return keys[0]!
  }
  const theirs = { summary: 'Review with the agency', location: 'Hall 2' }

  it("keeps someone else's edits from before the lookup", async () => {
    const key = await lost()
    await elsewhere(key, theirs)
    await here.until('sent', ({ status }) => status.unsent === 0)
    expect(await stored(key)).toMatchObject(theirs)
    expect((await here.replica.read(key))?.value).toMatchObject(theirs)
  })

  it('keeps them when a pull brings the record first, too', async () => {
    const key = await lost()
    await here.replica.setOffline(true)
    await elsewhere(key, theirs)
    await here.replica.setOffline(false)
    await here.settled()
    expect(here.replica.status.unsent).toBe(0)
    expect(await stored(key)).toMatchObject(theirs)
    const inserts = (await service.requests()).filter(({ operation }) => operation === 'calendar.events.insert')
    expect(inserts).toHaveLength(1)
  })

  it('asks if both sides changed the same field since', async () => {
    const key = await lost()
    await here.replica.setOffline(true)
    await change(key, { summary: 'Review, mine', description: 'Mine alone' })
    await elsewhere(key, theirs)
    await here.replica.setOffline(false)
    await here.asks()
    expect(here.replica.outbox()[0]!.conflict).toMatchObject({
      fields: ['summary'],
      remote: theirs,
      merged: { description: 'Mine alone' },
    })
    expect(await stored(key)).toMatchObject(theirs)
  })
})

it('a series that was split is not asked about when it arrives before the lost answer is looked up', async () => {
  const clock = new VirtualClock()
  const model = new ModelService(() => clock.time)
  const { replica } = await openModel(model, clock)
  const value = { summary: 'Standup', start: utc(9), end: utc(10), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  const { keys } = await replica.edit([{ kind: 'create', collection: 'events', parent: 'me', value }], { label: 'New' })
  await clock.pass(70_000)
  const { id, value: master } = replica.peek(keys[0]!)!
  const eventId = `${id}_20260504T090000Z`
  await replica.edit([{ kind: 'change', key: `events\nme\n${eventId}`, patch: { location: 'Park' } }], {
    label: 'Move',
  })
  await clock.pass(70_000)
  let left = 1
  model.trouble = (call, moment) =>
    moment === 'after' && call.id === 'calendar.events.update' && left-- > 0 ? 'answerLost' : undefined
  const exceptions = replica.exceptions(keys[0]!).map((row) => ({ id: row.id, value: row.value }))
  const context = {
    calendarId: 'me',
    masterId: id,
    master: master!,
    exceptions,
    eventId,
    newId: () => replica.newEventId(),
  }
  const changes = editSeries(context, { summary: 'Retro' }, 'following') as Change[]
  await replica.edit(changes, { label: 'Split' })
  await clock.pass(450)
  replica.syncNow()
  await clock.pass(70_000)
  expect([replica.outbox(), left]).toEqual([[], -1])
  const places = model.living('events me').map(({ summary, location }) => [summary, location])
  expect(places).toEqual(
    expect.arrayContaining([
      ['Standup', undefined],
      ['Retro', undefined],
      ['Retro', 'Park'],
    ]),
  )
})
const utc = (hour: number): JsonObject => ({
  dateTime: `2026-05-02T${String(hour).padStart(2, '0')}:00:00Z`,
  timeZone: 'UTC',
})
async function openModel(model: ModelService, clock: VirtualClock): Promise<ModelDevice> {
  const device = new ModelDevice('one', model, clock, seeded(1))
  await device.start()
  await clock.pass(2_000)
  return device
}
