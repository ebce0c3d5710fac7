import 'fake-indexeddb/auto'
import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Bridge } from '#shared/ipc/contract'
import type { OutboxEntry } from '#shared/mutation/entry'
import { Journal } from '../../../src-main/journal/journal'
import type { Replica } from '../../../src-renderer/replica/api'
import { rowsOf } from '../../../src-renderer/replica/blocks/shelf'
import { DexieStore } from '../../../src-renderer/replica/dexie-store'
import type { Store, StoredRow } from '../../../src-renderer/replica/store'
import { openReplica } from '../../../src-renderer/sync/open'
import { someAccount } from '../../helpers/account'

const fixture = join(import.meta.dirname, '../../fixtures/version-1')

interface Dump {
  version: number
  tables: Record<
    string,
    { keyPath: string; indexes: { name: string; keyPath: string; unique: boolean }[]; items: Record<string, unknown>[] }
  >
}

let dump: Dump
let name: string
let made = 0

/** Creates the database as the released version did: its stores and indexes, with the system API. */
async function asReleased(): Promise<void> {
  const database = await new Promise<IDBDatabase>((done, fail) => {
    const opening = indexedDB.open(name, dump.version)
    opening.onupgradeneeded = () => {
      for (const [table, { keyPath, indexes }] of Object.entries(dump.tables)) {
        const store = opening.result.createObjectStore(table, { keyPath })
        for (const index of indexes) store.createIndex(index.name, index.keyPath, { unique: index.unique })
      }
    }
    opening.onsuccess = () => done(opening.result)
    opening.onerror = () => fail(opening.error!)
  })
  const names = Object.keys(dump.tables)
  const transaction = database.transaction(names, 'readwrite')
  for (const table of names) for (const item of dump.tables[table]!.items) transaction.objectStore(table).put(item)
  await new Promise((done) => (transaction.oncomplete = done))
  database.close()
}

const items = <T>(table: string): T[] => dump.tables[table]!.items as T[]
const events = (): StoredRow[] => items<StoredRow>('rows').filter(({ collection }) => collection === 'events')
const me = 'alex.morgan@flightplan.example'

beforeEach(async () => {
  dump = JSON.parse(await readFile(join(fixture, 'database.json'), 'utf8')) as Dump
  name = `version-1-${++made}`
  await asReleased()
})

describe('a first-release database', () => {
  let store: Store | undefined
  let replica: Replica | undefined
  let journal: Journal | undefined
  afterEach(async () => {
    if (replica) await replica.close()
    else await store?.close()
    await journal?.close()
    replica = store = journal = undefined
  })

  /** Opens everything offline, with the released version's journal. */
  async function opened(limits?: { minRows: number; loose: number; rows: number }): Promise<Replica> {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-version-1-'))
    await cp(join(fixture, 'profile/journal'), folder, { recursive: true })
    const kept = (journal = await Journal.open(join(folder, 'outbox.journal')))
    const answers: Record<string, (args: never) => unknown> = {
      'app/info': () => ({ offline: true, timeZone: 'Europe/Berlin' }),
      'journal/open': () => kept.state(),
      'journal/append': ({ records }: never) => kept.append(records).then(() => null),
    }
    const bridge = {
      ask: async (request: string, args: never) => ({ ok: true, value: await answers[request]!(args) }),
      on: () => () => undefined,
    } as unknown as Bridge
    store = new DexieStore(name, limits && { limits })
    return (replica = await openReplica({ account: someAccount({ id: 'sandbox' }), bridge, store }))
  }

  it('opens completely', async () => {
    store = new DexieStore(name)
    await store.open()
    const all = items<StoredRow>('rows')
    expect(
      await store.get(
        'rows',
        all.map(({ key }) => key),
      ),
    ).toEqual(all)
    expect((await store.wholeRows()).length + events().length).toBe(all.length)
    expect((await store.rowKeys('events', me)).sort()).toEqual(
      events()
        .map(({ key }) => key)
        .sort(),
    )
    expect(await store.neededRows()).toEqual(events().filter(({ series }) => series))
    expect(await store.history(10)).toEqual(items('history'))
    for (const table of ['outbox', 'undo', 'cursors', 'notices', 'unreadable', 'meta'] as const)
      expect(await store.all(table), table).toEqual(items(table))
  })

  it('shows, queues, and undoes changes', async () => {
    const replica = await opened()
    expect(replica.outbox().map(({ id, label }) => [id, label])).toEqual(
      items<OutboxEntry>('outbox').map(({ id, label }) => [id, label]),
    )
    expect(replica.notices().map(({ title }) => title)).toEqual(['Some stored changes could not be read'])
    expect(await replica.history()).toEqual(items('history'))
    expect(replica.rows('tasks')).toHaveLength(4)
    const june = (): string[] => replica.items(Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1)).map(({ title }) => title)
    const drawn = (): number => new Set(june().filter((title) => title.startsWith('Plain event'))).size
    await until(() => drawn() === 23)
    expect(june()).toContain('Made offline')
    expect(june().filter((title) => title === 'Stand-up')).toHaveLength(8)
    expect(june()).toContain('Stand-up, moved')
    expect(june()).not.toContain('Plain event 9')
    expect(await replica.undo()).toBe('Delete *Plain event 9*')
    expect(june()).toContain('Plain event 9')
    expect(await replica.undo()).toBe('Add *Made offline*')
    expect(replica.outbox()).toEqual([])
    expect(await replica.undo()).toBe('Add *Sent while online*')
    expect(replica.outbox()).toMatchObject([{ kind: 'delete', recordId: 'q5clmlfgko3vi69enuppvm5ar7' }])
    expect(await replica.undo()).toBe(null)
  })

  it('is packed into blocks later without loss', async () => {
    const replica = await opened({ minRows: 1, loose: 1, rows: 10 })
    await until(() => replica.items(Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1)).length > 30)
    while (await store!.fold());
    const inBlocks = async (): Promise<number> =>
      (await store!.blocksOf({ collection: 'events', parent: me })).reduce(
        (sum, block) => sum + rowsOf(block) - block.dead.size,
        0,
      )
    expect(await inBlocks()).toBe(26)
    await replica.close()
    await journal!.close()
    const again = await opened()
    const kept = await store!.get(
      'rows',
      events().map(({ key }) => key),
    )
    expect(kept).toEqual(events())
    expect(await inBlocks()).toBe(26)
    expect(again.outbox()).toHaveLength(2)
    await until(() => again.items(Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1)).length > 30)
    expect(again.items(Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 1)).map(({ title }) => title)).not.toContain(
      'Plain event 9',
    )
  })

  it('survives a crash at each step of its upgrade, and an upgrade that runs again', async () => {
    const { createObjectStore } = IDBDatabase.prototype
    for (let crashAt = 0; ; crashAt++) {
      let steps = 0
      IDBDatabase.prototype.createObjectStore = function (...args) {
        if (steps++ === crashAt) throw new Error('Killed')
        return createObjectStore.apply(this, args)
      }
      try {
        store = new DexieStore(name)
        await store.open()
        break
      } catch {
        await store!.close()
      } finally {
        IDBDatabase.prototype.createObjectStore = createObjectStore
      }
    }
    const all = items<StoredRow>('rows')
    const keys = all.map(({ key }) => key)
    for (let time = 0; time < 2; time++) {
      expect(await store.get('rows', keys)).toEqual(all)
      for (const table of ['outbox', 'undo', 'cursors', 'notices', 'unreadable', 'meta'] as const)
        expect(await store.all(table), table).toEqual(items(table))
      await store.close()
      await store.open()
    }
  })

  it("restores its unsent changes from that version's journal when it's gone", async () => {
    await new Promise((done) => (indexedDB.deleteDatabase(name).onsuccess = done))
    const replica = await opened()
    expect(replica.outbox().map(({ label }) => label)).toEqual(items<OutboxEntry>('outbox').map(({ label }) => label))
  })
})

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((done) => setTimeout(done, 5))
}
