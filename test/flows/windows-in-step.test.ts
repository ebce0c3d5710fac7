import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sameJson, type JsonObject } from '#shared/json'
import { parseRecordKey, type CollectionName } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CalendarItem, Change, ListedCollection, Replica } from '../../src-renderer/replica/api'
import { cases } from '../helpers/ring'
import { accountForFile } from '../helpers/whole-account'

const primary = 'alex.morgan@flightplan.example'
const start = Date.parse('2026-05-01')
const end = Date.parse('2026-08-01')

const account = accountForFile()

type Seen = Record<string, unknown>
/** Everything that views can read. */
async function seen(replica: Replica): Promise<Seen> {
  const { all } = replica.facts
  const byKey = (a: { key: string }, b: { key: string }): number => (a.key < b.key ? -1 : 1)
  const rows = all.map(({ name }) => (name === 'events' ? [] : [...replica.rows(name as ListedCollection)].sort(byKey)))
  const tables = await Promise.all(all.flatMap(({ name }) => (name === 'events' ? [] : cellsOf(replica, name))))
  const { undoable, status } = replica
  return {
    ...{ rows, tables, undoable },
    items: replica.items(start, end, { zone: 'Europe/Berlin' }),
    outbox: replica.outbox(),
    deleted: replica.deleted(),
    notices: replica.notices(),
    downloads: replica.chosenDownloads(),
    unsent: status.unsent,
    seqs: replica
      .outbox()
      .map(({ collection, parent, recordId }) => replica.remoteSeq(`${collection}\n${parent ?? ''}\n${recordId}`)),
  }
}

async function cellsOf(replica: Replica, collection: CollectionName): Promise<unknown> {
  const table = await replica.table(collection)
  return Array.from({ length: table.length }, (_, row) => [
    table.key(row),
    table.mark(row),
    table.columns.map((_name, column) => table.cell(row, column)),
  ]).sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
}

type Act = (replica: Replica, pick: number) => Promise<unknown>

const one = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)]
const edit = (replica: Replica, ...changes: Change[]): Promise<unknown> => replica.edit(changes, { label: 'Edit' })
const ownEvents = (replica: Replica, inSeries = false): CalendarItem[] =>
  replica.items(start, end).filter(({ recurring, calendarId }) => recurring === inSeries && calendarId === primary)
const keysIn = async (replica: Replica, collection: CollectionName): Promise<string[]> => {
  const table = await replica.table(collection)
  return Array.from({ length: table.length }, (_, row) => table.key(row)!)
}
/** An act upon one of some keys, if there is any. */
const upon =
  (
    keys: (replica: Replica) => string[] | Promise<string[]>,
    act: (replica: Replica, key: string, pick: number) => unknown,
  ): Act =>
  async (replica, pick) => {
    const key = one(await keys(replica), pick)
    if (key !== undefined) await act(replica, key, pick)
  }
const events = (replica: Replica): string[] => ownEvents(replica).map(({ rowKey }) => rowKey)
const series = (replica: Replica): string[] => ownEvents(replica, true).map(({ rowKey }) => rowKey)
const occurrences = (replica: Replica): string[] => ownEvents(replica, true).map(({ itemKey }) => itemKey)
const tasks = (replica: Replica): string[] => replica.rows('tasks').map(({ key }) => key)
const placements = (replica: Replica): Promise<string[]> => keysIn(replica, 'placements')
const campaigns = (replica: Replica): Promise<string[]> => keysIn(replica, 'campaigns')
const entries = (test: (entry: OutboxEntry) => boolean) => (replica: Replica) =>
  replica.outbox().flatMap((entry) => (test(entry) ? entry.id : []))

const addEvent =
  (minutes: number): Act =>
  (replica, pick) => {
    const from = Date.parse('2026-06-10') + (pick % 24) * 3_600_000
    const at = (time: number): JsonObject => ({ dateTime: new Date(time).toISOString() })
    return edit(replica, {
      ...{ kind: 'create', collection: 'events', parent: primary },
      value: { summary: `Event ${pick}`, start: at(from), end: at(from + minutes * 60_000) },
    })
  }

const acts: Readonly<Record<string, Act>> = {
  'add event': addEvent(30),
  // The service rejects it.
  'add invalid event': addEvent(-30),
  'change event': upon(events, (replica, key, pick) =>
    edit(replica, { kind: 'change', key, patch: { summary: `Changed ${pick}` } }),
  ),
  'change series': upon(series, (replica, key, pick) =>
    edit(replica, { kind: 'change', key, patch: { summary: `Series ${pick}` } }),
  ),
  'change occurrence': upon(occurrences, (replica, key, pick) =>
    edit(replica, { kind: 'change', key, patch: { summary: `Once ${pick}` } }),
  ),
  'delete event': upon(events, (replica, key) => edit(replica, { kind: 'delete', key })),
  'move event': upon(events, (replica, key, pick) => {
    const calendars = replica
      .rows('calendarList')
      .filter(({ id, value }) => value?.['accessRole'] === 'owner' && id !== primary)
    return edit(replica, { kind: 'action', key, action: { name: 'moveEvent', destination: one(calendars, pick)!.id } })
  }),
  'add task': (replica, pick) =>
    edit(replica, {
      ...{ kind: 'create', collection: 'tasks', parent: one(replica.rows('tasklists'), pick)!.id },
      value: { title: `Task ${pick}` },
    }),
  'delete task': upon(tasks, (replica, key) => edit(replica, { kind: 'delete', key })),
  'move task': upon(tasks, (replica, key, pick) =>
    edit(replica, {
      ...{ kind: 'action', key },
      action: { name: 'moveTask', destination: one(replica.rows('tasklists'), pick)!.id },
    }),
  ),
  'delete list': async (replica) => {
    const lists = replica.rows('tasklists')
    if (lists.length > 1) await edit(replica, { kind: 'delete', key: lists.at(-1)!.key })
  },
  'rename placement': upon(placements, (replica, key, pick) =>
    edit(replica, { kind: 'change', key, patch: { name: `Placement ${pick}` } }),
  ),
  'copy placement': upon(placements, async (replica, key, pick) => {
    const { id: _id, ...value } = (await replica.read(key))!.value!
    const { collection, parent } = parseRecordKey(key)
    await edit(replica, { kind: 'create', collection, parent, value: { ...value, name: `Copy ${pick}` } })
  }),
  'rename campaign': upon(campaigns, (replica, key, pick) =>
    edit(replica, { kind: 'change', key, patch: { name: `Campaign ${pick}` } }),
  ),
  'archive campaign': upon(campaigns, (replica, key, pick) =>
    edit(replica, { kind: 'change', key, patch: { archived: pick % 2 === 0 } }),
  ),
  'change several': async (replica, pick) => {
    const keys = [...tasks(replica), ...(await placements(replica))].filter((_key, at) => at % 97 === pick % 97)
    await edit(replica, ...keys.map((key): Change => ({ kind: 'change', key, patch: { notes: `${pick}` } })))
  },
  restore: upon(
    (replica) => replica.deleted().map(({ key }) => key),
    (replica, key) => edit(replica, { kind: 'restore', key }),
  ),
  'event elsewhere': upon(events, (_replica, key, pick) =>
    account.service.client.call(
      'calendar.events.patch',
      { calendarId: primary, eventId: parseRecordKey(key).id },
      { body: { summary: `Elsewhere ${pick}` } },
    ),
  ),
  'task elsewhere': upon(tasks, (_replica, key, pick) => {
    const { parent, id } = parseRecordKey(key)
    return account.service.client.call(
      'tasks.tasks.patch',
      { tasklist: parent!, task: id },
      { body: { title: `Elsewhere ${pick}` } },
    )
  }),
  resolve: upon(
    entries(({ conflict }) => !!conflict),
    (replica, id, pick) => replica.resolve(id, { keep: pick % 2 ? 'mine' : 'theirs' }, { label: 'Resolve' }),
  ),
  retry: upon(
    entries(({ state }) => state === 'needsYou'),
    (replica, id) => replica.retry(id),
  ),
  withdraw: upon(
    entries(() => true),
    (replica, id) => replica.withdraw(id),
  ),
  dismiss: upon(
    (replica) => replica.notices().map(({ id }) => id),
    (replica, id) => replica.dismiss(id),
  ),
  undo: (replica) => replica.undo(),
  redo: (replica) => replica.redo(),
  post: (replica) => replica.post(),
  sync: async (replica) => replica.syncNow(),
  'work offline': (replica, pick) => replica.setOffline(pick % 2 === 0),
}

type Action = { by: number; what: string; pick: number }
const action = fc.record({ by: fc.nat(3), what: fc.constantFrom(...Object.keys(acts)), pick: fc.nat(1_000) })

/** Carries out an action. */
async function act(replica: Replica, { what, pick }: Action): Promise<void> {
  try {
    await acts[what]!(replica, pick)
  } catch {
    // It doesn't fit what is there, in any window.
  }
}

/** What differs, part by part. */
function differing(a: Seen, b: Seen): Partial<Record<keyof Seen, unknown>> {
  const names = (Object.keys(a) as (keyof Seen)[]).filter((name) => !sameJson(a[name], b[name]))
  return Object.fromEntries(names.map((name) => [name, [a[name], b[name]]]))
}

it('a row stays in another window after its edit was undone', async () => {
  const { replica } = account.device
  const other = await account.device.openWindow()
  try {
    const keys = async (): Promise<string[]> => {
      const table = await other.table('placements')
      return Array.from({ length: table.length }, (_, row) => table.key(row)!)
    }
    const all = await replica.table('placements')
    await expect.poll(async () => (await keys()).length).toBe(all.length)
    const key = all.key(3)!
    await replica.edit([{ kind: 'change', key, patch: { name: 'Renamed' } }], { label: 'Rename' })
    await replica.undo()
    // A later edit arrives last.
    await replica.edit([{ kind: 'change', key: all.key(4)!, patch: { name: 'Renamed' } }], { label: 'Rename' })
    await expect.poll(() => other.outbox().length).toBe(1)
    expect(await keys()).toContain(key)
    await replica.undo()
  } finally {
    await other.close()
  }
})

it('a window shows what the owner shows, whenever it opens and whoever edits', async () => {
  const { device } = account
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 30 }), fc.nat(30), async (actions, opensAt) => {
      const windows = [device.replica]
      let opening: Promise<Replica> | undefined
      const running: Promise<void>[] = []
      for (const [at, one] of actions.entries()) {
        if (at === opensAt % actions.length) {
          opening = device.openWindow()
          void opening.then((window) => windows.push(window))
        }
        running.push(act(windows[one.by % windows.length]!, one))
        // Some pause, so that changes are saved and sent meanwhile.
        if (one.pick % 3 === 0) await running.at(-1)
      }
      await Promise.all(running)
      await device.replica.setOffline(false)
      const other = await opening!
      try {
        // Polled, because the service goes on.
        await expect.poll(async () => differing(await seen(other), await seen(device.replica))).toEqual({})
      } finally {
        await other.close()
      }
    }),
    { numRuns: cases(8, 40) },
  )
})
