import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { Json, JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import type { Change } from '../../../src-renderer/replica/api'
import { newestLayouts as layouts } from '../../../src-renderer/replica/blocks/layouts'
import { systemEnvironment } from '../../../src-renderer/replica/environment'
import { fillWindow } from '../../../src-renderer/replica/load'
import { resolve, withdraw } from '../../../src-renderer/replica/resolve'
import { settle } from '../../../src-renderer/replica/settle'
import { ReplicaState } from '../../helpers/replica-state'

const profile = '7'
const facts = factsOf()
const keyOf = (id: string): string => recordKey('placements', profile, id)

const placement = (n: number, more: JsonObject = {}): JsonObject => ({
  id: String(n),
  name: `Placement ${n}`,
  advertiserId: String(n % 3),
  campaignId: String(n % 5),
  comment: `Body of ${n}`,
  pricingSchedule: { startDate: '2026-06-01', pricingType: 'PRICING_TYPE_CPM' },
  ...more,
})
const remote = (value: JsonObject): RemoteRecord => ({
  collection: 'placements',
  parent: profile,
  id: String(value['id']),
  value,
})

/** A column of every row, by ID. */
function columnOf({ memory }: ReplicaState, path: string): Record<string, Json | undefined> {
  const table = memory.columns('placements')
  const column = table.columns.indexOf(path)
  const found: Record<string, Json | undefined> = {}
  table.each((key, cells) => {
    const { id } = parseRecordKey(key)
    expect(found, `${id} is there once`).not.toHaveProperty(id)
    found[id] = cells(column)
  })
  return found
}

describe('a collection with bodies on disk', () => {
  let name: string
  let world: ReplicaState
  let made = 0
  const all = Array.from({ length: 9 }, (_unused, n) => placement(n + 1))
  const reopen = async (): Promise<ReplicaState> => {
    await world.commits.settled()
    await world.store.close()
    return (world = await ReplicaState.open(name))
  }
  const pull = (values: readonly JsonObject[]): Promise<void> => world.pull(values.map(remote))
  const body = async (id: string): Promise<JsonObject | undefined> =>
    (await world.store.get('rows', [keyOf(id)]))[0]?.base
  const change = (id: string, patch: JsonObject): Promise<string[]> =>
    world.edit({ kind: 'change', key: keyOf(id), patch })

  beforeEach(async () => {
    name = `window-collection-${++made}`
    world = await ReplicaState.open(name)
    await pull(all)
  })

  it('has the columns of its facts, followed by its partition fields', () => {
    const { columns } = layouts.of('placements')
    expect(columns.slice(0, facts.of('placements').columns.length)).toEqual(facts.of('placements').columns)
    expect(columns).toEqual(expect.arrayContaining(['advertiserId', 'campaignId']))
    expect(layouts.windows).toEqual(
      facts.all
        .filter(({ keep }) => keep === 'window')
        .map((one) => one.name)
        .sort(),
    )
    expect(world.memory.stored.size).toBe(0)
    expect(Object.keys(columnOf(world, 'name'))).toHaveLength(all.length)
  })

  it('is the same after a restart and stores no cells for unchanged rows', async () => {
    await reopen()
    expect(columnOf(world, 'name')['4']).toBe('Placement 4')
    await pull(all)
    expect(world.memory.columns('placements').held).toBe(0)
    expect(world.memory.stored.size).toBe(0)
    expect(columnOf(world, 'campaignId')['4']).toBe('4')
  })

  it('shows each row once when a pull replaces all of them while loading', async () => {
    await world.store.close()
    world = new ReplicaState(name)
    const { store, memory } = world
    await store.open()
    let rows: Promise<void> | undefined
    // The first yield of the load lets in a pull that replaces every block.
    const environment = {
      ...systemEnvironment,
      setTimer: (work: () => void, ms: number) => {
        rows ??= pull(all.map((value) => ({ ...value, name: `Anew ${String(value['id'])}` })))
        return rows.then(() => systemEnvironment.setTimer(work, ms))
      },
    }
    await fillWindow(
      store,
      memory,
      environment,
      () => undefined,
      () => false,
    )
    expect(Object.values(columnOf(world, 'name'))).toEqual(expect.arrayContaining(['Anew 1', 'Anew 9']))
    expect(Object.keys(columnOf(world, 'name'))).toHaveLength(all.length)
  })

  it('edits with the full body as base, keeps the edit after a restart, and undoes it', async () => {
    await reopen()
    await change('4', { name: 'Renamed' })
    expect(world.entry).toMatchObject({ patch: { name: 'Renamed' }, base: all[3], complete: true, held: true })
    expect(columnOf(world, 'name')['4']).toBe('Renamed')
    await reopen()
    expect(columnOf(world, 'name')['4']).toBe('Renamed')
    expect(world.memory.row(keyOf('4'))).toMatchObject({ base: all[3], mark: 'local' })
    expect(await world.steps.back('undo', 'redo')).toBe('Edit')
    expect(world.memory.entries()).toEqual([])
    expect(columnOf(world, 'name')['4']).toBe('Placement 4')
    expect(await world.steps.back('redo', 'undo')).toBe('Edit')
    expect(columnOf(world, 'name')['4']).toBe('Renamed')
    await world.commits.settled()
    expect(world.memory.stored.has(keyOf('4'))).toBe(true)
    await world.commits.run('edit', (tx) => withdraw({ tx, ...world.context }, world.entry.id)).saved
    await world.commits.settled()
    expect(columnOf(world, 'name')['4']).toBe('Placement 4')
    expect(world.memory.stored.size).toBe(0)
    expect(world.memory.row(keyOf('4'))).toBeUndefined()
  })

  it('applies the response, undoes a sent edit, and has the new body on disk', async () => {
    await change('4', { name: 'Renamed' })
    await world.settle({ kind: 'confirmed', records: [remote(placement(4, { name: 'Renamed' }))], units: 1 })
    expect(world.memory.entries()).toEqual([])
    expect(world.memory.stored.size).toBe(0)
    expect(columnOf(world, 'name')['4']).toBe('Renamed')
    expect(await body('4')).toMatchObject({ name: 'Renamed', comment: 'Body of 4' })
    await world.steps.back('undo', 'redo')
    await world.commits.settled()
    expect(world.entry).toMatchObject({
      patch: { name: 'Placement 4' },
      base: { name: 'Renamed', comment: 'Body of 4' },
    })
    expect(columnOf(world, 'name')['4']).toBe('Placement 4')
  })

  it('keeps an edit on top of a pull and sends it with the new base', async () => {
    await change('4', { name: 'Renamed' })
    await pull(all.map((value) => ({ ...value, comment: 'Theirs', name: `Their ${String(value['id'])}` })))
    expect(columnOf(world, 'name')).toMatchObject({ 4: 'Renamed', 5: 'Their 5' })
    expect(world.memory.row(keyOf('4'))).toMatchObject({
      base: { name: 'Their 4', comment: 'Theirs' },
      value: { name: 'Renamed', comment: 'Theirs' },
    })
    await reopen()
    expect(columnOf(world, 'name')).toMatchObject({ 4: 'Renamed', 5: 'Their 5' })
    expect(world.memory.row(keyOf('4'))!.base).toMatchObject({ name: 'Their 4' })
  })

  it.each(['mine', 'theirs'] as const)('asks when both sides changed a field, and ends with %s', async (keep) => {
    await change('4', { name: 'Mine' })
    const theirs = placement(4, { name: 'Theirs', comment: 'New' })
    await world.settle({ kind: 'conflict', remote: remote(theirs), fields: ['name'], merged: {}, units: 1 })
    expect(world.entry).toMatchObject({ state: 'needsYou', conflict: { remote: theirs } })
    await reopen()
    expect(columnOf(world, 'name')['4']).toBe('Mine')
    await world.commits.run('edit', (tx) => resolve({ tx, ...world.context }, world.entry.id, { keep })).saved
    await world.commits.settled()
    expect(columnOf(world, 'name')['4']).toBe(keep === 'mine' ? 'Mine' : 'Theirs')
    expect(world.memory.entries()).toHaveLength(keep === 'mine' ? 1 : 0)
    expect(await body('4')).toMatchObject({ name: 'Theirs', comment: 'New' })
    if (keep === 'mine') expect(world.entry.base).toMatchObject({ name: 'Theirs', comment: 'New' })
  })

  it('shows a new row at once, with its real ID once sent, and none archived before sending', async () => {
    const [key] = await world.edit({
      kind: 'create',
      collection: 'placements',
      parent: profile,
      value: { name: 'New', campaignId: '1' },
    })
    const { id } = parseRecordKey(key!)
    expect(columnOf(world, 'name')[id]).toBe('New')
    await reopen()
    expect(columnOf(world, 'name')[id]).toBe('New')
    await world.settle({ kind: 'confirmed', records: [remote(placement(77, { name: 'New' }))], units: 1 })
    expect(columnOf(world, 'name')).not.toHaveProperty(id)
    expect(columnOf(world, 'name')['77']).toBe('New')
    expect(await body('77')).toMatchObject({ comment: 'Body of 77' })
    const [other] = await world.edit({
      kind: 'create',
      collection: 'placements',
      parent: profile,
      value: { name: 'No' },
    })
    await world.edit({ kind: 'delete', key: other! })
    expect(Object.values(columnOf(world, 'name'))).not.toContain('No')
    await world.edit({ kind: 'delete', key: keyOf('77') })
    expect(world.entry).toMatchObject({ kind: 'change', patch: { archived: true } })
  })

  it('edits hundreds of rows, undoes them in one step, and repacks them once sent', async () => {
    const many = Array.from({ length: 450 }, (_unused, n) => placement(n + 100))
    await pull([...all, ...many])
    const keys = many.map((value) => keyOf(String(value['id'])))
    await world.edit(...keys.map((key): Change => ({ kind: 'change', key, patch: { name: 'Same' } })))
    expect(world.memory.entries()).toHaveLength(450)
    expect(world.memory.entries().every(({ base }) => typeof base?.['comment'] === 'string')).toBe(true)
    await world.steps.back('undo', 'redo')
    await world.commits.settled()
    expect(world.memory.entries()).toEqual([])
    expect(world.memory.stored.size).toBe(0)
    expect(columnOf(world, 'name')['300']).toBe('Placement 300')
    await world.steps.back('redo', 'undo')
    for (const entry of [...world.memory.entries()])
      await world.commits.run('sync', (tx) =>
        settle({ tx, ...world.context }, entry.id, {
          kind: 'confirmed',
          records: [remote({ ...entry.base, name: 'Same' })],
          units: 1,
        }),
      ).saved
    await world.commits.settled()
    while (await world.store.fold());
    expect(world.memory.columns('placements').held).toBe(0)
    expect(columnOf(world, 'name')).toMatchObject({ 4: 'Placement 4', 300: 'Same' })
    await reopen()
    expect(columnOf(world, 'name')).toMatchObject({ 4: 'Placement 4', 300: 'Same' })
  })
})
