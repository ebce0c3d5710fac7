import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { StrayBlocks } from '../../src-renderer/app/stray-blocks'
import { blockCreation, blockDeletions, blocksOf, tasksById } from '../../src-renderer/context/time-blocks'
import type { CalendarItem, Change } from '../../src-renderer/replica/api'
import { deviceOf, type Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'
import { withoutRecords } from '../helpers/forgotten'

const primary = 'alex.morgan@flightplan.example'
const now = systemClock.now()
const times = (hours: number): JsonObject => {
  const at = Math.ceil(now / 3_600_000) * 3_600_000 + hours * 3_600_000
  const time = (ms: number): JsonObject => ({ dateTime: new Date(ms).toISOString(), timeZone: 'Europe/Berlin' })
  return { start: time(at), end: time(at + 1_800_000) }
}

const { service, here, there, offline, sync } = devicesForEach()

async function addTask({ replica }: Device, title: string): Promise<string> {
  const list = replica.rows('tasklists')[0]!.id
  const { keys } = await replica.edit(
    [{ kind: 'create', collection: 'tasks', parent: list, value: { title, status: 'needsAction' } }],
    { label: title },
  )
  return keys[0]!
}
async function plan({ replica }: Device, title: string, hours: number): Promise<void> {
  const task = [...tasksById(replica).values()].find(({ value }) => value?.['title'] === title)!
  const due: Change = { kind: 'change', key: task.key, patch: { due: '2026-06-10T00:00:00.000Z' } }
  await replica.edit([due, await blockCreation(replica, task, primary, times(hours))], { label: `Plan ${title}` })
}
const blocks = ({ replica }: Device): CalendarItem[] => blocksOf(replica, [...tasksById(replica).keys()], now)
const all = ({ replica }: Device): string[] =>
  replica
    .items(now - 86_400_000, now + 30 * 86_400_000)
    .filter(({ taskId }) => taskId !== undefined)
    .map(({ title }) => title)
    .sort()
/** Looks for stray blocks as the window does after each reading of the tasks. */
async function tidy(device: Device): Promise<string[]> {
  const strays = new StrayBlocks()
  const said: string[] = []
  for (let round = 0; round < 4; round++) {
    const { replica } = device
    const lane = replica.status.lanes.find(({ service }) => service === 'tasks')
    const found = await strays.look(replica, lane, now, primary)
    if (found) {
      await replica.edit(found.changes, { label: found.label })
      said.push(found.text)
    }
    const before = lane?.lastPull
    replica.syncNow('tasks')
    await device.until(
      'another reading of the tasks',
      ({ status }) => status.lanes.find(({ service }) => service === 'tasks')!.lastPull !== before,
    )
    await device.settled()
  }
  return said
}

describe('time blocks', () => {
  it('are sent after a task that was created offline, and find it under its new ID', async () => {
    await offline(true)
    await addTask(here, 'Write the brief')
    await plan(here, 'Write the brief', 1)
    expect(blocks(here).map(({ title, mark }) => [title, mark])).toEqual([['Write the brief', 'local']])
    await sync()
    expect(blocks(here)).toHaveLength(1)
    const [block] = blocks(there)
    expect(tasksById(there.replica).get(block!.taskId!)?.value).toMatchObject({ title: 'Write the brief' })
    expect(here.replica.outbox()).toEqual([])
  })

  it('are one step: undo removes the block and the due date', async () => {
    const key = await addTask(here, 'Call the printer')
    await plan(here, 'Call the printer', 2)
    expect(await here.replica.undo()).toBe('Plan Call the printer')
    expect(blocks(here)).toEqual([])
    expect(here.replica.peek(here.replica.realKey(key))?.value).not.toHaveProperty('due')
  })

  it('of one task at one time on two computers become one, without a question', async () => {
    for (const title of ['One', 'Two', 'Three']) await addTask(here, title)
    await sync()
    await offline(true)
    for (const device of [here, there])
      for (const [at, title] of ['One', 'Two', 'Three'].entries()) await plan(device, title, at)
    await sync()
    for (const device of [here, there]) {
      expect(all(device)).toEqual(['One', 'Three', 'Two'])
      expect(device.replica.status.needsYou).toBe(0)
    }
  })

  it('of one task at different times ask which one to keep', async () => {
    await addTask(here, 'Review')
    await sync()
    await offline(true)
    await plan(here, 'Review', 1)
    await plan(there, 'Review', 5)
    await here.replica.setOffline(false)
    await here.settled()
    await there.replica.setOffline(false)
    await there.asks()
    expect(all(there)).toEqual(['Review'])
    const [entry] = there.replica.outbox()
    await there.replica.resolve(entry!.id, { keep: 'theirs' })
    await there.settled()
    expect([all(here), all(there)]).toEqual([['Review'], ['Review']])
  })

  it('can be planned again at the same time after they were deleted', async () => {
    await addTask(here, 'Invoice')
    await plan(here, 'Invoice', 3)
    await sync()
    await here.replica.edit(blockDeletions(blocks(here)), { label: 'Delete' })
    await sync()
    expect(all(there)).toEqual([])
    await plan(here, 'Invoice', 3)
    await sync()
    expect([all(here), all(there), here.replica.status.needsYou]).toEqual([['Invoice'], ['Invoice'], 0])
  })

  it('disappear if their task was deleted elsewhere, and keep what someone added', async () => {
    for (const title of ['Gone', 'Gone, with notes', 'Stays']) await addTask(here, title)
    await sync()
    await offline(true)
    for (const [at, title] of ['Gone', 'Gone, with notes', 'Stays'].entries()) await plan(there, title, at)
    const noted = blocks(there).find(({ title }) => title === 'Gone, with notes')!
    await there.replica.edit([{ kind: 'change', key: noted.rowKey, patch: { description: 'Bring the plan' } }], {
      label: 'Describe',
    })
    for (const [id, { value }] of tasksById(here.replica))
      if (String(value?.['title']).startsWith('Gone')) {
        const { key } = tasksById(here.replica).get(id)!
        await here.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
      }
    await here.replica.setOffline(false)
    await here.settled()
    await there.replica.setOffline(false)
    await there.until('everything that can be sent', ({ outbox }) =>
      outbox.call(there.replica).every(({ state }) => state === 'needsYou'),
    )
    // The new due dates of deleted tasks are a question of their own.
    for (const entry of there.replica.outbox()) await there.replica.resolve(entry.id, { keep: 'theirs' })
    await sync()
    expect((await tidy(there)).join()).toMatch(/2 time blocks removed/)
    await sync()
    for (const device of [here, there]) expect(all(device)).toEqual(['Stays'])
    const kept = await here.replica.read(recordKey('events', primary, noted.eventId))
    expect(kept?.value).toMatchObject({ summary: 'Gone, with notes', description: 'Bring the plan' })
    expect(await tidy(here)).toEqual([])
  })

  it.each([
    ['restored', true, []],
    ['created again', false, ['Time block linked to the task that you kept']],
  ])('stay with a task that was kept after it was deleted elsewhere, and is %s', async (_how, isKept, linked) => {
    const forgotten = new Set<string>()
    const other = await deviceOf(service, { fetch: withoutRecords(forgotten) })
    try {
      await addTask(here, 'Kept')
      await sync()
      await other.settled()
      await other.replica.setOffline(true)
      await plan(other, 'Kept', 1)
      const gone = [...tasksById(here.replica).values()].find(({ value }) => value?.['title'] === 'Kept')!
      if (!isKept) forgotten.add(gone.id)
      await here.replica.edit([{ kind: 'delete', key: gone.key }], { label: 'Delete' })
      await here.settled()
      await other.replica.setOffline(false)
      await other.asks()
      const [entry] = other.replica.outbox().filter(({ state }) => state === 'needsYou')
      await other.replica.resolve(entry!.id, { keep: 'mine' })
      await other.settled()
      expect(await tidy(other)).toEqual(linked)
      await other.settled()
      await sync()
      expect(await tidy(here)).toEqual([])
      for (const { replica } of [here, other]) {
        const kept = [...tasksById(replica).values()].find(({ value }) => value?.['title'] === 'Kept')!
        expect(blocksOf(replica, [kept.id], now)).toHaveLength(1)
      }
    } finally {
      await other.close()
    }
  })

  it('of a task that has not arrived yet stay', async () => {
    await addTask(there, 'Late')
    await plan(there, 'Late', 1)
    await there.settled()
    const strays = new StrayBlocks()
    const lane = { ...here.replica.status.lanes.find(({ service }) => service === 'tasks')!, phase: 'idle' as const }
    // Here, the calendar has been read, and the tasks have not.
    const early = {
      realKey: here.replica.realKey.bind(here.replica),
      items: () => blocks(there).map((item) => ({ ...item, taskId: 'not-here-yet' })),
      rows: here.replica.rows.bind(here.replica),
      readAll: there.replica.readAll.bind(there.replica),
    }
    expect(await strays.look(early, { ...lane, lastPull: 1 }, now, primary)).toBeNull()
    expect(await strays.look(early, { ...lane, lastPull: 1 }, now, primary)).toBeNull()
    expect(await strays.look(early, { ...lane, lastPull: 2 }, now, primary)).toBeNull()
    expect([strays.asksAgain(), strays.asksAgain()]).toEqual([true, false])
    const notMine = new StrayBlocks()
    for (let pull = 1; pull < 5; pull++)
      expect(await notMine.look(early, { ...lane, lastPull: pull }, now, 'mina@flightplan.example')).toBeNull()
    expect((await strays.look(early, { ...lane, lastPull: 3 }, now, primary))?.changes).toHaveLength(1)
  })
})
