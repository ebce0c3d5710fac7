import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { allDayEvent, connect, events, query, timedEvent, type Client } from './client'

interface Shown {
  id: string
  status: string
  summary?: string
  start?: { dateTime?: string; date?: string }
  originalStartTime?: unknown
}

const weekly = (extra: Record<string, unknown> = {}) =>
  timedEvent({ summary: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'], ...extra })
const list = async (client: Client, params: Record<string, string | boolean> = {}): Promise<Shown[]> =>
  (await client.get(`${events}${query(params)}`)).body.items
const instances = async (client: Client, id: string, params: Record<string, string | boolean> = {}): Promise<Shown[]> =>
  (await client.get(`${events}/${id}/instances${query(params)}`)).body.items

describe('recurring events', () => {
  it('are one entry in a plain list, and instances with singleEvents', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    expect((await list(client)).map(({ id }) => id)).toEqual([master.id])
    const single = await list(client, { singleEvents: true, orderBy: 'startTime' })
    expect(single.map(({ id }) => id)).toEqual(
      ['0105', '0112', '0119', '0126'].map((day) => `${master.id}_2026${day}T080000Z`),
    )
    expect(single[1]).toMatchObject({
      recurringEventId: master.id,
      originalStartTime: { dateTime: '2026-01-12T09:00:00+01:00', timeZone: 'Europe/Berlin' },
      start: { dateTime: '2026-01-12T09:00:00+01:00' },
      iCalUID: master.iCalUID,
      etag: master.etag,
    })
    expect(single[1]).not.toHaveProperty('recurrence')
  })

  it('keep their wall-clock time across clock changes', async () => {
    const client = await connect()
    const at = (hour: string) => ({ dateTime: `2026-03-27T${hour}:00:00`, timeZone: 'Europe/Berlin' })
    const { body: master } = await client.post(events, {
      start: at('09'),
      end: at('10'),
      recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
    })
    expect((await instances(client, master.id)).map(({ id, start }) => [id.slice(-16), start?.dateTime])).toEqual([
      ['20260327T080000Z', '2026-03-27T09:00:00+01:00'],
      ['20260328T080000Z', '2026-03-28T09:00:00+01:00'],
      ['20260329T070000Z', '2026-03-29T09:00:00+02:00'],
      ['20260330T070000Z', '2026-03-30T09:00:00+02:00'],
    ])
  })

  it('name all-day instances by date', async () => {
    const client = await connect()
    const { body: master } = await client.post(
      events,
      allDayEvent('2026-01-05', '2026-01-07', { recurrence: ['RRULE:FREQ=DAILY;INTERVAL=3;COUNT=2'] }),
    )
    const found = await instances(client, master.id)
    expect(found.map(({ id }) => id)).toEqual([`${master.id}_20260105`, `${master.id}_20260108`])
    expect(found[1]).toMatchObject({
      start: { date: '2026-01-08' },
      end: { date: '2026-01-10' },
      originalStartTime: { date: '2026-01-08' },
    })
  })

  it('need a zone and RFC 5545 lines without DTSTART', async () => {
    const client = await connect()
    const at = { dateTime: '2026-01-05T09:00:00Z' }
    const zoneless = await client.post(events, { start: at, end: at, recurrence: ['RRULE:FREQ=DAILY'] })
    expect([zoneless.status, zoneless.location]).toEqual([400, 'start.timeZone'])
    for (const recurrence of [
      ['DTSTART:20260105T090000Z'],
      ['DTEND:20260105T090000Z', 'RRULE:FREQ=DAILY'],
      ['FREQ=DAILY'],
      ['RRULE:FREQ=SOMETIMES'],
      ['RRULE:COUNT=3'],
      ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260201T000000Z'],
      ['RRULE:FREQ=DAILY;COUNT=0'],
      ['RRULE:FREQ=DAILY;BYDAY=XX'],
      ['EXDATE:20260105T080000Z'],
      ['RDATE:yesterday'],
      [''],
    ]) {
      const answer = await client.post(events, timedEvent({ recurrence }))
      expect([recurrence, answer.status, answer.location]).toEqual([recurrence, 400, 'recurrence'])
    }
    expect(
      (
        await client.post(
          events,
          weekly({
            recurrence: [
              'RRULE:FREQ=WEEKLY;COUNT=4',
              'EXDATE;TZID=Europe/Berlin:20260112T090000',
              'RDATE:20260114T080000Z',
            ],
          }),
        )
      ).status,
    ).toBe(200)
    expect(
      (await list(client, { singleEvents: true, orderBy: 'startTime' })).map(({ start }) =>
        start?.dateTime?.slice(0, 10),
      ),
    ).toEqual(['2026-01-05', '2026-01-14', '2026-01-19', '2026-01-26'])
  })

  it('return an unchanged instance, and 404 for a time outside the series', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const { status, body } = await client.get(`${events}/${master.id}_20260119T080000Z`)
    expect([status, body.summary, body.recurringEventId]).toEqual([200, 'Weekly', master.id])
    for (const suffix of ['20260120T080000Z', '20260119', '20260202T080000Z', 'x']) {
      expect((await client.get(`${events}/${master.id}_${suffix}`)).status).toBe(404)
    }
  })

  it('turn a moved or edited instance into an exception with its ID and original start', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const id = `${master.id}_20260112T080000Z`
    const moved = await client.patch(
      `${events}/${id}`,
      {
        start: { dateTime: '2026-01-13T15:00:00+01:00' },
        end: { dateTime: '2026-01-13T16:00:00+01:00' },
      },
      { 'if-match': master.etag },
    )
    expect(moved.body).toMatchObject({
      id,
      start: { dateTime: '2026-01-13T15:00:00+01:00' },
      originalStartTime: { dateTime: '2026-01-12T09:00:00+01:00' },
    })
    const whole = await client.get(`${events}/${master.id}_20260119T080000Z`)
    const edited = await client.put(`${events}/${whole.body.id}`, { ...whole.body, summary: 'Edited' })
    expect([edited.status, edited.body.summary]).toEqual([200, 'Edited'])
    expect((await list(client)).map((event) => event.id).sort()).toEqual([id, master.id, whole.body.id].sort())
    expect(
      (await list(client, { singleEvents: true, orderBy: 'startTime' })).map((event) => event.start?.dateTime),
    ).toEqual([
      '2026-01-05T09:00:00+01:00',
      '2026-01-13T15:00:00+01:00',
      '2026-01-19T09:00:00+01:00',
      '2026-01-26T09:00:00+01:00',
    ])
    const onDay = { timeMin: '2026-01-13T00:00:00Z', timeMax: '2026-01-14T00:00:00Z' }
    expect((await list(client, { singleEvents: true, ...onDay })).map((event) => event.id)).toEqual([id])
    expect((await instances(client, master.id, onDay)).map((event) => event.id)).toEqual([id])
    const stale = await client.patch(`${events}/${id}`, { summary: 'No' }, { 'if-match': master.etag })
    expect(stale.status).toBe(412)
  })

  it('leave a canceled exception with only its identity', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const id = `${master.id}_20260112T080000Z`
    expect((await client.del(`${events}/${id}`)).status).toBe(204)
    const { body } = await client.get(`${events}/${id}`)
    const { etag, ...rest } = body
    expect(etag).toMatch(/^"\d+"$/)
    expect(rest).toEqual({
      kind: 'calendar#event',
      id,
      status: 'cancelled',
      recurringEventId: master.id,
      originalStartTime: { dateTime: '2026-01-12T09:00:00+01:00', timeZone: 'Europe/Berlin' },
    })
    expect((await client.del(`${events}/${id}`)).reason).toBe('deleted')
    expect((await list(client)).map(({ status }) => status).sort()).toEqual(['cancelled', 'confirmed'])
    expect((await list(client, { singleEvents: true })).map(({ status }) => status)).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
    ])
    expect(await list(client, { singleEvents: true, showDeleted: true })).toHaveLength(4)
    expect(await instances(client, master.id)).toHaveLength(3)
    expect(await instances(client, master.id, { showDeleted: true })).toHaveLength(4)
    expect(
      (await client.put(`${events}/${id}`, timedEvent({ status: 'confirmed', summary: 'Back' }))).body.status,
    ).toBe('confirmed')
    expect(await instances(client, master.id)).toHaveLength(4)
  })

  it("pass on what exceptions didn't change", async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const id = `${master.id}_20260112T080000Z`
    const { body: exception } = await client.patch(`${events}/${id}`, { summary: 'Special' })
    await client.patch(`${events}/${master.id}`, { summary: 'Renamed', location: 'Room Fjord' })
    const { body } = await client.get(`${events}/${id}`)
    expect([body.summary, body.location]).toEqual(['Special', 'Room Fjord'])
    expect(body.etag).not.toBe(exception.etag)
  })

  it('drop exceptions without an occurrence and restore them when it returns', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const id = `${master.id}_20260119T080000Z`
    await client.patch(`${events}/${id}`, { summary: 'Special' })
    const first = await client.get(events)
    const until = ['RRULE:FREQ=WEEKLY;UNTIL=20260118T225959Z']
    await client.patch(`${events}/${master.id}`, { recurrence: until })
    expect((await list(client)).map((event) => event.id)).toEqual([master.id])
    expect(await list(client, { singleEvents: true })).toHaveLength(2)
    const sync = await list(client, { syncToken: first.body.nextSyncToken })
    expect(sync.map((event) => [event.id, event.status]).sort()).toEqual(
      [
        [master.id, 'confirmed'],
        [id, 'cancelled'],
      ].sort(),
    )
    await client.patch(`${events}/${master.id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] })
    expect((await client.get(`${events}/${id}`)).body).toMatchObject({ status: 'confirmed', summary: 'Special' })
  })

  it('are split by cutting the rule and inserting the rest', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    await client.patch(
      `${events}/${master.id}`,
      { recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20260118T225959Z'] },
      { 'if-match': master.etag },
    )
    const at = (hour: number) => ({ dateTime: `2026-01-19T${hour}:00:00+01:00`, timeZone: 'Europe/Berlin' })
    await client.post(events, {
      summary: 'Later',
      start: at(10),
      end: at(11),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
    })
    const shown = await list(client, { singleEvents: true, orderBy: 'startTime' })
    expect(shown.map((event) => `${event.start?.dateTime?.slice(5, 13)} ${event.summary}`)).toEqual([
      '01-05T09 Weekly',
      '01-12T09 Weekly',
      '01-19T10 Later',
      '01-26T10 Later',
    ])
  })

  it('are deleted and restored with their exceptions', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const id = `${master.id}_20260112T080000Z`
    await client.patch(`${events}/${id}`, { summary: 'Special' })
    const before = await client.get(events)
    await client.del(`${events}/${master.id}`)
    const sync = await list(client, { syncToken: before.body.nextSyncToken })
    expect(sync.map((event) => event.status)).toEqual(['cancelled', 'cancelled'])
    expect(await list(client)).toEqual([])
    expect(await list(client, { singleEvents: true })).toEqual([])
    expect((await client.del(`${events}/${id}`)).status).toBe(410)
    await client.put(`${events}/${master.id}`, weekly({ status: 'confirmed' }))
    expect((await list(client, { singleEvents: true, orderBy: 'startTime' })).map((event) => event.summary)).toEqual([
      'Weekly',
      'Special',
      'Weekly',
      'Weekly',
    ])
  })

  it('list instances in pages, by original start, from an inclusive timeMin', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    const path = `${events}/${master.id}/instances`
    const first = await client.get(`${path}?maxResults=3`)
    const second = await client.get(`${path}${query({ maxResults: 3, pageToken: first.body.nextPageToken })}`)
    expect([first.body.items.length, second.body.items.length, second.body.nextPageToken]).toEqual([3, 1, undefined])
    const one = await client.get(`${path}${query({ originalStart: '2026-01-19T09:00:00+01:00' })}`)
    expect(one.body.items.map((event: Shown) => event.id)).toEqual([`${master.id}_20260119T080000Z`])
    expect(await instances(client, master.id, { timeMin: '2026-01-26T09:00:00Z' })).toHaveLength(1)
    expect((await client.get(`${events}/nothing/instances`)).status).toBe(404)
    const { body: single } = await client.post(events, timedEvent())
    expect((await client.get(`${events}/${single.id}/instances`)).status).toBe(400)
  })

  it('without an end stay within a horizon, and match any window with an occurrence', async () => {
    const client = await connect({ now: () => Date.parse('2026-01-05T00:00:00Z') })
    await client.post(events, weekly({ recurrence: ['RRULE:FREQ=WEEKLY'] }))
    const all = await list(client, { singleEvents: true })
    expect(all.length).toBe(105)
    const atTheEndOfOne = { timeMin: '2026-01-12T09:00:00Z', timeMax: '2026-01-20T00:00:00Z' }
    expect(await list(client, atTheEndOfOne)).toHaveLength(1)
    const late = { timeMin: '2031-03-03T00:00:00Z', timeMax: '2031-03-10T00:00:00Z' }
    expect(await list(client, late)).toHaveLength(1)
    expect(await list(client, { ...late, singleEvents: true })).toHaveLength(1)
    expect(await list(client, { timeMin: '2026-01-06T00:00:00Z', timeMax: '2026-01-07T00:00:00Z' })).toEqual([])
  })

  it('extend their exceptions when they get longer', async () => {
    const client = await connect()
    const { body: series } = await client.post(events, timedEvent({ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] }))
    const second = `${series.id}_20260112T080000Z`
    await client.patch(`${events}/${second}`, { summary: 'Second' })
    await client.patch(`${events}/${series.id}`, { end: timedEvent({}, 14).end })
    const window = { singleEvents: true, timeMin: '2026-01-12T12:00:00Z', timeMax: '2026-01-12T13:00:00Z' }
    const { items } = (await client.get(`${events}${query(window)}`)).body
    expect(items.map((item: { summary: string }) => item.summary)).toEqual(['Second'])
  })

  it('survive rules that never or rarely occur', async () => {
    const client = await connect()
    for (const recurrence of [
      ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
      ['RRULE:FREQ=SECONDLY;COUNT=999999999'],
      ['RRULE:FREQ=SECONDLY'],
      ['RRULE:FREQ=MINUTELY'],
      ['RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3'],
      ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'],
    ]) {
      const answer = await client.post(events, timedEvent({ recurrence }))
      expect(answer.status).toBeLessThan(500)
      expect(
        (
          await client.get(
            `${events}${query({ singleEvents: true, timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-01-06T00:00:00Z', maxResults: 5 })}`,
          )
        ).status,
      ).toBe(200)
    }
  })
})

describe('a rule that would run forever', () => {
  const upTo = (last: number): string => Array.from({ length: last + 1 }, (_, index) => index).join(',')
  const exploding = [`RRULE:FREQ=DAILY;BYHOUR=${upTo(23)};BYMINUTE=${upTo(59)};BYSECOND=${upTo(59)}`]
  const dates = [`RDATE:${Array.from({ length: 5_001 }, () => '20260105T090000Z').join(',')}`]

  it('is rejected at `recurrence` on every path', async () => {
    const client = await connect()
    const { body: master } = await client.post(events, weekly())
    for (const recurrence of [exploding, ['RRULE:FREQ=SECONDLY'], dates]) {
      for (const answer of [
        await client.post(events, timedEvent({ recurrence })),
        await client.patch(`${events}/${master.id}`, { recurrence }),
        await client.put(`${events}/${master.id}`, timedEvent({ recurrence })),
        await client.post(`${events}/import`, timedEvent({ recurrence, iCalUID: 'abc@x.example' })),
      ]) {
        expect([answer.status, answer.location]).toEqual([400, 'recurrence'])
      }
    }
    expect(await list(client, { singleEvents: true })).toHaveLength(4)
  })

  it('from an older version blocks no list, free/busy, or deletion', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'flightplan-sandbox-'))
    const first = await connect({ dataDir })
    const { body: master } = await first.post(events, weekly())
    await first.patch(`${events}/${master.id}_20260112T080000Z`, { summary: 'Special' })
    await first.sandbox.stop()
    const database = new sqlite.Database(join(dataDir, 'sandbox.sqlite'))
    database.exec('PRAGMA locking_mode=EXCLUSIVE')
    database.run('UPDATE events SET data = replace(data, ?, ?) WHERE id = ?', [
      'RRULE:FREQ=WEEKLY;COUNT=4',
      exploding[0]!,
      master.id,
    ])
    database.close()
    const client = await connect({ dataDir })
    const { body: token } = await client.get(events)
    expect((await list(client)).map(({ id }) => id)).toContain(master.id)
    expect((await client.get(`${events}${query({ singleEvents: true })}`)).status).toBe(200)
    expect((await client.get(`${events}/${master.id}/instances`)).status).toBe(200)
    const range = { timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-02-01T00:00:00Z' }
    const busy = await client.post('/calendar/v3/freeBusy', { ...range, items: [{ id: 'primary' }] })
    expect(busy.status).toBe(200)
    expect((await client.patch(`${events}/${master.id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })).status).toBe(
      200,
    )
    expect((await client.del(`${events}/${master.id}`)).status).toBe(204)
    const gone = await list(client, { syncToken: token.nextSyncToken })
    expect(gone.find(({ id }) => id === master.id)?.status).toBe('cancelled')
    rmSync(dataDir, { recursive: true, force: true })
  })
})

describe('import', () => {
  it('needs an iCalUID, keeps the organizer, emails no one, and recognizes the event again', async () => {
    const client = await connect()
    const path = `${events}/import`
    const missing = await client.post(path, timedEvent())
    expect([missing.status, missing.reason, missing.location]).toEqual([400, 'required', 'iCalUID'])
    const body = timedEvent({
      iCalUID: 'abc@x.example',
      organizer: { email: 'boss@x.example', displayName: 'Boss' },
      attendees: [{ email: 'a@b.example' }],
    })
    const first = await client.post(path, body)
    expect(first.body).toMatchObject({ iCalUID: 'abc@x.example', organizer: { email: 'boss@x.example' } })
    const again = await client.post(path, { ...body, summary: 'Newer', sequence: 2 })
    expect([again.body.id, again.body.summary, again.body.sequence]).toEqual([first.body.id, 'Newer', 2])
    expect((await client.post(path, { ...body, sequence: 1 })).location).toBe('sequence')
    expect(await list(client)).toHaveLength(1)
    await client.del(`${events}/${first.body.id}`)
    expect((await client.post(path, { ...body, sequence: 3 })).body.status).toBe('confirmed')
  })

  it('turns other types into default events and accepts one instance of a series', async () => {
    const client = await connect()
    const path = `${events}/import`
    const typed = await client.post(
      path,
      timedEvent({ iCalUID: 't@x.example', eventType: 'focusTime', focusTimeProperties: { chatStatus: 'available' } }),
    )
    expect(typed.body.eventType).toBe('default')
    expect(typed.body).not.toHaveProperty('focusTimeProperties')
    const series = await client.post(path, weekly({ iCalUID: 's@x.example' }))
    const instance = await client.post(
      path,
      timedEvent(
        { iCalUID: 's@x.example', summary: 'Moved', originalStartTime: { dateTime: '2026-01-12T09:00:00+01:00' } },
        15,
      ),
    )
    expect([instance.status, instance.body.id]).toEqual([200, `${series.body.id}_20260112T080000Z`])
  })
})

describe('move', () => {
  it('changes calendar and organizer, with exceptions, and leaves a tombstone', async () => {
    const client = await connect()
    const { body: other } = await client.post('/calendar/v3/calendars', { summary: 'Other' })
    const { body: master } = await client.post(events, weekly())
    await client.patch(`${events}/${master.id}_20260112T080000Z`, { summary: 'Special' })
    const before = await client.get(events)
    const answer = await client.post(`${events}/${master.id}/move?destination=${encodeURIComponent(other.id)}`)
    expect(answer.body).toMatchObject({ id: master.id, organizer: { email: other.id, self: true } })
    const there = await client.get(`/calendar/v3/calendars/${other.id}/events?singleEvents=true&orderBy=startTime`)
    expect(there.body.items.map((event: Shown) => event.summary)).toEqual(['Weekly', 'Special', 'Weekly', 'Weekly'])
    expect(await list(client)).toEqual([])
    const sync = await list(client, { syncToken: before.body.nextSyncToken })
    expect(sync).toHaveLength(2)
    expect(Object.keys(sync[0]!).sort()).toEqual(['etag', 'id', 'kind', 'status'])
    const back = await client.post(`/calendar/v3/calendars/${other.id}/events/${master.id}/move?destination=primary`)
    expect(back.status).toBe(200)
    expect(await list(client, { singleEvents: true })).toHaveLength(4)
  })

  it('rejects other types, instances, and unknown or missing destinations', async () => {
    const client = await connect()
    const { body: other } = await client.post('/calendar/v3/calendars', { summary: 'Other' })
    const { body: focus } = await client.post(events, timedEvent({ eventType: 'focusTime' }))
    const { body: master } = await client.post(events, weekly())
    const to = `destination=${encodeURIComponent(other.id)}`
    const typed = await client.post(`${events}/${focus.id}/move?${to}`)
    expect([typed.status, typed.reason]).toEqual([400, 'eventTypeRestriction'])
    expect((await client.post(`${events}/${master.id}_20260112T080000Z/move?${to}`)).status).toBe(400)
    expect((await client.post(`${events}/${master.id}/move?destination=primary`)).status).toBe(400)
    expect((await client.post(`${events}/${master.id}/move?destination=nowhere`)).status).toBe(404)
    const missing = await client.post(`${events}/${master.id}/move`)
    expect([missing.status, missing.reason, missing.location]).toEqual([400, 'required', 'destination'])
  })
})

describe('quick add', () => {
  it('parses a time, a day, and a place, and defaults to an hour from now', async () => {
    const client = await connect({ now: () => Date.parse('2026-06-10T08:20:00Z') })
    const add = async (text: string) => (await client.post(`${events}/quickAdd${query({ text })}`)).body
    expect(await add('Lunch with Mina tomorrow 12:30-13:15 at Canteen')).toMatchObject({
      summary: 'Lunch with Mina',
      location: 'Canteen',
      start: { dateTime: '2026-06-11T12:30:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-06-11T13:15:00+02:00' },
    })
    expect(await add('Budget close on June 26')).toMatchObject({
      summary: 'Budget close',
      start: { date: '2026-06-26' },
      end: { date: '2026-06-27' },
    })
    expect(await add('Think')).toMatchObject({
      summary: 'Think',
      start: { dateTime: '2026-06-10T10:20:00+02:00' },
      end: { dateTime: '2026-06-10T11:20:00+02:00' },
    })
  })
})
