import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey } from '#shared/domain/collections'
import type { Change } from '../../src-renderer/replica/api'
import type { Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'

const { here, there } = devicesForEach()
let list: string
let keys: Record<string, string>

const edit = async ({ replica }: Device, change: Change): Promise<string> =>
  (await replica.edit([change], { label: 'Edit' })).keys[0]!
const settled = async (): Promise<void> => {
  for (const device of [here, there, here]) await device.settled()
}

/** A task with three subtasks, on both computers. */
beforeEach(async () => {
  list = there.replica.rows('tasklists')[0]!.id
  const add = async (title: string, place = {}): Promise<string> => {
    const key = await edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title }, place })
    await there.settled()
    return there.replica.realKey(key)
  }
  const trip = await add('Trip')
  const parent = parseRecordKey(trip).id
  const pack = await add('Pack', { parent })
  const tickets = await add('Tickets', { parent, previous: parseRecordKey(pack).id })
  const hotel = await add('Hotel', { parent, previous: parseRecordKey(tickets).id })
  keys = { trip, pack, tickets, hotel }
  await settled()
})

/** `here` renames tasks that `there` deletes, and keeps its own, one after the other. */
async function keepsDeleted(renamed: readonly string[], deleted: readonly string[]): Promise<void> {
  await here.replica.setOffline(true)
  for (const name of renamed)
    await edit(here, { kind: 'change', key: keys[name]!, patch: { title: `${name} of mine` } })
  for (const name of deleted) await edit(there, { kind: 'delete', key: keys[name]! })
  await there.settled()
  await here.replica.setOffline(false)
  await here.until('questions', ({ status }) => status.needsYou === renamed.length)
  await here.replica.setOffline(true)
  for (const { id } of here.replica.outbox()) await here.replica.resolve(id, { keep: 'mine' })
  const shown = tree(here)
  await here.replica.setOffline(false)
  await settled()
  expect(here.replica.outbox()).toEqual([])
  expect(tree(here)).toEqual(shown)
}
/** Titles in order, indented below their parents. */
function tree({ replica }: Device): string[] {
  const rows = replica.rows('tasks', list).filter(({ value }) => value)
  const below = (parent: string | undefined, indent: string): string[] =>
    rows
      .filter(({ value }) => value!['parent'] === parent)
      .sort((a, b) => (String(a.value!['position']) < String(b.value!['position']) ? -1 : 1))
      .flatMap(({ id, value }) => [`${indent}${String(value!['title'])}`, ...below(id, `${indent}  `)])
  return below(undefined, '')
}

describe('a task that is created again because someone deleted it', () => {
  it('is below its parent and after its neighbor', async () => {
    await keepsDeleted(['tickets'], ['tickets'])
    for (const device of [here, there]) expect(tree(device)).toEqual(['Trip', '  Pack', '  tickets of mine', '  Hotel'])
  })

  it('is after the nearest neighbor that is left', async () => {
    await keepsDeleted(['hotel'], ['hotel', 'tickets'])
    for (const device of [here, there]) expect(tree(device)).toEqual(['Trip', '  Pack', '  hotel of mine'])
  })

  it.each([
    ['before', ['trip', 'hotel', 'pack']],
    ['after', ['hotel', 'pack', 'trip']],
  ])('takes subtasks along that are created again %s it', async (_when, renamed) => {
    await keepsDeleted(renamed, ['trip'])
    for (const device of [here, there])
      expect(tree(device)).toEqual(['trip of mine', '  pack of mine', '  hotel of mine'])
  })
})
