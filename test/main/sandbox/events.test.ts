import { describe, expect, it } from 'vitest'
import { allDayEvent, connect, events, query, timedEvent } from './client'

const calendars = '/calendar/v3/calendars'

describe('creating an event', () => {
  it('assigns a base32hex ID, an iCalUID, an organizer, and defaults', async () => {
    const client = await connect()
    const { status, body, headers } = await client.post(events, timedEvent())
    expect(status).toBe(200)
    expect(body.id).toMatch(/^[a-v0-9]{26}$/)
    expect(body).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      iCalUID: `${body.id}@flightplan.example`,
      eventType: 'default',
      sequence: 0,
      reminders: { useDefault: true },
      organizer: { email: client.sandbox.ids.email, self: true },
      creator: { email: client.sandbox.ids.email, self: true },
    })
    expect(body.etag).toMatch(/^"\d+"$/)
    expect(Number(JSON.parse(body.etag)) / 2000).toBeCloseTo(Date.parse(body.updated), -1)
    expect(headers.get('etag')).toBe(body.etag)
    expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(0)
  })

  it('accepts a client ID once: 409 while in use and after deletion', async () => {
    const client = await connect()
    const event = timedEvent({ id: 'abcde12345' })
    expect((await client.post(events, event)).body.id).toBe('abcde12345')
    const again = await client.post(events, event)
    expect([again.status, again.reason, again.body.error.message]).toEqual([
      409,
      'duplicate',
      'The requested identifier already exists.',
    ])
    await client.del(`${events}/abcde12345`)
    expect((await client.post(events, event)).status).toBe(409)
    const restored = await client.put(`${events}/abcde12345`, timedEvent({ status: 'confirmed', summary: 'Back' }))
    expect([restored.status, restored.body.status, restored.body.summary]).toEqual([200, 'confirmed', 'Back'])
    expect((await client.get(events)).body.items).toHaveLength(1)
  })

  it('rejects malformed IDs', async () => {
    const client = await connect()
    for (const id of ['abcd', 'ABCDE', 'abcdw', 'abc de', 'ab_cd', 'a'.repeat(1025)]) {
      const answer = await client.post(events, timedEvent({ id }))
      expect([answer.status, answer.reason, answer.location]).toEqual([400, 'invalid', 'resource.id'])
    }
    expect((await client.post(events, timedEvent({ id: 'v'.repeat(1024) }))).status).toBe(200)
  })

  it("returns times in the calendar's or requested zone, and keeps the zone's name", async () => {
    const client = await connect()
    const local = (hour: string) => ({ dateTime: `2026-07-01T${hour}:00:00`, timeZone: 'America/New_York' })
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
    const zoned = await client.post(events, { start: local('09'), end: local('10'), recurrence })
    const inBerlin = { dateTime: '2026-07-01T15:00:00+02:00', timeZone: 'America/New_York' }
    expect(zoned.body.start).toEqual(inBerlin)
    const offset = await client.post(events, {
      start: { dateTime: '2026-07-01T09:00:00.123Z' },
      end: { dateTime: '2026-07-01T10:00:00Z' },
    })
    expect(offset.body.start).toEqual({ dateTime: '2026-07-01T11:00:00+02:00', timeZone: 'Europe/Berlin' })
    const path = `${events}/${zoned.body.id}`
    const inTokyo = { dateTime: '2026-07-01T22:00:00+09:00', timeZone: 'America/New_York' }
    for (const [address, expected] of [
      [path, inBerlin],
      [`${path}?timeZone=Asia/Tokyo`, inTokyo],
    ] as const)
      expect((await client.get(address)).body.start).toEqual(expected)
    for (const list of [`${path}/instances`, events]) {
      for (const [zone, expected] of [
        ['', inBerlin],
        ['&timeZone=Asia/Tokyo', inTokyo],
      ] as const) {
        const { items } = (await client.get(`${list}?singleEvents=true${zone}`)).body
        const [first] = items.filter((item: { recurringEventId?: string }) => item.recurringEventId)
        expect([first.start, first.originalStartTime]).toEqual([expected, expected])
      }
    }
    const second = `${path}_20260702T130000Z`
    await client.del(second)
    expect((await client.get(`${second}?timeZone=Asia/Tokyo`)).body.originalStartTime).toEqual({
      ...inTokyo,
      dateTime: '2026-07-02T22:00:00+09:00',
    })
    const shown = (await client.get(path)).body
    const again = await client.put(path, shown)
    expect([again.body.etag, again.body.sequence]).toEqual([shown.etag, 0])
  })

  it('rejects invalid times', async () => {
    const client = await connect()
    const at = (dateTime: string, timeZone?: string) => ({ dateTime, timeZone })
    const start = at('2026-01-05T09:00:00Z')
    const wrong: Array<[Record<string, unknown>, string, string]> = [
      [{ summary: 'x' }, 'required', 'end'],
      [{ start }, 'required', 'end'],
      [{ end: start }, 'required', 'start'],
      [{ start, end: { date: '2026-01-06' } }, 'invalid', 'end'],
      [{ start, end: at('2026-01-05T08:00:00Z') }, 'timeRangeEmpty', 'end'],
      [{ start: { date: '2026-01-05' }, end: { date: '2026-01-05' } }, 'timeRangeEmpty', 'end'],
      [{ start: { date: '2026-01-05', dateTime: '2026-01-05T09:00:00Z' }, end: start }, 'invalid', 'start'],
      [{ start: {}, end: start }, 'invalid', 'start'],
      [{ start: at('2026-01-05T09:00:00'), end: start }, 'invalid', 'start.timeZone'],
      [{ start: at('2026-01-05 09:00'), end: start }, 'invalid', 'start.dateTime'],
      [{ start: at('2026-13-05T09:00:00Z'), end: start }, 'invalid', 'start.dateTime'],
      [{ start: { date: '2026-02-30' }, end: { date: '2026-03-02' } }, 'invalid', 'start.date'],
      [{ start: at('2026-01-05T09:00:00', 'Mars/Olympus'), end: start }, 'invalid', 'start.timeZone'],
      [
        { start: at('0000-01-01T00:00:00', 'Europe/Berlin'), end: at('0000-01-01T01:00:00', 'Europe/Berlin') },
        'invalid',
        'start',
      ],
      [{ start: '2026-01-05', end: start }, 'invalid', 'start'],
    ]
    for (const [body, reason, location] of wrong) {
      const answer = await client.post(events, body)
      expect([body, answer.status, answer.reason, answer.location]).toEqual([body, 400, reason, location])
    }
    expect((await client.get(events)).body.items).toEqual([])
  })

  it('accepts empty but valid values: no title, no duration', async () => {
    const client = await connect()
    const at = { dateTime: '2026-01-05T09:00:00Z' }
    expect((await client.post(events, { start: at, end: at })).status).toBe(200)
  })

  it('ignores read-only and unknown fields', async () => {
    const client = await connect()
    const { body } = await client.post(
      events,
      timedEvent({
        created: '2001-01-01T00:00:00Z',
        htmlLink: 'https://evil.example',
        locked: true,
        organizer: { email: 'x@y.example' },
        creator: { email: 'x@y.example' },
        surprise: 1,
        kind: 'calendar#event',
      }),
    )
    expect(body.organizer.email).toBe(client.sandbox.ids.email)
    expect(body.creator.email).toBe(client.sandbox.ids.email)
    expect(body.htmlLink).not.toContain('evil')
    expect(body).not.toHaveProperty('surprise')
    expect(body).not.toHaveProperty('locked')
    expect(body.created).not.toContain('2001')
  })
})

describe('limits of an event', () => {
  const attachment = { fileUrl: 'https://files.example/a.pdf', title: 'a' }
  const point = (extra: Record<string, unknown> = {}) => ({
    entryPointType: 'video',
    uri: 'https://meet.example/a',
    ...extra,
  })
  const conference = (entryPoints: unknown[], extra: Record<string, unknown> = {}) => ({
    conferenceData: { conferenceSolution: { key: { type: 'addOn' }, name: 'Other' }, entryPoints, ...extra },
  })
  const many = (count: number, item: unknown) => Array.from({ length: count }, () => item)
  const cases: Array<[string, Record<string, unknown>, Record<string, unknown>, string]> = [
    ['25 attachments', { attachments: many(25, attachment) }, { attachments: many(26, attachment) }, 'attachments'],
    [
      'a fileUrl in attachments',
      { attachments: [attachment] },
      { attachments: [{ title: 'a' }] },
      'attachments[0].fileUrl',
    ],
    [
      '5 overrides',
      { reminders: { useDefault: false, overrides: many(5, { method: 'popup', minutes: 1 }) } },
      { reminders: { useDefault: false, overrides: many(6, { method: 'popup', minutes: 1 }) } },
      'reminders.overrides',
    ],
    [
      '40320 minutes',
      { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 40320 }] } },
      { reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 40321 }] } },
      'reminders.overrides[0].minutes',
    ],
    [
      'nonnegative minutes',
      { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 0 }] } },
      { reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: -1 }] } },
      'reminders.overrides[0].minutes',
    ],
    [
      'minutes in reminders',
      {},
      { reminders: { useDefault: false, overrides: [{ method: 'popup' }] } },
      'reminders.overrides[0].minutes',
    ],
    [
      'reminder methods',
      {},
      { reminders: { useDefault: false, overrides: [{ method: 'sms', minutes: 1 }] } },
      'reminders.overrides[0].method',
    ],
    [
      'either defaults or overrides',
      {},
      { reminders: { useDefault: true, overrides: [{ method: 'popup', minutes: 1 }] } },
      'reminders',
    ],
    [
      'uri of 1300',
      conference([point({ uri: `https://${'a'.repeat(1292)}` })]),
      conference([point({ uri: `https://${'a'.repeat(1293)}` })]),
      'conferenceData.entryPoints[0].uri',
    ],
    [
      'label of 512',
      conference([point({ label: 'l'.repeat(512) })]),
      conference([point({ label: 'l'.repeat(513) })]),
      'conferenceData.entryPoints[0].label',
    ],
    ...['pin', 'accessCode', 'meetingCode', 'passcode', 'password'].map(
      (name): [string, Record<string, unknown>, Record<string, unknown>, string] => [
        `${name} of 128`,
        conference([point({ [name]: '1'.repeat(128) })]),
        conference([point({ [name]: '1'.repeat(129) })]),
        `conferenceData.entryPoints[0].${name}`,
      ],
    ),
    [
      'notes of 2048',
      conference([point()], { notes: 'n'.repeat(2048) }),
      conference([point()], { notes: 'n'.repeat(2049) }),
      'conferenceData.notes',
    ],
    [
      'a single video entry',
      conference([point(), { entryPointType: 'phone', uri: 'tel:+49305550100' }]),
      conference([point(), point()]),
      'conferenceData.entryPoints',
    ],
    [
      'schemes by type',
      conference([{ entryPointType: 'sip', uri: 'sip:a@b.example' }]),
      conference([{ entryPointType: 'phone', uri: 'https://a.example' }]),
      'conferenceData.entryPoints[0].uri',
    ],
    [
      'entry points of a solution',
      conference([point()]),
      { conferenceData: { entryPoints: [point()], conferenceSolution: null } },
      'conferenceData',
    ],
    [
      'guest addresses',
      { attendees: [{ email: 'a@b.example' }] },
      { attendees: [{ email: 'nobody' }] },
      'attendees[0].email',
    ],
    ['an address per guest', {}, { attendees: [{ displayName: 'A' }] }, 'attendees[0].email'],
    [
      'responses',
      { attendees: [{ email: 'a@b.example', responseStatus: 'tentative' }] },
      { attendees: [{ email: 'a@b.example', responseStatus: 'maybe' }] },
      'attendees[0].responseStatus',
    ],
    [
      '44 characters per key',
      { extendedProperties: { private: { ['k'.repeat(44)]: 'v' } } },
      { extendedProperties: { private: { ['k'.repeat(45)]: 'v' } } },
      `extendedProperties.private.${'k'.repeat(45)}`,
    ],
    [
      '1024 characters per value',
      { extendedProperties: { shared: { k: 'v'.repeat(1024) } } },
      { extendedProperties: { shared: { k: 'v'.repeat(1025) } } },
      'extendedProperties.shared.k',
    ],
    [
      '300 properties',
      { extendedProperties: { shared: Object.fromEntries(many(300, 0).map((_, at) => [`k${at}`, 'v'])) } },
      { extendedProperties: { shared: Object.fromEntries(many(301, 0).map((_, at) => [`k${at}`, 'v'])) } },
      'extendedProperties',
    ],
    [
      '32 kB of properties',
      {},
      { extendedProperties: { shared: Object.fromEntries(many(40, 0).map((_, at) => [`k${at}`, 'v'.repeat(1000)])) } },
      'extendedProperties',
    ],
    ['colors', { colorId: '11' }, { colorId: '12' }, 'colorId'],
    ['statuses', { status: 'tentative' }, { status: 'maybe' }, 'status'],
    ['visibilities', { visibility: 'confidential' }, { visibility: 'secret' }, 'visibility'],
    ['transparencies', { transparency: 'transparent' }, { transparency: 'busy' }, 'transparency'],
    [
      'source URL schemes',
      { source: { url: 'https://a.example', title: 'A' } },
      { source: { url: 'ftp://a.example' } },
      'source.url',
    ],
    [
      'https for gadgets',
      { gadget: { link: 'https://a.example', width: 1 } },
      { gadget: { link: 'http://a.example' } },
      'gadget.link',
    ],
    ['gadget sizes', {}, { gadget: { width: 0 } }, 'gadget.width'],
    ['recurrence as a list', {}, { recurrence: 'RRULE:FREQ=DAILY' }, 'recurrence'],
    ['text types', {}, { summary: 5 }, 'summary'],
    ['flag types', { guestsCanModify: true }, { guestsCanModify: 'yes' }, 'guestsCanModify'],
  ]

  it.each(cases)('enforce %s', async (_name, good, bad, location) => {
    const client = await connect()
    const path = `${events}?conferenceDataVersion=1&supportsAttachments=true`
    const accepted = await client.post(path, timedEvent({ id: 'goodone', ...good }))
    expect([accepted.status, accepted.body.error]).toEqual([200, undefined])
    const refused = await client.post(path, timedEvent({ id: 'badone', ...bad }))
    expect([refused.status, refused.location]).toEqual([400, location])
    expect((await client.get(`${events}/badone`)).status).toBe(404)
    for (const change of [
      await client.patch(`${events}/goodone?conferenceDataVersion=1&supportsAttachments=true`, bad),
      await client.put(`${events}/goodone?conferenceDataVersion=1&supportsAttachments=true`, timedEvent(bad)),
    ]) {
      expect([change.status, change.location]).toEqual([400, location])
    }
    expect((await client.get(`${events}/goodone`)).body).toEqual(accepted.body)
  })
})

describe('changing an event', () => {
  it('returns 412 for another etag, a new etag for the right one, and accepts *', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const path = `${events}/${event.id}`
    for (const answer of [
      await client.put(path, timedEvent({ summary: 'No' }), { 'if-match': '"1"' }),
      await client.patch(path, { summary: 'No' }, { 'if-match': '"1"' }),
      await client.del(path, { 'if-match': '"1"' }),
    ]) {
      expect([answer.status, answer.reason, answer.location, answer.body.error.errors[0].locationType]).toEqual([
        412,
        'conditionNotMet',
        'If-Match',
        'header',
      ])
    }
    const first = await client.patch(path, { summary: 'One' }, { 'if-match': event.etag })
    expect(first.status).toBe(200)
    expect(first.body.etag).not.toBe(event.etag)
    expect((await client.patch(path, { summary: 'Late' }, { 'if-match': event.etag })).status).toBe(412)
    expect(
      (await client.put(path, timedEvent({ summary: 'Two' }), { 'if-match': `"x", ${first.body.etag}` })).status,
    ).toBe(200)
    expect((await client.patch(path, { summary: 'Three' }, { 'if-match': '*' })).body.summary).toBe('Three')
  })

  it('returns 304 for a current etag, for one event and a list', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const list = await client.get(events)
    for (const [path, etag] of [
      [`${events}/${event.id}`, event.etag],
      [events, list.body.etag],
    ] as const) {
      const same = await client.get(path, { 'if-none-match': etag })
      expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, undefined, etag])
    }
    await client.patch(`${events}/${event.id}`, { summary: 'Other' })
    expect((await client.get(`${events}/${event.id}`, { 'if-none-match': event.etag })).status).toBe(200)
    expect((await client.get(events, { 'if-none-match': list.body.etag })).status).toBe(200)
  })

  it('patches by field: values replace, lists replace whole, null clears, absent stays, objects merge', async () => {
    const client = await connect()
    const { body: event } = await client.post(
      events,
      timedEvent({
        description: 'D',
        location: 'L',
        attendees: [{ email: 'a@b.example' }, { email: 'c@d.example' }],
        extendedProperties: { private: { a: '1', b: '2' } },
      }),
    )
    const { body } = await client.patch(`${events}/${event.id}`, {
      summary: 'New',
      description: null,
      attendees: [{ email: 'c@d.example' }],
      extendedProperties: { private: { a: null, c: '3' } },
      start: { dateTime: '2026-01-05T09:30:00+01:00' },
    })
    expect(body).toMatchObject({
      summary: 'New',
      location: 'L',
      extendedProperties: { private: { b: '2', c: '3' } },
      start: { dateTime: '2026-01-05T09:30:00+01:00', timeZone: 'Europe/Berlin' },
      end: event.end,
    })
    expect(body).not.toHaveProperty('description')
    expect(body.extendedProperties.private).toEqual({ b: '2', c: '3' })
    expect(body.attendees.map((attendee: { email: string }) => attendee.email)).toEqual(['c@d.example'])
  })

  it('turns a timed event into an all-day one when dateTime is cleared, and rejects both at once', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const path = `${events}/${event.id}`
    const both = await client.patch(path, { start: { date: '2026-01-05' }, end: { date: '2026-01-06' } })
    expect([both.status, both.location]).toEqual([400, 'start'])
    const day = await client.patch(path, {
      start: { date: '2026-01-05', dateTime: null, timeZone: null },
      end: { date: '2026-01-06', dateTime: null },
    })
    expect([day.status, day.body.start, day.body.end]).toEqual([200, { date: '2026-01-05' }, { date: '2026-01-06' }])
  })

  it('replaces everything on update', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent({ description: 'D', location: 'L', colorId: '5' }))
    const { body } = await client.put(`${events}/${event.id}`, timedEvent({ summary: 'Whole' }))
    expect(body.summary).toBe('Whole')
    for (const name of ['description', 'location', 'colorId']) expect(body).not.toHaveProperty(name)
    expect([body.id, body.iCalUID, body.created]).toEqual([event.id, event.iCalUID, event.created])
    const missing = await client.put(`${events}/${event.id}`, { summary: 'x' })
    expect([missing.status, missing.reason]).toEqual([400, 'required'])
  })

  it('returns the same event when its own response is written back', async () => {
    const client = await connect()
    const { body: event } = await client.post(
      `${events}?conferenceDataVersion=1&supportsAttachments=true`,
      timedEvent({
        attendees: [{ email: 'a@b.example', optional: true }],
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
        attachments: [{ fileUrl: 'https://files.example/a' }],
        recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
      }),
    )
    const again = await client.put(`${events}/${event.id}?conferenceDataVersion=1&supportsAttachments=true`, event, {
      'if-match': event.etag,
    })
    expect(again.status).toBe(200)
    const { etag: _etag, updated: _updated, ...rest } = again.body
    expect(event).toMatchObject(rest)
  })

  it('rejects changes to immutable fields', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
    const instance = `${event.id}_20260106T080000Z`
    const wrong: Array<[string, Record<string, unknown>, string]> = [
      [event.id, { eventType: 'focusTime' }, 'eventType'],
      [event.id, { privateCopy: true }, 'privateCopy'],
      [event.id, { recurringEventId: 'other' }, 'recurringEventId'],
      [instance, { recurringEventId: 'other' }, 'recurringEventId'],
      [instance, { originalStartTime: { dateTime: '2026-01-07T08:00:00Z' } }, 'originalStartTime'],
      [instance, { recurrence: ['RRULE:FREQ=DAILY'] }, 'recurrence'],
    ]
    for (const [id, body, location] of wrong) {
      const answer = await client.patch(`${events}/${id}`, body)
      expect([body, answer.status, answer.location]).toEqual([body, 400, location])
    }
  })

  it('increments the sequence only for times, and rejects a lower one', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const path = `${events}/${event.id}`
    expect((await client.patch(path, { summary: 'Other' })).body.sequence).toBe(0)
    const moved = await client.put(path, timedEvent({}, 11))
    expect(moved.body.sequence).toBe(1)
    expect((await client.put(path, { ...moved.body, sequence: 7 })).body.sequence).toBe(7)
    const lower = await client.put(path, { ...moved.body, sequence: 3 })
    expect([lower.status, lower.location]).toEqual([400, 'sequence'])
  })

  it('keeps `updated` but not the etag when only reminders change', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ now: () => (time += 1000) })
    const { body: event } = await client.post(events, timedEvent())
    const { body: reminded } = await client.patch(`${events}/${event.id}`, {
      reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
    })
    expect(reminded.updated).toBe(event.updated)
    expect(reminded.etag).not.toBe(event.etag)
    expect(reminded.reminders.overrides).toEqual([{ method: 'popup', minutes: 5 }])
    const { body: renamed } = await client.patch(`${events}/${event.id}`, { summary: 'Other' })
    expect(renamed.updated > event.updated).toBe(true)
    expect(renamed.reminders).toEqual(reminded.reminders)
    expect((await client.patch(`${events}/${event.id}`, { reminders: { useDefault: true } })).body.reminders).toEqual({
      useDefault: true,
    })
  })

  it('deletes once: get shows it canceled, a second delete is 410, an unknown ID 404', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const path = `${events}/${event.id}`
    const gone = await client.del(path)
    expect([gone.status, gone.body]).toEqual([204, undefined])
    const shown = await client.get(path)
    expect([shown.status, shown.body.status, shown.body.summary]).toEqual([200, 'cancelled', 'Plan'])
    const again = await client.del(path)
    expect([again.status, again.reason]).toEqual([410, 'deleted'])
    expect((await client.del(`${events}/unknown`)).status).toBe(404)
    expect((await client.get(events)).body.items).toEqual([])
    expect((await client.get(`${events}?showDeleted=true`)).body.items).toHaveLength(1)
  })

  it('deletes when the status becomes canceled', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    for (let times = 0; times < 2; times++)
      expect((await client.patch(`${events}/${event.id}`, { status: 'cancelled' })).body.status).toBe('cancelled')
    expect((await client.del(`${events}/${event.id}`)).status).toBe(410)
  })
})

describe('attachments and conferences are written only on request', () => {
  it('needs supportsAttachments', async () => {
    const client = await connect()
    const attachments = [{ fileUrl: 'https://files.example/a.pdf', title: 'A' }]
    expect((await client.post(events, timedEvent({ attachments }))).body).not.toHaveProperty('attachments')
    const { body } = await client.post(`${events}?supportsAttachments=true`, timedEvent({ attachments }))
    expect(body.attachments).toEqual(attachments)
    expect((await client.put(`${events}/${body.id}`, timedEvent())).body.attachments).toEqual(attachments)
    expect((await client.put(`${events}/${body.id}?supportsAttachments=true`, timedEvent())).body).not.toHaveProperty(
      'attachments',
    )
  })
})

describe('event types', () => {
  const at = (date: string, next: string) => ({ start: { date }, end: { date: next } })
  it('creates each supported type with its implications', async () => {
    const client = await connect()
    const kinds: Array<[Record<string, unknown>, Record<string, unknown>]> = [
      [
        { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } },
        { eventType: 'outOfOffice' },
      ],
      [{ eventType: 'focusTime', focusTimeProperties: { chatStatus: 'doNotDisturb' } }, { eventType: 'focusTime' }],
      [
        { eventType: 'workingLocation', workingLocationProperties: { type: 'homeOffice', homeOffice: {} } },
        { transparency: 'transparent', visibility: 'public' },
      ],
      [
        { eventType: 'birthday', ...at('2026-03-14', '2026-03-15'), recurrence: ['RRULE:FREQ=YEARLY'] },
        { transparency: 'transparent', visibility: 'private', birthdayProperties: { type: 'birthday' } },
      ],
    ]
    for (const [extra, expected] of kinds) {
      const answer = await client.post(events, timedEvent(extra))
      expect([answer.body.error, answer.status]).toEqual([undefined, 200])
      expect(answer.body).toMatchObject(expected)
      const kept = await client.put(`${events}/${answer.body.id}`, answer.body)
      expect([kept.status, kept.body.eventType]).toEqual([200, extra.eventType])
    }
    const { body } = await client.get(`${events}?eventTypes=birthday&eventTypes=focusTime`)
    expect(body.items).toHaveLength(2)
  })

  it('rejects what their rules exclude', async () => {
    const client = await connect()
    const wrong: Array<[Record<string, unknown>, string]> = [
      [{ eventType: 'fromGmail' }, 'eventType'],
      [{ eventType: 'party' }, 'eventType'],
      [{ eventType: 'outOfOffice', ...at('2026-01-05', '2026-01-06') }, 'start'],
      [{ eventType: 'focusTime', ...at('2026-01-05', '2026-01-06') }, 'start'],
      [{ eventType: 'focusTime', transparency: 'transparent' }, 'transparency'],
      [{ eventType: 'workingLocation' }, 'workingLocationProperties'],
      [
        { eventType: 'workingLocation', workingLocationProperties: { homeOffice: {} } },
        'workingLocationProperties.type',
      ],
      [
        { eventType: 'workingLocation', workingLocationProperties: { type: 'homeOffice' }, visibility: 'private' },
        'visibility',
      ],
      [{ eventType: 'birthday', recurrence: ['RRULE:FREQ=YEARLY'] }, 'start'],
      [{ eventType: 'birthday', ...at('2026-03-14', '2026-03-16'), recurrence: ['RRULE:FREQ=YEARLY'] }, 'start'],
      [{ eventType: 'birthday', ...at('2026-03-14', '2026-03-15') }, 'recurrence'],
      [
        {
          eventType: 'birthday',
          ...at('2026-03-14', '2026-03-15'),
          recurrence: ['RRULE:FREQ=YEARLY'],
          visibility: 'public',
        },
        'visibility',
      ],
      [
        {
          eventType: 'birthday',
          ...at('2026-03-14', '2026-03-15'),
          recurrence: ['RRULE:FREQ=YEARLY'],
          birthdayProperties: { type: 'anniversary' },
        },
        'birthdayProperties.type',
      ],
      [{ focusTimeProperties: { chatStatus: 'available' } }, 'focusTimeProperties'],
      [{ eventType: 'focusTime', focusTimeProperties: { chatStatus: 'asleep' } }, 'focusTimeProperties.chatStatus'],
    ]
    for (const [extra, location] of wrong) {
      const answer = await client.post(events, timedEvent(extra))
      expect([extra, answer.status, answer.location]).toEqual([extra, 400, location])
    }
    const { body: other } = await client.post(calendars, { summary: 'Other' })
    for (const eventType of ['outOfOffice', 'focusTime', 'workingLocation']) {
      const answer = await client.post(
        `${calendars}/${other.id}/events`,
        timedEvent({
          eventType,
          ...(eventType === 'workingLocation' ? { workingLocationProperties: { type: 'homeOffice' } } : {}),
        }),
      )
      expect([eventType, answer.status, answer.location]).toEqual([eventType, 400, 'eventType'])
    }
    expect((await client.get(events)).body.items).toEqual([])
  })
})

describe('guests', () => {
  const list = [{ email: 'A@b.example' }, { email: 'c@d.example', optional: true }, { email: 'e@f.example' }]

  it('omits all but the caller above maxAttendees', async () => {
    const client = await connect()
    const self = { email: client.sandbox.ids.email, responseStatus: 'accepted' }
    const { body: event } = await client.post(events, timedEvent({ attendees: [self, ...list] }))
    expect(event.attendees).toHaveLength(4)
    expect(event.attendees[0]).toMatchObject({ self: true, organizer: true })
    expect(event.attendees[1]).toEqual({ email: 'a@b.example', responseStatus: 'needsAction' })
    const few = await client.get(`${events}/${event.id}?maxAttendees=3`)
    expect([few.body.attendeesOmitted, few.body.attendees]).toEqual([true, [event.attendees[0]]])
    expect((await client.get(`${events}/${event.id}?maxAttendees=4`)).body).not.toHaveProperty('attendeesOmitted')
    expect((await client.get(`${events}?maxAttendees=1`)).body.items[0].attendees).toHaveLength(1)
  })

  it('changes only your own response when attendees were omitted', async () => {
    const client = await connect()
    const { email } = client.sandbox.ids
    const { body: event } = await client.post(events, timedEvent({ attendees: [{ email }, ...list] }))
    const { body } = await client.put(
      `${events}/${event.id}`,
      timedEvent({
        summary: 'Ignored',
        attendeesOmitted: true,
        attendees: [{ email, responseStatus: 'declined', comment: 'Away' }],
      }),
    )
    expect(body.summary).toBe('Plan')
    expect(body.attendees).toHaveLength(4)
    expect(body.attendees[0]).toMatchObject({ responseStatus: 'declined', comment: 'Away' })
    expect(body.attendees[2]).toEqual(event.attendees[2])
  })

  it('sets `resource` only when a guest is added', async () => {
    const client = await connect()
    const { body: event } = await client.post(
      events,
      timedEvent({ attendees: [{ email: 'room@b.example', resource: true }, { email: 'c@d.example' }] }),
    )
    const { body } = await client.patch(`${events}/${event.id}`, {
      attendees: [
        { email: 'room@b.example', resource: false },
        { email: 'c@d.example', resource: true },
        { email: 'new@d.example', resource: true },
      ],
    })
    expect(body.attendees.map((attendee: { resource?: boolean }) => attendee.resource)).toEqual([true, undefined, true])
  })

  it("can't change the shared parts of an event", async () => {
    const client = await connect({ seed: 'demo', now: () => Date.parse('2026-06-10T08:00:00Z') })
    const { body } = await client.get(`${events}${query({ q: 'Invitation: measurement', singleEvents: true })}`)
    const [invited] = body.items
    const path = `${events}/${invited.id}`
    expect(invited.organizer).not.toHaveProperty('self')
    for (const change of [
      { summary: 'Mine' },
      { start: timedEvent().start, end: timedEvent().end },
      { guestsCanModify: true },
      { extendedProperties: { shared: { a: '1' } } },
    ]) {
      const answer = await client.patch(path, change)
      expect([answer.status, answer.reason, answer.body.error.errors[0].domain]).toEqual([
        403,
        'forbiddenForNonOrganizer',
        'calendar',
      ])
    }
    const attendees = invited.attendees.map((attendee: { self?: boolean }) =>
      attendee.self ? { ...attendee, responseStatus: 'accepted' } : attendee,
    )
    const answered = await client.put(path, { ...invited, attendees, colorId: '4' }, { 'if-match': invited.etag })
    expect([answered.status, answered.body.colorId]).toEqual([200, '4'])
    expect(answered.body.attendees.find((attendee: { self?: boolean }) => attendee.self).responseStatus).toBe(
      'accepted',
    )
  })
})

describe('emails', () => {
  it('are sent only on request', async () => {
    const client = await connect()
    const attendees = [{ email: 'mina.park@flightplan.example' }, { email: 'out@side.example' }]
    const mails = async () =>
      ((await client.get('/sandbox/v1/mails')).body.mails as Array<{ recipient: string; subject: string }>).map(
        (mail) => `${mail.subject} > ${mail.recipient}`,
      )
    const { body: event } = await client.post(events, timedEvent({ attendees }))
    await client.patch(`${events}/${event.id}`, { summary: 'Quiet' })
    await client.patch(`${events}/${event.id}?sendUpdates=none`, { summary: 'Quieter' })
    await client.patch(`${events}/${event.id}?sendNotifications=false`, { summary: 'Quietest' })
    await client.post(`${events}/import`, timedEvent({ iCalUID: 'imported@x.example', attendees }))
    expect(await mails()).toEqual([])
    await client.patch(`${events}/${event.id}?sendUpdates=externalOnly`, { summary: 'Loud' })
    expect(await mails()).toEqual(['Updated: Loud > out@side.example'])
    await client.del(`${events}/${event.id}?sendNotifications=true`)
    expect((await mails()).slice(1)).toEqual([
      'Cancelled: Loud > mina.park@flightplan.example',
      'Cancelled: Loud > out@side.example',
    ])
    await client.post(`${events}?sendUpdates=all`, timedEvent({ attendees }))
    expect(await mails()).toHaveLength(5)
  })
})

describe('lists', () => {
  it('pages through everything once and rejects other parameters with a page token', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ now: () => (time += 1_000) })
    for (let at = 0; at < 7; at++) await client.post(events, timedEvent({ summary: `E${at}` }, 8 + at))
    for (const extra of [
      {},
      { singleEvents: true },
      { singleEvents: true, orderBy: 'startTime' },
      { orderBy: 'updated' },
    ]) {
      const seen: string[] = []
      let pageToken: string | undefined
      let pages = 0
      do {
        const { body } = await client.get(
          `${events}${query({ ...extra, maxResults: 3, ...(pageToken ? { pageToken } : {}) })}`,
        )
        seen.push(...body.items.map((item: { summary: string }) => item.summary))
        pageToken = body.nextPageToken
        expect(body.nextSyncToken === undefined || pageToken === undefined).toBe(true)
        pages++
      } while (pageToken)
      expect([pages, [...seen].sort()]).toEqual([3, ['E0', 'E1', 'E2', 'E3', 'E4', 'E5', 'E6']])
      if ('orderBy' in extra) expect(seen).toEqual([...seen].sort())
    }
    const { body } = await client.get(`${events}?maxResults=3`)
    const other = await client.get(`${events}${query({ maxResults: 3, pageToken: body.nextPageToken, q: 'E' })}`)
    expect([other.status, other.location]).toEqual([400, 'pageToken'])
  })

  it('filters by time: end after timeMin, start before timeMax, both exclusive', async () => {
    const client = await connect()
    await client.post(events, timedEvent()) // 08:00 to 09:00 UTC
    const found = async (timeMin: string, timeMax: string) =>
      (await client.get(`${events}${query({ timeMin: `2026-01-05T${timeMin}Z`, timeMax: `2026-01-05T${timeMax}Z` })}`))
        .body.items.length
    expect(await found('09:00:00', '10:00:00')).toBe(0)
    expect(await found('08:59:59', '10:00:00')).toBe(1)
    expect(await found('07:00:00', '08:00:00')).toBe(0)
    expect(await found('07:00:00', '08:00:01')).toBe(1)
    expect(await found('08:59:59.999', '10:00:00')).toBe(1)
  })

  it("treats whole days as days of the calendar's zone", async () => {
    const client = await connect()
    await client.post(events, allDayEvent('2026-01-05', '2026-01-06'))
    const found = async (timeMin: string, timeMax: string) =>
      (await client.get(`${events}${query({ timeMin, timeMax, singleEvents: true })}`)).body.items.length
    expect(await found('2026-01-04T22:00:00Z', '2026-01-04T23:00:00Z')).toBe(0)
    expect(await found('2026-01-04T22:00:00Z', '2026-01-04T23:30:00Z')).toBe(1)
    expect(await found('2026-01-05T23:00:00Z', '2026-01-06T05:00:00Z')).toBe(0)
  })

  it('finds by text, iCalUID, and properties', async () => {
    const client = await connect()
    const { body: a } = await client.post(
      events,
      timedEvent({
        summary: 'Media plan Brightwell',
        location: 'Room Fjord',
        extendedProperties: { private: { k: '1', z: '2' }, shared: { s: 'x' } },
      }),
    )
    await client.post(
      events,
      timedEvent({ summary: 'Other', attendees: [{ email: 'ruth@b.example', displayName: 'Ruth Adler' }] }),
    )
    const found = async (text: string) =>
      (await client.get(`${events}?${text}`)).body.items.map((item: { summary: string }) => item.summary)
    expect(await found('q=fjord%20BRIGHTWELL')).toEqual(['Media plan Brightwell'])
    expect(await found('q=adler')).toEqual(['Other'])
    expect(await found('q=ruth@b')).toEqual(['Other'])
    expect(await found('q=fjord%20adler')).toEqual([])
    expect(await found(`iCalUID=${encodeURIComponent(a.iCalUID)}`)).toEqual(['Media plan Brightwell'])
    expect(await found('privateExtendedProperty=k%3D1&privateExtendedProperty=z%3D2')).toEqual([
      'Media plan Brightwell',
    ])
    expect(await found('privateExtendedProperty=k%3D1&privateExtendedProperty=z%3D3')).toEqual([])
    expect(await found('sharedExtendedProperty=s%3Dx')).toEqual(['Media plan Brightwell'])
  })

  it('sorts by start only single events, and limits the page size', async () => {
    const client = await connect()
    const refused = await client.get(`${events}?orderBy=startTime`)
    expect([refused.status, refused.reason, refused.body.error.message]).toEqual([
      400,
      'badRequest',
      'The requested ordering is not available for the particular query.',
    ])
    expect((await client.get(`${events}?maxResults=9999`)).status).toBe(200)
  })

  it('shows what was updated since a time, including deletions, and rejects one too long ago', async () => {
    let time = Date.parse('2026-01-05T08:00:00Z')
    const client = await connect({ now: () => time })
    const { body: a } = await client.post(events, timedEvent())
    time += 60_000
    const since = new Date(time).toISOString()
    await client.del(`${events}/${a.id}`)
    time += 1_000
    const { body: b } = await client.post(events, timedEvent({ summary: 'Fresh' }))
    const { body } = await client.get(`${events}${query({ updatedMin: since, orderBy: 'updated' })}`)
    expect(body.items.map((item: { id: string; status: string }) => [item.id, item.status])).toEqual([
      [a.id, 'cancelled'],
      [b.id, 'confirmed'],
    ])
    const old = await client.get(`${events}${query({ updatedMin: '2025-11-01T00:00:00Z' })}`)
    expect([old.status, old.reason, old.location]).toEqual([410, 'updatedMinTooLongAgo', 'updatedMin'])
  })

  it("includes the calendar's metadata", async () => {
    const client = await connect()
    const { body } = await client.get(events)
    expect(body).toMatchObject({
      kind: 'calendar#events',
      timeZone: 'Europe/Berlin',
      accessRole: 'owner',
      defaultReminders: [{ method: 'popup', minutes: 10 }],
    })
    expect(body.etag).toMatch(/^".+"$/)
  })
})
