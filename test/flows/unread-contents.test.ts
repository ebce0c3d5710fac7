import { describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import { modelForEach } from './model/for-each'

const { clock, service, replica } = modelForEach(2_000)

const minutes = 60_000
const times = { start: { date: '2026-03-10' }, end: { date: '2026-03-11' } }
const ada = (operation: string, params: Record<string, string>, body: JsonObject): string =>
  String(service.callAs('ada', operation, params, body)!.id)

/** Creates the record that `deletes` names. */
interface Case {
  /** The operation that reads its contents, and the parameter that names the list. */
  reads: [operation: string, list: string]
  arrange(): { key: string; parent: string }
  /** Someone else adds or changes something that goes with it. */
  joins(id: string, title: string): void
  deletes(key: string): Change
}

const insertEvent = (calendarId: string, more: JsonObject): string =>
  ada('calendar.events.insert', { calendarId }, { summary: 'Review', ...times, ...more })
const listed = (collection: CollectionName, id: string) => ({ key: recordKey(collection, null, id), parent: id })

const cases: [string, Case][] = [
  [
    'a task list',
    {
      reads: ['tasks.tasks.list', 'tasklist'],
      arrange: () => listed('tasklists', ada('tasks.tasklists.insert', {}, { title: 'Trip' })),
      joins: (tasklist, title) => ada('tasks.tasks.insert', { tasklist }, { title }),
      deletes: (key) => ({ kind: 'delete', key }),
    },
  ],
  [
    'the events of a calendar',
    {
      reads: ['calendar.events.list', 'calendarId'],
      arrange: () => listed('calendars', 'me'),
      joins: (calendarId, summary) => insertEvent(calendarId, { summary }),
      deletes: (key) => ({ kind: 'action', key, action: { name: 'clearCalendar' } }),
    },
  ],
  [
    'a series',
    {
      reads: ['calendar.events.list', 'calendarId'],
      arrange: () => {
        const id = insertEvent('me', { recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] })
        return { key: recordKey('events', 'me', id), parent: 'me' }
      },
      joins: (calendarId, summary) => {
        const [series] = service.living(`events ${calendarId}`).filter(({ recurrence }) => recurrence)
        ada('calendar.events.patch', { calendarId, eventId: `${String(series!.id)}_20260311` }, { summary })
      },
      deletes: (key) => ({ kind: 'delete', key }),
    },
  ],
]

/** Not found: although its calendar or list still exists. */
const faults = ['preconditionFailed', 'notFound'] as const
const unreadable = cases.flatMap(([what, one]) => faults.map((code) => [what, code, one] as const))

describe.each(unreadable)('deleting %s whose contents are unreadable: %s', (_what, code, one) => {
  const { reads, arrange, joins, deletes } = one
  const [operation, named] = reads
  let readable: boolean
  let asked: number
  let key: string
  let sent: number

  async function deleteUnread(): Promise<void> {
    readable = true
    sent = 0
    asked = 0
    const made = arrange()
    key = made.key
    replica.syncNow()
    await clock.pass(10_000)
    service.trouble = ({ id, params }, moment) => {
      if (moment === 'before' && /\.(delete|clear)$/.test(id)) sent++
      if (readable || id !== operation || params[named] !== made.parent || moment === 'after') return undefined
      // An endless loop ends as a failed test.
      readable = ++asked > 1_000
      return code
    }
    readable = false
    await clock.pass(60 * minutes)
    joins(made.parent, 'Joined')
    await replica.edit([deletes(key)], { label: 'Delete' })
    await clock.pass(30 * minutes)
  }
  const open = () => replica.outbox().find(({ state }) => state === 'needsYou')!

  it('asks instead of sending it', async () => {
    await deleteUnread()
    expect(sent).toBe(0)
    expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { unread: [expect.any(String)] } }])
  })

  it('asks the service now and then, names what it can’t read, and sends everything else', async () => {
    await deleteUnread()
    expect(asked).toBeLessThan(100)
    const [unread] = replica.status.lanes.flatMap((lane) => lane.unread ?? [])
    expect(unread).toMatchObject({ parent: parseRecordKey(open().conflict!.unread![0]!).parent, fault: { code } })
    const other = { kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Other' } } as const
    await replica.edit([other], { label: 'New' })
    await clock.pass(10_000)
    expect(replica.outbox()).toHaveLength(1)
  })

  it('is sent once confirmed', async () => {
    await deleteUnread()
    await replica.resolve(open().id, { keep: 'mine' })
    await clock.pass(30 * minutes)
    expect(sent).toBe(1)
    expect(replica.outbox()).toEqual([])
  })

  it('is undone if declined', async () => {
    await deleteUnread()
    await replica.resolve(open().id, { keep: 'theirs' })
    await clock.pass(30 * minutes)
    expect(sent).toBe(0)
    expect(replica.outbox()).toEqual([])
    expect(replica.peek(key)!.value).not.toBeNull()
  })

  it('asks about what is found once the contents are readable again, even if confirmed', async () => {
    await deleteUnread()
    readable = true
    await replica.resolve(open().id, { keep: 'mine' })
    await clock.pass(30 * minutes)
    expect(sent).toBe(0)
    expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { unseen: [expect.any(String)] } }])
  })
})
