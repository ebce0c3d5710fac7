import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import { operation, operationIds, services, type OperationId } from '#shared/wire/services'
import type { Event } from '#shared/wire/calendar/types'
import { validate } from '#shared/wire/validate'
import type { Client } from '../../../src-main/services/client'
import { startService, type TestService } from '../../helpers/service'

let service: TestService
let client: Client
let receiver: ReturnType<typeof createServer>
let address: string
const notified: string[] = []

beforeAll(async () => {
  service = await startService()
  client = service.client
  receiver = createServer((request, response) => {
    notified.push(`${String(request.headers['x-goog-channel-id'])} ${String(request.headers['x-goog-resource-state'])}`)
    response.writeHead(204).end()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await service.stop()
})

const primary = 'alex.morgan@flightplan.example'
const mina = 'mina.park@flightplan.example'
const times = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}
let number = 0
const unique = (): string => `op${String(++number).padStart(8, '0')}`

const newEvent = async (more: Event = {}): Promise<Event & { id: string; etag: string }> =>
  (
    await client.call(
      'calendar.events.insert',
      { calendarId: primary },
      { body: { summary: unique(), ...times, ...more } },
    )
  ).body as never
const newCalendar = async (): Promise<string> =>
  (await client.call('calendar.calendars.insert', {}, { body: { summary: unique() } })).body.id!
const newList = async (): Promise<string> =>
  (await client.call('tasks.tasklists.insert', {}, { body: { title: unique() } })).body.id!
const newTask = async (tasklist: string, more: object = {}): Promise<string> =>
  (await client.call('tasks.tasks.insert', { tasklist }, { body: { title: unique(), ...more } })).body.id!
const calendarEntry = (calendarId: string): ReturnType<typeof call<'calendar.calendarList.get'>> =>
  call('calendar.calendarList.get', { calendarId })
const gone = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => false,
    (error: unknown) => ['notFound', 'gone'].includes(faultOf(error).code),
  )
const channel = (): { id: string; type: 'web_hook'; address: string } => ({ id: unique(), type: 'web_hook', address })
const isWatched = async (id: string): Promise<boolean> => {
  for (let tries = 0; tries < 100 && !notified.some((line) => line.startsWith(id)); tries++)
    await new Promise((done) => setTimeout(done, 20))
  return notified.includes(`${id} sync`)
}

/** Calls an operation and holds its answer to the schema the table names. */
async function call<O extends OperationId>(
  id: O,
  ...rest: Parameters<typeof client.call<O>> extends [O, ...infer R] ? R : never
): ReturnType<typeof client.call<O>> {
  const answer = await client.call<O>(id, ...rest)
  const { service: name, method } = operation(id)
  if (method.response === undefined) {
    expect(answer.status, `${id} has no body`).toBe(204)
  } else {
    expect(answer.status, id).toBe(200)
    expect(
      validate(services[name], method.response, answer.body, { operation: id, kind: 'response' }),
      `the answer of ${id}`,
    ).toEqual([])
  }
  return answer
}

/** Every operation of every table, each with an effect that is read back: a new row does not compile without a case. */
const cases: { [O in OperationId]: () => Promise<unknown> } = {
  'calendar.acl.insert': async () => {
    const { body } = await call(
      'calendar.acl.insert',
      { calendarId: primary },
      { body: { role: 'reader', scope: { type: 'user', value: mina } } },
    )
    expect(body).toMatchObject({ id: `user:${mina}`, role: 'reader' })
  },
  'calendar.acl.get': async () =>
    expect((await call('calendar.acl.get', { calendarId: primary, ruleId: `user:${mina}` })).body.role).toBe('reader'),
  'calendar.acl.list': async () =>
    expect((await call('calendar.acl.list', { calendarId: primary })).body.items!.map(({ id }) => id)).toContain(
      `user:${mina}`,
    ),
  'calendar.acl.patch': async () => {
    await call(
      'calendar.acl.patch',
      { calendarId: primary, ruleId: `user:${mina}` },
      { body: { role: 'freeBusyReader' } },
    )
    expect((await client.call('calendar.acl.get', { calendarId: primary, ruleId: `user:${mina}` })).body.role).toBe(
      'freeBusyReader',
    )
  },
  'calendar.acl.update': async () => {
    await call(
      'calendar.acl.update',
      { calendarId: primary, ruleId: `user:${mina}` },
      { body: { role: 'writer', scope: { type: 'user', value: mina } } },
    )
    expect((await client.call('calendar.acl.get', { calendarId: primary, ruleId: `user:${mina}` })).body.role).toBe(
      'writer',
    )
  },
  'calendar.acl.watch': async () => {
    const { body } = await call('calendar.acl.watch', { calendarId: primary }, { body: channel() })
    expect(await isWatched(body.id!)).toBe(true)
  },
  'calendar.acl.delete': async () => {
    await call('calendar.acl.delete', { calendarId: primary, ruleId: `user:${mina}` })
    expect(await gone(client.call('calendar.acl.get', { calendarId: primary, ruleId: `user:${mina}` }))).toBe(true)
  },
  'calendar.calendars.insert': async () => {
    const { body } = await call(
      'calendar.calendars.insert',
      {},
      { body: { summary: 'Launches', timeZone: 'Asia/Tokyo' } },
    )
    expect((await client.call('calendar.calendars.get', { calendarId: body.id! })).body).toMatchObject({
      summary: 'Launches',
      timeZone: 'Asia/Tokyo',
    })
  },
  'calendar.calendars.get': async () =>
    expect((await call('calendar.calendars.get', { calendarId: 'primary' })).body.id).toBe(primary),
  'calendar.calendars.patch': async () => {
    const calendarId = await newCalendar()
    await call('calendar.calendars.patch', { calendarId }, { body: { location: 'Berlin' } })
    expect((await client.call('calendar.calendars.get', { calendarId })).body).toMatchObject({
      location: 'Berlin',
      summary: expect.any(String) as string,
    })
  },
  'calendar.calendars.update': async () => {
    const calendarId = await newCalendar()
    await call('calendar.calendars.update', { calendarId }, { body: { summary: 'Renamed' } })
    expect((await client.call('calendar.calendars.get', { calendarId })).body.summary).toBe('Renamed')
  },
  'calendar.calendars.delete': async () => {
    const calendarId = await newCalendar()
    await call('calendar.calendars.delete', { calendarId })
    expect(await gone(client.call('calendar.calendars.get', { calendarId }))).toBe(true)
  },
  'calendar.calendars.clear': async () => {
    const { id } = await newEvent()
    await call('calendar.calendars.clear', { calendarId: 'primary' })
    const { items } = (await client.call('calendar.events.list', { calendarId: primary })).body
    expect(items!.map((event) => event.id)).not.toContain(id)
  },
  'calendar.calendars.transferOwnership': async () => {
    const calendarId = await newCalendar()
    await call('calendar.calendars.transferOwnership', {
      calendarId,
      newDataOwner: mina,
      useAdminAccess: true as never,
    })
    expect((await client.call('calendar.calendars.get', { calendarId })).body.dataOwner).toBe(mina)
  },
  'calendar.calendarList.list': async () =>
    expect((await call('calendar.calendarList.list', {})).body.items!.map(({ id }) => id)).toContain(primary),
  'calendar.calendarList.get': async () =>
    expect((await calendarEntry(primary)).body).toMatchObject({ primary: true, accessRole: 'owner' }),
  'calendar.calendarList.delete': async () => {
    const calendarId = await newCalendar()
    await call('calendar.calendarList.delete', { calendarId })
    expect(await gone(client.call('calendar.calendarList.get', { calendarId }))).toBe(true)
  },
  'calendar.calendarList.insert': async () => {
    const calendarId = await newCalendar()
    await client.call('calendar.calendarList.delete', { calendarId })
    await call('calendar.calendarList.insert', {}, { body: { id: calendarId, selected: true } })
    expect((await calendarEntry(calendarId)).body.selected).toBe(true)
  },
  'calendar.calendarList.patch': async () => {
    await call(
      'calendar.calendarList.patch',
      { calendarId: primary, colorRgbFormat: true },
      { body: { backgroundColor: '#112233', foregroundColor: '#ffffff' } },
    )
    expect((await calendarEntry(primary)).body.backgroundColor).toBe('#112233')
  },
  'calendar.calendarList.update': async () => {
    await call(
      'calendar.calendarList.update',
      { calendarId: primary },
      { body: { summaryOverride: 'Mine', selected: true } },
    )
    expect((await calendarEntry(primary)).body.summaryOverride).toBe('Mine')
  },
  'calendar.calendarList.watch': async () =>
    expect(await isWatched((await call('calendar.calendarList.watch', {}, { body: channel() })).body.id!)).toBe(true),
  'calendar.channels.stop': async () => {
    const { body } = await client.call('calendar.events.watch', { calendarId: primary }, { body: channel() })
    await call('calendar.channels.stop', {}, { body: { id: body.id, resourceId: body.resourceId } })
    expect(
      await gone(client.call('calendar.channels.stop', {}, { body: { id: body.id, resourceId: body.resourceId } })),
    ).toBe(true)
  },
  'calendar.colors.get': async () =>
    expect(Object.keys((await call('calendar.colors.get', {})).body.event!).length).toBeGreaterThan(5),
  'calendar.events.insert': async () => {
    const id = unique().replace('op', 'fp')
    const { body } = await call(
      'calendar.events.insert',
      { calendarId: primary, conferenceDataVersion: 1, supportsAttachments: true },
      { body: { id, summary: 'New', ...times, attachments: [{ fileUrl: 'https://example.com/brief.pdf' }] } },
    )
    expect(body).toMatchObject({ id, attachments: [{ fileUrl: 'https://example.com/brief.pdf' }] })
  },
  'calendar.events.get': async () => {
    const { id, summary } = await newEvent()
    expect((await call('calendar.events.get', { calendarId: primary, eventId: id })).body.summary).toBe(summary)
  },
  'calendar.events.list': async () => {
    const { id } = await newEvent({ summary: 'Findable' })
    expect(
      (await call('calendar.events.list', { calendarId: primary, q: 'findable' })).body.items!.map((event) => event.id),
    ).toEqual([id])
  },
  'calendar.events.patch': async () => {
    const { id, summary } = await newEvent()
    await call('calendar.events.patch', { calendarId: primary, eventId: id }, { body: { location: 'Room 1' } })
    expect((await client.call('calendar.events.get', { calendarId: primary, eventId: id })).body).toMatchObject({
      location: 'Room 1',
      summary,
    })
  },
  'calendar.events.update': async () => {
    const { id, etag } = await newEvent({ location: 'Room 1' })
    await call(
      'calendar.events.update',
      { calendarId: primary, eventId: id },
      { body: { ...times, summary: 'Whole' }, ifMatch: etag },
    )
    const { body } = await client.call('calendar.events.get', { calendarId: primary, eventId: id })
    expect([body.summary, body.location]).toEqual(['Whole', undefined])
    await expect(
      client.call('calendar.events.update', { calendarId: primary, eventId: id }, { body: times, ifMatch: etag }),
    ).rejects.toMatchObject({ fault: { code: 'preconditionFailed', status: 412 } })
  },
  'calendar.events.delete': async () => {
    const { id } = await newEvent()
    await call('calendar.events.delete', { calendarId: primary, eventId: id })
    expect((await client.call('calendar.events.get', { calendarId: primary, eventId: id })).body.status).toBe(
      'cancelled',
    )
    expect(await gone(client.call('calendar.events.delete', { calendarId: primary, eventId: id }))).toBe(true)
  },
  'calendar.events.import': async () => {
    const iCalUID = `${unique()}@elsewhere.example`
    await call('calendar.events.import', { calendarId: primary }, { body: { iCalUID, ...times, summary: 'Imported' } })
    expect((await client.call('calendar.events.list', { calendarId: primary, iCalUID })).body.items).toHaveLength(1)
  },
  'calendar.events.instances': async () => {
    const { id } = await newEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    const { items } = (await call('calendar.events.instances', { calendarId: primary, eventId: id })).body
    expect(items!.map((event) => event.id)).toEqual([
      `${id}_20260504T070000Z`,
      `${id}_20260505T070000Z`,
      `${id}_20260506T070000Z`,
    ])
  },
  'calendar.events.move': async () => {
    const destination = await newCalendar()
    const { id } = await newEvent()
    await call('calendar.events.move', { calendarId: primary, eventId: id, destination })
    expect((await client.call('calendar.events.get', { calendarId: destination, eventId: id })).body.status).toBe(
      'confirmed',
    )
  },
  'calendar.events.quickAdd': async () => {
    const { body } = await call('calendar.events.quickAdd', {
      calendarId: primary,
      text: 'Lunch with Mina tomorrow 12:00',
    })
    expect(body.summary).toContain('Lunch')
  },
  'calendar.events.watch': async () => {
    const { body } = await call('calendar.events.watch', { calendarId: primary }, { body: channel() })
    expect(await isWatched(body.id!)).toBe(true)
    await newEvent()
    for (let tries = 0; tries < 100 && !notified.includes(`${body.id} exists`); tries++)
      await new Promise((done) => setTimeout(done, 20))
    expect(notified).toContain(`${body.id} exists`)
  },
  'calendar.freebusy.query': async () => {
    const calendarId = await newCalendar()
    await client.call('calendar.events.insert', { calendarId }, { body: times })
    const { body } = await call(
      'calendar.freebusy.query',
      {},
      {
        body: {
          timeMin: '2026-05-04T00:00:00Z',
          timeMax: '2026-05-05T00:00:00Z',
          items: [{ id: calendarId }, { id: 'nobody@example.com' }],
        },
      },
    )
    expect(Date.parse(body.calendars![calendarId]!.busy![0]!.start!)).toBe(Date.parse(times.start.dateTime))
    expect(body.calendars!['nobody@example.com']!.errors![0]!.reason).toBe('notFound')
  },
  'calendar.settings.list': async () =>
    expect((await call('calendar.settings.list', {})).body.items!.length).toBeGreaterThan(3),
  'calendar.settings.get': async () =>
    expect((await call('calendar.settings.get', { setting: 'timezone' })).body.value).toBe('Europe/Berlin'),
  'calendar.settings.watch': async () =>
    expect(await isWatched((await call('calendar.settings.watch', {}, { body: channel() })).body.id!)).toBe(true),
  'tasks.tasklists.insert': async () =>
    expect((await call('tasks.tasklists.insert', {}, { body: { title: 'Launch' } })).body.title).toBe('Launch'),
  'tasks.tasklists.list': async () =>
    expect((await call('tasks.tasklists.list', {})).body.items!.map(({ title }) => title)).toContain('Launch'),
  'tasks.tasklists.get': async () => {
    const tasklist = await newList()
    expect((await call('tasks.tasklists.get', { tasklist })).body.id).toBe(tasklist)
  },
  'tasks.tasklists.patch': async () => {
    const tasklist = await newList()
    await call('tasks.tasklists.patch', { tasklist }, { body: { title: 'Patched' } })
    expect((await client.call('tasks.tasklists.get', { tasklist })).body.title).toBe('Patched')
  },
  'tasks.tasklists.update': async () => {
    const tasklist = await newList()
    await call('tasks.tasklists.update', { tasklist }, { body: { id: tasklist, title: 'Updated' } })
    expect((await client.call('tasks.tasklists.get', { tasklist })).body.title).toBe('Updated')
  },
  'tasks.tasklists.delete': async () => {
    const tasklist = await newList()
    await call('tasks.tasklists.delete', { tasklist })
    expect(await gone(client.call('tasks.tasklists.get', { tasklist }))).toBe(true)
  },
  'tasks.tasks.insert': async () => {
    const tasklist = await newList()
    const parent = await newTask(tasklist)
    const { body } = await call(
      'tasks.tasks.insert',
      { tasklist, parent },
      { body: { title: 'Child', due: '2026-05-04T13:00:00.000Z' } },
    )
    expect(body).toMatchObject({ parent, due: '2026-05-04T00:00:00.000Z' })
  },
  'tasks.tasks.get': async () => {
    const tasklist = await newList()
    const task = await newTask(tasklist)
    expect((await call('tasks.tasks.get', { tasklist, task })).body.id).toBe(task)
  },
  'tasks.tasks.list': async () => {
    const tasklist = await newList()
    const task = await newTask(tasklist)
    expect((await call('tasks.tasks.list', { tasklist })).body.items!.map(({ id }) => id)).toEqual([task])
  },
  'tasks.tasks.patch': async () => {
    const tasklist = await newList()
    const task = await newTask(tasklist, { notes: 'kept' })
    await call('tasks.tasks.patch', { tasklist, task }, { body: { status: 'completed' } })
    const { body } = await client.call('tasks.tasks.get', { tasklist, task })
    expect(body).toMatchObject({ status: 'completed', notes: 'kept', completed: expect.any(String) as string })
  },
  'tasks.tasks.update': async () => {
    const tasklist = await newList()
    const task = await newTask(tasklist, { notes: 'lost' })
    await call('tasks.tasks.update', { tasklist, task }, { body: { id: task, title: 'Whole', status: 'needsAction' } })
    expect((await client.call('tasks.tasks.get', { tasklist, task })).body.notes).toBeUndefined()
  },
  'tasks.tasks.delete': async () => {
    const tasklist = await newList()
    const task = await newTask(tasklist)
    await call('tasks.tasks.delete', { tasklist, task })
    expect((await client.call('tasks.tasks.list', { tasklist })).body.items ?? []).toEqual([])
  },
  'tasks.tasks.move': async () => {
    const [tasklist, destinationTasklist] = [await newList(), await newList()]
    const [first, second] = [await newTask(tasklist), await newTask(tasklist)]
    await call('tasks.tasks.move', { tasklist, task: second, parent: first })
    const { body } = await call('tasks.tasks.move', { tasklist, task: first, destinationTasklist })
    expect(body.id).toBe(first)
    expect(
      (await client.call('tasks.tasks.list', { tasklist: destinationTasklist })).body.items!.map(({ id }) => id).sort(),
    ).toEqual([first, second].sort())
  },
  'tasks.tasks.clear': async () => {
    const tasklist = await newList()
    await newTask(tasklist, { status: 'completed' })
    await call('tasks.tasks.clear', { tasklist })
    expect((await client.call('tasks.tasks.list', { tasklist })).body.items ?? []).toEqual([])
    expect((await client.call('tasks.tasks.list', { tasklist, showHidden: true })).body.items).toHaveLength(1)
  },
}

describe('every operation, from the client to the sandbox and back', () => {
  it('there are 52, each with a case', () => {
    expect(operationIds).toHaveLength(52)
    expect(Object.keys(cases).sort()).toEqual([...operationIds].sort())
  })

  it.each(Object.keys(cases) as OperationId[])('%s', async (id) => {
    await cases[id]()
  })
})
