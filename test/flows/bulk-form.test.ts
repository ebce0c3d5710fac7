import { expect, it } from 'vitest'
import type { CollectionName } from '#shared/domain/collections'
import type { Json } from '#shared/json'
import { BulkRecords, entryKey } from '../../src-renderer/views/campaigns/bulk-records.svelte'
import { EditInPlace } from '../../src-renderer/views/campaigns/edit-in-place.svelte'
import { placeOf } from '../../src-renderer/views/campaigns/form'
import { readAll } from '../../src-renderer/views/campaigns/records'
import { cellsForFile } from '../helpers/cells-for-file'

const { cells, device, show } = cellsForFile()

/** The records of some rows, and a field of their form. */
async function formOf(kind: CollectionName, rows: readonly number[], path: string) {
  await show(kind)
  const { model } = cells
  const keys = rows.map((row) => model.rows!.key(row))
  const many = new BulkRecords(model, model.kind, keys)
  const read = async (): Promise<void> => {
    many.rows = [...(await readAll(device.replica, keys)).values()]
  }
  await read()
  const form = {
    ...{ key: keys[0]!, many, title: () => `${keys.length} records`, written: [] },
    shown: (key: string) => many.shown(key),
    fields: new Set<EditInPlace>(),
  }
  const field = new EditInPlace(
    model,
    placeOf(form, () => ({ facts: model.kind, path })),
  )
  return { many, field, keys, read }
}
const values = (rows: readonly number[], path: string): Promise<(Json | undefined)[]> =>
  Promise.all(rows.map((row) => cells.value(row, path)))

it('says how records differ, how many a text changes, and sets all in one step', async () => {
  const path = 'externalId'
  const rows = [0, 1, 2]
  const { many, field, read } = await formOf('placements', rows, path)
  const before = await values(rows, path)
  const [first] = before
  expect(many.mixed(path)).toMatch(/^3 values: /)
  // The first record's own value is a change of the others.
  field.type(String(first))
  expect(many.affected(field, path)).toBe(2)
  expect(field.commit()).toBe(true)
  await expect.poll(() => values(rows, path)).toEqual([first, first, first])
  await read()
  expect(many.mixed(path)).toBeUndefined()
  expect(many.shared[path]).toBe(first)
  expect(await device.replica.undo()).not.toBeNull()
  expect(await values(rows, path)).toEqual(before)
})

it('moves each date by its own days', async () => {
  const path = 'pricingSchedule.endDate'
  const rows = [0, 30, 60]
  const { field } = await formOf('placements', rows, path)
  const before = (await values(rows, path)).map((date) => Date.parse(String(date)))
  field.type('+7d')
  field.commit()
  await expect
    .poll(async () => (await values(rows, path)).map((date) => Date.parse(String(date))))
    .toEqual(before.map((at) => at + 7 * 86_400_000))
})

it('adds an entry to the records that lack it, and removes one from those that have it', async () => {
  const path = 'placementAssignments'
  const keyOf = entryKey('placementId')
  const all = await show('ads')
  const lists = new Map<number, { placementId: string }[]>()
  for (let row = 0; row < all.model.length && lists.size < 2; row++) {
    const list = (await all.value(row, path)) as { placementId: string }[] | undefined
    const has = (one: { placementId: string }): boolean =>
      [...lists.values()].some((other) => other.some(({ placementId }) => placementId === one.placementId))
    if (list && list.length > 0 && !list.some(has)) lists.set(row, list)
  }
  const rows = [...lists.keys()]
  const { many, field, read } = await formOf('ads', rows, path)
  const ids = async (): Promise<string[][]> =>
    (await values(rows, path)).map((list) => (list as { placementId: string }[]).map(({ placementId }) => placementId))
  const [[one], [other]] = (await ids()) as [[string], [string]]
  const entry = many.entries(path, keyOf).find(({ value }) => keyOf(value) === one)!
  expect(entry.count).toBe(1)
  const adding = many.adding(path, { placementId: one, active: true }, keyOf)
  expect([...adding.keys()]).toEqual([cells.model.rows!.key(rows[1]!)])
  field.putEach(adding)
  await expect.poll(async () => (await ids()).map((list) => list.includes(one))).toEqual([true, true])
  await read()
  field.putEach(many.removing(path, entry.value, keyOf))
  await expect.poll(async () => (await ids()).map((list) => list.includes(one))).toEqual([false, false])
  expect((await ids())[1]).toContain(other)
  expect(many.removing(path, { placementId: 'nothing' }, keyOf).size).toBe(0)
})
