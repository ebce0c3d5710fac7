import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Change } from '../../src-renderer/replica/api'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'

const clock = new VirtualClock()
let devices: Device[] = []
afterEach(() => devices.forEach((device) => device.crash()))

async function deviceOn(service: ModelService): Promise<Device> {
  const device = new Device(`d${devices.length}`, service, clock, seeded(devices.length + 1))
  devices.push(device)
  await device.start()
  await clock.pass(5_000)
  return device
}
function newService(): ModelService {
  devices = []
  return new ModelService(() => clock.time)
}
/** The next insert succeeds, but its response is lost. */
function loseAnswer(service: ModelService, moment: 'before' | 'after' = 'after'): void {
  let lost = false
  service.trouble = ({ id }, at) => {
    if (lost || !id.endsWith('.insert') || at !== moment) return undefined
    lost = true
    return 'answerLost'
  }
}
const titles = (service: ModelService, list = 'inbox'): unknown[] =>
  service
    .living(`tasks ${list}`)
    .map(({ title }) => title)
    .sort()
async function add(device: Device, value: JsonObject, list = 'inbox'): Promise<string> {
  const edit = device.replica.edit([{ kind: 'create', collection: 'tasks', parent: list, value }], {
    label: 'New task',
  })
  await clock.settle()
  return (await edit).keys[0]!
}
const taskOf = (service: ModelService): JsonObject => service.living('tasks inbox')[0]!
/** Creates a task whose response is lost and that someone then renames. */
async function renamedAfterLostAnswer(here: Device, service: ModelService, value: JsonObject) {
  loseAnswer(service)
  const key = await add(here, value)
  await clock.pass(400)
  const id = String(taskOf(service).id)
  service.callAs('x', 'tasks.tasks.patch', { tasklist: 'inbox', task: id }, { title: 'Renamed' })
  return { key, id }
}
const question = (device: Device) => device.replica.outbox()[0]?.conflict

it.each([
  ['theirs', ['Renamed']],
  ['mine', ['Call Mina', 'Renamed']],
] as const)('a task renamed before its lost response is looked up prompts: %s', async (keep, left) => {
  const service = newService()
  const here = await deviceOn(service)
  const { key } = await renamedAfterLostAnswer(here, service, { title: 'Call Mina', notes: 'Before noon' })
  await clock.pass(120_000)
  expect(titles(service)).toEqual(['Renamed'])
  expect(question(here)).toMatchObject({ made: expect.any(String), remote: { title: 'Renamed' }, fields: [] })
  // An older database alone doesn't drop the question.
  expect(here.journal.state().open).toMatchObject([{ conflict: { remote: { title: 'Renamed' } } }])
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep })
  await clock.pass(120_000)
  expect(titles(service)).toEqual(left)
  expect(here.replica.outbox()).toEqual([])
  expect(here.replica.rows('tasks').map(({ value }) => value?.['title'])).toEqual(expect.arrayContaining([...left]))
  expect(here.replica.rows('tasks')).toHaveLength(left.length)
  expect(here.replica.peek(key)?.value?.['title']).toBe(left[0])
})

it('a task changed in a list that couldn’t be read before its lost response is looked up prompts', async () => {
  const service = newService()
  const here = await deviceOn(service)
  await here.replica.setOffline(true)
  const made = await here.replica.edit(
    [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } }],
    {
      label: 'New list',
    },
  )
  await add(here, { title: 'Tent' }, parseRecordKey(made.keys[0]!).id)
  let lost = false
  let isPushing = false
  service.trouble = ({ id, params }, moment) => {
    if (id === 'tasks.tasks.insert' && moment === 'after' && !lost) return (lost = true) && 'answerLost'
    const isOwn = id === 'tasks.tasks.list' && params.tasklist !== 'inbox'
    return isOwn && moment === 'before' && !isPushing ? 'cursorExpired' : undefined
  }
  here.beforeAnswer = (name) => {
    isPushing = name === 'sync/push'
  }
  await here.replica.setOffline(false)
  await clock.pass(400)
  const [list] = service.living('tasklists').filter(({ title }) => title === 'Trip')
  const tasklist = String(list!.id)
  const [task] = service.living(`tasks ${tasklist}`)
  service.callAs('x', 'tasks.tasks.patch', { tasklist, task: String(task!.id) }, { notes: 'The green one' })
  await clock.pass(120_000)
  expect(titles(service, tasklist)).toEqual(['Tent'])
  expect(question(here)).toMatchObject({ made: expect.any(String), remote: { notes: 'The green one' } })
})

it('a task moved to a new list while the lists can’t be read is not created again', async () => {
  const service = newService()
  const here = await deviceOn(service)
  let isDown = true
  let lost = false
  service.trouble = ({ id }, moment) => {
    if (id === 'tasks.tasks.insert' && moment === 'after' && !lost) return (lost = true) && 'answerLost'
    return isDown && id === 'tasks.tasklists.list' && moment === 'before' ? 'unavailable' : undefined
  }
  await add(here, { title: 'Tent' })
  await clock.pass(400)
  const list = String(service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Trip' })!.id)
  const [task] = service.living('tasks inbox')
  service.callAs('x', 'tasks.tasks.move', { tasklist: 'inbox', task: String(task!.id), destinationTasklist: list })
  await clock.pass(120_000)
  expect([titles(service), titles(service, list)]).toEqual([[], ['Tent']])
  isDown = false
  await clock.pass(120_000)
  expect([titles(service), titles(service, list)]).toEqual([[], ['Tent']])
  expect(question(here)).toMatchObject({ made: expect.any(String) })
})

it('edits and subtasks made during the question go to the chosen record', async () => {
  const service = newService()
  const here = await deviceOn(service)
  const { key } = await renamedAfterLostAnswer(here, service, { title: 'Call Mina' })
  await clock.pass(120_000)
  await here.replica.edit([{ kind: 'change', key, patch: { notes: 'At noon' } }], { label: 'Notes' })
  const inside = { parent: here.replica.peek(key)!.id }
  const value = { title: 'Ask for the key' }
  await here.replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value, place: inside }], {
    label: 'Subtask',
  })
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
  // Two rows would be one task twice: deleting the one would delete the other's subtasks, which its author didn't see.
  expect(here.replica.rows('tasks')).toHaveLength(2)
  await clock.pass(120_000)
  const [task, subtask] = service.living('tasks inbox')
  expect(task).toMatchObject({ title: 'Renamed', notes: 'At noon' })
  expect(subtask).toMatchObject({ title: 'Ask for the key', parent: task!.id })
})

it('a task moved before its lost response is looked up prompts in the new list', async () => {
  const service = newService()
  service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Later' })
  const later = String(service.living('tasklists').find(({ title }) => title === 'Later')!.id)
  const here = await deviceOn(service)
  loseAnswer(service)
  await add(here, { title: 'Call Mina' })
  await clock.pass(400)
  const task = taskOf(service).id!
  service.callAs('x', 'tasks.tasks.move', { tasklist: 'inbox', task, destinationTasklist: later })
  await clock.pass(120_000)
  expect([titles(service), titles(service, later)]).toEqual([[], ['Call Mina']])
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
  await clock.pass(120_000)
  expect([titles(service), titles(service, later)]).toEqual([[], ['Call Mina']])
  expect(here.replica.outbox()).toEqual([])
  expect(here.replica.rows('tasks').map(({ parent }) => parent)).toEqual([later])
})

describe('a question about a task that is moved to another list', () => {
  it.each(['by its author', 'by someone else'])('is asked again %s', async (who) => {
    const service = newService()
    const here = await deviceOn(service)
    const list = String(service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Trip' })!.id)
    const { id } = await renamedAfterLostAnswer(here, service, { title: 'Call Mina', notes: 'Before noon' })
    // The lookup sees the task first.
    let left = 6
    service.trouble = (call, moment) =>
      call.id.startsWith('tasks.') && moment === 'before' && left-- > 0 ? 'conflict' : undefined
    await clock.pass(120_000)
    expect(question(here)).toMatchObject({ made: recordKey('tasks', 'inbox', id) })
    if (who === 'by someone else')
      service.callAs('x', 'tasks.tasks.move', { tasklist: 'inbox', task: id, destinationTasklist: list })
    else {
      const action = { name: 'moveTask', destination: list } as const
      await here.replica.edit([{ kind: 'action', key: recordKey('tasks', 'inbox', id), action }], { label: 'Move' })
    }
    await clock.pass(400_000)
    expect([titles(service), titles(service, list)]).toEqual([[], ['Renamed']])
    expect(question(here)).toMatchObject({ made: recordKey('tasks', list, id), remote: { title: 'Renamed' } })
    await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
    await clock.pass(120_000)
    expect([titles(service), titles(service, list)]).toEqual([[], ['Renamed']])
    expect(here.replica.rows('tasks').map(({ value }) => value?.['title'])).toEqual(['Renamed'])
  })
})

describe('a task that was moved out of a list', () => {
  let service: ModelService
  let here: Device
  let list: string
  const move = (): void => {
    const [task] = service.living(`tasks ${list}`)
    service.callAs('x', 'tasks.tasks.move', { tasklist: list, task: String(task!.id), destinationTasklist: 'inbox' })
  }
  const edit = async (change: Change): Promise<unknown> => {
    const made = here.replica.edit([change], { label: 'Edit' })
    await clock.settle()
    return made
  }
  const answerTheirs = async (isIt: (entry: OutboxEntry) => boolean): Promise<void> => {
    await here.replica.resolve(here.replica.outbox().find(isIt)!.id, { keep: 'theirs' })
    await clock.pass(120_000)
  }
  const tasks = (): unknown[] => ['inbox', list].map((one) => titles(service, one))
  beforeEach(async () => {
    service = newService()
    here = await deviceOn(service)
    await edit({ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } })
    await clock.pass(10_000)
    list = String(service.living('tasklists').find(({ title }) => title === 'Trip')!.id)
  })

  it('before its lost response was looked up isn’t created again with its list', async () => {
    await here.replica.setOffline(true)
    await add(here, { title: 'Tent' }, list)
    const key = recordKey('tasklists', null, list)
    await edit({ kind: 'revert', key, created: { title: 'Trip' } })
    loseAnswer(service)
    await here.replica.setOffline(false)
    await clock.pass(400)
    move()
    await clock.pass(120_000)
    await answerTheirs(({ conflict }) => conflict?.made !== undefined)
    await answerTheirs(({ kind }) => kind === 'delete')
    expect(tasks()).toEqual([['Tent'], []])
    expect(here.replica.peek(key)?.value).toMatchObject({ title: 'Trip' })
  })

  it('before that was deleted isn’t created again if the deletion is undone', async () => {
    await add(here, { title: 'Tent' }, list)
    await clock.pass(10_000)
    await here.replica.setOffline(true)
    await edit({ kind: 'delete', key: recordKey('tasklists', null, list) })
    move()
    await here.replica.setOffline(false)
    await clock.pass(120_000)
    expect(titles(service)).toEqual(['Tent'])
    await here.replica.undo()
    await clock.pass(120_000)
    const [again] = service.living('tasklists').filter(({ title }) => title === 'Trip')
    expect([titles(service), titles(service, String(again!.id))]).toEqual([['Tent'], []])
  })
})

/** Lets someone act while a creation whose response was lost is looked up. */
function duringLookup(here: Device, service: ModelService, act: () => void): void {
  let isLookedUp = false
  here.beforeAnswer = (name) => {
    isLookedUp = name === 'sync/push'
  }
  service.trouble = ({ id, who }, moment) => {
    if (!isLookedUp || who === 'x' || id !== 'tasks.tasks.list' || moment !== 'before') return undefined
    service.trouble = () => undefined
    act()
    return undefined
  }
}

it('a task changed before its lost response is looked up, and moved meanwhile, prompts in the new list', async () => {
  const service = newService()
  const later = String(service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Later' })!.id)
  const here = await deviceOn(service)
  const { id: task } = await renamedAfterLostAnswer(here, service, { title: 'Call Mina', notes: 'Before noon' })
  duringLookup(here, service, () =>
    service.callAs('x', 'tasks.tasks.move', { tasklist: 'inbox', task, destinationTasklist: later }),
  )
  await clock.pass(120_000)
  expect([titles(service), titles(service, later)]).toEqual([[], ['Renamed']])
  expect(question(here)).toMatchObject({ made: recordKey('tasks', later, task), remote: { title: 'Renamed' } })
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
  await clock.pass(120_000)
  expect([titles(service), titles(service, later)]).toEqual([[], ['Renamed']])
  expect(here.replica.outbox()).toEqual([])
})

it('such a task that is deleted meanwhile is created again', async () => {
  const service = newService()
  service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Later' })
  const here = await deviceOn(service)
  const { id: task } = await renamedAfterLostAnswer(here, service, { title: 'Call Mina', notes: 'Before noon' })
  duringLookup(here, service, () => service.callAs('x', 'tasks.tasks.delete', { tasklist: 'inbox', task }))
  await clock.pass(120_000)
  expect(titles(service)).toEqual(['Call Mina'])
  expect(here.replica.outbox()).toEqual([])
})

it("a task moved to a list that may be deleted prompts, and isn't created again", async () => {
  const service = newService()
  const later = String(service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Later' })!.id)
  const here = await deviceOn(service)
  await here.replica.setOffline(true)
  await here.replica.edit([{ kind: 'delete', key: recordKey('tasklists', null, later) }], { label: 'Delete' })
  service.callAs('x', 'tasks.tasks.insert', { tasklist: later }, { title: 'Tent' })
  await here.replica.setOffline(false)
  await clock.pass(10_000)
  expect(here.replica.outbox()).toMatchObject([{ state: 'needsYou' }])
  loseAnswer(service)
  await add(here, { title: 'Call Mina' })
  await clock.pass(400)
  const task = taskOf(service).id!
  service.callAs('x', 'tasks.tasks.move', { tasklist: 'inbox', task, destinationTasklist: later })
  await clock.pass(120_000)
  expect([titles(service), titles(service, later)]).toEqual([[], ['Call Mina', 'Tent']])
  expect(here.replica.outbox()).toMatchObject([
    { kind: 'delete', conflict: { unseen: [expect.any(String), recordKey('tasks', later, String(task))] } },
    { kind: 'create', conflict: { made: recordKey('tasks', later, String(task)) } },
  ])
})

it('a cached list removes no list with a pending task', async () => {
  const service = newService()
  const here = await deviceOn(service)
  service.cache(30)
  here.replica.syncNow()
  await clock.pass(2_000)
  const value = { title: 'Trip' }
  const { keys } = await here.replica.edit([{ kind: 'create', collection: 'tasklists', parent: null, value }], {
    label: 'New list',
  })
  await clock.pass(2_000)
  service.trouble = ({ id }, at) => (id === 'tasks.tasks.insert' && at === 'before' ? 'unavailable' : undefined)
  const list = here.replica.peek(keys[0]!)!.id
  await add(here, { title: 'Pack' }, list)
  here.replica.syncNow()
  await clock.pass(2_000)
  expect(here.replica.peek(keys[0]!)?.value).toMatchObject(value)
  service.trouble = () => undefined
  await clock.pass(120_000)
  expect(titles(service, list)).toEqual(['Pack'])
})

it('lookups after a lost response bypass caches', async () => {
  const service = newService()
  const here = await deviceOn(service)
  loseAnswer(service)
  await add(here, { title: 'Call Mina' })
  await clock.pass(120_000)
  const asked = service.calls.filter(({ id, sight }) => id === 'tasks.tasks.list' && !sight)
  expect(new Set(asked.map(({ params }) => params['maxResults'])).size).toBeGreaterThan(1)
})

it('a new calendar that a lost creation was moved to is found behind a cache', async () => {
  const service = newService()
  const here = await deviceOn(service)
  service.cache(1_000)
  for (let times = 0; times < 2; times++) {
    here.replica.syncNow()
    await clock.pass(2_000)
  }
  const destination = String(service.callAs('x', 'calendar.calendars.insert', {}, { summary: 'Room' })!.id)
  let lost = false
  service.trouble = ({ id }, moment) => {
    if (lost || id !== 'calendar.events.insert' || moment !== 'after') return undefined
    lost = true
    return 'answerLost'
  }
  service.unanswered = (_call, { id: eventId }) =>
    void service.callAs('x', 'calendar.events.move', { calendarId: 'me', eventId: eventId!, destination })
  const at = (hour: string): JsonObject => ({ dateTime: `2026-03-10T${hour}:00:00Z`, timeZone: 'UTC' })
  const value = { summary: 'Review', start: at('09'), end: at('10') }
  await here.replica.edit([{ kind: 'create', collection: 'events', parent: 'me', value }], { label: 'Create' })
  await clock.pass(120_000)
  expect(lost).toBe(true)
  expect(here.replica.outbox()).toEqual([])
  expect(service.living('events me')).toEqual([])
  expect(service.living(`events ${destination}`)).toMatchObject([{ summary: 'Review' }])
})

it('a lost request without new records asks nothing', async () => {
  const service = newService()
  const here = await deviceOn(service)
  loseAnswer(service, 'before')
  await add(here, { title: 'Call Mina' })
  await clock.pass(120_000)
  expect([titles(service), here.replica.outbox()]).toEqual([['Call Mina'], []])
})

describe('a subtask that asks whether it made a renamed one, in a task that is deleted', () => {
  let service: ModelService
  let here: Device
  let trip: string
  const lose = (operation: string, count: number): void => {
    let left = count
    service.trouble = ({ id }, at) => {
      if (left === 0 || id !== operation || at !== 'after') return undefined
      left--
      return 'answerLost'
    }
  }
  const edit = async (change: Change): Promise<string> => {
    const made = here.replica.edit([change], { label: 'Edit' })
    await clock.settle()
    return (await made).keys[0]!
  }
  const create = (title: string, place = {}): Promise<string> =>
    edit({ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title }, place })
  const pack = (): JsonObject => service.living('tasks inbox').find(({ title }) => title === 'Pack')!
  beforeEach(async () => {
    service = newService()
    here = await deviceOn(service)
    trip = await create('Trip')
    await clock.pass(10_000)
    trip = here.replica.realKey(trip)
    loseAnswer(service)
    await create('Pack', { parent: parseRecordKey(trip).id })
    await clock.pass(400)
  })
  const renamed = async (): Promise<void> => {
    service.callAs('x', 'tasks.tasks.patch', { tasklist: 'inbox', task: pack().id! }, { title: 'Renamed' })
    await clock.pass(60_000)
    expect(question(here)).toMatchObject({ made: expect.any(String), remote: { title: 'Renamed' } })
  }
  const answer = async (keep: 'mine' | 'theirs'): Promise<void> => {
    await here.replica.resolve(here.replica.outbox().find(({ conflict }) => conflict?.made)!.id, { keep })
    await clock.pass(120_000)
    expect(here.replica.outbox()).toEqual([])
  }
  const both = ['Pack', 'Renamed', 'Trip']

  it('is gone with it', async () => {
    await renamed()
    await edit({ kind: 'delete', key: trip })
    await clock.pass(120_000)
    expect([titles(service), here.replica.outbox()]).toEqual([[], []])
  })

  it.each([
    ['mine', 'before it is sent', both],
    ['theirs', 'before it is sent', ['Renamed', 'Trip']],
    ['mine', 'once it was sent', both],
    ['theirs', 'once it was sent', ['Renamed', 'Trip']],
    ['mine', 'when its response was lost', both],
    ['theirs', 'when its response was lost', ['Renamed', 'Trip']],
  ] as const)('asks again after undo: %s, %s', async (keep, moment, left) => {
    await renamed()
    if (moment === 'before it is sent') await here.replica.setOffline(true)
    if (moment === 'when its response was lost') lose('tasks.tasks.delete', 1)
    await edit({ kind: 'delete', key: trip })
    await clock.pass(moment === 'once it was sent' ? 120_000 : 400)
    await here.replica.undo()
    await here.replica.setOffline(false)
    await clock.pass(120_000)
    expect(titles(service)).toEqual(['Renamed', 'Trip'])
    await answer(keep)
    expect(titles(service)).toEqual(left)
    expect(service.living('tasks inbox').filter(({ parent }) => parent === parseRecordKey(trip).id)).toHaveLength(
      left.length - 1,
    )
  })

  it.each([
    ['mine', 'before it was sent', both],
    ['theirs', 'before it was sent', ['Renamed', 'Trip']],
    ['mine', 'once it was sent', both],
    ['theirs', 'once it was sent', ['Renamed', 'Trip']],
  ] as const)('asks about the copy after its list was restored: %s, %s', async (keep, moment, left) => {
    await renamed()
    await edit({ kind: 'delete', key: recordKey('tasklists', null, 'inbox') })
    await clock.pass(120_000)
    expect(here.replica.outbox()).toEqual([])
    await here.replica.undo()
    if (moment === 'once it was sent') await clock.pass(120_000)
    await answer(keep)
    const [list] = service.living('tasklists')
    expect(titles(service, String(list!.id))).toEqual(left)
  })

  it.each([
    ['theirs', ['Pack', 'Trip']],
    ['mine', []],
  ] as const)('is created if what it asks about is gone and the deletion asks: %s', async (keep, left) => {
    await edit({ kind: 'delete', key: trip })
    await renamed()
    const isAsked = ({ kind, conflict }: OutboxEntry): boolean => kind === 'delete' && conflict !== undefined
    expect(here.replica.outbox().filter(isAsked)).toHaveLength(1)
    const task = service.living('tasks inbox').find(({ title }) => title === 'Renamed')!.id!
    service.callAs('x', 'tasks.tasks.delete', { tasklist: 'inbox', task })
    await clock.pass(120_000)
    await here.replica.resolve(here.replica.outbox().find(isAsked)!.id, { keep })
    await clock.pass(120_000)
    expect([titles(service), here.replica.outbox()]).toEqual([left, []])
  })
})

it('a question ends when its record is deleted', async () => {
  const service = newService()
  const here = await deviceOn(service)
  loseAnswer(service, 'before')
  await add(here, { title: 'Call Mina' })
  await clock.pass(400)
  service.callAs('x', 'tasks.tasks.insert', { tasklist: 'inbox' }, { title: 'Something else' })
  await clock.pass(120_000)
  expect(question(here)).toMatchObject({ remote: { title: 'Something else' } })
  service.callAs('x', 'tasks.tasks.delete', { tasklist: 'inbox', task: taskOf(service).id! })
  await clock.pass(600_000)
  expect([titles(service), here.replica.outbox()]).toEqual([['Call Mina'], []])
})

/** Copies the disk, and `journal`, too. @returns a function that restores them */
function copyOf(device: Device, journal = true): () => void {
  const tables = structuredClone(device.disk.data)
  const lines = structuredClone(device.journal.lines)
  return () => {
    for (const [name, table] of Object.entries(device.disk.data)) {
      table.clear()
      for (const [key, value] of tables[name as keyof typeof tables]) table.set(key as never, value as never)
    }
    if (journal) device.journal.lines = lines
  }
}

it('an older database looks up a creation that a newer, lost one sent', async () => {
  const service = newService()
  const here = await deviceOn(service)
  service.trouble = ({ id }, at) => (id === 'tasks.tasks.insert' && at === 'before' ? 'unreachable' : undefined)
  await add(here, { title: 'Call Mina' })
  await clock.pass(400)
  expect(here.replica.outbox()).toMatchObject([
    { state: 'waiting', triedAt: expect.any(Number), unknownOutcome: false },
  ])
  const putBack = copyOf(here, false)
  here.crash()
  for (const table of Object.values(here.disk.data)) table.clear()
  loseAnswer(service)
  await here.start()
  await clock.pass(2_000)
  expect(titles(service)).toEqual(['Call Mina'])
  here.crash()
  putBack()
  await here.start()
  await clock.pass(120_000)
  expect([titles(service), here.replica.outbox()]).toEqual([['Call Mina'], []])
})

it('an older database gives up what was typed into a new task if its author accepts that someone deleted it', async () => {
  const service = newService()
  const here = await deviceOn(service)
  const putBack = copyOf(here, false)
  let isLost = false
  let isPushing = false
  service.trouble = ({ id }, moment) => {
    if (id === 'tasks.tasks.insert' && moment === 'after' && !isLost) return (isLost = true) && 'answerLost'
    return id === 'tasks.tasks.list' && moment === 'before' && !isPushing ? 'cursorExpired' : undefined
  }
  here.beforeAnswer = (name) => {
    isPushing = name === 'sync/push'
  }
  const key = await add(here, { title: 'Tent', notes: 'Two people' })
  await clock.pass(400)
  const task = String(service.living('tasks inbox')[0]!.id)
  service.callAs('x', 'tasks.tasks.patch', { tasklist: 'inbox', task }, { title: 'Red tent' })
  await clock.pass(120_000)
  expect(question(here)).toMatchObject({ made: recordKey('tasks', 'inbox', task) })
  service.callAs('x', 'tasks.tasks.delete', { tasklist: 'inbox', task })
  const [creation] = here.replica.outbox()
  const edit = here.replica.edit([{ kind: 'change', key, patch: { notes: 'Three people' } }], { label: 'Edit' })
  await clock.settle()
  await edit
  // The older one doesn't have the record that the question is about.
  here.crash()
  putBack()
  await here.start()
  await here.replica.resolve(creation!.id, { keep: 'theirs' })
  await clock.pass(60_000)
  expect(here.replica.outbox().map(({ kind }) => kind)).toEqual(['create', 'change'])
  expect(question(here)).toMatchObject({ remote: null })
  await here.replica.resolve(creation!.id, { keep: 'theirs' })
  await clock.pass(60_000)
  expect([here.replica.outbox(), service.living('tasks inbox')]).toEqual([[], []])
})

it('an older database doesn’t clear a calendar again that an event was created in since', async () => {
  const service = newService()
  const here = await deviceOn(service)
  const putBack = copyOf(here, false)
  await here.replica.setOffline(true)
  const time = { dateTime: '2026-03-04T10:00:00Z' }
  const value = { summary: 'Lunch', start: time, end: time }
  const edit = (change: Change): Promise<unknown> => here.replica.edit([change], { label: 'Edit' })
  await edit({ kind: 'action', key: recordKey('calendars', null, 'me'), action: { name: 'clearCalendar' } })
  await edit({ kind: 'create', collection: 'events', parent: 'me', value })
  // The journal doesn't learn that both were sent.
  here.journal.failing = true
  await here.replica.setOffline(false)
  await clock.pass(2_000)
  here.crash()
  here.journal.failing = false
  putBack()
  await here.start()
  await clock.pass(120_000)
  expect(here.replica.outbox()).toEqual([])
  expect(service.living('events me')).toMatchObject([{ summary: 'Lunch' }])
  expect(service.calls.filter(({ id }) => id === 'calendar.calendars.clear')).toHaveLength(1)
})

it('an older database asks about a task that someone changed, though the deletion of its list hid it when it was new', async () => {
  const service = newService()
  const list = String(service.callAs('ada', 'tasks.tasklists.insert', {}, { title: 'Trip' })!.id)
  const here = await deviceOn(service)
  const putBack = copyOf(here, false)
  loseAnswer(service)
  await add(here, { title: 'Visa', status: 'needsAction' }, list)
  await clock.pass(500)
  expect(here.replica.outbox()).toMatchObject([{ kind: 'create', unknownOutcome: true }])
  service.trouble = ({ id }) => (id === 'tasks.tasklists.delete' ? 'unavailable' : undefined)
  await here.replica.edit([{ kind: 'delete', key: recordKey('tasklists', null, list) }], { label: 'Delete' })
  await clock.pass(10_000)
  expect(here.replica.outbox()).toMatchObject([{ kind: 'delete', state: 'waiting' }])
  here.crash()
  putBack()
  const task = String(service.living(`tasks ${list}`)[0]!.id)
  service.callAs('ada', 'tasks.tasks.patch', { tasklist: list, task }, { title: 'Visa by Friday' })
  service.trouble = () => undefined
  await here.start()
  await clock.pass(120_000)
  expect(here.replica.outbox()).toMatchObject([
    { kind: 'delete', state: 'needsYou', conflict: { unseen: [recordKey('tasks', list, task)] } },
  ])
  expect(titles(service, list)).toEqual(['Visa by Friday'])
})

it('an older database learns the ID of a list that was created since, and undoes into it', async () => {
  const service = newService()
  const here = await deviceOn(service)
  await here.replica.setOffline(true)
  const list = { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } } as const
  const { id } = parseRecordKey((await here.replica.edit([list], { label: 'New list' })).keys[0]!)
  const task = await add(here, { title: 'Visa' }, id)
  await here.replica.edit([{ kind: 'delete', key: task }], { label: 'Delete' })
  const putBack = copyOf(here, false)
  await here.replica.setOffline(false)
  await clock.pass(10_000)
  const [, sent] = service.living('tasklists')
  await here.replica.setOffline(true)
  here.crash()
  putBack()
  await here.start()
  await here.replica.undo()
  await here.replica.setOffline(false)
  await clock.pass(60_000)
  expect([titles(service, String(sent!.id)), here.replica.outbox()]).toEqual([['Visa'], []])
})

it('an older database doesn’t restore a task to a list that was discarded since, and says so', async () => {
  const here = await deviceOn(newService())
  await here.replica.setOffline(true)
  const list = { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } } as const
  const [key] = (await here.replica.edit([list], { label: 'New list' })).keys
  const task = await add(here, { title: 'Visa' }, parseRecordKey(key!).id)
  await here.replica.edit([{ kind: 'delete', key: task }], { label: 'Delete' })
  const putBack = copyOf(here, false)
  await here.replica.edit([{ kind: 'delete', key: key! }], { label: 'Delete' })
  here.crash()
  putBack()
  await here.start()
  await expect(here.replica.undo()).rejects.toMatchObject({
    fault: { message: 'The task list that contained this no longer exists. Nothing changed.' },
  })
  expect(here.replica.outbox()).toEqual([])
})

it('undoing a list in an older database removes its newer task, and redo brings both back', async () => {
  const here = await deviceOn(newService())
  await here.replica.setOffline(true)
  const list = { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } } as const
  const key = (await here.replica.edit([list], { label: 'New list' })).keys[0]!
  const putBack = copyOf(here, false)
  await add(here, { title: 'Visa' }, parseRecordKey(key).id)
  here.crash()
  putBack()
  await here.start()
  const shown = (): unknown[] =>
    (['tasklists', 'tasks'] as const).flatMap((name) => here.replica.rows(name).map(({ value }) => value?.['title']))
  expect(shown()).toEqual(['Inbox', 'Trip', 'Visa'])
  await here.replica.undo()
  expect(shown()).toEqual(['Inbox'])
  await here.replica.redo()
  expect(shown()).toEqual(['Inbox', 'Trip', 'Visa'])
})

it('undoing a task in an older database removes its newer subtasks, and redo brings all back', async () => {
  const here = await deviceOn(newService())
  await here.replica.setOffline(true)
  const create = async (title: string, parent?: string): Promise<string> => {
    const place = parent === undefined ? {} : { parent }
    const change: Change = { kind: 'create', collection: 'tasks', parent: 'inbox', value: { title }, place }
    return parseRecordKey((await here.replica.edit([change], { label: title })).keys[0]!).id
  }
  const trip = await create('Trip')
  const putBack = copyOf(here, false)
  await create('Passport', await create('Visa', trip))
  here.crash()
  putBack()
  await here.start()
  const shown = (): unknown[] => here.replica.rows('tasks').map(({ value }) => value?.['title'])
  await here.replica.undo()
  expect(shown()).toEqual([])
  await here.replica.redo()
  expect(shown()).toEqual(['Trip', 'Visa', 'Passport'])
})

it('undoing a restoration in an older database removes its task with a newer title, and redo brings both back', async () => {
  const service = newService()
  const here = await deviceOn(service)
  const key = await add(here, { title: 'Visa' })
  await clock.pass(10_000)
  await here.replica.setOffline(true)
  const edit = (change: Change): Promise<unknown> => here.replica.edit([change], { label: change.kind })
  await edit({ kind: 'delete', key })
  await edit({ kind: 'restore', key })
  const putBack = copyOf(here, false)
  await edit({ kind: 'change', key, patch: { title: 'Visa for Mina' } })
  here.crash()
  putBack()
  await here.start()
  const shown = (): unknown[] => here.replica.rows('tasks').map(({ value }) => value?.['title'])
  expect(shown()).toEqual(['Visa for Mina'])
  await here.replica.undo()
  expect(shown()).toEqual([])
  await here.replica.redo()
  expect(shown()).toEqual(['Visa for Mina'])
  await here.replica.setOffline(false)
  await clock.pass(60_000)
  expect([titles(service), here.replica.outbox()]).toEqual([['Visa for Mina'], []])
})

it.each([
  ['theirs', ['Call Mina']],
  ['mine', ['Call Mina', 'Call Mina']],
] as const)('a creation in an old snapshot prompts: %s', async (keep, left) => {
  const service = newService()
  const here = await deviceOn(service)
  await here.replica.setOffline(true)
  await add(here, { title: 'Call Mina' })
  await clock.pass(2_000)
  const putBack = copyOf(here)
  await here.replica.setOffline(false)
  await clock.pass(10_000)
  expect(titles(service)).toEqual(['Call Mina'])
  here.crash()
  putBack()
  await here.start()
  await clock.pass(60_000)
  expect(titles(service)).toEqual(['Call Mina'])
  expect(question(here)).toMatchObject({ remote: { title: 'Call Mina' } })
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep })
  await clock.pass(60_000)
  expect([titles(service), here.replica.outbox()]).toEqual([left, []])
})

it('newer edits to such a creation prompt field by field', async () => {
  const service = newService()
  const here = await deviceOn(service)
  await here.replica.setOffline(true)
  const key = await add(here, { title: 'Call Mina', notes: 'Before noon' })
  await clock.pass(2_000)
  const putBack = copyOf(here)
  await here.replica.setOffline(false)
  await clock.pass(10_000)
  here.crash()
  putBack()
  await here.start()
  await here.replica.edit([{ kind: 'change', key, patch: { title: 'Call Mina back' } }], { label: 'Rename' })
  await clock.pass(60_000)
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
  await clock.pass(60_000)
  expect(titles(service)).toEqual(['Call Mina'])
  const [asked] = here.replica.outbox()
  expect(asked).toMatchObject({ kind: 'change', state: 'needsYou', conflict: { fields: ['title'] } })
  await here.replica.resolve(asked!.id, { fields: { title: 'mine' } })
  await clock.pass(60_000)
  expect([titles(service), here.replica.outbox()]).toEqual([['Call Mina back'], []])
})

it('a restart sends pending changes without asking', async () => {
  const service = newService()
  const here = await deviceOn(service)
  await here.replica.setOffline(true)
  await add(here, { title: 'Call Mina' })
  await add(here, { title: 'Call Mina' })
  await clock.pass(2_000)
  here.crash()
  await here.start()
  await here.replica.setOffline(false)
  await clock.pass(60_000)
  expect([titles(service), here.replica.outbox()]).toEqual([['Call Mina', 'Call Mina'], []])
})
