import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { isSubscribed } from '#shared/domain/subscribed'
import { faultOf } from '#shared/fault'
import type { Subscription } from '#shared/ipc/subscription-questions'
import { readCalendarFile } from '../../src-main/exports/read-file'
import { comingOf } from '../../src-renderer/app/reminders/coming'
import { pinnedFetch } from '../../src-main/subscriptions/pinned-fetch'
import { SubscribedSync } from '../../src-main/subscriptions/subscribed-sync'
import { Subscriptions, type SubscriptionsOptions } from '../../src-main/subscriptions/subscriptions'
import type { Change } from '../../src-renderer/replica/api'
import { calendarText, serving, startCalendarFeed, type CalendarFeed } from '../helpers/calendar-feed'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'

const primary = 'alex.morgan@flightplan.example'
const accountId = 'account'
const hour = 3_600_000

const standUp = (title = 'Stand-up'): string[] => [
  ...['UID:weekly@example.org', `SUMMARY:${title}`],
  ...['DTSTART:20260504T070000Z', 'DTEND:20260504T073000Z', 'RRULE:FREQ=WEEKLY;COUNT=3'],
]
const moved = [
  ...['UID:weekly@example.org', 'RECURRENCE-ID:20260511T070000Z', 'SUMMARY:Stand-up, later'],
  ...['DTSTART:20260511T090000Z', 'DTEND:20260511T093000Z'],
]
const skipped = [
  'UID:weekly@example.org',
  'RECURRENCE-ID:20260518T070000Z',
  'STATUS:CANCELLED',
  'DTSTART:20260518T070000Z',
]
const launch = ['UID:launch@example.org', 'SUMMARY:Launch', 'DTSTART;VALUE=DATE:20260520', 'DTEND;VALUE=DATE:20260521']

const service = serviceForEach()
let feed: CalendarFeed
let userData: string
let now: number
let subscriptions: Subscriptions
let here: Device
let pulls: string[]

const options = (more: Partial<SubscriptionsOptions> = {}): SubscriptionsOptions => ({
  ...{ userData, now: () => now, zone: () => 'Europe/Berlin', off: false, changed: () => undefined },
  network: {
    ...{ fetch, resolve: () => Promise.resolve([]), pinned: pinnedFetch },
    usesProxy: () => Promise.resolve(false),
  },
  read: readCalendarFile,
  pull: (_account, key) => pulls.push(key),
  ...more,
})
async function open(more: Partial<SubscriptionsOptions> = {}): Promise<void> {
  subscriptions = await Subscriptions.open(options(more))
  here = await deviceOf(service, { subscribed: new SubscribedSync(subscriptions), account: { id: accountId } })
  await here.settled()
}

beforeEach(async () => {
  feed = await startCalendarFeed(calendarText('Team', [standUp(), moved, skipped, launch]))
  userData = await mkdtemp(join(tmpdir(), 'flightplan-subscriptions-'))
  now = Date.parse('2026-05-01T08:00:00Z')
  pulls = []
  await open()
})
afterEach(async () => {
  await here.close()
  await subscriptions.close()
  await feed.stop()
})

const add = (more: { reminders?: number[] } = {}): Promise<Subscription> =>
  subscriptions.add(accountId, { address: feed.address, typed: true, color: '#0b8043', reminders: [], ...more })
/** Pulls everything again, as an announcement makes the window do. */
async function pulled(): Promise<void> {
  here.replica.syncNow()
  await here.settled()
}
const shown = (): string[] =>
  here.replica
    .items(Date.parse('2026-05-01'), Date.parse('2026-06-01'))
    .filter(({ calendarId }) => isSubscribed(calendarId))
    .map(({ title, start }) => `${new Date(start).toISOString().slice(5, 16)} ${title}`)
const [one, three] = [
  ['05-04T07:00 Stand-up', '05-11T09:00 Stand-up, later', '05-20T00:00 Launch'],
  ['05-04T07:00 Stand-up', '05-11T07:00 Stand-up', '05-18T07:00 Stand-up'],
]
const entry = (id: string): unknown => here.replica.peek(recordKey('calendarList', null, id))?.value

describe('a subscribed calendar', () => {
  it('appears with its own name, color, and reminders, and its events in every list', async () => {
    const { id, name, events } = await add({ reminders: [15] })
    expect({ name, events, pulls }).toEqual({ name: 'Team', events: 2, pulls: [recordKey('calendarList', null, '')] })
    await pulled()
    expect(entry(id)).toMatchObject({
      ...{ summary: 'Team', accessRole: 'reader', backgroundColor: '#0b8043' },
      defaultReminders: [{ method: 'popup', minutes: 15 }],
    })
    expect(shown()).toEqual(one)
    expect((await here.replica.search('launch')).map(({ title }) => title)).toContain('Launch')
    await subscriptions.change(accountId, id, { name: 'Our team', reminders: [] })
    await pulled()
    expect(entry(id)).toMatchObject({ summary: 'Our team', backgroundColor: '#0b8043', defaultReminders: [] })
  })

  it('is read again in another time zone of the computer, which its times without a zone follow', async () => {
    const lunch = ['UID:lunch@example.org', 'SUMMARY:Lunch', 'DTSTART:20260504T120000', 'DTEND:20260504T130000']
    feed.answer = serving(calendarText('Team', [lunch]), '"2"')
    await subscriptions.close()
    await here.close()
    let zone = 'Europe/Berlin'
    await open({ zone: () => zone })
    await add()
    await pulled()
    expect(shown()).toEqual(['05-04T10:00 Lunch'])
    zone = 'America/New_York'
    subscriptions.wake()
    await expect.poll(() => pulls.length).toBe(2)
    await pulled()
    expect(shown()).toEqual(['05-04T16:00 Lunch'])
  })

  it('may lead into the local network later only if it did so when it was typed', async () => {
    const { port } = new URL(feed.address)
    const found = ['93.184.216.34']
    const network = {
      ...{ fetch, usesProxy: () => Promise.resolve(false), resolve: () => Promise.resolve(found) },
      pinned: () => pinnedFetch(['127.0.0.1']),
    }
    await subscriptions.close()
    subscriptions = await Subscriptions.open(options({ network }))
    const address = `http://feed.example:${port}/team.ics`
    const wanted = { address, typed: true, color: '#0b8043', reminders: [] }
    const { id, typed } = await subscriptions.add(accountId, wanted)
    expect([typed, (await add()).typed]).toEqual([false, true])
    found[0] = '192.168.1.1'
    await subscriptions.refresh(accountId, id)
    const problem = subscriptions.list(accountId).find((one) => one.id === id)?.problem
    expect(problem).toBe(`feed.example:${port} is on a local network. If you trust it, enter the address yourself.`)
  })

  it('reminds at the times that its events have only if asked to, also offline', async () => {
    const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT30M', 'END:VALARM']
    const talk = [
      'UID:talk@example.org',
      'SUMMARY:Talk',
      'DTSTART:20260505T090000Z',
      'DTEND:20260505T100000Z',
      ...alarm,
    ]
    feed.answer = serving(calendarText('Team', [talk, launch]), '"2"')
    const { id, alarms } = await add({ reminders: [5] })
    expect(alarms).toBe(false)
    await pulled()
    const at = { now: Date.parse('2026-05-04T12:00:00Z'), zone: 'UTC', hour12: false, tasksDueAt: 540 }
    const ringing = async (): Promise<string[]> =>
      (await comingOf(here.replica, at)).reminders
        .filter(({ kind }) => kind === 'event')
        .map(({ title, at }) => `${new Date(at).toISOString().slice(5, 16)} ${title}`)
    const byCalendar = await ringing()
    expect(byCalendar).toEqual(['05-05T08:55 Talk'])
    await subscriptions.change(accountId, id, { alarms: true })
    await pulled()
    expect(await ringing()).toEqual(['05-05T08:30 Talk'])
    feed.answer = (_request, response) => response.writeHead(503).end()
    await subscriptions.change(accountId, id, { alarms: false })
    await pulled()
    expect(await ringing()).toEqual(byCalendar)
  })

  it('follows its source, and is downloaded again only if that changed', async () => {
    const { id } = await add()
    await pulled()
    await subscriptions.refresh(accountId, id)
    expect(feed.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"'])
    feed.answer = serving(calendarText('Team', [standUp()]), '"2"')
    pulls = []
    await subscriptions.refresh(accountId)
    expect(pulls).toEqual([recordKey('events', id, '')])
    await pulled()
    expect(shown()).toEqual(three)
  })

  it('keeps its last good copy while its source is unreachable or broken, and says since when', async () => {
    const { id } = await add()
    const since = now
    await pulled()
    for (const [answer, words] of [
      [serving('<html>Sign in</html>', '"2"'), /returned something that isn’t a calendar/],
      [serving('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n', '"2"'), /returned something that isn’t a calendar/],
      [(_request: unknown, response: { destroy(): void }) => response.destroy(), /Can’t reach/],
    ] as const) {
      feed.answer = answer
      now += hour
      await subscriptions.refresh(accountId, id)
      expect(subscriptions.list(accountId)).toMatchObject([{ currentAt: since, problem: expect.stringMatching(words) }])
    }
    await pulled()
    expect(shown()).toEqual(one)
    feed.answer = serving(calendarText('Team', [standUp()]), '"3"')
    await subscriptions.refresh(accountId, id)
    expect(subscriptions.list(accountId)).toEqual([expect.not.objectContaining({ problem: expect.anything() })])
    expect(subscriptions.list(accountId)).toMatchObject([{ currentAt: now }])
  })

  it('survives a restart, the loss of its copy, and the loss of the window’s database', async () => {
    const { id } = await add()
    await pulled()
    await subscriptions.close()
    const folder = join(userData, 'subscriptions')
    const [copy] = (await readdir(folder)).filter((name) => name !== 'list.json')
    await writeFile(join(folder, copy!), '{"version":"1","records":[{"x":')
    await here.close()
    await open()
    await pulled()
    await subscriptions.refresh(accountId, id)
    expect(feed.requests.map(({ headers }) => headers['if-none-match']).slice(0, 2)).toEqual([undefined, undefined])
    await pulled()
    expect(shown()).toEqual(one)
    await here.restart({ wiped: true })
    await here.settled()
    expect(shown()).toEqual(one)
  })

  it('is off in safe mode, and back afterward', async () => {
    const { id } = await add()
    await pulled()
    for (const off of [true, false]) {
      await subscriptions.close()
      subscriptions = await Subscriptions.open(options({ off }))
      const requests = feed.requests.length
      // The device keeps what it stored.
      const page = await new SubscribedSync(subscriptions).pull(
        { accountId, collection: 'calendarList', parent: null, cursor: { kind: 'syncToken', value: 'a' }, page: null },
        ({ cursor }) => Promise.resolve({ records: [], full: false, units: 1, cursor: cursor! }),
      )
      expect(page.records.map((record) => [record.id, record.value === null])).toEqual([[id, off]])
      expect(feed.requests).toHaveLength(requests)
    }
  })

  it('goes with all its events, also when the account does', async () => {
    const { id } = await add()
    await pulled()
    await subscriptions.remove(accountId, id)
    await pulled()
    expect(shown()).toEqual([])
    expect(entry(id)).toBeUndefined()
    expect(here.replica.eventKeys(id)).toEqual([])
    await add()
    await subscriptions.forget(accountId)
    expect(await readdir(join(userData, 'subscriptions'))).toEqual(['list.json'])
    expect(await readFile(join(userData, 'subscriptions', 'list.json'), 'utf8')).not.toContain('secret-path')
  })

  it('is added only if it is a calendar, and once', async () => {
    const { id } = await add()
    expect((await add()).id).toBe(id)
    feed.answer = serving('nothing', '"9"')
    const other = { address: `${feed.address}?other`, typed: true, color: '#0b8043', reminders: [] }
    await expect(subscriptions.add(accountId, other)).rejects.toThrow('isn’t a calendar')
    for (const [address, words] of [
      ['', 'Enter the address of a calendar.'],
      ['file:///etc/passwd', 'Enter an address that starts with https, http, or webcal.'],
      ['https://me:secret@example.org/', 'Remove the user name and password.'],
    ] as const)
      await expect(subscriptions.add(accountId, { ...other, address })).rejects.toThrow(words)
    expect(subscriptions.list(accountId)).toHaveLength(1)
  })
})

describe('subscriptions', () => {
  const other = { typed: true, color: '#0b8043', reminders: [] }

  it('keep every one of several changes at once', async () => {
    const { id } = await add()
    const second = await subscriptions.add(accountId, { ...other, address: `${feed.address}?second` })
    await Promise.all([
      subscriptions.change(accountId, id, { name: 'Mine' }),
      subscriptions.change(accountId, second.id, { name: 'Theirs' }),
      subscriptions.change(accountId, id, { color: '#000000' }),
    ])
    expect(subscriptions.list(accountId)).toMatchObject([{ name: 'Mine', color: '#000000' }, { name: 'Theirs' }])
    await Promise.all([subscriptions.remove(accountId, id), subscriptions.remove(accountId, second.id)])
    expect(subscriptions.list(accountId)).toEqual([])
  })

  it('keep their last copy if so much repeats that the window could not draw it', async () => {
    const { id } = await add()
    const hourly = (at: number): string[] => [
      ...[`UID:${at}@example.org`, 'SUMMARY:Again', 'DTSTART:20260504T070000Z', 'DTEND:20260504T073000Z'],
      'RRULE:FREQ=HOURLY',
    ]
    feed.answer = serving(
      calendarText(
        'Team',
        Array.from({ length: 100 }, (_, at) => hourly(at)),
      ),
      '"2"',
    )
    await subscriptions.refresh(accountId, id)
    expect(subscriptions.list(accountId)).toMatchObject([{ problem: expect.stringContaining('repeat too often') }])
    await pulled()
    expect(shown()).toEqual(one)
  })

  it('aren’t added to an account that was removed during the download', async () => {
    let answerNow = (): void => undefined
    const asked = new Promise<void>((done) => {
      feed.answer = (request, response) => {
        answerNow = () => serving(calendarText('Team', [standUp()]), '"1"')(request, response)
        done()
      }
    })
    const adding = add()
    await asked
    await subscriptions.forget(accountId)
    answerNow()
    await expect(adding).rejects.toThrow('This account was removed.')
    expect(subscriptions.list(accountId)).toEqual([])
    expect(await readdir(join(userData, 'subscriptions'))).toEqual([])
  })

  it.each([
    ['damaged', (text: string) => text.slice(0, -20)],
    ['of a newer version', (text: string) => text.replace('"version":1', '"version":2')],
  ])('keep a list that is %s, say so, and stay in the window', async (_, broken) => {
    const { id } = await add()
    await pulled()
    await subscriptions.close()
    const list = join(userData, 'subscriptions', 'list.json')
    const good = await readFile(list, 'utf8')
    await writeFile(list, broken(good))
    subscriptions = await Subscriptions.open(options())
    await here.close()
    here = await deviceOf(service, { subscribed: new SubscribedSync(subscriptions), account: { id: accountId } })
    await here.settled()
    const words = `Couldn’t read the subscribed calendars in ${list}. The file is unchanged.`
    expect(() => subscriptions.list(accountId)).toThrow(words)
    await expect(add()).rejects.toThrow(words)
    await expect(subscriptions.change(accountId, id, { name: 'Mine' })).rejects.toThrow(words)
    await expect(subscriptions.remove(accountId, id)).rejects.toThrow(words)
    await subscriptions.forget('another account')
    expect(await readFile(list, 'utf8')).toBe(broken(good))
    const sync = new SubscribedSync(subscriptions)
    const ask = (): Promise<never> => Promise.reject(new Error('not asked'))
    const place = { accountId, collection: 'events', parent: id } as const
    await expect(sync.read(place, 'abcdefgh', ask)).rejects.toThrow(words)
    const cursor = { kind: 'syncToken', value: 'old' } as const
    expect(await sync.pull({ ...place, cursor, page: null }, ask)).toEqual({
      ...{ records: [], full: false, units: 0, cursor },
    })
    // Someone repairs it while Flightplan runs.
    await writeFile(list, good)
    await subscriptions.ready()
    expect(subscriptions.list(accountId)).toMatchObject([{ id, name: 'Team' }])
    await pulled()
    expect(shown()).toEqual(one)
  })

  it('wait before they are downloaded again if the disk is full', async () => {
    const { id } = await add()
    await pulled()
    feed.answer = serving(calendarText('Team', [standUp()]), '"2"')
    const list = join(userData, 'subscriptions', 'list.json')
    await rm(list)
    // Nothing can replace a folder that isn't empty.
    await mkdir(join(list, 'x'), { recursive: true })
    now += hour
    const asked = (): number => feed.requests.filter(({ url }) => url?.endsWith('ics')).length
    const before = asked()
    await subscriptions.refresh(accountId, id)
    // One download follows the other, so any that began in between is over.
    for (const name of ['a', 'b'])
      await expect(subscriptions.add(accountId, { ...other, address: `${feed.address}?${name}` })).rejects.toThrow()
    expect(asked()).toBe(before + 1)
    expect(subscriptions.list(accountId)).toMatchObject([{ problem: expect.anything() }])
  })
})

describe('nothing of a subscribed calendar', () => {
  const subject = (kind: string, id: string): Change => {
    const event = here.replica.eventKeys(id).find((key) => !parseRecordKey(key).id.includes('_'))!
    const list = recordKey('calendarList', null, id)
    const day = { start: { date: '2026-05-04' }, end: { date: '2026-05-05' } }
    const own = recordKey('events', primary, 'abcdefgh')
    switch (kind) {
      case 'a new event':
        return { kind: 'create', collection: 'events', parent: id, value: { summary: 'x', ...day } }
      case 'a change of an event':
        return { kind: 'change', key: event, patch: { summary: 'x' } }
      case 'a change of an occurrence':
        return { kind: 'change', key: `${event}_20260504T070000Z`, patch: { summary: 'x' } }
      case 'a deletion of an event':
        return { kind: 'delete', key: event }
      case 'a move of an event':
        return { kind: 'action', key: event, action: { name: 'moveEvent', destination: primary } }
      case 'a move to it':
        return { kind: 'action', key: own, action: { name: 'moveEvent', destination: id } }
      case 'a change of its color':
        return { kind: 'change', key: list, patch: { backgroundColor: '#000000' } }
      default:
        return { kind: 'delete', key: list }
    }
  }
  it.each([
    ...['a new event', 'a change of an event', 'a change of an occurrence', 'a deletion of an event'],
    ...['a move of an event', 'a move to it', 'a change of its color', 'a deletion of its entry'],
  ])('enters the queue: %s', async (kind) => {
    const { id } = await add()
    await pulled()
    const day = { start: { date: '2026-05-04' }, end: { date: '2026-05-05' } }
    const value = { summary: 'Mine', ...day }
    await here.replica.edit([{ kind: 'create', collection: 'events', parent: primary, id: 'abcdefgh', value }], {
      label: 'x',
    })
    await here.settled()
    const error = await here.replica.edit([subject(kind, id)], { label: 'Edit' }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(faultOf(error)).toEqual({
      code: 'forbidden',
      message: 'You can’t change a calendar that you subscribed to.',
    })
    expect(here.replica.outbox()).toEqual([])
    expect(shown()).toEqual(one)
  })

  it('reaches the service, even if an entry did', async () => {
    const { id } = await add()
    const sync = new SubscribedSync(subscriptions)
    const sent = { parent: id, recordId: 'x' } as Parameters<SubscribedSync['push']>[0]
    expect(() => sync.push(sent, () => Promise.reject(new Error('It was sent')))).toThrow('can’t be changed')
    const place = { accountId, collection: 'events', parent: id } as const
    const { records } = await sync.readMany(place, ['x'], () => Promise.reject(new Error('It was asked')))
    expect(records).toEqual([{ collection: 'events', parent: id, id: 'x', value: null }])
  })

  it('comes from a service that uses the same IDs', async () => {
    const sync = new SubscribedSync(subscriptions)
    const foreign = {
      collection: 'calendarList',
      parent: null,
      id: 'subscribed:1',
      value: { id: 'subscribed:1' },
    } as const
    const page = await sync.pull(
      { accountId, collection: 'calendarList', parent: null, cursor: null, page: null },
      () => Promise.resolve({ records: [foreign], full: true, units: 1 }),
    )
    expect(page.records).toEqual([])
    await rm(userData, { recursive: true, force: true })
  })
})
