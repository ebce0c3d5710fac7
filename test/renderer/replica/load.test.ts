import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { Commits } from '../../../src-renderer/replica/commits'
import { systemEnvironment } from '../../../src-renderer/replica/environment'
import { fillWindow, foldInIdleTime, loadVisible } from '../../../src-renderer/replica/load'
import { Memory } from '../../../src-renderer/replica/memory'
import { memoryDisk, MemoryStore } from '../../../src-renderer/replica/memory-store'
import { storedRow } from '../../../src-renderer/replica/records'
import type { StoredRow } from '../../../src-renderer/replica/store'
import { seeded, VirtualClock } from '../../flows/model/clock'
import { itemsBetween } from '../../../src-renderer/behaviors/calendar-items'
import { behaviors } from '../../../src-renderer/behaviors'
import { silentBridge } from '../../helpers/silent-bridge'

const now = Date.UTC(2026, 5, 10)

const event = (id: string, month: number): StoredRow => {
  const time = { dateTime: new Date(Date.UTC(2026, month, 10, 9)).toISOString() }
  return storedRow(behaviors.of('events'), {
    collection: 'events',
    parent: 'c',
    id,
    value: { id, summary: id, start: time, end: time },
  })!
}

async function written(rows: readonly StoredRow[], fresh: boolean): Promise<ReturnType<typeof memoryDisk>> {
  const disk = memoryDisk()
  const store = new MemoryStore(disk, { limits: { minRows: 1, loose: 100, rows: 100 } })
  await store.open()
  await store.write(rows.map((put) => ({ table: 'rows', put, ...(fresh && { fresh }) })))
  await store.close()
  return disk
}

const all = (memory: Memory): string[] => {
  const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)]
  return itemsBetween(memory, from, to, { from, to }).map(({ title }) => title)
}

describe('the start', () => {
  it('draws visible months from block headers without bodies', async () => {
    const disk = await written([event('january', 0), event('june', 5)], true)
    const store = new MemoryStore(disk)
    await store.open()
    disk.data.bodies.clear()
    const memory = new Memory(behaviors)
    await loadVisible(store, memory, [], now)
    expect(all(memory)).toEqual(['june'])
    await fillWindow(
      store,
      memory,
      systemEnvironment,
      () => undefined,
      () => false,
    )
    expect(all(memory)).toEqual(['january', 'june'])
    expect(memory.stored.size).toBe(0)
  })

  it.each([
    ['in blocks', true],
    ['in separate records', false],
  ])("doesn't restore what a pull removed or changed while loading (%s)", async (_where, fresh) => {
    const rows = ['a', 'b', 'c'].map((id, month) => event(id, month))
    const store = new MemoryStore(await written(rows, fresh))
    await store.open()
    const memory = new Memory(behaviors)
    const commits = new Commits(memory, store, silentBridge, () => undefined)
    await loadVisible(store, memory, [], now)
    // The removal is in memory but not on disk when the reader looks there.
    let release = (): void => undefined
    store.beforeWrite = () => new Promise((done) => (release = done))
    const filling = fillWindow(
      store,
      memory,
      systemEnvironment,
      () => undefined,
      () => false,
    )
    const { saved } = commits.run('sync', (tx) => {
      tx.removeRow(recordKey('events', 'c', 'a'))
      tx.putRow({ ...event('b', 8), base: { ...event('b', 8).base, summary: 'b moved' } })
    })
    await filling
    release()
    await saved
    expect(all(memory)).toEqual(['c', 'b moved'])
  })
})

describe('compaction', () => {
  it('waits for other work, then runs until done, and stops with the replica', async () => {
    const disk = await written(
      Array.from({ length: 9 }, (_unused, n) => event(`e${n}`, 5)),
      false,
    )
    const store = new MemoryStore(disk, { limits: { minRows: 1, loose: 1, rows: 4 } })
    await store.open()
    await store.rowKeys('events', 'c')
    const clock = new VirtualClock()
    let busy = true
    const stop = foldInIdleTime(
      store,
      clock.environment(seeded(1), () => true),
      () => busy,
    )
    await clock.pass(60_000)
    expect(disk.data.rows.size).toBe(9)
    busy = false
    await clock.pass(60_000)
    expect(disk.data.rows.size).toBe(0)
    expect(disk.data.heads.size).toBeLessThan(3)
    stop()
    await store.write([{ table: 'rows', put: event('late', 5) }])
    await clock.pass(600_000)
    expect([...disk.data.rows.values()].map(({ id }) => id)).toEqual(['late'])
  })
})
