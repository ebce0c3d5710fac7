import { isDeepStrictEqual } from 'node:util'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import { pull } from '../../../src-main/sync/pull'
import { actions } from '../../../src-main/actions/actions'
import { outcomeOfFault, push } from '../../../src-main/sync/push'
import { readRecord } from '../../../src-main/sync/read'
import { serviceForFile } from '../../helpers/for-file'
import { someEntry } from '../../helpers/some-entry'

const service = serviceForFile()
let list: string
let number = 0

beforeAll(async () => {
  const page = await pull(service.client, { collection: 'tasklists', parent: null, cursor: null, page: null })
  list = page.records[0]!.id
})
beforeEach(() => service.order('DELETE', '/trouble'))

const primary = 'alex.morgan@flightplan.example'
const letters = (): string => `case${String(++number).padStart(10, '0')}`

const times = {
  start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
}

interface Adapter {
  collection: CollectionName
  parent: () => string | null
  newId: () => string | Promise<string>
  create: () => JsonObject
  edit: JsonObject
  otherEdit: JsonObject
  sameField: JsonObject
}

/** One suite defines what an adapter must do, and every writable collection runs it. */
const adapters: Adapter[] = [
  {
    collection: 'events',
    parent: () => primary,
    newId: letters,
    create: () => ({ summary: `Review ${number}`, ...times }),
    edit: { location: 'Room 2' },
    otherEdit: { colorId: '5' },
    sameField: { location: 'Room 9' },
  },
  {
    collection: 'tasks',
    parent: () => list,
    newId: () => `local:${letters()}`,
    create: () => ({ title: `Brief ${++number}` }),
    edit: { notes: 'mine' },
    otherEdit: { due: '2026-06-01T00:00:00.000Z' },
    sameField: { notes: 'theirs' },
  },
  {
    collection: 'tasklists',
    parent: () => null,
    newId: () => `local:${letters()}`,
    create: () => ({ title: `List ${++number}` }),
    edit: { title: 'Mine' },
    otherEdit: { title: 'Mine' },
    sameField: { title: 'Theirs' },
  },
  {
    collection: 'calendars',
    parent: () => null,
    newId: () => `local:${letters()}`,
    create: () => ({ summary: `Calendar ${++number}` }),
    edit: { location: 'Berlin' },
    otherEdit: { timeZone: 'Asia/Tokyo' },
    sameField: { location: 'Paris' },
  },
  {
    collection: 'calendarList',
    parent: () => null,
    newId: async () => {
      const { body } = await service.client.call('calendar.calendars.insert', {}, { body: { summary: letters() } })
      await service.client.call('calendar.calendarList.delete', { calendarId: body.id! })
      return body.id!
    },
    create: () => ({ summaryOverride: `Mine ${++number}` }),
    edit: { backgroundColor: '#112233', foregroundColor: '#ffffff' },
    otherEdit: { selected: false },
    sameField: { backgroundColor: '#332211', foregroundColor: '#000000' },
  },
  {
    collection: 'acl',
    parent: () => primary,
    newId: () => `user:guest-${++number}@elsewhere.example`,
    create: () => ({ scope: { type: 'user', value: `guest-${number}@elsewhere.example` }, role: 'reader' }),
    edit: { role: 'writer' },
    otherEdit: { role: 'writer' },
    sameField: { role: 'freeBusyReader' },
  },
]

function entryOf(adapter: Adapter, changes: Partial<OutboxEntry>): OutboxEntry {
  return someEntry({
    id: letters(),
    accountId: 'sandbox',
    collection: adapter.collection,
    parent: adapter.parent(),
    recordId: '',
    label: 'Edit',
    madeAt: systemClock.now(),
    state: 'sending',
    ...changes,
  })
}

const send = (entry: OutboxEntry): Promise<Outcome> =>
  push({ actions, client: service.client, now: systemClock.now }, entry)
const trouble = (operation: string, order: JsonObject): Promise<JsonObject> =>
  service.order('POST', '/trouble', { operation, count: 1, ...order })

async function created(adapter: Adapter): Promise<RemoteRecord & { value: JsonObject }> {
  const recordId = await adapter.newId()
  const outcome = await send(entryOf(adapter, { kind: 'create', recordId, patch: adapter.create(), complete: false }))
  if (outcome.kind !== 'confirmed') throw new Error(`Not created: ${JSON.stringify(outcome)}`)
  return outcome.records[0] as RemoteRecord & { value: JsonObject }
}

const changeOf = (
  adapter: Adapter,
  record: RemoteRecord,
  patch: JsonObject,
  more: Partial<OutboxEntry> = {},
): OutboxEntry => entryOf(adapter, { recordId: record.id, base: record.value, etag: record.etag, patch, ...more })

const now = (adapter: Adapter, record: RemoteRecord): Promise<RemoteRecord> =>
  readRecord(service.client, adapter.collection, adapter.parent(), record.id)

/** Someone else's edit, through another client with the same access. */
async function elsewhere(adapter: Adapter, record: RemoteRecord, patch: JsonObject): Promise<void> {
  const current = await now(adapter, record)
  const outcome = await send(changeOf(adapter, { ...record, ...current }, patch))
  expect(outcome).toMatchObject({ kind: 'confirmed' })
}

async function count(adapter: Adapter, equal: JsonObject): Promise<number> {
  const source = adapter.collection === 'calendars' ? 'calendarList' : adapter.collection
  let page: string | null = null
  let found = 0
  do {
    const answer = await pull(service.client, { collection: source, parent: adapter.parent(), cursor: null, page })
    found += answer.records.filter(
      ({ value }) => value && Object.entries(equal).every(([field, given]) => isDeepStrictEqual(value[field], given)),
    ).length
    page = answer.nextPage ?? null
  } while (page)
  return found
}

describe.each(adapters)('pushing $collection', (adapter) => {
  const { collection } = adapter
  const operation = (verb: string): string =>
    collection.startsWith('task') ? `tasks.${collection}.${verb}` : `calendar.${collection}.${verb}`

  it('creates, changes under If-Match for one unit, and deletes', async () => {
    const record = await created(adapter)
    expect(record.etag).toBeTruthy()
    const changed = await send(changeOf(adapter, record, adapter.edit))
    expect(changed).toMatchObject({ kind: 'confirmed', units: 1 })
    expect((await now(adapter, record)).value).toMatchObject(adapter.edit)
    const current = await now(adapter, record)
    expect(
      (await send(entryOf(adapter, { kind: 'delete', recordId: record.id, base: current.value, etag: current.etag })))
        .kind,
    ).toBe('confirmed')
    expect((await now(adapter, record)).value).toBeNull()
  })

  it('a creation whose response is lost after the commit makes no second copy', async () => {
    for (const order of [{ drop: 'after' }, { half: true }]) {
      const recordId = await adapter.newId()
      const patch = adapter.create()
      const entry = entryOf(adapter, { kind: 'create', recordId, patch, complete: false, twins: [] })
      await trouble(operation('insert'), order)
      const first = await send(entry)
      expect(first).toMatchObject({ kind: 'retry', unknown: true })
      const second = await send({ ...entry, unknownOutcome: true })
      expect(second.kind).toBe('confirmed')
      expect(await count(adapter, patch)).toBe(1)
    }
  })

  it('a creation that never arrived is sent on the second try', async () => {
    const recordId = await adapter.newId()
    const patch = adapter.create()
    const entry = entryOf(adapter, { kind: 'create', recordId, patch, complete: false, twins: [] })
    await trouble(operation('insert'), { drop: 'before' })
    expect((await send(entry)).kind).toBe('retry')
    expect((await send({ ...entry, unknownOutcome: true })).kind).toBe('confirmed')
    expect(await count(adapter, patch)).toBe(1)
  })

  it('a creation of what someone else has created differently since asks first', async () => {
    if (factsOf().of(collection).ids !== 'content') return
    const [recordId, patch] = [await adapter.newId(), adapter.create()]
    const entry = entryOf(adapter, { kind: 'create', recordId, patch, complete: false })
    await send({ ...entry, patch: { ...patch, ...adapter.sameField } })
    const asked = await send({ ...entry, patch: { ...patch, ...adapter.edit } })
    expect(asked).toMatchObject({ kind: 'conflict', fields: Object.keys(adapter.edit) })
    const there = await readRecord(service.client, collection, adapter.parent(), recordId)
    expect(there.value, 'nothing was overwritten').toMatchObject(adapter.sameField)
  })

  it('a change with a lost response is recognized as applied, not a conflict', async () => {
    const record = await created(adapter)
    const entry = changeOf(adapter, record, adapter.edit)
    await trouble(operation('update'), { drop: 'after' })
    expect(await send(entry)).toMatchObject({ kind: 'retry', unknown: true })
    expect((await send({ ...entry, unknownOutcome: true })).kind).toMatch(/confirmed|merged/)
    expect((await send(entry)).kind, 'even when the loss went unnoticed').toMatch(/confirmed|merged/)
  })

  it('a deletion with a lost response, or made by someone else, is done', async () => {
    const record = await created(adapter)
    const entry = entryOf(adapter, { kind: 'delete', recordId: record.id, base: record.value, etag: record.etag })
    await trouble(operation('delete'), { drop: 'after' })
    expect((await send(entry)).kind).toBe('retry')
    expect((await send({ ...entry, unknownOutcome: true })).kind).toBe('confirmed')
  })

  it('a deletion with a lost response asks about a record that someone has restored since', async () => {
    if (!factsOf().of(adapter.collection).etag) return
    const record = await created(adapter)
    const entry = entryOf(adapter, { kind: 'delete', recordId: record.id, base: record.value, etag: record.etag })
    await elsewhere(adapter, record, adapter.otherEdit)
    const content = Object.keys(adapter.otherEdit).map((field) => [field, record.value?.[field] ?? null])
    await elsewhere(adapter, record, Object.fromEntries(content) as JsonObject)
    expect((await send({ ...entry, unknownOutcome: true })).kind).toBe('conflict')
    expect((await now(adapter, record)).value).not.toBeNull()
    expect((await send(entry)).kind).toBe('confirmed')
  })

  it('edits of different fields merge with a receipt, and edits of one field wait with all three versions', async () => {
    const record = await created(adapter)
    await elsewhere(adapter, record, adapter.otherEdit)
    const merged = await send(changeOf(adapter, record, adapter.edit))
    expect(merged.kind).toMatch(/merged|confirmed/)
    expect((await now(adapter, record)).value).toMatchObject({ ...adapter.otherEdit, ...adapter.edit })

    const other = await created(adapter)
    await elsewhere(adapter, other, adapter.sameField)
    const conflicting = await send(changeOf(adapter, other, adapter.edit))
    expect(conflicting).toMatchObject({ kind: 'conflict', fields: Object.keys(adapter.edit) })
    expect((conflicting as { remote: RemoteRecord }).remote.value).toMatchObject(adapter.sameField)
    expect((await now(adapter, other)).value, 'nothing was overwritten').toMatchObject(adapter.sameField)
  })

  it('a deletion of a changed record asks, and a change of a deleted record asks', async () => {
    const record = await created(adapter)
    await elsewhere(adapter, record, adapter.sameField)
    const asked = await send(
      entryOf(adapter, { kind: 'delete', recordId: record.id, base: record.value, etag: record.etag }),
    )
    expect(asked.kind).toBe('conflict')
    expect((await now(adapter, record)).value).not.toBeNull()

    const gone = await created(adapter)
    await send(entryOf(adapter, { kind: 'delete', recordId: gone.id, base: gone.value, etag: gone.etag }))
    expect(await send(changeOf(adapter, gone, adapter.edit))).toMatchObject({
      kind: 'conflict',
      remote: { value: null },
    })
  })

  it("a rejection has the service's message", async () => {
    const record = await created(adapter)
    await trouble(operation('update'), { status: 403, reason: 'forbidden' })
    expect(await send(changeOf(adapter, record, adapter.edit))).toMatchObject({
      kind: 'refused',
      fault: { code: 'forbidden' },
    })
  })

  it.each([
    [
      { status: 429, reason: 'rateLimitExceeded', retryAfter: 7 },
      { kind: 'retry', wait: 7_000, unknown: false },
    ],
    [
      { status: 403, reason: 'rateLimitExceeded' },
      { kind: 'retry', unknown: false },
    ],
    [
      { status: 503, reason: 'backendError' },
      { kind: 'retry', unknown: true },
    ],
    [{ status: 401, reason: 'authError' }, { kind: 'frozen' }],
    [{ html: true }, { kind: 'retry', unknown: true, fault: { code: 'badAnswer' } }],
  ])('%j is retried or paused, never dropped', async (order, outcome) => {
    const record = await created(adapter)
    await trouble(operation('update'), order)
    expect(await send(changeOf(adapter, record, adapter.edit))).toMatchObject(outcome)
  })
})

describe('events', () => {
  const events = adapters[0]!

  it.each(['change', 'delete'] as const)(
    'a %s that meets a newer version after the computer slept is checked again as a whole',
    async (kind) => {
      const adapter = events
      const record = await created(adapter)
      await elsewhere(adapter, record, adapter.otherEdit)
      // Undone again, so that only the etag differs.
      const { value } = await now(adapter, record)
      const back = Object.fromEntries(
        Object.keys(adapter.otherEdit).map((field) => [field, record.value[field] ?? null]),
      )
      await elsewhere(adapter, { ...record, value }, back)
      const entry =
        kind === 'change' ? changeOf(adapter, record, adapter.edit) : { ...changeOf(adapter, record, {}), kind }
      let hours = 0
      const asleep = { actions, client: service.client, now: () => systemClock.now() + hours++ * 3_600_000 }
      expect(await push(asleep, entry)).toMatchObject({ kind: 'retry', unknown: false })
      expect((await now(adapter, record)).value).toMatchObject({ summary: record.value['summary'] })
      expect((await now(adapter, record)).value).not.toMatchObject(adapter.edit)
      expect((await send(entry)).kind).toMatch(/confirmed|merged/)
    },
  )

  it('a PATCH turns an unchanged occurrence into an exception', async () => {
    const id = letters()
    await send(
      entryOf(events, {
        kind: 'create',
        recordId: id,
        patch: { summary: 'Stand-up', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] },
        complete: false,
      }),
    )
    const instance = `${id}_20260505T070000Z`
    const base = {
      id: instance,
      recurringEventId: id,
      summary: 'Stand-up',
      start: { dateTime: '2026-05-05T09:00:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-05T10:00:00+02:00', timeZone: 'Europe/Berlin' },
    }
    const outcome = await send(
      entryOf(events, { recordId: instance, base, complete: false, patch: { summary: 'Stand-up with guests' } }),
    )
    expect(outcome).toMatchObject({ kind: 'confirmed' })
    const page = await pull(service.client, { collection: 'events', parent: primary, cursor: null, page: null })
    expect(
      page.records
        .filter(({ id: name }) => name.startsWith(id))
        .map(({ value }) => value?.['summary'])
        .sort(),
    ).toEqual(['Stand-up', 'Stand-up with guests'])
    const deleted = await send(
      entryOf(events, { kind: 'delete', recordId: `${id}_20260506T070000Z`, base: null, complete: false }),
    )
    expect(deleted.kind).toBe('confirmed')
    const after = await pull(service.client, { collection: 'events', parent: primary, cursor: null, page: null })
    expect(
      after.records.find(({ id: name }) => name === `${id}_20260506T070000Z`)?.value,
      'kept, or the occurrence would come back',
    ).toMatchObject({ status: 'cancelled' })
  })

  it('an occurrence known only from its series is deleted, but asks once someone has added to it', async () => {
    const id = letters()
    const content = { summary: 'Stand-up', ...times }
    const recurrence = ['RRULE:FREQ=DAILY;COUNT=5']
    await send(entryOf(events, { kind: 'create', recordId: id, patch: { ...content, recurrence }, complete: false }))
    const deletionOf = (suffix: string): OutboxEntry => {
      const [recordId, day] = [`${id}_${suffix}`, suffix.slice(6, 8)]
      const at = (hour: string): JsonObject => ({
        dateTime: `2026-05-${day}T${hour}:00:00+02:00`,
        timeZone: 'Europe/Berlin',
      })
      const base = { id: recordId, recurringEventId: id, summary: 'Stand-up', start: at('09'), end: at('10') }
      return entryOf(events, { kind: 'delete', recordId, base, complete: false })
    }
    const [untouched, located] = [deletionOf('20260505T070000Z'), deletionOf('20260506T070000Z')]
    const place = { calendarId: primary, eventId: located.recordId }
    await service.client.call('calendar.events.patch', place, { body: { location: 'Room 4' } })
    expect(await send(untouched)).toMatchObject({ kind: 'confirmed' })
    expect(await send(located)).toMatchObject({ kind: 'conflict', remote: { value: { location: 'Room 4' } } })
  })

  it('no one is emailed unless the entry says so', async () => {
    const guests = { attendees: [{ email: 'mina.park@flightplan.example' }, { email: 'jonas@elsewhere.example' }] }
    const mails = async (): Promise<number> => ((await service.order('GET', '/mails'))['mails'] as unknown[]).length
    const before = await mails()
    await send(
      entryOf(events, { kind: 'create', recordId: letters(), patch: { ...times, ...guests }, complete: false }),
    )
    expect(await mails()).toBe(before)
    await send(
      entryOf(events, {
        kind: 'create',
        recordId: letters(),
        patch: { ...times, ...guests },
        complete: false,
        sendUpdates: 'all',
        mails: 2,
      }),
    )
    expect(await mails()).toBe(before + 2)
  })
})

describe('quota', () => {
  const wait = (operation: string, now: string, retryAfter?: number): unknown =>
    outcomeOfFault({ code: 'quotaSpent', message: '', operation, retryAfter }, Date.parse(now))
  const minutes = (count: number): object => ({ kind: 'retry', wait: count * 60_000 })

  it.each([
    ['in summer', 'tasks.tasks.list', '2026-07-01T06:30:00Z', 31],
    ['in winter', 'trafficking.ads.list', '2026-01-01T07:00:00Z', 61],
    ['on a day with 25 hours', 'tasks.tasks.list', '2026-11-01T08:00:00Z', 24 * 60 + 1],
    ['on a day with 23 hours', 'tasks.tasks.list', '2026-03-08T12:00:00Z', 19 * 60 + 1],
    ['of a service without a time zone', 'calendar.events.list', '2026-07-01T23:30:00Z', 31],
  ])("used up for the day resets at the service's own midnight %s", (_when, operation, now, count) => {
    expect(wait(operation, now)).toMatchObject(minutes(count))
  })

  it("trusts the service's retry time", () => {
    expect(wait('tasks.tasks.list', '2026-07-01T06:30:00Z', 120_000)).toMatchObject(minutes(2))
  })
})

describe('a bug of ours', () => {
  const settings: Adapter = {
    collection: 'settings',
    parent: () => null,
    newId: () => 'locale',
    create: () => ({}),
    edit: {},
    otherEdit: {},
    sameField: {},
  }

  it.each(['create', 'change', 'delete', 'action'] as const)(
    "as a %s before sending needs attention and isn't looked up",
    async (kind) => {
      const entry = entryOf(settings, { kind, recordId: 'locale', etag: '"1"', patch: { value: 'de' }, base: {} })
      const outcome = await send(entry)
      expect(outcome).toMatchObject({ kind: 'refused', fault: { code: 'mistake' }, units: 0 })
      expect(outcome).not.toHaveProperty('unknown')
    },
  )

  it('after a call may hide a success, so the outcome is looked up', async () => {
    const { client } = service
    const broken: typeof client = {
      ...client,
      call: async (...args: Parameters<typeof client.call>) => {
        await client.call(...args)
        throw new TypeError('x is undefined')
      },
    }
    const [events] = adapters as [Adapter]
    const entry = entryOf(events, { kind: 'create', recordId: letters(), patch: events.create(), complete: false })
    expect(await push({ actions, client: broken, now: systemClock.now }, entry)).toMatchObject({
      kind: 'refused',
      fault: { code: 'mistake' },
      unknown: true,
    })
  })
})

it('never sends back a record of which the service shows only a part', async () => {
  const [adapter] = adapters as [Adapter]
  const record = await created(adapter)
  const shown = { ...record, value: { ...record.value, attendeesOmitted: true } }
  expect((await send(changeOf(adapter, shown, adapter.edit))).kind).toBe('confirmed')
  expect((await now(adapter, record)).value).toMatchObject(adapter.edit)
})
