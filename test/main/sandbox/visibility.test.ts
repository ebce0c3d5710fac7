import { describe, expect, it } from 'vitest'
import { connect, query, timedEvent, type Client } from './client'

const calendars = '/calendar/v3/calendars'
const mina = { type: 'user', value: 'mina.park@flightplan.example' }

/** A shared calendar with a public and a private event, and Mina's view of it. */
async function shared(role: string) {
  const client = await connect()
  const { body: calendar } = await client.post(calendars, { summary: 'Team' })
  const path = `${calendars}/${calendar.id}`
  await client.post(`${path}/acl`, { role, scope: mina })
  const content = {
    description: 'budget talk',
    location: 'Room 7',
    attendees: [{ email: 'ruth@b.example', displayName: 'Ruth' }],
    extendedProperties: { private: { stage: 'draft' }, shared: { client: 'acme' } },
  }
  await client.post(`${path}/events`, timedEvent({ ...content, id: 'open0', summary: 'Merger open' }))
  await client.post(
    `${path}/events`,
    timedEvent({ ...content, id: 'hidden0', summary: 'Merger hidden', visibility: 'private' }),
  )
  const found = async (params: Record<string, string>, person = 'mina'): Promise<string[]> =>
    (await client.as(person, 'calendar.events.list', { calendarId: calendar.id, ...params })).body.items.map(
      ({ id }: { id: string }) => id,
    )
  return { client, path, found }
}

const searches: Array<Record<string, string>> = [
  { q: 'merger' },
  { q: 'budget' },
  { q: 'room 7' },
  { q: 'ruth' },
  { privateExtendedProperty: 'stage=draft' },
  { sharedExtendedProperty: 'client=acme' },
]

describe('search and filters', () => {
  it.each(searches)('find what the user may read, by %o', async (search) => {
    const { found } = await shared('reader')
    expect(await found({})).toEqual(['hidden0', 'open0'])
    expect(await found(search)).toEqual(['open0'])
    expect(await found({ ...search, singleEvents: 'true', orderBy: 'startTime' })).toEqual(['open0'])
    expect(await found(search, 'you')).toEqual(['hidden0', 'open0'])
  })

  it.each(searches)('find nothing with only free/busy access, by %o', async (search) => {
    const { found } = await shared('freeBusyReader')
    expect([await found({}), await found(search)]).toEqual([['hidden0', 'open0'], []])
  })

  it('find nothing of an event moved to another calendar', async () => {
    const { client, path, found } = await shared('writer')
    await client.post(`${path}/events/open0/move${query({ destination: client.sandbox.ids.email })}`)
    expect(await found({ showDeleted: 'true' })).toEqual(['hidden0', 'open0'])
    expect(await found({ showDeleted: 'true', q: 'merger' })).toEqual(['hidden0'])
  })
})

/** Status and reason of each of Mina's calls, by operation. */
async function tried(client: Client, calls: Array<[string, Record<string, unknown>, unknown?]>) {
  const answers: Record<string, [number, string | undefined]> = {}
  for (const [operation, params, body] of calls) {
    const { status, reason } = await client.as('mina', `calendar.${operation}`, params, body)
    answers[operation] = [status, reason]
  }
  return answers
}

describe('a shared calendar', () => {
  const denied = [403, 'requiredAccessLevel']
  const good = [200, undefined]

  it.each([
    ['freeBusyReader', denied],
    ['reader', denied],
    ['writerWithoutPrivateAccess', good],
    ['writer', good],
    ['owner', good],
  ])('as %s shows access rules to writers and lets only owners change them', async (role, reads) => {
    const { client, path } = await shared(role)
    const calendarId = decodeURIComponent(path.slice(calendars.length + 1))
    const changes = role === 'owner' ? good : denied
    const rule = { calendarId, ruleId: 'user:jonas.weber@flightplan.example' }
    const scope = { type: 'user', value: 'jonas.weber@flightplan.example' }
    const channel = { id: 'c-1', type: 'web_hook', address: 'http://127.0.0.1:1/' }
    expect(
      await tried(client, [
        ['acl.list', { calendarId }],
        ['acl.watch', { calendarId }, channel],
        ['acl.get', { calendarId, ruleId: 'user:mina.park@flightplan.example' }],
        ['acl.insert', { calendarId }, { role: 'reader', scope }],
        ['acl.patch', rule, { role: 'freeBusyReader' }],
        ['acl.update', rule, { role: 'reader', scope }],
        ['acl.delete', rule],
      ]),
    ).toEqual({
      'acl.list': reads,
      'acl.watch': reads,
      'acl.get': reads,
      'acl.insert': changes,
      'acl.patch': role === 'owner' ? good : denied,
      'acl.update': changes,
      'acl.delete': role === 'owner' ? [204, undefined] : denied,
    })
  })

  it('accepts writes without private access, except to hidden events', async () => {
    const { client, path, found } = await shared('writerWithoutPrivateAccess')
    const calendarId = decodeURIComponent(path.slice(calendars.length + 1))
    const hidden = { calendarId, eventId: 'hidden0' }
    expect(await found({ q: 'merger' })).toEqual(['open0'])
    expect(
      await tried(client, [
        ['events.insert', { calendarId }, timedEvent()],
        ['events.quickAdd', { calendarId, text: 'Lunch tomorrow 12:30' }],
        ['events.import', { calendarId }, timedEvent({ iCalUID: 'x@y.example' })],
        ['events.patch', { calendarId, eventId: 'open0' }, { summary: 'Written' }],
        ['events.delete', { calendarId, eventId: 'open0' }],
      ]),
    ).toEqual({
      'events.insert': good,
      'events.quickAdd': good,
      'events.import': good,
      'events.patch': good,
      'events.delete': [204, undefined],
    })
    expect(
      await tried(client, [
        ['events.patch', hidden, { summary: 'Written' }],
        ['events.update', hidden, timedEvent()],
        ['events.move', { ...hidden, destination: 'primary' }],
        ['events.delete', hidden],
      ]),
    ).toEqual({
      'events.patch': denied,
      'events.update': denied,
      'events.move': denied,
      'events.delete': denied,
    })
  })
})
