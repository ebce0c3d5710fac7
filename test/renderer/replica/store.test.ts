import 'fake-indexeddb/auto'
import Dexie from 'dexie'
import { describe, expect, it, vi } from 'vitest'
import { FaultError } from '#shared/fault'
import { storedRow } from '../../../src-renderer/replica/records'
import { DexieStore } from '../../../src-renderer/replica/dexie-store'
import { memoryDisk, MemoryStore } from '../../../src-renderer/replica/memory-store'
import { entryOf, storeConformance } from './store.conformance'
import { behaviors } from '../../../src-renderer/behaviors'

storeConformance('memory', async (options) => {
  const disk = memoryDisk()
  const store = new MemoryStore(disk, options)
  return {
    store,
    reopened: (other) => new MemoryStore(disk, other ?? options),
    lose: () => store.lose(),
    failNext: () => {
      store.beforeWrite = () => {
        store.beforeWrite = null
        throw new FaultError({ code: 'storage', message: 'The disk is full' })
      }
    },
  }
})

let made = 0
storeConformance('Dexie', async (options) => {
  const name = `store-${++made}`
  const store = new DexieStore(name, options)
  const lose = (): void => (store as unknown as { database: Dexie }).database.backendDB().close()
  return { store, reopened: (other) => new DexieStore(name, other ?? options), lose, failNext: () => undefined }
})

describe('the Dexie store', () => {
  it('reopens a connection that was closed under it', async () => {
    const store = new DexieStore('lost')
    await store.open()
    ;(store as unknown as { database: Dexie }).database.backendDB().close()
    await store.write([{ table: 'outbox', put: entryOf('1') }])
    expect(await store.all('outbox')).toHaveLength(1)
    await store.close()
  })

  it('reports that it is empty after its database was deleted under it, and not after its own doing', async () => {
    const store = new DexieStore('emptied')
    const emptied = vi.fn<() => void>()
    store.onEmptied(emptied)
    await store.open()
    await store.write([{ table: 'outbox', put: entryOf('1') }])
    ;(store as unknown as { database: Dexie }).database.backendDB().close()
    expect(await store.all('outbox')).toHaveLength(1)
    await store.destroy()
    await store.open()
    expect(emptied).not.toHaveBeenCalled()
    ;(store as unknown as { database: Dexie }).database.backendDB().close()
    await Dexie.delete('emptied')
    expect(await store.all('outbox')).toEqual([])
    expect(emptied).toHaveBeenCalledOnce()
    await store.close()
  })

  it('finds what another window compacted', async () => {
    const limits = { minRows: 1, loose: 1, rows: 10 }
    const [here, there] = [new DexieStore('two-windows', { limits }), new DexieStore('two-windows', { limits })]
    await Promise.all([here.open(), there.open()])
    const rows = ['a', 'b', 'c'].map((id) => {
      const time = { dateTime: '2026-05-04T09:00:00Z' }
      return storedRow(behaviors.of('events'), {
        collection: 'events',
        parent: 'cal',
        id,
        value: { id, start: time, end: time },
      })!
    })
    for (const put of rows) await here.write([{ table: 'rows', put, fresh: true }])
    expect(await there.rowKeys('events', 'cal')).toHaveLength(3)
    expect(await here.fold(), 'three small blocks become one').toBe(true)
    expect(
      await there.get(
        'rows',
        rows.map(({ key }) => key),
      ),
    ).toEqual(rows)
    await Promise.all([here.close(), there.close()])
  })

  it("rejects a newer version's database", async () => {
    const newer = new Dexie('newer')
    newer.version(7).stores({ rows: 'key', other: 'id' })
    await newer.open()
    newer.close()
    const refused = await new DexieStore('newer').open().catch((error: unknown) => error)
    expect(refused).toMatchObject({ fault: { code: 'storage', reason: 'VersionError' } })
  })

  it('writes no part of a batch with an invalid item', async () => {
    const store = new DexieStore('half')
    await store.open()
    const broken = { ...entryOf('2'), label: (() => '') as unknown as string }
    const failed = store.write([
      { table: 'outbox', put: entryOf('1') },
      { table: 'outbox', put: broken },
    ])
    await expect(failed).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect(await store.all('outbox')).toEqual([])
    await store.close()
  })

  it.each([
    ['QuotaExceededError', 'Your disk is full. Nothing changed. Free up disk space, then try again.'],
    [
      'AbortError',
      'Couldn’t write to the local database. The disk may be full. Nothing changed. Free up disk space, then try again.',
    ],
  ])('explains a full disk in plain words (%s)', async (name, words) => {
    const store = new DexieStore(`full-${name}`)
    await store.open()
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('put', name)
    })
    const failed = await store.write([{ table: 'outbox', put: entryOf('1') }]).catch((error: unknown) => error)
    put.mockRestore()
    expect(failed).toMatchObject({ fault: { code: 'storage', message: words } })
    expect(await store.all('outbox')).toEqual([])
    await store.close()
  })
})
