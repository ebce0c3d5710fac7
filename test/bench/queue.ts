import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bridge } from '#shared/ipc/contract'
import type { JournalRecord } from '#shared/ipc/sync-questions'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { recordKey } from '#shared/domain/collections'
import { Journal } from '../../src-main/journal/journal'
import type { Replica } from '../../src-renderer/replica/api'
import { memoryDisk, MemoryStore, type MemoryDisk } from '../../src-renderer/replica/memory-store'
import { openReplica } from '../../src-renderer/sync/open'
import { someAccount } from '../helpers/account'
import { longestTask } from './longest-task'
import { comparison, digits, goals, time, type Bench, type Comparison } from './measure'
import { someEntry } from '../helpers/some-entry'

const calendar = 'primary'

/** Edits of many records, and long queues: ten times the size compared with ten times the duration. */
export async function* queue({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const [few, waiting] = long ? [1_000, 10_000] : [500, 3_000]
  const [rows, fewRows] = [digits(few * 10), digits(few)]
  step(`editing ${fewRows} and ${rows} rows`)
  // Warms up the compiler.
  await edits(few)
  const [one, ten] = [await edits(few), await edits(few * 10)]
  const linear = { goal: goals.linear }
  yield comparison(`one edit of ${rows} rows`, `ten times an edit of ${fewRows} rows`, ten.edit, one.edit * 10, {
    ...linear,
    detail: { msPer500: Math.round((ten.edit * 5_000) / (few * 10)) / 10 },
  })
  yield comparison(`longest task of one edit of ${rows} rows`, 'a tenth of a second', ten.longest, 100, { goal: 1 })
  yield comparison(`undo of ${rows} rows`, `ten times the undo of ${fewRows} rows`, ten.undo, one.undo * 10, linear)
  yield comparison(`redo of ${rows} rows`, `ten times the redo of ${fewRows} rows`, ten.redo, one.redo * 10, linear)
  const [short, full] = [digits(waiting), digits(waiting * 10)]
  step(`starting with queues of ${short} and ${full}`)
  const [near, far] = [await drained(waiting), await drained(waiting * 10)]
  yield comparison(
    `start with a queue of ${full}`,
    `ten times a start with a queue of ${short}`,
    far.start,
    near.start * 10,
    linear,
  )
  yield comparison(
    `sending 2,000 of a queue of ${full}`,
    `sending 2,000 of a queue of ${short}`,
    far.drain,
    near.drain,
    {
      ...linear,
      detail: { msPerEntry: Math.round((far.drain / sent) * 1_000) / 1_000 },
    },
  )
}

/** One edit of this many events, undone and redone, through replica and journal, and its longest thread block. */
async function edits(count: number): Promise<{ edit: number; undo: number; redo: number; longest: number }> {
  const disk = memoryDisk()
  for (let n = 0; n < count; n++) {
    const row = { key: keyOf(n), collection: 'events', parent: calendar, id: idOf(n), base: event(n), complete: true }
    disk.data.rows.set(row.key, { ...row, collection: 'events', at: Date.parse(String(startOf(n))) })
  }
  const journal = await Journal.open(join(await mkdtemp(join(tmpdir(), 'flightplan-bench-')), 'outbox.journal'))
  const replica = await opened(disk, journal, () => null)
  // All bodies are on disk, and all events are in the calendar.
  while (replica.items(0, Date.UTC(2100, 0)).length < count) await new Promise((done) => setImmediate(done))
  const task = longestTask()
  const changes = Array.from({ length: count }, (_unused, n) => ({
    kind: 'change' as const,
    key: keyOf(n),
    patch: { location: `Room ${n}` },
  }))
  const edit = await time(() => replica.edit(changes, { label: 'Rooms' }))
  if (replica.outbox().length !== count) throw new Error('Not all rows were changed')
  const undo = await time(() => replica.undo())
  if (replica.outbox().length !== 0) throw new Error('Not all rows were taken back')
  const redo = await time(() => replica.redo())
  const longest = task.end()
  await replica.close()
  await journal.close()
  return { edit, undo, redo, longest }
}

const sent = 2_000

/** A start with this many entries on disk, and sending the first ones to a main that responds at once. */
async function drained(count: number): Promise<{ start: number; drain: number }> {
  const disk = memoryDisk()
  disk.data.meta.set('epoch', { key: 'epoch', value: 'bench' })
  const entries = Array.from({ length: count }, (_unused, n) => entryOf(n))
  for (const entry of entries) disk.data.outbox.set(entry.id, entry)
  let arrived = 0
  let all: () => void = () => undefined
  const done = new Promise<void>((resolve) => (all = resolve))
  let began = 0
  const push = (entry: OutboxEntry): unknown => {
    if (arrived++ === 0) began = performance.now()
    if (arrived === sent) all()
    const { collection, parent, recordId: id } = entry
    return { kind: 'confirmed', records: [{ collection, parent, id, value: { ...event(0), id } }], units: 1 }
  }
  const journal = { state: () => ({ epoch: 'bench', fresh: false, open: entries, ended: [], unknown: [], damaged: 0 }) }
  let replica: Replica | undefined
  const start = await time(async () => (replica = await opened(disk, journal, push)))
  await done
  const drain = performance.now() - began
  await replica!.close()
  return { start, drain }
}

const idOf = (n: number): string => `event${String(n).padStart(21, '0')}`
const keyOf = (n: number): string => recordKey('events', calendar, idOf(n))
const startOf = (n: number): string => `2026-05-${String(1 + (n % 28)).padStart(2, '0')}T09:00:00Z`
const event = (n: number): JsonObject => ({
  id: idOf(n),
  summary: `Event ${n}`,
  description: 'What is to be said about it. '.repeat(10),
  start: { dateTime: startOf(n), timeZone: 'UTC' },
  end: { dateTime: startOf(n).replace('T09', 'T10'), timeZone: 'UTC' },
  attendees: [{ email: 'someone@example.com', responseStatus: 'accepted' }],
})
const entryOf = (n: number): OutboxEntry =>
  someEntry({
    id: `01BENCH${String(n).padStart(19, '0')}`,
    parent: calendar,
    recordId: idOf(n),
    patch: { location: `Room ${n}` },
    base: event(n),
    complete: false,
    group: 'bench',
    label: 'Rooms',
    madeAt: 1,
  })

async function opened(
  disk: MemoryDisk,
  journal: Pick<Journal, 'state'> & Partial<Pick<Journal, 'append'>>,
  push: (entry: OutboxEntry) => unknown,
): Promise<Replica> {
  const offline = journal.append !== undefined
  const answers: Record<string, (args: never) => unknown> = {
    'app/info': () => ({ offline }),
    'journal/open': () => journal.state(),
    'journal/append': async ({ records }: { records: JournalRecord[] }) => journal.append?.(structuredClone(records)),
    'sync/pull': () => ({ records: [], full: false, units: 0, cursor: { kind: 'syncToken', value: 's' } }),
    'sync/push': ({ entry }: { entry: OutboxEntry }) => push(entry),
    'sync/watch': () => ({ watched: [] }),
  }
  const bridge = {
    ask: async (name: string, args: unknown) => ({ ok: true, value: (await answers[name]?.(args as never)) ?? null }),
    on: () => () => undefined,
  } as unknown as Bridge
  const account = someAccount({ id: 'a', opened: !offline })
  return openReplica({ account, bridge, store: new MemoryStore(disk) })
}
