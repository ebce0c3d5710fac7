import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { fieldLayout } from '../../../../src-renderer/replica/blocks/layout'
import { layoutsOf } from '../../../../src-renderer/replica/blocks/layouts'
import { Commits } from '../../../../src-renderer/replica/commits'
import { fillWindow } from '../../../../src-renderer/replica/load'
import { Memory } from '../../../../src-renderer/replica/memory'
import { memoryDisk, MemoryStore } from '../../../../src-renderer/replica/memory-store'
import { takeRecord } from '../../../../src-renderer/replica/records'
import type { StoredRow } from '../../../../src-renderer/replica/store'
import { systemEnvironment } from '../../../../src-renderer/replica/environment'
import { behaviors } from '../../../../src-renderer/behaviors'
import { silentBridge } from '../../../helpers/silent-bridge'

const placements = 'placements' as CollectionName
const layouts = layoutsOf({ placements: fieldLayout(['name', 'pricing.startDate'], 'advertiserId') })
const limits = { minRows: 1, loose: 2, rows: 100 }

const placement = (id: string, name = `Placement ${id}`): StoredRow => ({
  key: recordKey(placements, null, id),
  collection: placements,
  parent: null,
  id,
  base: { id, name, pricing: { startDate: '2026-01-01' }, advertiserId: '1', comment: 'long' },
  complete: true,
})

interface World {
  memory: Memory
  store: MemoryStore
  commits: Commits
  names(): string[]
}

async function open(disk = memoryDisk()): Promise<World> {
  const memory = new Memory(behaviors, layouts)
  const store = new MemoryStore(disk, { layouts, limits })
  await store.open()
  store.onMoved((moved) => memory.follow(moved))
  const commits = new Commits(memory, store, silentBridge, () => undefined)
  const names = (): string[] => {
    const found: string[] = []
    const table = memory.columns(placements)
    const line = (key: string, name: unknown, start: unknown): string =>
      `${key.split('\n')[2]} ${String(name)} ${String(start)}`
    table.each((key, cells) => found.push(line(key, cells(0), cells(1))))
    const parts = table.parts().flatMap(({ count, key, cell }) =>
      Array.from({ length: count }, (_unused, row) => {
        const known = key(row)
        return known === undefined ? [] : [line(known, cell(row, 0), cell(row, 1))]
      }).flat(),
    )
    expect(parts.sort(), 'read in parts').toEqual(found.sort())
    return found
  }
  return { memory, store, commits, names }
}

const rowsOf = (ids: readonly string[]): StoredRow[] => ids.map((id) => placement(id))
const named = (...names: string[]): string[] => names.map((name) => `${name} 2026-01-01`)

describe('a collection with columns in memory', () => {
  it("shows rows at once and drops bodies and cells once they're in blocks", async () => {
    const { memory, commits, names } = await open()
    const { saved } = commits.run('sync', (tx) => rowsOf(['1', '2', '3']).forEach((row) => tx.putRow(row, true)))
    const all = named('1 Placement 1', '2 Placement 2', '3 Placement 3')
    expect(names()).toEqual(all)
    await saved
    await commits.settled()
    expect(names()).toEqual(all)
    expect(memory.columns(placements).held).toBe(0)
    expect(memory.stored.size).toBe(0)
    expect(memory.list(placements)).toEqual([])
  })

  it('overlays later changes and removals on blocks, also after compaction and a restart', async () => {
    const disk = memoryDisk()
    const { memory, store, commits, names } = await open(disk)
    await commits.run('sync', (tx) => rowsOf(['1', '2', '3', '4']).forEach((row) => tx.putRow(row, true))).saved
    const { saved } = commits.run('sync', (tx) => {
      tx.putRow(placement('2', 'Renamed'))
      tx.putRow(placement('3', 'Renamed too'))
      tx.removeRow(placement('1').key)
    })
    const all = named('2 Renamed', '3 Renamed too', '4 Placement 4')
    expect(names()).toEqual(all)
    await saved
    expect(names()).toEqual(all)
    while (await store.fold());
    expect(names()).toEqual(all)
    expect(memory.columns(placements).held).toBe(0)
    await store.close()
    const again = await open(disk)
    await fillWindow(
      again.store,
      again.memory,
      systemEnvironment,
      () => undefined,
      () => false,
    )
    expect(again.names()).toEqual(all)
  })

  it('drops a row the service deleted, even with its body only on disk', async () => {
    const { store, commits, names } = await open()
    await commits.run('sync', (tx) => rowsOf(['1', '2']).forEach((row) => tx.putRow(row, true))).saved
    await commits.settled()
    const deleted = { collection: placements, parent: null, id: '1', value: null }
    await commits.run('sync', (tx) => takeRecord(tx, deleted)).saved
    expect(names()).toEqual(named('2 Placement 2'))
    expect(await store.rowKeys(placements, null)).toEqual([placement('2').key])
  })

  it('shows each row once after a failed write makes the store rescan its blocks', async () => {
    const { memory, store, commits, names } = await open()
    await commits.run('sync', (tx) => rowsOf(['1', '2', '3']).forEach((row) => tx.putRow(row, true))).saved
    store.failing = new Error('The disk is full')
    const { saved } = commits.run('sync', (tx) => tx.putRow(placement('1', 'Lost')))
    await expect(saved).rejects.toMatchObject({ fault: { code: 'storage' } })
    store.failing = null
    await commits.run('sync', (tx) => ['1', '2'].forEach((id) => tx.putRow(placement(id, 'Renamed'), true))).saved
    expect(memory.columns(placements).held).toBe(0)
    expect(names()).toEqual(named('1 Renamed', '2 Renamed', '3 Placement 3'))
  })

  it('restores the old state when a write fails', async () => {
    const { store, commits, names } = await open()
    await commits.run('sync', (tx) => rowsOf(['1', '2']).forEach((row) => tx.putRow(row, true))).saved
    await commits.settled()
    store.failing = new Error('The disk is full')
    const { saved } = commits.run('sync', (tx) => {
      tx.putRow(placement('1', 'Renamed'))
      tx.removeRow(placement('2').key)
      tx.putRow(placement('3'))
    })
    expect(names()).toEqual(named('1 Renamed', '3 Placement 3'))
    await expect(saved).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect(names()).toEqual(named('1 Placement 1', '2 Placement 2'))
  })
})
