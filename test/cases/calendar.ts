import { expect } from 'vitest'
import type { Event } from '#shared/wire/calendar/types'
import type { Cases, World } from './world'

const primary = 'alex.morgan@flightplan.example'
const mina = 'mina.park@flightplan.example'
const times = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}

export function calendarCases(world: World): Cases<'calendar'> {
  const { call, caller } = world
  const newEvent = async (more: Event = {}): Promise<Event & { id: string; etag: string }> => {
    const body = { summary: world.unique(), ...times, ...more }
    return (await caller.call('calendar.events.insert', { calendarId: primary }, { body })).body as never
  }
  const newCalendar = async (): Promise<string> =>
    (await caller.call('calendar.calendars.insert', {}, { body: { summary: world.unique() } })).body.id!
  const shared = async (): Promise<{ calendarId: string; ruleId: string }> => {
    const body = { role: 'reader', scope: { type: 'user', value: mina } } as const
    const rule = await caller.call('calendar.acl.insert', { calendarId: primary }, { body })
    return { calendarId: primary, ruleId: rule.body.id! }
  }
  const calendarEntry = (calendarId: string): ReturnType<typeof call<'calendar.calendarList.get'>> =>
    call('calendar.calendarList.get', { calendarId })
  return {
    'calendar.acl.insert': async () => {
      const { body } = await call(
        'calendar.acl.insert',
        { calendarId: primary },
        { body: { role: 'reader', scope: { type: 'user', value: mina } } },
      )
      expect(body).toMatchObject({ id: `user:${mina}`, role: 'reader' })
    },
    'calendar.acl.get': async () => expect((await call('calendar.acl.get', await shared())).body.role).toBe('reader'),
    'calendar.acl.list': async () => {
      const { calendarId, ruleId } = await shared()
      const { items } = (await call('calendar.acl.list', { calendarId })).body
      expect(items!.map(({ id }) => id)).toContain(ruleId)
    },
    'calendar.acl.patch': async () => {
      const rule = await shared()
      await call('calendar.acl.patch', rule, { body: { role: 'freeBusyReader' } })
      expect((await caller.call('calendar.acl.get', rule)).body.role).toBe('freeBusyReader')
    },
    'calendar.acl.update': async () => {
      const rule = await shared()
      await call('calendar.acl.update', rule, { body: { role: 'writer', scope: { type: 'user', value: mina } } })
      expect((await caller.call('calendar.acl.get', rule)).body.role).toBe('writer')
    },
    'calendar.acl.watch': async () => {
      const { body } = await call('calendar.acl.watch', { calendarId: primary }, { body: world.channel() })
      expect(await world.wasNotified(body.id!, 'sync')).toBe(true)
    },
    'calendar.acl.delete': async () => {
      const rule = await shared()
      await call('calendar.acl.delete', rule)
      expect(await world.gone(caller.call('calendar.acl.get', rule))).toBe(true)
    },
    'calendar.calendars.insert': async () => {
      const { body } = await call(
        'calendar.calendars.insert',
        {},
        { body: { summary: 'Launches', timeZone: 'Asia/Tokyo' } },
      )
      expect((await caller.call('calendar.calendars.get', { calendarId: body.id! })).body).toMatchObject({
        summary: 'Launches',
        timeZone: 'Asia/Tokyo',
      })
    },
    'calendar.calendars.get': async () =>
      expect((await call('calendar.calendars.get', { calendarId: 'primary' })).body.id).toBe(primary),
    'calendar.calendars.patch': async () => {
      const calendarId = await newCalendar()
      await call('calendar.calendars.patch', { calendarId }, { body: { location: 'Berlin' } })
      expect((await caller.call('calendar.calendars.get', { calendarId })).body).toMatchObject({
        location: 'Berlin',
        summary: expect.any(String) as string,
      })
    },
    'calendar.calendars.update': async () => {
      const calendarId = await newCalendar()
      await call('calendar.calendars.update', { calendarId }, { body: { summary: 'Renamed' } })
      expect((await caller.call('calendar.calendars.get', { calendarId })).body.summary).toBe('Renamed')
    },
    'calendar.calendars.delete': async () => {
      const calendarId = await newCalendar()
      await call('calendar.calendars.delete', { calendarId })
      expect(await world.gone(caller.call('calendar.calendars.get', { calendarId }))).toBe(true)
    },
    'calendar.calendars.clear': async () => {
      const { id } = await newEvent()
      await call('calendar.calendars.clear', { calendarId: 'primary' })
      const { items } = (await caller.call('calendar.events.list', { calendarId: primary })).body
      expect(items!.map((event) => event.id)).not.toContain(id)
    },
    'calendar.calendars.transferOwnership': async () => {
      const calendarId = await newCalendar()
      await call('calendar.calendars.transferOwnership', {
        calendarId,
        newDataOwner: mina,
        useAdminAccess: true as never,
      })
      expect((await caller.call('calendar.calendars.get', { calendarId })).body.dataOwner).toBe(mina)
    },
    'calendar.calendarList.list': async () =>
      expect((await call('calendar.calendarList.list', {})).body.items!.map(({ id }) => id)).toContain(primary),
    'calendar.calendarList.get': async () =>
      expect((await calendarEntry(primary)).body).toMatchObject({ primary: true, accessRole: 'owner' }),
    'calendar.calendarList.delete': async () => {
      const calendarId = await newCalendar()
      await call('calendar.calendarList.delete', { calendarId })
      expect(await world.gone(caller.call('calendar.calendarList.get', { calendarId }))).toBe(true)
    },
    'calendar.calendarList.insert': async () => {
      const calendarId = await newCalendar()
      await caller.call('calendar.calendarList.delete', { calendarId })
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
      expect(
        await world.wasNotified(
          (await call('calendar.calendarList.watch', {}, { body: world.channel() })).body.id!,
          'sync',
        ),
      ).toBe(true),
    'calendar.channels.stop': async () => {
      const { body } = await caller.call('calendar.events.watch', { calendarId: primary }, { body: world.channel() })
      await call('calendar.channels.stop', {}, { body: { id: body.id, resourceId: body.resourceId } })
      expect(
        await world.gone(
          caller.call('calendar.channels.stop', {}, { body: { id: body.id, resourceId: body.resourceId } }),
        ),
      ).toBe(true)
    },
    'calendar.colors.get': async () =>
      expect(Object.keys((await call('calendar.colors.get', {})).body.event!).length).toBeGreaterThan(5),
    'calendar.events.insert': async () => {
      const id = world.unique().replace('op', 'fp')
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
        (await call('calendar.events.list', { calendarId: primary, q: 'findable' })).body.items!.map(
          (event) => event.id,
        ),
      ).toEqual([id])
    },
    'calendar.events.patch': async () => {
      const { id, summary } = await newEvent()
      await call('calendar.events.patch', { calendarId: primary, eventId: id }, { body: { location: 'Room 1' } })
      expect((await caller.call('calendar.events.get', { calendarId: primary, eventId: id })).body).toMatchObject({
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
      const { body } = await caller.call('calendar.events.get', { calendarId: primary, eventId: id })
      expect([body.summary, body.location]).toEqual(['Whole', undefined])
      await expect(
        caller.call('calendar.events.update', { calendarId: primary, eventId: id }, { body: times, ifMatch: etag }),
      ).rejects.toMatchObject({ fault: { code: 'preconditionFailed', status: 412 } })
    },
    'calendar.events.delete': async () => {
      const { id } = await newEvent()
      await call('calendar.events.delete', { calendarId: primary, eventId: id })
      expect((await caller.call('calendar.events.get', { calendarId: primary, eventId: id })).body.status).toBe(
        'cancelled',
      )
      expect(await world.gone(caller.call('calendar.events.delete', { calendarId: primary, eventId: id }))).toBe(true)
    },
    'calendar.events.import': async () => {
      const iCalUID = `${world.unique()}@elsewhere.example`
      await call(
        'calendar.events.import',
        { calendarId: primary },
        { body: { iCalUID, ...times, summary: 'Imported' } },
      )
      expect((await caller.call('calendar.events.list', { calendarId: primary, iCalUID })).body.items).toHaveLength(1)
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
      expect((await caller.call('calendar.events.get', { calendarId: destination, eventId: id })).body.status).toBe(
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
      const { body } = await call('calendar.events.watch', { calendarId: primary }, { body: world.channel() })
      expect(await world.wasNotified(body.id!, 'sync')).toBe(true)
      await newEvent()
      expect(await world.wasNotified(body.id!, 'exists')).toBe(true)
    },
    'calendar.freebusy.query': async () => {
      const calendarId = await newCalendar()
      await caller.call('calendar.events.insert', { calendarId }, { body: times })
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
      expect(
        await world.wasNotified(
          (await call('calendar.settings.watch', {}, { body: world.channel() })).body.id!,
          'sync',
        ),
      ).toBe(true),
  }
}
