import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey } from '#shared/domain/collections'
import type { Change } from '../../src-renderer/replica/api'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'
import { withoutRecords } from '../helpers/forgotten'

const service = serviceForEach()
const forgotten = new Set<string>()
let here: Device
let there: Device
let list: string
let keys: Record<string, string>

const edit = async ({ replica }: Device, change: Change): Promise<string> =>
  (await replica.edit([change], { label: 'Edit' })).keys[0]!
const settled = async (): Promise<void> => {
  for (const device of [here, there, here]) await device.settled()
}

/** A task with three subtasks, on both computers. */
beforeEach(async () => {
  forgotten.clear()
  ;[here, there] = await Promise.all([
    deviceOf(service, { fetch: withoutRecords(forgotten) }),
    deviceOf(service, { fetch: withoutRecords(forgotten) }),
  ])
  await settled()
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

afterEach(() => Promise.all([here, there].map((device) => device.close())))

/** `here` renames tasks that `there` deletes, and keeps its own, one after the other. */
async function keepsDeleted(renamed: readonly string[], deleted: readonly string[], isKept: boolean): Promise<void> {
  await here.replica.setOffline(true)
  for (const name of renamed)
    await edit(here, { kind: 'change', key: keys[name]!, patch: { title: `${name} of mine` } })
  for (const name of deleted) await edit(there, { kind: 'delete', key: keys[name]! })
  await there.settled()
  if (!isKept) for (const name of renamed) forgotten.add(parseRecordKey(keys[name]!).id)
  await here.replica.setOffline(false)
  await here.until('questions', ({ status }) => status.needsYou === renamed.length)
  await here.replica.setOffline(true)
  for (const { id } of here.replica.outbox()) await here.replica.resolve(id, { keep: 'mine' })
  const shown = tree(here)
  await here.replica.setOffline(false)
  await settled()
  expect(here.replica.outbox()).toEqual([])
  expect(sorted(tree(here))).toEqual(sorted(shown))
  if (!isKept) return
  // They are the tasks themselves, as if someone had restored them.
  for (const { replica } of [here, there])
    expect(renamed.map((name) => replica.peek(keys[name]!)?.value?.['title'])).toEqual(
      renamed.map((name) => `${name} of mine`),
    )
}
const sorted = (titles: readonly string[]): string[] => [...titles].sort()
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

describe.each([
  ['that the service restores', true],
  ['that the service no longer keeps', false],
])('a task that someone deleted and another kept, %s', (_what, isKept) => {
  it('is below its parent and after its neighbor', async () => {
    await keepsDeleted(['tickets'], ['tickets'], isKept)
    for (const device of [here, there]) expect(tree(device)).toEqual(['Trip', '  Pack', '  tickets of mine', '  Hotel'])
  })

  it('is after the nearest neighbor that is left', async () => {
    await keepsDeleted(['hotel'], ['hotel', 'tickets'], isKept)
    for (const device of [here, there]) expect(tree(device)).toEqual(['Trip', '  Pack', '  hotel of mine'])
  })

  it.each([
    ['before', ['trip', 'hotel', 'pack']],
    ['after', ['hotel', 'pack', 'trip']],
  ])('takes subtasks along that are kept %s it', async (_when, renamed) => {
    await keepsDeleted(renamed, ['trip'], isKept)
    const kept = ['trip of mine', '  pack of mine', '  hotel of mine']
    for (const device of [here, there]) {
      expect(sorted(tree(device))).toEqual(sorted(kept))
      // Siblings that are created again one by one are below their task, in any order.
      if (isKept) expect(tree(device)).toEqual(kept)
    }
  })
})
