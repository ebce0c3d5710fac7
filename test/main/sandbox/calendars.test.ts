import { describe, expect, it } from 'vitest'
import { connect, events, query, timedEvent } from './client'

const calendars = '/calendar/v3/calendars'
const list = '/calendar/v3/users/me/calendarList'
const ids = (body: { items: Array<{ id: string }> }): string[] => body.items.map(({ id }) => id)

describe('calendars', () => {
  it('are created with an owner, an access rule, and a list entry', async () => {
    const client = await connect()
    const { body } = await client.post(calendars, { summary: 'Team', timeZone: 'America/New_York', description: 'D' })
    expect(body).toMatchObject({
      kind: 'calendar#calendar',
      summary: 'Team',
      timeZone: 'America/New_York',
      dataOwner: client.sandbox.ids.email,
    })
    expect((await client.get(`${list}/${body.id}`)).body).toMatchObject({
      accessRole: 'owner',
      selected: true,
      summary: 'Team',
    })
    expect((await client.get(`${calendars}/${body.id}/acl`)).body.items).toMatchObject([
      { id: `user:${client.sandbox.ids.email}`, role: 'owner' },
    ])
    const missing = await client.post(calendars, { description: 'x' })
    expect([missing.status, missing.reason, missing.location]).toEqual([400, 'required', 'summary'])
    expect((await client.post(calendars, { summary: 'x', timeZone: 'Mars/Olympus' })).location).toBe('timeZone')
  })

  it('are patched, updated, guarded by etags, and deleted', async () => {
    const client = await connect()
    const { body: calendar } = await client.post(calendars, { summary: 'Team', description: 'D', location: 'L' })
    const path = `${calendars}/${calendar.id}`
    expect((await client.patch(path, { summary: 'x' }, { 'if-match': '"1"' })).status).toBe(412)
    const patched = await client.patch(path, { description: null }, { 'if-match': calendar.etag })
    expect([patched.body.summary, patched.body.location, patched.body.description]).toEqual(['Team', 'L', undefined])
    const updated = await client.put(path, { summary: 'Whole' }, { 'if-match': patched.body.etag })
    expect([updated.body.summary, updated.body.location]).toEqual(['Whole', undefined])
    expect((await client.get(path, { 'if-none-match': updated.body.etag })).status).toBe(304)
    expect((await client.del(path, { 'if-match': '"1"' })).status).toBe(412)
    expect((await client.del(path)).status).toBe(204)
    expect((await client.get(path)).status).toBe(404)
    expect((await client.get(`${path}/events`)).status).toBe(404)
    expect((await client.get(`${list}/${calendar.id}`)).status).toBe(404)
  })

  it('can be cleared if primary and deleted if secondary, not vice versa', async () => {
    const client = await connect()
    const { body: other } = await client.post(calendars, { summary: 'Other' })
    const { body: series } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
    await client.patch(`${events}/${series.id}_20260106T080000Z`, { summary: 'x' })
    const { body: before } = await client.get(events)
    expect((await client.post(`${calendars}/${other.id}/clear`)).status).toBe(400)
    expect((await client.del(`${calendars}/primary`)).status).toBe(403)
    expect((await client.post(`${calendars}/primary/clear`)).status).toBe(204)
    expect((await client.get(events)).body.items).toEqual([])
    const { body } = await client.get(`${events}${query({ syncToken: before.nextSyncToken })}`)
    expect(body.items.map((item: { status: string }) => item.status)).toEqual(['cancelled', 'cancelled'])
  })

  it('change owner with transferOwnership, which needs admin access and a user of the organization', async () => {
    const client = await connect()
    const { body: calendar } = await client.post(calendars, { summary: 'Team' })
    const path = `${calendars}/${calendar.id}/transferOwnership`
    const newDataOwner = 'mina.park@flightplan.example'
    for (const [params, location] of [
      [{ newDataOwner }, 'useAdminAccess'],
      [{ newDataOwner, useAdminAccess: false }, 'useAdminAccess'],
      [{ useAdminAccess: true }, 'newDataOwner'],
      [{ newDataOwner: 'nobody', useAdminAccess: true }, 'newDataOwner'],
      [{ newDataOwner: 'else@where.example', useAdminAccess: true }, 'newDataOwner'],
    ] as const) {
      const answer = await client.post(`${path}${query(params as Record<string, string>)}`)
      expect([answer.status, answer.location]).toEqual([400, location])
    }
    expect((await client.post(`${path}${query({ newDataOwner, useAdminAccess: true })}`)).status).toBe(204)
    expect((await client.get(`${calendars}/${calendar.id}`)).body.dataOwner).toBe(newDataOwner)
    expect((await client.as('mina', 'calendar.calendarList.get', { calendarId: calendar.id })).body.accessRole).toBe(
      'owner',
    )
    expect(
      (await client.post(`${calendars}/primary/transferOwnership${query({ newDataOwner, useAdminAccess: true })}`))
        .status,
    ).toBe(400)
  })
})

describe('the calendar list', () => {
  it("has the user's settings and the calendar's", async () => {
    const client = await connect()
    const { body: calendar } = await client.post(calendars, { summary: 'Team' })
    const path = `${list}/${calendar.id}`
    const { body: patched } = await client.patch(path, {
      summaryOverride: 'Mine',
      colorId: '3',
      defaultReminders: [{ method: 'popup', minutes: 5 }],
      summary: 'ignored',
    })
    expect(patched).toMatchObject({
      summary: 'Team',
      summaryOverride: 'Mine',
      colorId: '3',
      backgroundColor: '#f83a22',
      defaultReminders: [{ method: 'popup', minutes: 5 }],
    })
    expect((await client.get(`${calendars}/${calendar.id}/events`)).body.defaultReminders).toEqual([
      { method: 'popup', minutes: 5 },
    ])
    const { body: updated } = await client.put(path, { selected: true }, { 'if-match': patched.etag })
    expect(updated).toMatchObject({ selected: true, hidden: false, colorId: '3', defaultReminders: [] })
    expect(updated).not.toHaveProperty('summaryOverride')
    expect((await client.put(path, { selected: true }, { 'if-match': patched.etag })).status).toBe(412)
    expect((await client.patch(path, { colorId: '99' })).location).toBe('colorId')
    expect((await client.patch(path, { defaultReminders: [{ method: 'popup' }] })).location).toBe(
      'defaultReminders[0].minutes',
    )
    expect(
      (await client.patch(path, { notificationSettings: { notifications: [{ type: 'agenda', method: 'sms' }] } }))
        .location,
    ).toBe('notificationSettings.notifications[0].method')
  })

  it('stores custom colors only with colorRgbFormat, and finds the nearest color ID', async () => {
    const client = await connect()
    const { body: calendar } = await client.post(calendars, { summary: 'Team' })
    const path = `${list}/${calendar.id}`
    await client.patch(path, { colorId: '7' })
    const colors = { backgroundColor: '#ac7260', foregroundColor: '#ffffff' }
    expect((await client.patch(path, colors)).body).toMatchObject({ colorId: '7', backgroundColor: '#42d692' })
    expect((await client.patch(`${path}?colorRgbFormat=true`, colors)).body).toMatchObject({ colorId: '1', ...colors })
    expect((await client.patch(`${path}?colorRgbFormat=true`, { backgroundColor: 'red' })).location).toBe(
      'backgroundColor',
    )
    expect((await client.patch(path, { colorId: '2' })).body.backgroundColor).toBe('#d06b64')
  })

  it('hides, filters, and pages entries, and allows removing and restoring all but the primary', async () => {
    const client = await connect()
    const made: string[] = []
    for (const summary of ['A', 'B', 'C']) made.push((await client.post(calendars, { summary })).body.id)
    await client.patch(`${list}/${made[0]}`, { hidden: true })
    expect(ids((await client.get(list)).body)).not.toContain(made[0])
    expect(ids((await client.get(`${list}?showHidden=true`)).body)).toContain(made[0])
    const page = await client.get(`${list}?maxResults=2`)
    const rest = await client.get(`${list}${query({ maxResults: 2, pageToken: page.body.nextPageToken })}`)
    expect([...ids(page.body), ...ids(rest.body)]).toHaveLength(3)
    expect((await client.del(`${list}/${made[1]}`)).status).toBe(204)
    expect((await client.get(`${list}/${made[1]}`)).status).toBe(404)
    expect(
      (await client.get(`${list}?showDeleted=true`)).body.items.find((item: { id: string }) => item.id === made[1])
        .deleted,
    ).toBe(true)
    expect((await client.post(list, { id: made[1], colorId: '4' })).body).toMatchObject({ id: made[1], colorId: '4' })
    expect((await client.get(`${list}/${made[1]}`)).status).toBe(200)
    expect((await client.del(`${list}/primary`)).status).toBe(403)
    expect((await client.post(list, { id: 'nowhere@x.example' })).status).toBe(404)
    const missing = await client.post(list, { colorId: '4' })
    expect([missing.status, missing.reason, missing.location]).toEqual([400, 'required', 'resource.id'])
    expect(ids((await client.get(`${list}?minAccessRole=owner&showHidden=true`)).body)).toHaveLength(4)
  })
})

describe('a calendar list entry', () => {
  it('changes with its calendar and role outside of sync, but syncs a loss of access', async () => {
    const client = await connect()
    const { body: calendar } = await client.post(calendars, { summary: 'Team' })
    const acl = `${calendars}/${calendar.id}/acl`
    const rule = `${acl}/user:mina.park@flightplan.example`
    await client.post(acl, { role: 'reader', scope: { type: 'user', value: 'mina.park@flightplan.example' } })
    await client.as('mina', 'calendar.calendarList.insert', {}, { id: calendar.id })
    const read = async () => {
      const [entry, list] = await Promise.all([
        client.as('mina', 'calendar.calendarList.get', { calendarId: calendar.id }),
        client.as('mina', 'calendar.calendarList.list', {}),
      ])
      expect(list.body.items).toContainEqual(entry.body)
      return { entry: entry.body, listEtag: list.body.etag, syncToken: list.body.nextSyncToken }
    }
    const first = await read()
    const sync = async (): Promise<unknown[]> =>
      (await client.as('mina', 'calendar.calendarList.list', { syncToken: first.syncToken })).body.items
    let before = first
    for (const [change, shown] of [
      [
        () =>
          client.patch(`${calendars}/${calendar.id}`, { summary: 'Crew', timeZone: 'Asia/Tokyo', description: 'D' }),
        { summary: 'Crew', timeZone: 'Asia/Tokyo', description: 'D' },
      ],
      [() => client.patch(rule, { role: 'writer' }), { accessRole: 'writer' }],
    ] as const) {
      expect((await change()).status).toBe(200)
      const now = await read()
      expect(now.entry).toMatchObject(shown)
      expect([now.entry.etag === before.entry.etag, now.listEtag === before.listEtag]).toEqual([false, false])
      expect(await sync()).toEqual([])
      before = now
    }
    await client.del(rule)
    expect(await sync()).toEqual([expect.objectContaining({ id: calendar.id, deleted: true })])
  })
})

describe('access rules', () => {
  const scope = { type: 'user', value: 'mina.park@flightplan.example' }

  it('grant and revoke access by role', async () => {
    const client = await connect()
    const { body: calendar } = await client.post(calendars, { summary: 'Team' })
    const calendarId = calendar.id
    const acl = `${calendars}/${calendarId}/acl`
    const insert = (summary: string) =>
      client.as('mina', 'calendar.events.insert', { calendarId }, timedEvent({ summary }))
    expect((await insert('none')).status).toBe(404)
    const { body: rule } = await client.post(acl, { role: 'freeBusyReader', scope })
    expect(rule).toMatchObject({
      kind: 'calendar#aclRule',
      id: 'user:mina.park@flightplan.example',
      role: 'freeBusyReader',
      scope,
    })
    await client.post(`${calendars}/${calendarId}/events`, timedEvent({ id: 'open0', summary: 'Open' }))
    await client.post(
      `${calendars}/${calendarId}/events`,
      timedEvent({ id: 'secret0', summary: 'Secret', visibility: 'private' }),
    )
    const seen = async () =>
      (await client.as('mina', 'calendar.events.list', { calendarId })).body.items.map(
        (item: { summary?: string }) => item.summary,
      )
    expect(await seen()).toEqual([undefined, undefined])
    await client.patch(`${acl}/${rule.id}`, { role: 'reader' })
    expect(await seen()).toEqual(['Open', undefined])
    const refused = await insert('reader')
    expect([refused.status, refused.reason, refused.body.error.errors[0].domain]).toEqual([
      403,
      'requiredAccessLevel',
      'calendar',
    ])
    await client.put(`${acl}/${rule.id}`, { role: 'writer', scope })
    expect((await insert('writer')).status).toBe(200)
    expect(await seen()).toContain('Secret')
    expect((await client.as('mina', 'calendar.calendars.delete', { calendarId })).status).toBe(403)
    await client.as('mina', 'calendar.calendarList.insert', {}, { id: calendarId })
    expect((await client.del(`${acl}/${rule.id}`)).status).toBe(204)
    expect((await insert('none')).status).toBe(404)
    expect((await client.as('mina', 'calendar.calendarList.get', { calendarId })).status).toBe(404)
    expect((await client.get(`${acl}/${rule.id}`)).status).toBe(404)
  })

  it('are replaced by a second insert, validated, guarded, and keep the owner', async () => {
    const client = await connect()
    const acl = `${calendars}/primary/acl`
    await client.post(acl, { role: 'reader', scope })
    const { body: rule } = await client.post(acl, { role: 'writer', scope })
    expect((await client.get(acl)).body.items).toHaveLength(2)
    expect((await client.patch(`${acl}/${rule.id}`, { role: 'reader' }, { 'if-match': '"1"' })).status).toBe(412)
    for (const [body, location] of [
      [{ scope }, 'role'],
      [{ role: 'reader' }, 'scope'],
      [{ role: 'king', scope }, 'role'],
      [{ role: 'reader', scope: { value: 'a@b.example' } }, 'scope.type'],
      [{ role: 'reader', scope: { type: 'user' } }, 'scope.value'],
      [{ role: 'reader', scope: { type: 'user', value: 'nobody' } }, 'scope.value'],
    ] as const) {
      const answer = await client.post(acl, body)
      expect([body, answer.status, answer.location]).toEqual([body, 400, location])
    }
    const own = `user:${client.sandbox.ids.email}`
    for (const answer of [await client.del(`${acl}/${own}`), await client.patch(`${acl}/${own}`, { role: 'reader' })]) {
      expect([answer.status, answer.reason]).toEqual([403, 'cannotChangeOwnAcl'])
    }
    expect((await client.post(acl, { role: 'freeBusyReader', scope: { type: 'default' } })).body.id).toBe('default')
    expect(
      (await client.post(acl, { role: 'reader', scope: { type: 'domain', value: 'flightplan.example' } })).body.id,
    ).toBe('domain:flightplan.example')
    await client.del(`${acl}/default`)
    await client.del(`${acl}/domain:flightplan.example`)
    // A domain doesn't match every address with that suffix.
    await client.post(acl, { role: 'reader', scope: { type: 'domain', value: 'plan.example' } })
    expect((await client.as('jonas', 'calendar.events.list', { calendarId: client.sandbox.ids.email! })).status).toBe(
      404,
    )
    await client.post(acl, { role: 'reader', scope: { type: 'domain', value: 'flightplan.example' } })
    expect((await client.as('jonas', 'calendar.events.list', { calendarId: client.sandbox.ids.email! })).status).toBe(
      200,
    )
    expect(
      (await client.put(`${acl}/${rule.id}`, { role: 'reader', scope: { type: 'user', value: 'x@y.example' } }))
        .location,
    ).toBe('scope')
    expect((await client.del(`${acl}/user:x@y.example`)).status).toBe(404)
  })

  it('notify the person by email unless sendNotifications is false', async () => {
    const client = await connect()
    await client.post(`${calendars}/primary/acl?sendNotifications=false`, { role: 'reader', scope })
    expect((await client.get('/sandbox/v1/mails')).body.mails).toEqual([])
    await client.patch(`${calendars}/primary/acl/user:${scope.value}`, { role: 'writer' })
    expect((await client.get('/sandbox/v1/mails')).body.mails).toMatchObject([{ recipient: scope.value }])
  })
})

describe('settings and colors', () => {
  it('can be read and paged, and return 404 if unknown', async () => {
    const client = await connect()
    const settings = '/calendar/v3/users/me/settings'
    expect((await client.get(`${settings}/timezone`)).body).toMatchObject({
      kind: 'calendar#setting',
      id: 'timezone',
      value: 'Europe/Berlin',
    })
    expect((await client.get(`${settings}/nope`)).status).toBe(404)
    const all = await client.get(settings)
    const page = await client.get(`${settings}?maxResults=4`)
    expect(page.body.items).toEqual(all.body.items.slice(0, 4))
    expect((await client.get(`${settings}?syncToken=${all.body.nextSyncToken}`)).body.items).toEqual([])
    const { body: colors } = await client.get('/calendar/v3/colors')
    expect([Object.keys(colors.calendar).length, Object.keys(colors.event).length]).toEqual([24, 11])
    expect(colors.event['1']).toEqual({ background: '#a4bdfc', foreground: '#1d1d1d' })
  })
})

describe('free/busy', () => {
  const path = '/calendar/v3/freeBusy'
  const window = { timeMin: '2026-01-05T00:00:00Z', timeMax: '2026-01-08T00:00:00Z' }

  it('merges busy times and omits free ones', async () => {
    const client = await connect()
    const email = client.sandbox.ids.email!
    const { body: series } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
    await client.del(`${events}/${series.id}_20260106T080000Z`)
    await client.patch(`${events}/${series.id}_20260107T080000Z`, { transparency: 'transparent' })
    await client.post(events, timedEvent({}, 10))
    await client.post(events, timedEvent({ transparency: 'transparent' }, 14))
    await client.post(events, timedEvent({ attendees: [{ email, responseStatus: 'declined' }] }, 16))
    await client.post(events, { start: { date: '2026-01-07' }, end: { date: '2026-01-08' } })
    const { status, body } = await client.post(path, {
      ...window,
      items: [{ id: 'primary' }, { id: email }],
      timeZone: 'Europe/Berlin',
    })
    expect(status).toBe(200)
    const busy = [
      { start: '2026-01-05T09:00:00+01:00', end: '2026-01-05T11:00:00+01:00' },
      { start: '2026-01-07T00:00:00+01:00', end: '2026-01-08T00:00:00+01:00' },
    ]
    expect(body).toMatchObject({ kind: 'calendar#freeBusy', calendars: { primary: { busy }, [email]: { busy } } })
  })

  it('reports errors per entry, expands groups, and enforces limits', async () => {
    const client = await connect()
    const group = 'planning@flightplan.example'
    const { body } = await client.post(path, { ...window, items: [{ id: 'nobody@x.example' }, { id: group }] })
    expect(body.calendars['nobody@x.example'].errors).toEqual([{ domain: 'global', reason: 'notFound' }])
    expect(body.groups[group].calendars).toHaveLength(3)
    expect(body.calendars['mina.park@flightplan.example']).toEqual({ busy: [] })
    const small = await client.post(path, { ...window, items: [{ id: group }], groupExpansionMax: 2 })
    expect(small.body.groups[group].errors[0].reason).toBe('groupTooBig')
    const many = Array.from({ length: 51 }, (_, at) => ({ id: `c${at}@x.example` }))
    const crowded = await client.post(path, { ...window, items: many })
    expect([crowded.status, crowded.body.calendars['c50@x.example'].errors[0].reason]).toEqual([
      200,
      'tooManyCalendarsRequested',
    ])
    for (const [extra, location] of [
      [{ calendarExpansionMax: 51 }, 'calendarExpansionMax'],
      [{ groupExpansionMax: 101 }, 'groupExpansionMax'],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ timeMin: undefined }, 'timeMin'],
      [{ timeMax: undefined }, 'timeMax'],
      [{ timeMax: window.timeMin }, 'timeMax'],
      [{ timeMin: 'soon' }, 'timeMin'],
      [{ items: 'all' }, 'items'],
    ] as const) {
      const answer = await client.post(path, { ...window, items: [{ id: 'primary' }], ...extra })
      expect([extra, answer.status, answer.location]).toEqual([extra, 400, location])
    }
  })
})

describe('conferences', () => {
  const ask = (requestId: string, type = 'videoMeet') => ({
    conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type } } },
  })
  const versioned = `${events}?conferenceDataVersion=1`
  const wait = async (client: Awaited<ReturnType<typeof connect>>, id: string, code: string) => {
    for (let attempt = 0; attempt < 1500; attempt++) {
      const { body } = await client.get(`${events}/${id}`)
      if (body.conferenceData?.createRequest?.status.statusCode === code) return body
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`never ${code}`)
  }

  it('are ignored and kept without conferenceDataVersion', async () => {
    const client = await connect()
    expect((await client.post(events, timedEvent(ask('r1')))).body).not.toHaveProperty('conferenceData')
    const { body: event } = await client.post(versioned, timedEvent(ask('r1')))
    const done = await wait(client, event.id, 'success')
    expect((await client.put(`${events}/${event.id}`, timedEvent({ summary: 'x' }))).body.conferenceData).toEqual(
      done.conferenceData,
    )
    expect((await client.patch(`${events}/${event.id}`, { conferenceData: null })).body.videoLink).toBe(done.videoLink)
    const { body: without } = await client.patch(`${events}/${event.id}?conferenceDataVersion=1`, {
      conferenceData: null,
    })
    expect([without.conferenceData, without.videoLink]).toEqual([undefined, undefined])
    expect((await client.get(`${events}?conferenceDataVersion=2`)).status).toBe(200)
    expect((await client.post(`${events}?conferenceDataVersion=2`, timedEvent())).location).toBe(
      'conferenceDataVersion',
    )
  })

  it('arrive shortly after the request, as a synced change', async () => {
    const client = await connect()
    const { body: event } = await client.post(versioned, timedEvent(ask('r1')))
    expect(event.conferenceData).toEqual({
      createRequest: {
        requestId: 'r1',
        conferenceSolutionKey: { type: 'videoMeet' },
        status: { statusCode: 'pending' },
      },
    })
    const { body: before } = await client.get(events)
    const done = await wait(client, event.id, 'success')
    expect(done.conferenceData).toMatchObject({
      conferenceSolution: { key: { type: 'videoMeet' } },
      entryPoints: [{ entryPointType: 'video', uri: done.videoLink }, { entryPointType: 'phone' }],
    })
    expect(done.conferenceData.conferenceId && done.conferenceData.signature).toBeTruthy()
    expect(done.etag).not.toBe(event.etag)
    expect((await client.get(`${events}?syncToken=${before.nextSyncToken}`)).body.items).toHaveLength(1)
    const again = await client.patch(`${events}/${event.id}?conferenceDataVersion=1`, ask('r1'))
    expect(again.body.conferenceData).toEqual(done.conferenceData)
    const fresh = await client.patch(`${events}/${event.id}?conferenceDataVersion=1`, ask('r2'))
    expect(fresh.body.conferenceData.createRequest.status.statusCode).toBe('pending')
    expect((await wait(client, event.id, 'success')).conferenceData.conferenceId).not.toBe(
      done.conferenceData.conferenceId,
    )
  })

  it("can fail, and are rejected for types the calendar doesn't allow", async () => {
    const client = await connect()
    const { body: event } = await client.post(versioned, timedEvent(ask('fail-1')))
    const failed = await wait(client, event.id, 'failure')
    expect(Object.keys(failed.conferenceData)).toEqual(['createRequest'])
    for (const type of ['eventVideo', 'eventNamedVideo', 'addOn', 'carrierPigeon']) {
      const answer = await client.post(versioned, timedEvent(ask('r1', type)))
      expect([type, answer.status, answer.location, answer.body.error.message]).toEqual([
        ...[type, 400, 'conferenceData.createRequest.conferenceSolutionKey.type'],
        'Invalid conference type value.',
      ])
    }
    expect((await client.post(versioned, timedEvent({ conferenceData: { createRequest: {} } }))).location).toBe(
      'conferenceData.createRequest.requestId',
    )
  })
})
