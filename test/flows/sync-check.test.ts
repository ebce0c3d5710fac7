import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Replica } from '../../src-renderer/replica/api'
import type { CheckResult } from '../../src-renderer/replica/checks'
import type { Write } from '../../src-renderer/replica/store'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'

const list = 'inbox'
const keyOf = (id: unknown): string => recordKey('tasks', list, String(id))
let clock: VirtualClock
let service: ModelService
let device: Device
let replica: Replica
let tasks: JsonObject[]

beforeEach(async () => {
  clock = new VirtualClock()
  service = new ModelService(() => clock.time)
  tasks = Array.from({ length: 16 }, (_, at) =>
    service.callAs('ada', 'tasks.tasks.insert', { tasklist: list }, { title: `Task ${at}`, notes: 'Theirs' })!,
  )
  // What changed just before the first look would be read again by the next one.
  await clock.pass(60_000)
  device = new Device('d0', service, clock, seeded(1))
  replica = await device.start()
  await clock.pass(10_000)
})

const last = (): CheckResult | undefined => replica.status.lanes.find((lane) => lane.service === 'tasks')?.check?.last
const running = (): unknown => replica.status.lanes.find((lane) => lane.service === 'tasks')?.check?.running
const titles = (): unknown[] => replica.rows('tasks', list).map(({ value }) => value?.title)
const findings = (): unknown[] | undefined => last()?.repairs.map(({ difference, id }) => [difference, id])

/** The database on this computer is changed behind the app's back. */
async function damage(...writes: Write[]): Promise<void> {
  await clock.pass(10_000)
  await device.store.write(writes)
  device.crash()
  replica = await device.start()
  await clock.pass(10_000)
}
const rowAt = async (at: number): Promise<Extract<Write, { put: unknown; table: 'rows' }>['put']> =>
  (await device.stored('tasks', list)).find(({ id }) => id === tasks[at]!.id)!

async function ghost(): Promise<Write> {
  const row = await rowAt(0)
  return {
    table: 'rows',
    put: { ...row, key: keyOf('ghost'), id: 'ghost', base: { ...row.base, id: 'ghost', title: 'Ghost' } },
  }
}
const hole = (): Write => ({ table: 'rows', remove: keyOf(tasks[1]!.id) })
async function stale(): Promise<Write> {
  const row = await rowAt(2)
  return { table: 'rows', put: { ...row, etag: '"old"', base: { ...row.base, title: 'Old' } } }
}

async function check(): Promise<void> {
  replica.checkSync()
  await clock.pass(20_000)
  expect(running()).toBeUndefined()
}

describe('a sync check', () => {
  it('finds nothing where everything matches, and says how much it compared', async () => {
    await check()
    expect(last()).toMatchObject({ lists: 2, asked: true, repairs: [] })
  })

  it('repairs a ghost, a hole, and an outdated record, which an ordinary sync does not notice', async () => {
    await damage(await ghost(), hole(), await stale())
    expect(titles()).toContain('Ghost')
    expect(titles()).toContain('Old')
    expect(titles()).not.toContain('Task 1')
    await check()
    expect(titles().sort()).toEqual(tasks.map(({ title }) => title).sort())
    expect(findings()).toEqual(
      expect.arrayContaining([
        ['ghost', 'ghost'],
        ['hole', tasks[1]!.id],
        ['stale', tasks[2]!.id],
      ]),
    )
    expect(last()!.repairs).toHaveLength(3)
    await check()
    expect(last()!.repairs).toEqual([])
  })

  it('keeps its result over a restart', async () => {
    await damage(hole())
    await check()
    const before = last()
    await damage()
    expect(last()).toEqual(before)
    expect(before!.repairs).toHaveLength(1)
  })

  it('drops no pending edit of a ghost or of an outdated record', async () => {
    await damage(await ghost(), await stale())
    replica.pause(true)
    await replica.edit(
      [
        { kind: 'change', key: keyOf('ghost'), patch: { notes: 'Mine for the ghost' } },
        { kind: 'change', key: keyOf(tasks[2]!.id), patch: { notes: 'Mine' } },
      ],
      { label: 'Notes' },
    )
    await check()
    expect(last()!.repairs).toHaveLength(2)
    expect(replica.outbox().map(({ patch }) => patch.notes)).toEqual(['Mine for the ghost', 'Mine'])
    expect(replica.peek(keyOf(tasks[2]!.id))!.value).toMatchObject({ title: 'Task 2', notes: 'Mine' })
    replica.pause(false)
    await clock.pass(30_000)
    const { value } = service.shelf(`tasks ${list}`).held.get(String(tasks[2]!.id))!
    expect(value).toMatchObject({ title: 'Task 2', notes: 'Mine' })
    expect(replica.outbox()).toMatchObject([{ recordId: 'ghost', state: 'needsYou' }])
  })

  it('removes and sets back nothing because an older list is served', async () => {
    service.cache(100)
    await check()
    const made = service.callAs('ada', 'tasks.tasks.insert', { tasklist: list }, { title: 'New' })!
    service.callAs('ada', 'tasks.tasks.patch', { tasklist: list, task: tasks[3]!.id! }, { title: 'Newer' })
    replica.syncNow()
    await clock.pass(10_000)
    expect(titles()).toEqual(expect.arrayContaining(['New', 'Newer']))
    await check()
    expect(replica.peek(keyOf(made.id))?.value?.title).toBe('New')
    expect(titles()).toContain('Newer')
    expect(last()!.repairs).toEqual([])
  })

  it('is canceled, leaves the cursor where it was, and can begin again', async () => {
    await damage(hole())
    replica.checkSync()
    replica.cancelCheck()
    await clock.pass(20_000)
    expect(last()).toBeUndefined()
    expect(titles()).not.toContain('Task 1')
    await check()
    expect(titles()).toContain('Task 1')
  })

  it('ends with what went wrong when the service fails, and repairs the next time', async () => {
    await damage(hole())
    service.trouble = ({ id, params }) =>
      id === 'tasks.tasks.list' && params.updatedMin === undefined ? 'unavailable' : undefined
    await check()
    expect(last()?.fault).toBeDefined()
    service.trouble = () => undefined
    await check()
    expect(last()?.fault).toBeUndefined()
    expect(titles()).toContain('Task 1')
  })

  it('comes by itself once a day, and leaves the last calls of a day alone', async () => {
    await damage(hole())
    const budget = { service: 'tasks', per: 'day', limit: 100, renews: 0 } as const
    device.budgets = [{ ...budget, used: 90 }]
    await clock.pass(2 * 3_600_000)
    expect(last()).toBeUndefined()
    device.budgets = [{ ...budget, used: 10 }]
    await clock.pass(2 * 3_600_000)
    expect(last()).toMatchObject({ asked: false, repairs: [{ difference: 'hole' }] })
    const { at } = last()!
    await clock.pass(26 * 3_600_000)
    expect(last()!.at - at).toBeGreaterThanOrEqual(86_400_000)
    expect(last()!.at - at).toBeLessThan(90_000_000)
  })
})
