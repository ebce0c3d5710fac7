import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { editSeries, type SeriesContext } from '#shared/domain/series-edit'
import type { JsonObject } from '#shared/json'
import type { Change, Replica } from '../../src-renderer/replica/api'
import { sliceSize } from '../../src-renderer/replica/slices'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'
import { drawn } from '../helpers/ring'
import { primary, times } from '../helpers/some-event'

const service = serviceForEach()
let here: Device

/** Fields that the service sets again. Titles distinguish records. */
const ownedByService = new Set([
  ...['id', 'etag', 'updated', 'created', 'sequence', 'iCalUID', 'htmlLink', 'selfLink', 'webViewLink', 'position'],
  ...['recurringEventId', 'parent', 'completed', 'dataOwner'],
])
const content = (record: object): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !ownedByService.has(field))) as JsonObject

/** Everything in the account, with tasks and subtasks in order. */
async function account(): Promise<JsonObject[]> {
  const { client } = service
  const found: object[] = []
  const { body: calendars } = await client.call('calendar.calendarList.list', {})
  for (const calendar of calendars.items ?? []) {
    found.push({ kind: 'calendar', ...content(calendar) })
    const calendarId = calendar.id!
    const window = { timeMin: '2026-01-01T00:00:00Z', timeMax: '2027-01-01T00:00:00Z' }
    const { body: shown } = await client.call('calendar.events.list', { calendarId, singleEvents: true, ...window })
    const { body: stored } = await client.call('calendar.events.list', { calendarId })
    // What an occurrence has is among those shown. One that was changed and changed back still is a record of its own.
    const own = stored.items?.filter(({ recurringEventId }) => recurringEventId === undefined)
    const events = [...(shown.items ?? []), ...(own ?? [])]
    found.push(...events.map((event) => ({ in: calendar.summary, ...content(event) })))
  }
  const { body: lists } = await client.call('tasks.tasklists.list', {})
  for (const list of lists.items ?? []) {
    found.push({ kind: 'list', ...content(list) })
    const { body } = await client.call('tasks.tasks.list', { tasklist: list.id!, showHidden: true })
    const tasks = body.items ?? []
    for (const task of tasks) {
      const beside = tasks.filter(({ parent }) => parent === task.parent)
      const place = beside.filter(({ position }) => position! < task.position!).length
      const parent = tasks.find(({ id }) => id === task.parent)?.title
      found.push({ in: list.title, below: parent ?? null, place, ...content(task) })
    }
  }
  return (found as JsonObject[])
    .map((one) => JSON.stringify(one))
    .sort()
    .map((one) => JSON.parse(one) as JsonObject)
}

const edit = async (...changes: Change[]): Promise<string> =>
  (await here.replica.edit(changes, { label: 'Step' })).keys[0]!
const made = (
  collection: 'events' | 'tasks' | 'tasklists' | 'calendars',
  parent: string | null,
  value: JsonObject,
): Change => ({
  kind: 'create',
  collection,
  parent,
  value,
})
const task = (parent: string, title: string, place = {}): Change =>
  ({ ...made('tasks', parent, { title }), place }) as Change

/** What the account has at first. */
interface Keys {
  list: string
  event: string
  series: string
  /** Occurrences of the series: the second is canceled, the third was changed. */
  occurrence: (day: number) => string
  trip: string
  visa: string
  milk: string
  calendar: string
  team: string
}

async function fill(): Promise<Keys> {
  const { replica } = here
  const list = replica.rows('tasklists')[0]!.id
  const later = await edit(made('tasklists', null, { title: 'Later' }))
  const calendar = await edit(made('calendars', null, { summary: 'Team' }))
  const event = await edit(
    made('events', primary, {
      ...times,
      summary: 'Lunch',
      location: 'Harbor',
      attendees: [{ email: 'mina@x.example' }],
    }),
  )
  const series = await edit(
    made('events', primary, { ...times, summary: 'Yoga', recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }),
  )
  const { id } = parseRecordKey(series)
  const occurrence = (day: number): string => recordKey('events', primary, `${id}_2026050${day}T070000Z`)
  await edit({ kind: 'delete', key: occurrence(5) })
  await edit({ kind: 'change', key: occurrence(6), patch: { summary: 'Yoga outside' } })
  const milk = await edit(task(list, 'Milk'))
  const trip = await edit(task(list, 'Trip'))
  const visa = await edit(task(list, 'Visa', { parent: parseRecordKey(trip).id }))
  await edit(task(parseRecordKey(later).id, 'Book'))
  await here.settled()
  const real = (key: string): string => replica.realKey(key)
  const keys = { event, series, milk, trip, visa }
  return {
    ...(Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, real(key)])) as typeof keys),
    list: real(recordKey('tasklists', null, list)),
    calendar: parseRecordKey(real(calendar)).id,
    team: real(later),
    occurrence,
  }
}

const seriesContext = (replica: Replica, { series, occurrence }: Keys, day: number): SeriesContext => ({
  calendarId: primary,
  masterId: parseRecordKey(series).id,
  master: replica.peek(series)!.value!,
  exceptions: replica.exceptions(series).map(({ id, value }) => ({ id, value })),
  eventId: parseRecordKey(occurrence(day)).id,
  newId: () => replica.newEventId(),
})

const change = (key: string, patch: JsonObject): Change => ({ kind: 'change', key, patch })

const steps: [string, (keys: Keys) => Change[]][] = [
  ['fields of an event', ({ event }) => [change(event, { summary: 'Dinner', location: null, attendees: [] })]],
  ['an occurrence', ({ occurrence }) => [change(occurrence(7), { summary: 'Yoga inside' })]],
  ['an occurrence that was changed before', ({ occurrence }) => [change(occurrence(6), { summary: 'Yoga inside' })]],
  ['all of a series', ({ series }) => [change(series, { summary: 'Pilates' })]],
  [
    'a series from a day on',
    (keys) => editSeries(seriesContext(here.replica, keys, 7), { summary: 'Pilates' }, 'following') as Change[],
  ],
  ['fields of a task', ({ milk }) => [change(milk, { title: 'Bread', notes: 'Rye', status: 'completed' })]],
  ['a list', ({ list }) => [change(list, { title: 'Errands' })]],
  ['a calendar', ({ calendar }) => [change(recordKey('calendars', null, calendar), { summary: 'Club' })]],
  ['a new event', () => [made('events', primary, { ...times, summary: 'Talk' })]],
  [
    'a new series',
    () => [made('events', primary, { ...times, summary: 'Run', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })],
  ],
  ['a new task', ({ list }) => [task(parseRecordKey(list).id, 'Tea')]],
  ['a new list', () => [made('tasklists', null, { title: 'Garden' })]],
  ['a new calendar', () => [made('calendars', null, { summary: 'Garden' })]],
  ['a deleted event', ({ event }) => [{ kind: 'delete', key: event }]],
  ['a canceled occurrence', ({ occurrence }) => [{ kind: 'delete', key: occurrence(7) }]],
  ['a canceled occurrence that was changed before', ({ occurrence }) => [{ kind: 'delete', key: occurrence(6) }]],
  ['a deleted series with a changed and a canceled occurrence', ({ series }) => [{ kind: 'delete', key: series }]],
  ['a deleted task with its subtask', ({ trip }) => [{ kind: 'delete', key: trip }]],
  ['a deleted list', ({ team }) => [{ kind: 'delete', key: team }]],
  [
    'a task that moved down',
    ({ trip, milk }) => [
      { kind: 'action', key: trip, action: { name: 'moveTask', previous: parseRecordKey(milk).id } },
    ],
  ],
  ['a task that moved out of another', ({ visa }) => [{ kind: 'action', key: visa, action: { name: 'moveTask' } }]],
  [
    'a task that moved to another list',
    ({ trip, team }) => [
      { kind: 'action', key: trip, action: { name: 'moveTask', destination: parseRecordKey(team).id } },
    ],
  ],
  [
    'an event that moved to another calendar',
    ({ event, calendar }) => [{ kind: 'action', key: event, action: { name: 'moveEvent', destination: calendar } }],
  ],
]

beforeEach(async () => {
  here = await deviceOf(service)
  await here.settled()
})
afterEach(() => here?.close())

describe.each([
  ['before it was sent', false],
  ['after it was sent', true],
])('a step that is undone after a restart, %s, leaves the account as it was', (_when, isSent) => {
  it.each(drawn(steps, 8))('%s', async (_what, step) => {
    const keys = await fill()
    const before = await account()
    await here.replica.setOffline(!isSent)
    await edit(...step(keys))
    if (isSent) {
      await here.settled()
      expect(await account()).not.toEqual(before)
    }
    await here.restart()
    expect(await here.replica.undo()).toBe('Step')
    await here.restart()
    await here.replica.setOffline(false)
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    expect(await account()).toEqual(before)
  })
})

it('a large step that is undone after a restart leaves the account as it was', async () => {
  const { list } = await fill()
  const before = await account()
  await here.replica.setOffline(true)
  const parent = parseRecordKey(list).id
  await edit(...Array.from({ length: sliceSize * 2 + 1 }, (_none, at) => task(parent, `Task ${at}`)))
  await here.restart()
  await here.replica.undo()
  await here.restart()
  await here.replica.setOffline(false)
  await here.settled()
  expect([here.replica.outbox(), await account()]).toEqual([[], before])
})

it('a resolved conflict that is undone after a restart leaves the account as it was', async () => {
  const { event } = await fill()
  const { id: eventId } = parseRecordKey(event)
  await here.replica.setOffline(true)
  await edit(change(event, { summary: 'Mine' }))
  await service.client.call('calendar.events.patch', { calendarId: primary, eventId }, { body: { summary: 'Theirs' } })
  const before = await account()
  await here.replica.setOffline(false)
  await here.asks()
  await here.replica.resolveAll([{ entry: here.replica.outbox()[0]!, choice: { keep: 'mine' } }], {
    label: 'Keep mine',
  })
  await here.settled()
  expect(await account()).not.toEqual(before)
  await here.restart()
  expect(await here.replica.undo()).toBe('Keep mine')
  await here.settled()
  expect([here.replica.outbox(), await account()]).toEqual([[], before])
})
