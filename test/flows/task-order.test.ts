import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey } from '#shared/domain/collections'
import { siblings, type PlacedTask } from '#shared/domain/task-order'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Replica } from '../../src-renderer/replica/api'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device as RealDevice } from '../helpers/device'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'
import { cases } from '../helpers/ring'

const service = serviceForEach()
let here: RealDevice
let list: string

beforeEach(async () => {
  here = await deviceOf(service)
  await here.settled()
  list = here.replica.rows('tasklists')[0]!.id
  await here.replica.setOffline(true)
})
afterEach(() => here?.close())

const idOf = (key: string): string => parseRecordKey(here.replica.peek(key)!.key).id
async function task(title: string, place: { parent?: string; previous?: string } = {}): Promise<string> {
  const change = { kind: 'create', collection: 'tasks', parent: list, value: { title }, place } as const
  return (await here.replica.edit([change], { label: `New task *${title}*` })).keys[0]!
}
const move = (key: string, place: { parent?: string; previous?: string }, on = here.replica): Promise<unknown> =>
  on.edit([{ kind: 'action', key, action: { name: 'moveTask', ...place } }], { label: 'Move' })

/** The list in a replica, as far as task order matters. */
const placedTasks = (replica: Replica, list: string): PlacedTask[] =>
  replica.rows('tasks', list).map(({ id, value }) => ({
    id,
    ...(typeof value!.parent === 'string' && { parent: value!.parent }),
    ...(typeof value!.position === 'string' && { position: value!.position }),
  }))

/** Ordered titles, with children in brackets after their parent. */
function outline(replica: Replica): string {
  const tasks = placedTasks(replica, list)
  const title = new Map(replica.rows('tasks', list).map((row) => [row.id, String(row.value?.title)]))
  const under = (parent?: string): string =>
    siblings(tasks, parent)
      .map(({ id }) => title.get(id)! + (tasks.some((one) => one.parent === id) ? `(${under(id)})` : ''))
      .join(' ')
  return under()
}

/** An outline that ignores the order of siblings. */
function inAnyOrder(text: string): string {
  const inside = text.replace(/\(([^()]*)\)/g, (_all, children: string) => `(${children.split(' ').sort().join(' ')})`)
  return inside
    .split(/ (?![^(]*\))/)
    .sort()
    .join(' ')
}

/** The service's outline once everything is sent, in the same form. */
async function sentOutline(): Promise<string> {
  await here.replica.setOffline(false)
  await here.until('sent', ({ status }) => status.unsent === 0)
  expect(here.replica.status.needsYou).toBe(0)
  await here.settled()
  const other = await deviceOf(service)
  await other.settled()
  const seen = outline(other.replica)
  await other.close()
  expect(outline(here.replica)).toBe(seen)
  return seen
}

describe('new tasks reordered before sending', () => {
  it('arrive in order when the first goes after one that followed it', async () => {
    const one = await task('one')
    const two = await task('two', { previous: idOf(one) })
    await move(one, { previous: idOf(two) })
    expect(outline(here.replica)).toBe('two one')
    expect(await sentOutline()).toBe('two one')
  })

  it('arrive in order when the first goes inside the second', async () => {
    const one = await task('one')
    const two = await task('two', { previous: idOf(one) })
    await move(one, { parent: idOf(two) })
    expect(await sentOutline()).toBe('two(one)')
  })

  it('arrive in order after trying every order of three', async () => {
    const [one, two] = [await task('one'), await task('two')]
    const three = await task('three', { parent: idOf(one) })
    await move(one, { previous: idOf(two) })
    await move(two, { previous: idOf(one) })
    await move(three, { previous: idOf(two) })
    await move(one, { previous: idOf(three) })
    await move(two, { parent: idOf(one) })
    expect(outline(here.replica)).toBe('three one(two)')
    expect(await sentOutline()).toBe('three one(two)')
  })

  it('stay when the one before them is undone', async () => {
    const zero = await task('zero')
    const one = await task('one', { previous: idOf(zero) })
    const two = await task('two', { previous: idOf(one) })
    await task('three', { previous: idOf(two) })
    const creation = here.replica.outbox().find((entry) => entry.recordId === idOf(one))!
    await here.replica.withdraw(creation.id)
    expect(outline(here.replica)).toBe('zero two three')
    expect(await sentOutline()).toBe('zero two three')
  })

  it('are removed together only if nested', async () => {
    const one = await task('one')
    await task('inside', { parent: idOf(one) })
    await task('behind', { previous: idOf(one) })
    await here.replica.withdraw(here.replica.outbox()[0]!.id)
    expect(outline(here.replica)).toBe('behind')
    expect(await sentOutline()).toBe('behind')
  })
})

describe("an earlier version's queue", () => {
  it.each([
    ['behind', 'previous', /one two|two one/],
    ['inside', 'parent', /two\(one\)/],
  ] as const)('is sent although its first task goes %s one that waits for it', async (_name, name, order) => {
    const clock = new VirtualClock()
    const model = new Device('old', new ModelService(() => clock.time), clock, seeded(1))
    await model.start()
    await clock.pass(1_000)
    model.replica.pause(true)
    const create = async (title: string, place: { previous?: string }): Promise<string> => {
      const change = { kind: 'create', collection: 'tasks', parent: list, value: { title }, place } as const
      return (await model.replica.edit([change], { label: 'New task' })).keys[0]!
    }
    list = 'inbox'
    const one = parseRecordKey(await create('one', {})).id
    const two = parseRecordKey(await create('two', { previous: one })).id
    const { outbox } = model.disk.data
    const first = [...outbox.values()].find((entry) => entry.recordId === one)!
    outbox.set(first.id, { ...first, place: { [name]: two } })
    model.crash()
    await model.start()
    await model.quiesce()
    expect(model.replica.outbox()).toEqual([])
    expect(outline(model.replica)).toMatch(order)
  })
})

describe('the two levels of tasks', () => {
  let device: Device
  let model: ModelService
  let packing: string
  let socks: string
  const create = async (title: string, place: { parent?: string } = {}): Promise<string> => {
    const change = { kind: 'create', collection: 'tasks', parent: list, value: { title }, place } as const
    return (await device.replica.edit([change], { label: 'New task' })).keys[0]!
  }
  const id = (key: string): string => parseRecordKey(device.replica.realKey(key)).id
  const changes = (): readonly OutboxEntry[] => device.replica.outbox()
  const moveOf = (key: string): OutboxEntry => changes().find((one) => ownKey(one) === device.replica.realKey(key))!
  const shown = (): string => inAnyOrder(outline(device.replica))

  beforeEach(async () => {
    list = 'inbox'
    const clock = new VirtualClock()
    model = new ModelService(() => clock.time)
    device = new Device('one', model, clock, seeded(1))
    await device.start()
    await clock.pass(1_000)
    packing = await create('Packing')
    socks = await create('Socks', { parent: id(packing) })
    await device.quiesce()
    device.replica.pause(true)
    let isFirst = true
    model.trouble = (call, moment) => {
      if (call.id !== 'tasks.tasks.move' || moment === 'after' || !isFirst) return undefined
      isFirst = false
      return 'unavailable'
    }
  })
  afterEach(() => device.crash())

  it('hold while a task that leaves its parent gets a subtask, though its move has to be tried again', async () => {
    await move(device.replica.realKey(socks), {}, device.replica)
    await create('Woolen', { parent: id(socks) })
    await device.quiesce()
    expect(changes()).toEqual([])
    expect(shown()).toBe('Packing Socks(Woolen)')
  })

  it('hold while a task becomes a subtask after its own has left, though the move has to be tried again', async () => {
    const trip = await create('Trip')
    await move(device.replica.realKey(socks), {}, device.replica)
    await move(device.replica.realKey(packing), { parent: id(trip) }, device.replica)
    await device.quiesce()
    expect(changes()).toEqual([])
    expect(shown()).toBe('Socks Trip(Packing)')
  })

  it('hold if the move of a task with a new subtask is discarded: that one stays beside it', async () => {
    await move(device.replica.realKey(socks), {}, device.replica)
    await create('Woolen', { parent: id(socks) })
    await device.replica.withdraw(moveOf(socks).id)
    expect(shown()).toBe('Packing(Socks Woolen)')
    await device.quiesce()
    expect(changes()).toEqual([])
    expect(shown()).toBe('Packing(Socks Woolen)')
  })

  it.each(['kept', 'lost'])('hold if someone nests a task that gets a subtask here: answer %s', async (answer) => {
    const trip = await create('Trip')
    await device.quiesce()
    device.replica.pause(true)
    const loses = answer === 'lost'
    let isLost = false
    model.trouble = (call, moment) => {
      if (!loses || isLost || moment === 'before' || call.id !== 'tasks.tasks.insert') return undefined
      isLost = true
      return 'answerLost'
    }
    model.callAs('ada', 'tasks.tasks.move', { tasklist: list, task: id(socks) })
    model.callAs('ada', 'tasks.tasks.move', { tasklist: list, task: id(packing), parent: id(trip) })
    await create('Shoes', { parent: id(packing) })
    await device.quiesce()
    expect(isLost).toBe(loses)
    expect(changes()).toEqual([])
    expect(shown()).toBe('Socks Trip(Packing Shoes)')
  })

  it('are left if someone clears a task that gets a subtask here: it goes to the top', async () => {
    model.callAs('ada', 'tasks.tasks.move', { tasklist: list, task: id(socks) })
    model.callAs('ada', 'tasks.tasks.patch', { tasklist: list, task: id(packing) }, { status: 'completed' })
    model.callAs('ada', 'tasks.tasks.clear', { tasklist: list })
    await create('Shoes', { parent: id(packing) })
    await device.quiesce()
    expect(changes()).toEqual([])
    expect(shown()).toBe('Packing Shoes Socks')
  })

  it('hold if a deletion is discarded after the new parent was deleted, too: the task stays where it was', async () => {
    const trip = await create('Trip')
    await device.quiesce()
    device.replica.pause(true)
    await move(device.replica.realKey(socks), { parent: id(trip) }, device.replica)
    await device.replica.edit([{ kind: 'delete', key: device.replica.realKey(trip) }], { label: 'Delete' })
    const deletion = changes().find(({ kind, recordId }) => kind === 'delete' && recordId === id(socks))!
    await device.replica.withdraw(deletion.id)
    await device.quiesce()
    expect(changes()).toEqual([])
    expect(shown()).toBe('Packing(Socks)')
  })
})

describe('any offline order', () => {
  it.each([
    ['arrives, whatever is sent first', false],
    ['loses no task and no parent when partly undone', true],
  ])('%s', async (_name, undoing) => {
    list = 'inbox'
    // Undo may move a task among its siblings.
    const seen = (text: string): string => (undoing ? inAnyOrder(text) : text)
    for (let seed = 1; seed <= cases(40, 150); seed++) {
      const random = seeded(seed)
      const clock = new VirtualClock()
      const model = new ModelService(() => clock.time)
      const device = new Device('one', model, clock, seeded(seed + 1_000))
      await device.start()
      await clock.pass(1_000)
      const { replica } = device
      const tasks = (): string[] => replica.rows('tasks', list).map((row) => row.id)
      const pick = (ids: readonly string[]): string | undefined => ids[Math.floor(random() * ids.length)]
      const inside = (parent: string | undefined, but?: string): string[] =>
        siblings(placedTasks(replica, list), parent).flatMap(({ id }) => (id === but ? [] : [id]))
      const edit = async (n: number): Promise<void> => {
        const dice = random()
        const entry = pick(replica.outbox().map((one) => one.id))
        if (undoing && dice > 0.97 && entry !== undefined) return replica.withdraw(entry)
        if (undoing && dice > 0.94) return void (await replica.undo())
        const id = dice < 0.4 ? undefined : pick(tasks())
        const holds = id !== undefined && inside(id).length > 0
        const top = inside(undefined, id)
        const parent = !holds && random() < 0.4 ? pick(top) : undefined
        const previous = random() < 0.8 ? pick(inside(parent, id)) : undefined
        const place = { ...(parent && { parent }), ...(previous && { previous }) }
        if (id === undefined) {
          const value = { title: `t${n}` }
          const change = { kind: 'create', collection: 'tasks', parent: list, value, place } as const
          await replica.edit([change], { label: 'New task' })
        } else if (dice > 0.87)
          await replica.edit([{ kind: 'delete', key: `tasks\n${list}\n${id}` }], { label: 'Delete' })
        else await move(`tasks\n${list}\n${id}`, place, replica)
      }
      for (let n = 0; n < 5; n++) await edit(n)
      if (random() < 0.6) await device.quiesce()
      replica.pause(true)
      for (let n = 5; n < 14; n++) await edit(n)
      const wanted = seen(outline(replica))
      let trouble = Math.floor(random() * 4)
      model.trouble = (call, moment) =>
        moment === 'before' && /insert|move/.test(call.id) && random() < 0.4 && trouble-- > 0
          ? 'unavailable'
          : undefined
      await device.quiesce()
      expect(replica.outbox(), `seed ${seed}`).toEqual([])
      expect(seen(outline(replica)), `seed ${seed}`).toBe(wanted)
      device.crash()
    }
  })
})
