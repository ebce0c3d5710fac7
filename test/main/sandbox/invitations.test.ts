import { describe, expect, it } from 'vitest'
import { connect, events, eventually, timedEvent, query, type Client, type Reply } from './client'
import { createServer } from 'node:http'

const alex = 'alex.morgan@flightplan.example'
const mina = 'mina.park@flightplan.example'
const jonas = 'jonas.weber@flightplan.example'
const outside = 'ruth.adler@brightwelltea.example'

type Body = Record<string, unknown>

/** One user's calendar through client operations. */
function diary(client: Client, person: string) {
  const call = (operation: string, params: Body = {}, body?: Body): Promise<Reply> =>
    client.as(person, `calendar.events.${operation}`, { calendarId: 'primary', ...params }, body)
  return {
    call,
    get: (eventId: string, params: Body = {}) => call('get', { eventId, ...params }),
    patch: (eventId: string, body: Body, params: Body = {}) => call('patch', { eventId, ...params }, body),
    put: (eventId: string, body: Body) => call('update', { eventId }, body),
    del: (eventId: string) => call('delete', { eventId }),
    list: async (params: Body = {}): Promise<Body[]> => (await call('list', params)).body.items,
    titles: async (params: Body = {}): Promise<unknown[]> =>
      (await call('list', params)).body.items.map((item: Body) => item.summary),
  }
}

async function three() {
  const client = await connect()
  return { client, you: diary(client, 'you'), mina: diary(client, 'mina'), jonas: diary(client, 'jonas') }
}

const guests = (...emails: string[]): Body => ({ attendees: emails.map((email) => ({ email })) })

const answers = (event: Body): Record<string, unknown> =>
  Object.fromEntries(
    (event.attendees as Array<{ email: string; responseStatus: string }>).map(({ email, responseStatus }) => [
      email.split('.')[0],
      responseStatus,
    ]),
  )

const weekly = (extra: Body = {}): Body => timedEvent({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'], ...extra })

describe('an invitation', () => {
  it("puts a copy with the same ID and iCalUID into each local guest's calendar", async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina, outside, alex)))
    const copy = (await guest.get(event.id)).body
    expect(copy).toMatchObject({
      iCalUID: event.iCalUID,
      summary: 'Plan',
      sequence: 0,
      organizer: { email: alex },
      creator: { email: alex },
      start: event.start,
      reminders: { useDefault: true },
    })
    expect([copy.organizer.self, copy.creator.self]).toEqual([undefined, undefined])
    expect(copy.attendees.filter((attendee: Body) => attendee.self)).toEqual([
      { email: mina, responseStatus: 'needsAction', self: true },
    ])
    expect(copy.attendees.find((attendee: Body) => attendee.organizer)).toMatchObject({ email: alex })
    expect(copy.htmlLink).not.toBe(event.htmlLink)
    expect(await other.titles()).toEqual([])
    expect((await you.get(event.id)).body).toMatchObject({ organizer: { self: true }, etag: event.etag })
  })

  it('is sent by quick add and by a copy in a shared calendar, whatever the notification setting', async () => {
    const { client, mina: guest } = await three()
    const { body: team } = await client.post('/calendar/v3/calendars', { summary: 'Team' })
    await client.post(`/calendar/v3/calendars/${team.id}/events?sendUpdates=none`, timedEvent({ ...guests(mina) }))
    await client.post(`${events}/quickAdd${query({ text: `Lunch tomorrow 12:30 with ${mina}` })}`)
    const copies = await guest.list()
    expect(copies.map((copy) => (copy.organizer as Body).email).sort()).toEqual([alex, team.id].sort())
    expect((await client.get('/sandbox/v1/mails')).body.mails).toEqual([])
  })

  it('reaches an invited calendar', async () => {
    const { client } = await three()
    const { body: room } = await client.post('/calendar/v3/calendars', { summary: 'Room 4' })
    const { body: event } = await client.post(events, timedEvent(guests(room.id)))
    const path = `/calendar/v3/calendars/${room.id}/events/${event.id}`
    expect((await client.get(path)).body.attendees).toEqual([
      { email: room.id, responseStatus: 'needsAction', self: true },
    ])
    await client.del(`${events}/${event.id}`)
    expect((await client.get(path)).body.status).toBe('cancelled')
  })

  it("isn't sent for private copies, imports, or types without guests", async () => {
    const { client, mina: guest } = await three()
    const hidden = await client.post(events, timedEvent({ ...guests(mina), privateCopy: true }))
    expect(hidden.body.privateCopy).toBe(true)
    await client.patch(`${events}/${hidden.body.id}`, { summary: 'Still mine' })
    await client.post(`${events}/import`, timedEvent({ ...guests(mina), iCalUID: 'x@y.example' }))
    await client.post(events, timedEvent({ ...guests(mina), eventType: 'focusTime' }))
    expect(await guest.list({ showDeleted: true })).toEqual([])
  })

  it('leaves an unrelated event with the same ID alone', async () => {
    const { client, mina: guest } = await three()
    await guest.call('insert', {}, timedEvent({ id: 'sameid00', summary: 'Hers' }))
    await client.post(events, timedEvent({ id: 'sameid00', summary: 'Yours', ...guests(mina) }))
    await client.patch(`${events}/sameid00`, { summary: 'Yours still' })
    expect(await guest.titles()).toEqual(['Hers'])
    await client.del(`${events}/sameid00`)
    expect(await guest.titles()).toEqual(['Hers'])
  })
})

describe("the organizer's change", () => {
  it('reaches the copies: title, time, guests, and cancellation', async () => {
    const { client, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina)))
    const moved = timedEvent({ summary: 'Later' }, 14)
    const { body: later } = await client.patch(`${events}/${event.id}`, moved)
    expect((await guest.get(event.id)).body).toMatchObject({ summary: 'Later', start: later.start, sequence: 1 })
    await client.patch(`${events}/${event.id}`, guests(mina, jonas))
    expect(await other.titles()).toEqual(['Later'])
    expect(answers((await guest.get(event.id)).body)).toEqual({ mina: 'needsAction', jonas: 'needsAction' })
    await client.patch(`${events}/${event.id}`, guests(jonas))
    expect([(await guest.get(event.id)).body.status, await guest.titles()]).toEqual(['cancelled', []])
    expect((await guest.del(event.id)).status).toBe(410)
    await client.patch(`${events}/${event.id}`, { ...guests(jonas, mina), summary: 'Again' })
    expect(await guest.titles()).toEqual(['Again'])
    await client.del(`${events}/${event.id}`)
    expect([await guest.titles(), await other.titles()]).toEqual([[], []])
    await client.put(`${events}/${event.id}`, {
      ...timedEvent({ summary: 'Back' }),
      ...guests(jonas),
      status: 'confirmed',
    })
    expect([await guest.titles(), await other.titles()]).toEqual([[], ['Back']])
  })

  it("updates a copy's etag and modification time only if it changed", async () => {
    const { client, mina: guest } = await three()
    const { body: event } = await client.post(
      events,
      timedEvent({ ...guests(mina), extendedProperties: { private: { a: '1' } } }),
    )
    const copy = (await guest.get(event.id)).body
    expect(copy).not.toHaveProperty('extendedProperties')
    const own = {
      colorId: '3',
      transparency: 'transparent',
      visibility: 'private',
      extendedProperties: { private: { a: '2' } },
      reminders: { useDefault: false },
    }
    expect((await client.patch(`${events}/${event.id}`, own)).body).toMatchObject(own)
    const same = (await guest.get(event.id)).body
    expect([same.etag, same.updated]).toEqual([copy.etag, copy.updated])
    await client.patch(`${events}/${event.id}`, { extendedProperties: { shared: { k: 'v' } } })
    const updated = (await guest.get(event.id)).body
    expect(updated.etag).not.toBe(copy.etag)
    expect(updated.extendedProperties).toEqual({ shared: { k: 'v' } })
  })

  it('keeps the source private to the creator', async () => {
    const { client, you, mina: guest } = await three()
    const { body: team } = await client.post('/calendar/v3/calendars', { summary: 'Team' })
    const path = `/calendar/v3/calendars/${team.id}/events`
    const { body: event } = await client.post(path, timedEvent(guests(mina, alex)))
    const copy = (await guest.get(event.id)).body
    const source = { url: 'https://brief.example/1', title: 'Brief' }
    await client.patch(`${path}/${event.id}`, { source })
    expect((await guest.get(event.id)).body.etag).toBe(copy.etag)
    expect((await you.get(event.id)).body.source).toEqual(source)
    const moved = { ...source, url: 'https://brief.example/2' }
    expect((await you.patch(event.id, { source: moved })).status).toBe(200)
    expect((await client.get(`${path}/${event.id}`)).body.source).toEqual(moved)
  })

  it("appears in a guest's sync, watch channel, free/busy, search, and trash", async () => {
    const { client, mina: guest } = await three()
    const { body: event } = await client.post(events, timedEvent({ ...guests(mina), summary: 'Budget talk' }))
    const heard: string[] = []
    const receiver = createServer((request, response) => {
      heard.push(String(request.headers['x-goog-resource-state']))
      response.end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as { port: number }
    try {
      const address = `http://127.0.0.1:${port}/`
      expect((await guest.call('watch', {}, { id: 'channel-1', type: 'web_hook', address })).status).toBe(200)
      const first = (await guest.call('list')).body
      await client.patch(`${events}/${event.id}`, { summary: 'Budget call' })
      const changed = (await guest.call('list', { syncToken: first.nextSyncToken })).body
      expect(changed.items.map((item: Body) => item.summary)).toEqual(['Budget call'])
      await eventually(() => (heard.includes('exists') ? true : undefined))
      expect(await guest.titles({ q: 'budget call' })).toEqual(['Budget call'])
      const busy = (
        await client.as(
          'mina',
          'calendar.freebusy.query',
          {},
          {
            timeMin: '2026-01-05T00:00:00Z',
            timeMax: '2026-01-06T00:00:00Z',
            items: [{ id: mina }],
          },
        )
      ).body.calendars[mina].busy
      expect(busy).toEqual([{ start: '2026-01-05T08:00:00Z', end: '2026-01-05T09:00:00Z' }])
      await client.del(`${events}/${event.id}`)
      const gone = (await guest.call('list', { syncToken: changed.nextSyncToken })).body
      expect(gone.items.map((item: Body) => [item.id, item.status])).toEqual([[event.id, 'cancelled']])
      expect(await guest.list({ showDeleted: true })).toHaveLength(1)
    } finally {
      await new Promise((resolve) => receiver.close(resolve))
    }
  })

  it('removes the copies when the calendar is cleared or deleted', async () => {
    const { client, mina: guest } = await three()
    const { body: team } = await client.post('/calendar/v3/calendars', { summary: 'Team' })
    await client.post(
      `/calendar/v3/calendars/${team.id}/events`,
      timedEvent({ ...guests(mina), summary: 'Of the team' }),
    )
    await client.post(events, timedEvent({ ...guests(mina), summary: 'Of the person' }))
    await client.post(`/calendar/v3/calendars/primary/clear`)
    expect(await guest.titles()).toEqual(['Of the team'])
    await client.del(`/calendar/v3/calendars/${team.id}`)
    expect(await guest.titles()).toEqual([])
  })

  it('makes the new calendar the organizer on a move, and the old one a guest', async () => {
    const { client, you, mina: guest } = await three()
    const { body: team } = await client.post('/calendar/v3/calendars', { summary: 'Team' })
    const { body: event } = await client.post(events, weekly({ ...guests(mina, alex), colorId: '2' }))
    const second = `${event.id}_20260112T080000Z`
    await client.patch(`${events}/${second}`, { summary: 'Second' })
    await client.post(`${events}/${event.id}/move?destination=${encodeURIComponent(team.id)}`)
    expect((await guest.get(event.id)).body).toMatchObject({ status: 'confirmed', organizer: { email: team.id } })
    expect((await guest.get(second)).body).toMatchObject({ summary: 'Second', organizer: { email: team.id } })
    const left = (await you.get(event.id)).body
    expect([left.status, left.organizer.self, left.colorId]).toEqual(['confirmed', undefined, '2'])
    await client.patch(`/calendar/v3/calendars/${team.id}/events/${event.id}`, { location: 'Room 2' })
    expect([(await you.get(event.id)).body.location, (await guest.get(second)).body.location]).toEqual([
      'Room 2',
      'Room 2',
    ])
    expect((await client.patch(`${events}/${event.id}`, { summary: 'No' })).reason).toBe('forbiddenForNonOrganizer')
  })
})

describe('an invitation to a series', () => {
  it('arrives complete, with exceptions from before and after', async () => {
    const { client, mina: guest } = await three()
    const { body: event } = await client.post(events, weekly())
    const at = (day: string): string => `${event.id}_202601${day}T080000Z`
    await client.patch(`${events}/${at('12')}`, { summary: 'Second' })
    await client.patch(`${events}/${event.id}`, guests(mina))
    await client.patch(`${events}/${at('19')}`, { location: 'Elsewhere' })
    await client.del(`${events}/${at('26')}`)
    const single = await guest.list({ singleEvents: true, orderBy: 'startTime' })
    expect(single.map((item) => [item.id, item.summary, item.location])).toEqual([
      [at('05'), 'Plan', undefined],
      [at('12'), 'Second', undefined],
      [at('19'), 'Plan', 'Elsewhere'],
    ])
    await client.patch(`${events}/${event.id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })
    expect(await guest.titles({ singleEvents: true })).toEqual(['Plan', 'Second'])
    await client.del(`${events}/${event.id}`)
    expect(await guest.list({ singleEvents: true })).toEqual([])
  })

  it('sends a response to one occurrence to everyone and changes nothing else', async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, weekly(guests(mina, jonas)))
    const second = `${event.id}_20260112T080000Z`
    const attendees = [{ email: mina, responseStatus: 'tentative' }]
    expect((await guest.patch(second, { attendeesOmitted: true, attendees })).status).toBe(200)
    for (const diaryOf of [you, guest, other]) {
      expect(answers((await diaryOf.get(second)).body)).toEqual({ mina: 'tentative', jonas: 'needsAction' })
      expect(answers((await diaryOf.get(event.id)).body)).toEqual({ mina: 'needsAction', jonas: 'needsAction' })
    }
    expect((await guest.del(second)).status).toBe(204)
    expect(answers((await other.get(second)).body)).toEqual({ mina: 'declined', jonas: 'needsAction' })
    await client.patch(`${events}/${event.id}`, { summary: 'Renamed' })
    expect(await guest.titles({ singleEvents: true })).toEqual(['Renamed', 'Renamed', 'Renamed'])
    expect(await other.titles({ singleEvents: true })).toHaveLength(4)
  })

  it('shows a guest of one occurrence only that, and all once invited to the series', async () => {
    const { client, mina: guest } = await three()
    const { body: event } = await client.post(events, weekly())
    const second = `${event.id}_20260112T080000Z`
    await client.patch(`${events}/${second}`, guests(mina))
    expect((await guest.list()).map((item) => [item.id, item.recurringEventId])).toEqual([[second, event.id]])
    expect((await guest.get(event.id)).status).toBe(404)
    await client.patch(`${events}/${event.id}`, { summary: 'Renamed' })
    expect(await guest.titles()).toEqual(['Renamed'])
    expect((await guest.patch(second, { colorId: '5' })).body.colorId).toBe('5')
    await client.patch(`${events}/${event.id}`, guests(mina))
    const all = await guest.list({ singleEvents: true })
    expect(all.map((item) => item.colorId)).toEqual([undefined, '5', undefined, undefined])
    await client.patch(`${events}/${event.id}`, { attendees: [] })
    expect((await guest.list({ singleEvents: true })).map((item) => item.id)).toEqual([second])
    await client.del(`${events}/${event.id}`)
    expect(await guest.list({ singleEvents: true })).toEqual([])
  })

  it('omits an occurrence whose guest list lacks the guest', async () => {
    const { client, mina: guest } = await three()
    const { body: event } = await client.post(events, weekly(guests(mina, jonas)))
    const second = `${event.id}_20260112T080000Z`
    await client.patch(`${events}/${second}`, guests(jonas))
    expect(await guest.list({ singleEvents: true })).toHaveLength(3)
    await client.patch(`${events}/${second}`, guests(jonas, mina))
    expect(await guest.list({ singleEvents: true })).toHaveLength(4)
  })
})

describe("a guest's change", () => {
  it('includes a response that the organizer and other guests see', async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina, jonas)))
    const copy = (await guest.get(event.id)).body
    const attendees = copy.attendees.map((attendee: Body) =>
      attendee.self ? { ...attendee, responseStatus: 'accepted', comment: 'Gladly', additionalGuests: 1 } : attendee,
    )
    expect((await guest.put(event.id, { ...copy, attendees })).status).toBe(200)
    for (const diaryOf of [you, other]) {
      const seen = (await diaryOf.get(event.id)).body
      expect(seen.attendees[0]).toMatchObject({ responseStatus: 'accepted', comment: 'Gladly', additionalGuests: 1 })
    }
    expect(await other.list({ showDeleted: true })).toHaveLength(1)
    const { comment: _comment, ...quiet } = attendees[0]
    await guest.put(event.id, { ...copy, attendees: [quiet, attendees[1]] })
    expect((await you.get(event.id)).body.attendees[0]).not.toHaveProperty('comment')
  })

  it('to private fields stays in the own copy', async () => {
    const { client, you, mina: guest } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina)))
    const own = {
      colorId: '7',
      transparency: 'transparent',
      visibility: 'private',
      extendedProperties: { private: { note: 'mine' } },
      reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
    }
    expect((await guest.patch(event.id, own)).body).toMatchObject(own)
    expect((await you.get(event.id)).body.etag).toBe(event.etag)
    await client.patch(`${events}/${event.id}`, { summary: 'New title', location: 'Here' })
    expect((await guest.get(event.id)).body).toMatchObject({ ...own, summary: 'New title', location: 'Here' })
  })

  it('never affects the shared parts unless guests may modify', async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina, jonas)))
    const copy = (await guest.get(event.id)).body
    const { start, end } = timedEvent({}, 15)
    const [own, others] = copy.attendees as [Body, Body]
    const refused: Array<[string, Body]> = [
      ['summary', { summary: 'Mine' }],
      ['end', { start, end }],
      ['status', { status: 'tentative' }],
      ['recurrence', { recurrence: ['RRULE:FREQ=DAILY'] }],
      ['guestsCanModify', { guestsCanModify: true }],
      ['extendedProperties.shared', { extendedProperties: { shared: { a: '1' } } }],
      ['attendees', { attendees: [own] }],
      ['attendees', { attendees: [own, { ...others, responseStatus: 'declined' }] }],
      ['attendees', { attendees: [{ ...own, optional: true }, others] }],
    ]
    for (const [location, body] of refused) {
      const answer = await guest.patch(event.id, body)
      expect([answer.status, answer.reason, answer.location]).toEqual([403, 'forbiddenForNonOrganizer', location])
    }
    expect((await you.get(event.id)).body.etag).toBe(event.etag)
    await client.patch(`${events}/${event.id}`, { guestsCanModify: true })
    expect((await guest.patch(event.id, { summary: 'Ours', start, end })).status).toBe(200)
    const now = (await you.get(event.id)).body
    expect([now.summary, now.sequence]).toEqual(['Ours', 1])
    expect(await other.titles()).toEqual(['Ours'])
    await other.patch(event.id, { attendees: [others] })
    expect([await guest.titles(), answers((await you.get(event.id)).body)]).toEqual([[], { jonas: 'needsAction' }])
  })

  it('to default values changes nothing', async () => {
    const { client, you, mina: guest } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina)))
    const copy = (await guest.get(event.id)).body
    const said = {
      guestsCanModify: false,
      guestsCanInviteOthers: true,
      endTimeUnspecified: false,
      anyoneCanAddSelf: false,
    }
    expect((await guest.put(event.id, { ...copy, ...said })).status).toBe(200)
    expect((await you.get(event.id)).body.etag).toBe(event.etag)
  })

  it('adds others if guests may invite', async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina)))
    const more = guests(mina, jonas, outside)
    expect((await guest.patch(event.id, more)).status).toBe(200)
    expect(Object.keys(answers((await you.get(event.id)).body))).toEqual(['mina', 'jonas', 'ruth'])
    expect(await other.titles()).toEqual(['Plan'])
    const { body: closed } = await client.post(events, timedEvent({ ...guests(mina), guestsCanInviteOthers: false }))
    expect((await guest.patch(closed.id, more)).location).toBe('attendees')
  })

  it('hides guests from each other if the event says so', async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const body = timedEvent({ ...guests(mina, jonas), guestsCanSeeOtherGuests: false })
    const { body: event } = await client.post(events, body)
    const copy = (await other.get(event.id)).body
    expect([copy.attendeesOmitted, copy.attendees.map((attendee: Body) => attendee.email)]).toEqual([true, [jonas]])
    const attendees = [{ email: mina, responseStatus: 'accepted' }]
    await guest.patch(event.id, { attendeesOmitted: true, attendees })
    expect(answers((await you.get(event.id)).body)).toEqual({ mina: 'accepted', jonas: 'needsAction' })
    expect((await other.get(event.id)).body.etag).toBe(copy.etag)
    expect(await other.titles({ q: 'mina.park' })).toEqual([])
    await guest.patch(event.id, { attendees: [...attendees, { email: outside }] })
    expect(Object.keys(answers((await you.get(event.id)).body))).toEqual(['mina', 'jonas', 'ruth'])
  })

  it('declines by deleting the copy, which stays deleted until restored', async () => {
    const { client, you, mina: guest, jonas: other } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina, jonas)))
    const copy = (await guest.get(event.id)).body
    expect((await guest.del(event.id)).status).toBe(204)
    for (const diaryOf of [you, other])
      expect(answers((await diaryOf.get(event.id)).body)).toEqual({ mina: 'declined', jonas: 'needsAction' })
    await client.patch(`${events}/${event.id}`, { summary: 'Renamed' })
    expect([await guest.titles(), await other.titles()]).toEqual([[], ['Renamed']])
    const back = await guest.put(event.id, { ...copy, status: 'confirmed' })
    expect([back.status, back.body.summary]).toEqual([200, 'Renamed'])
    expect(answers((await you.get(event.id)).body)).toMatchObject({ mina: 'needsAction' })
    await client.del(`${events}/${event.id}`)
    const late = await guest.put(event.id, { ...back.body, status: 'confirmed' })
    expect([late.status, late.reason]).toEqual([403, 'forbiddenForNonOrganizer'])
  })

  it('survives the organizer removing and adding the guest again', async () => {
    const { client, mina: guest } = await three()
    const { body: event } = await client.post(events, timedEvent(guests(mina, jonas)))
    await guest.del(event.id)
    await client.patch(`${events}/${event.id}`, { location: 'Here' })
    expect(await guest.titles()).toEqual([])
    await client.patch(`${events}/${event.id}`, guests(jonas))
    await client.patch(`${events}/${event.id}`, guests(jonas, mina))
    expect(await guest.titles()).toEqual(['Plan'])
  })
})
