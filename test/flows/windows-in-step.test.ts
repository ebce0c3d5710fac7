import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sameJson } from '#shared/json'
import type { CollectionName } from '#shared/domain/collections'
import type { Change, ListedCollection, Replica } from '../../src-renderer/replica/api'
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

type Action = { by: number; what: string; pick: number }
const action = fc.record({
  by: fc.nat(3),
  what: fc.constantFrom(
    'add event',
    'change event',
    'delete event',
    'add task',
    'delete task',
    'rename placement',
    'undo',
    'redo',
    'withdraw',
    'post',
    'sync',
  ),
  pick: fc.nat(1_000),
})

/** What differs, part by part. */
function differing(a: Seen, b: Seen): Partial<Record<keyof Seen, unknown>> {
  const names = (Object.keys(a) as (keyof Seen)[]).filter((name) => !sameJson(a[name], b[name]))
  return Object.fromEntries(names.map((name) => [name, [a[name], b[name]]]))
}

/** Carries out an action. Ones that don't fit what is there fail, in every window. */
async function act(replica: Replica, { what, pick }: Action): Promise<void> {
  const edit = (change: Change): Promise<unknown> => replica.edit([change], { label: what }).catch(() => undefined)
  const of = <T>(all: readonly T[]): T | undefined => all[pick % Math.max(1, all.length)]
  const hour = String(pick % 24).padStart(2, '0')
  const event = of(
    replica.items(start, end).filter(({ recurring, calendarId }) => !recurring && calendarId === primary),
  )
  switch (what) {
    case 'add event':
      return void (await edit({
        ...{ kind: 'create', collection: 'events', parent: primary },
        value: {
          summary: `Event ${pick}`,
          start: { dateTime: `2026-06-10T${hour}:00:00Z` },
          end: { dateTime: `2026-06-10T${hour}:30:00Z` },
        },
      }))
    case 'change event':
      if (event) await edit({ kind: 'change', key: event.rowKey, patch: { summary: `Changed ${pick}` } })
      return
    case 'delete event':
      if (event) await edit({ kind: 'delete', key: event.rowKey })
      return
    case 'add task':
      return void (await edit({
        ...{ kind: 'create', collection: 'tasks', parent: of(replica.rows('tasklists'))!.id },
        value: { title: `Task ${pick}` },
      }))
    case 'delete task': {
      const task = of(replica.rows('tasks'))
      if (task) await edit({ kind: 'delete', key: task.key })
      return
    }
    case 'rename placement': {
      const table = await replica.table('placements')
      if (table.length > 0)
        await edit({ kind: 'change', key: table.key(pick % table.length), patch: { name: `Placement ${pick}` } })
      return
    }
    case 'undo':
      return void (await replica.undo().catch(() => undefined))
    case 'redo':
      return void (await replica.redo().catch(() => undefined))
    case 'withdraw': {
      const entry = of(replica.outbox())
      if (entry) await replica.withdraw(entry.id).catch(() => undefined)
      return
    }
    case 'post':
      return void (await replica.post())
    default:
      replica.syncNow()
  }
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
