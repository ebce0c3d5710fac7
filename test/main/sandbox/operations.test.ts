import { describe, expect, it } from 'vitest'
import {
  operation,
  operationIds,
  serviceNames,
  services,
  tableOf,
  versionsOf,
  type OperationId,
} from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import { handlers } from '../../../src-main/sandbox/handlers'
import { connect, timedEvent, type Client, type Reply } from './client'

interface Sample {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** The path parameter to make unknown; absent if the operation has none. */
  unknown?: { name: string; status: number }
}

type SampledId = Extract<OperationId, `${'calendar' | 'tasks'}.${string}`>

/** A valid call of every calendar and tasks operation, with suitable objects. */
async function samples(client: Client): Promise<Record<SampledId, Sample>> {
  const calendar = async () => (await client.post('/calendar/v3/calendars', { summary: 'Other' })).body.id as string
  const event = async (extra: Record<string, unknown> = {}) =>
    (await client.post('/calendar/v3/calendars/primary/events', timedEvent(extra))).body.id as string
  const task = async () => (await client.post('/tasks/v1/lists/@default/tasks', { title: 'T' })).body.id as string
  const list = async () => (await client.post('/tasks/v1/users/@me/lists', { title: 'L' })).body.id as string
  const mina = { type: 'user', value: 'mina.park@flightplan.example' }
  const ruleId = (await client.post('/calendar/v3/calendars/primary/acl', { role: 'reader', scope: mina })).body
    .id as string
  const primary = { calendarId: 'primary' }
  const channel = (id: string) => ({ id, type: 'web_hook', address: 'http://127.0.0.1:9/' })
  const opened = (await client.post('/calendar/v3/calendars/primary/events/watch', channel('stopped'))).body
  const noCalendar = { name: 'calendarId', status: 404 }
  const noEvent = { name: 'eventId', status: 404 }
  const noRule = { name: 'ruleId', status: 404 }
  const noList = { name: 'tasklist', status: 404 }
  const noTask = { name: 'task', status: 404 }
  return {
    'calendar.acl.delete': {
      path: {
        ...primary,
        ruleId: (
          await client.post('/calendar/v3/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })
        ).body.id as string,
      },
      unknown: noRule,
    },
    'calendar.acl.get': { path: { ...primary, ruleId }, unknown: noRule },
    'calendar.acl.insert': { path: primary, body: { role: 'writer', scope: mina }, unknown: noCalendar },
    'calendar.acl.list': { path: primary, unknown: noCalendar },
    'calendar.acl.patch': { path: { ...primary, ruleId }, body: { role: 'writer' }, unknown: noRule },
    'calendar.acl.update': { path: { ...primary, ruleId }, body: { role: 'reader', scope: mina }, unknown: noRule },
    'calendar.acl.watch': { path: primary, body: channel('acl'), unknown: noCalendar },
    'calendar.calendarList.delete': { path: { calendarId: await calendar() }, unknown: noCalendar },
    'calendar.calendarList.get': { path: primary, unknown: noCalendar },
    'calendar.calendarList.insert': { body: { id: await calendar() } },
    'calendar.calendarList.list': {},
    'calendar.calendarList.patch': { path: primary, body: { selected: false }, unknown: noCalendar },
    'calendar.calendarList.update': { path: primary, body: { selected: true }, unknown: noCalendar },
    'calendar.calendarList.watch': { body: channel('list') },
    'calendar.calendars.clear': { path: primary, unknown: noCalendar },
    'calendar.calendars.delete': { path: { calendarId: await calendar() }, unknown: noCalendar },
    'calendar.calendars.get': { path: primary, unknown: noCalendar },
    'calendar.calendars.insert': { body: { summary: 'New' } },
    'calendar.calendars.patch': { path: primary, body: { location: 'Berlin' }, unknown: noCalendar },
    'calendar.calendars.transferOwnership': {
      path: { calendarId: await calendar() },
      query: { newDataOwner: mina.value, useAdminAccess: 'true' },
      unknown: noCalendar,
    },
    'calendar.calendars.update': { path: primary, body: { summary: 'Mine' }, unknown: noCalendar },
    'calendar.channels.stop': { body: { id: opened.id as string, resourceId: opened.resourceId as string } },
    'calendar.colors.get': {},
    'calendar.events.delete': { path: { ...primary, eventId: await event() }, unknown: noEvent },
    'calendar.events.get': { path: { ...primary, eventId: await event() }, unknown: noEvent },
    'calendar.events.import': { path: primary, body: timedEvent({ iCalUID: 'uid@x.example' }), unknown: noCalendar },
    'calendar.events.insert': { path: primary, body: timedEvent(), unknown: noCalendar },
    'calendar.events.instances': {
      path: { ...primary, eventId: await event({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }) },
      unknown: noEvent,
    },
    'calendar.events.list': { path: primary, unknown: noCalendar },
    'calendar.events.move': {
      path: { ...primary, eventId: await event() },
      query: { destination: await calendar() },
      unknown: noEvent,
    },
    'calendar.events.patch': { path: { ...primary, eventId: await event() }, body: { summary: 'P' }, unknown: noEvent },
    'calendar.events.quickAdd': { path: primary, query: { text: 'Lunch at noon' }, unknown: noCalendar },
    'calendar.events.update': { path: { ...primary, eventId: await event() }, body: timedEvent(), unknown: noEvent },
    'calendar.events.watch': { path: primary, body: channel('events'), unknown: noCalendar },
    'calendar.freebusy.query': {
      body: { timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-02-01T00:00:00Z', items: [{ id: 'primary' }] },
    },
    'calendar.settings.get': { path: { setting: 'timezone' }, unknown: { name: 'setting', status: 404 } },
    'calendar.settings.list': {},
    'calendar.settings.watch': { body: channel('settings') },
    'tasks.tasklists.delete': { path: { tasklist: await list() }, unknown: noList },
    'tasks.tasklists.get': { path: { tasklist: '@default' }, unknown: noList },
    'tasks.tasklists.insert': { body: { title: 'New' } },
    'tasks.tasklists.list': {},
    'tasks.tasklists.patch': { path: { tasklist: '@default' }, body: { title: 'P' }, unknown: noList },
    'tasks.tasklists.update': { path: { tasklist: '@default' }, body: { title: 'U' }, unknown: noList },
    'tasks.tasks.clear': { path: { tasklist: '@default' }, unknown: noList },
    'tasks.tasks.delete': { path: { tasklist: '@default', task: await task() }, unknown: noTask },
    'tasks.tasks.get': { path: { tasklist: '@default', task: await task() }, unknown: noTask },
    'tasks.tasks.insert': { path: { tasklist: '@default' }, body: { title: 'T' }, unknown: noList },
    'tasks.tasks.list': { path: { tasklist: '@default' }, unknown: noList },
    'tasks.tasks.move': { path: { tasklist: '@default', task: await task() }, unknown: noTask },
    'tasks.tasks.patch': { path: { tasklist: '@default', task: await task() }, body: { title: 'P' }, unknown: noTask },
    'tasks.tasks.update': { path: { tasklist: '@default', task: await task() }, body: { title: 'U' }, unknown: noTask },
  }
}

function send(
  client: Client,
  id: OperationId,
  sample: Sample,
  path: Record<string, string> = sample.path ?? {},
): Promise<Reply> {
  const { method } = operation(id)
  const filled = method.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? 'missing'))
  const query = sample.query ? `?${new URLSearchParams(sample.query).toString()}` : ''
  return client.call(method.httpMethod, filled + query, sample.body)
}

const sampled = operationIds.filter((id): id is SampledId => /^(calendar|tasks)\./.test(id))

describe('all operations in the tables', () => {
  it('have a handler, and no others exist', () => {
    expect(Object.keys(handlers).sort()).toEqual([...operationIds].sort())
  })

  it.each(sampled)('%s responds as its table says, and correctly for a missing record', async (id) => {
    const client = await connect()
    const sample = (await samples(client))[id]
    const { service, method } = operation(id)
    if (sample.unknown) {
      const refused = await send(client, id, sample, { ...sample.path, [sample.unknown.name]: 'doesnotexist' })
      expect([refused.status, refused.reason]).toEqual([sample.unknown.status, 'notFound'])
      expect(refused.body.error).toMatchObject({ code: 404, errors: [{ domain: 'global', reason: 'notFound' }] })
    }
    const answer = await send(client, id, sample)
    expect(answer.body?.error).toBeUndefined()
    if (method.response) {
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8')
      expect(validate(services[service], method.response, answer.body, { kind: 'response' })).toEqual([])
      const known = Object.keys(services[service].schemas[method.response]!.fields)
      expect(Object.keys(answer.body).filter((name) => !known.includes(name))).toEqual([])
      if (method.items) expect(Array.isArray(answer.body[method.items])).toBe(true)
    } else {
      expect([answer.status, answer.body]).toEqual([204, undefined])
    }
  })
})

const tables = serviceNames.flatMap((service) => versionsOf(service).map((version) => tableOf(service, version)))

describe('unsupported calls', () => {
  it.each(tables.map((table) => [`${table.service} ${table.version}`, table] as const))(
    '%s: every other method is rejected with the allowed ones',
    async (_name, table) => {
      const client = await connect({ seed: 'demo' })
      const offered = new Map<string, Set<string>>()
      for (const { path, httpMethod } of table.methods)
        offered.set(path, (offered.get(path) ?? new Set()).add(httpMethod))
      // `/trackingActivities/generatetag` is also the address of an activity with that ID.
      const offeredAt = (address: string): Set<string> =>
        new Set(
          [...offered].flatMap(([path, methods]) =>
            new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address) ? [...methods] : [],
          ),
        )
      const wrong: string[] = []
      for (const path of offered.keys()) {
        const address = path.replace(/\{(\w+)\}/g, (_place, name: string) => client.sandbox.ids[name] ?? '1')
        const there = offeredAt(address)
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !there.has(one))) {
          const answer = await client.call(method, address, method === 'GET' ? undefined : {})
          const named = answer.headers
            .get('allow')
            ?.split(', ')
            .every((one) => there.has(one))
          if (answer.status !== 405 || !named) wrong.push(`${method} ${path}: ${answer.status}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )

  it.each([
    ['PATCH', '/directorySites?id=1'],
    ['PUT', '/directorySites'],
    ['DELETE', '/campaigns/1'],
    ['DELETE', '/ads/1'],
    ['POST', '/trackingConfigurations'],
    ['POST', '/projects'],
    ['DELETE', '/changeLogs/1'],
    ['POST', '/countries'],
    ['GET', '/noSuchThings'],
  ])("%s %s doesn't exist in either version", async (method, path) => {
    const client = await connect()
    for (const version of versionsOf('trafficking')) {
      const profile = `/trafficking/${version}/userprofiles/${client.sandbox.ids.profileId}`
      const answer = await client.call(method, profile + path, method === 'GET' ? undefined : {})
      expect([404, 405]).toContain(answer.status)
      expect(answer.body.error.errors).toHaveLength(1)
    }
  })
})
