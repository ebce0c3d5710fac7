import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { dueDay } from '#shared/domain/task-days'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { Continuation } from '../../src-renderer/context/continuation'
import { alongWords, completing, following } from '../../src-renderer/context/repeating-tasks'
import type { Change, EditOptions, Row } from '../../src-renderer/replica/api'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'

const day = 86_400_000
const now = systemClock.now()
const today = Math.floor(now / day) * day
const rule = '↻ every week on Wed'
const service = serviceForEach()
let here: Device
let there: Device

beforeEach(async () => {
  ;[here, there] = await Promise.all([deviceOf(service), deviceOf(service)])
  await Promise.all([here.settled(), there.settled()])
})
afterEach(async () => {
  await Promise.all([here?.close(), there?.close()])
})

const dueText = (at: number): string => new Date(at).toISOString()
/** The Wednesday on or before today. */
const wednesday = today - ((new Date(today).getUTCDay() + 4) % 7) * day
const open = ({ replica }: Device): Row[] =>
  replica.rows('tasks').filter(({ value }) => value!['status'] === 'needsAction')
const shown = (device: Device): unknown[] =>
  device.replica
    .rows('tasks')
    .map(({ value }) => [value!['title'], value!['status'], (dueDay(value!)! - wednesday) / day / 7, value!['notes']])
    .sort((a, b) => Number(a[2]) - Number(b[2]))
const offline = (isOffline: boolean): Promise<unknown> =>
  Promise.all([here, there].map(({ replica }) => replica.setOffline(isOffline)))
async function sync(): Promise<void> {
  await offline(false)
  for (const device of [here, there, here]) await device.settled()
}
async function addTask(more: JsonObject = {}): Promise<void> {
  const value = {
    title: 'Report',
    status: 'needsAction',
    notes: `Ask Mina\n\n${rule}`,
    due: dueText(wednesday),
    ...more,
  }
  const parent = here.replica.rows('tasklists')[0]!.id
  await here.replica.edit([{ kind: 'create', collection: 'tasks', parent, value }], { label: 'New' })
  await sync()
}
const complete = (device: Device, task = open(device)[0]!, at = today): Promise<unknown> =>
  device.replica.edit(completing(device.replica, [task], now, at), { label: 'Complete' })
const noQuestions = (): void => {
  for (const { replica } of [here, there]) expect([replica.status.needsYou, replica.outbox()]).toEqual([0, []])
}
const first = ['Report', 'completed', 0, 'Ask Mina']
const next = ['Report', 'needsAction', 1, `Ask Mina\n\n${rule}`]

it('creates the next task when one is completed, and undoes both in one step', async () => {
  await addTask()
  await complete(here)
  expect(shown(here)).toEqual([first, next])
  await here.replica.undo()
  expect(shown(here)).toEqual([['Report', 'needsAction', 0, `Ask Mina\n\n${rule}`]])
  await here.replica.redo()
  await sync()
  expect([shown(here), shown(there)]).toEqual([
    [first, next],
    [first, next],
  ])
})

it('puts the next task in the place of the completed one, here and on the server', async () => {
  await addTask({ title: 'Last', notes: '' })
  await addTask()
  await addTask({ title: 'First', notes: '' })
  const order = (device: Device): unknown[] =>
    open(device)
      .sort((a, b) => (String(a.value!['position']) < String(b.value!['position']) ? -1 : 1))
      .map(({ value }) => value!['title'])
  await complete(
    here,
    open(here).find(({ value }) => value!['title'] === 'Report'),
  )
  expect(order(here)).toEqual(['First', 'Report', 'Last'])
  await sync()
  expect([order(here), order(there)]).toEqual([order(here), ['First', 'Report', 'Last']])
})

it.each([false, true])(
  'keeps the next task if the completed one is deleted before it was sent, undone: %s',
  async (isUndone) => {
    await addTask()
    await offline(true)
    const { key } = open(here)[0]!
    await complete(here)
    await here.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    if (isUndone) await here.replica.undo()
    await sync()
    expect([shown(here), shown(there)]).toEqual(Array.from({ length: 2 }, () => (isUndone ? [first, next] : [next])))
    noQuestions()
  },
)

it('creates the next task although someone has cleared the completed one meanwhile', async () => {
  await addTask()
  await here.replica.setOffline(true)
  await complete(here)
  const { key, parent } = open(there)[0]!
  const patch = { status: 'completed', completed: new Date(now).toISOString() }
  await there.replica.edit([{ kind: 'change', key, patch }], { label: 'Complete' })
  const list = recordKey('tasklists', null, parent!)
  await there.replica.edit([{ kind: 'action', key: list, action: { name: 'clearCompleted' } }], { label: 'Clear' })
  await there.settled()
  await here.replica.setOffline(false)
  await expect.poll(() => [here.replica.status.needsYou, here.replica.outbox()]).toEqual([0, []])
  await there.settled()
  expect(open(there).map(({ value }) => value!['title'])).toEqual(['Report'])
})

it('sends the next task after the completion, however many changes are made at once', async () => {
  await addTask()
  await offline(true)
  const parent = here.replica.rows('tasklists')[0]!.id
  const others = Array.from({ length: 199 }, (_, at): Change => {
    return { kind: 'create', collection: 'tasks', parent, value: { title: `Other ${at}` } }
  })
  await here.replica.edit([...others, ...completing(here.replica, open(here), now, today)], { label: 'Many' })
  const sent = here.replica.outbox()
  const completion = sent.find(({ kind }) => kind === 'change')!
  const creation = sent.find(({ patch }) => patch['title'] === 'Report')!
  expect(creation.dependsOn).toContain(completion.id)
})

it('creates one if two computers complete the same task offline, on different days', async () => {
  await addTask()
  await offline(true)
  await complete(here)
  await complete(there, open(there)[0], today + 8 * day)
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  expect(shown(here)).toEqual([first, next])
  expect(shown(there)).toEqual([first, next])
  noQuestions()
})

it('creates one if another computer has already completed the next ones as well', async () => {
  await addTask()
  await offline(true)
  await complete(there)
  for (const at of [0, 7, 14]) await complete(here, open(here)[0], today + at * day)
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  expect(open(here).map(({ id }) => id)).toEqual(open(there).map(({ id }) => id))
  expect(shown(there)).toEqual(shown(here))
  expect(shown(there).filter((task) => (task as unknown[])[1] === 'needsAction')).toHaveLength(1)
  noQuestions()
})

it('keeps what was typed into the next task before it was sent', async () => {
  await addTask()
  await offline(true)
  await complete(here)
  await complete(there)
  const own = open(there)[0]!
  await there.replica.edit([{ kind: 'change', key: own.key, patch: { title: 'Report, final' } }], { label: 'Rename' })
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  const renamed = ['Report, final', ...next.slice(1)]
  expect([shown(here), shown(there)]).toEqual([
    [first, renamed],
    [first, renamed],
  ])
  noQuestions()
})

it('goes on with a task that another app completed, once on two computers', async () => {
  await addTask()
  const { key } = open(here)[0]!
  await there.replica.edit([{ kind: 'change', key, patch: { status: 'completed' } }], { label: 'Another app' })
  await sync()
  await offline(true)
  for (const { replica } of [here, there])
    await replica.edit(following(replica, replica.rows('tasks'), today), { label: 'Go on' })
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  expect([shown(here), shown(there)]).toEqual([
    [first, next],
    [first, next],
  ])
  for (const { replica } of [here, there]) expect(following(replica, replica.rows('tasks'), today)).toEqual([])
  noQuestions()
})

it('stays undone after a restart, if someone undoes what another app’s completion added', async () => {
  await addTask()
  const { key } = open(here)[0]!
  await there.replica.edit([{ kind: 'change', key, patch: { status: 'completed' } }], { label: 'Another app' })
  await sync()
  const settings = {
    values: { continuedTasks: {} },
    set: (change: object) => Object.assign(settings.values, change),
  }
  const receipts: unknown[] = []
  const start = (): Continuation =>
    new Continuation({
      ...{ replica: here.replica, account: { id: 'account' }, settings, clock: { now }, preferences: { zone: 'UTC' } },
      edit: (changes: Change[], options: EditOptions, receipt: { text: string }) => {
        receipts.push(receipt.text)
        return here.replica.edit(changes, options)
      },
    } as unknown as ConstructorParameters<typeof Continuation>[0])
  await start().look()
  expect(receipts).toEqual(['1 repeating task added, because the previous one was completed elsewhere'])
  expect(shown(here)).toEqual([first, next])
  await here.replica.undo()
  await here.restart()
  await here.settled()
  await start().look()
  expect(receipts).toHaveLength(1)
  expect(open(here)).toEqual([])
  await here.replica.redo()
  expect(shown(here)).toEqual([first, next])
})

it('takes a next one with another tag or time for it', async () => {
  await addTask()
  await addTask({ notes: `Ask Mina\n\n${rule} · at 15:00 · #work` })
  await complete(
    here,
    open(here).find(({ value }) => String(value!['notes']).endsWith(rule))!,
  )
  expect(open(here)).toHaveLength(1)
})

it('takes no other task for the next one', async () => {
  await addTask()
  await addTask({ notes: 'Ask Mina' })
  await addTask({ title: 'Review' })
  const task = open(here).find(({ value }) => value!['title'] === 'Report' && String(value!['notes']).endsWith(rule))!
  await complete(here, task)
  await sync()
  expect(open(there)).toHaveLength(3)
  noQuestions()
})

const pills = [8, 20].map((hour) => ({ title: 'Take pill', notes: `${rule} · at ${String(hour).padStart(2, '0')}:00` }))
const biweekly = [0, 7].map((days) => ({ notes: '↻ every 2 weeks on Wed', due: dueText(wednesday + days * day) }))
const openDays = (device: Device): unknown[] =>
  open(device)
    .map(({ value }) => [dueText(dueDay(value!)!), value!['notes']])
    .sort()

it.each([
  ['at another time', pills, pills.map(({ notes }) => [dueText(wednesday + 7 * day), notes])],
  ['in other weeks', biweekly, [14, 21].map((days) => [dueText(wednesday + days * day), '↻ every 2 weeks on Wed'])],
])('continues two tasks with one name, each %s', async (_which, tasks, expected) => {
  for (const task of tasks) await addTask(task)
  const both = open(here)
  await here.replica.edit(completing(here.replica, both, now, wednesday), { label: 'Complete' })
  await sync()
  expect([openDays(here), openDays(there)]).toEqual([expected, expected])
  expect(await merged([here, there])).toEqual([])
  await here.replica.undo()
  await sync()
  for (const task of both) {
    await complete(here, here.replica.peek(task.key)!, wednesday)
    await sync()
  }
  expect([openDays(here), openDays(there)]).toEqual([expected, expected])
  expect(await merged([here, there])).toEqual([])
  noQuestions()
})

const again = (): Row[] => open(there).filter(({ value }) => value!['title'] === 'Report')

it('creates one if two equal tasks are completed at once', async () => {
  await addTask()
  await addTask()
  await here.replica.edit(completing(here.replica, open(here), now, today), { label: 'Complete' })
  await sync()
  expect(shown(there)).toEqual([first, first, next])
  noQuestions()
})

it('creates the next subtask of the same parent, whatever is below others', async () => {
  await addTask({ title: 'One', notes: null })
  await addTask({ title: 'Two', notes: null })
  for (const { id, parent } of open(here)) {
    const value = { title: 'Report', status: 'needsAction', notes: rule }
    const place = { parent: id }
    await here.replica.edit([{ kind: 'create', collection: 'tasks', parent, value, place }], { label: 'New' })
  }
  await sync()
  const [task] = again()
  await complete(here, here.replica.peek(task!.key)!)
  await sync()
  expect(again().map(({ value }) => value!['parent'])).toContain(task!.value!['parent'])
  expect(again()).toHaveLength(2)
  noQuestions()
})

it('creates one if its line was written differently in another app', async () => {
  await addTask({ notes: `Ask Mina\n! important · ${rule}` })
  await offline(true)
  for (const device of [here, there]) await complete(device)
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  expect(again().map(({ value }) => value!['notes'])).toEqual([`Ask Mina\n${rule} · ! important`])
  noQuestions()
})

it.each([
  [
    'the completion is kept',
    'mine',
    [
      ['Report', 'completed', 0, 'Ask Jo'],
      ['Report', 'needsAction', 1, `Ask Jo\n\n${rule}`],
    ],
  ],
  ['it is not', 'theirs', [['Report', 'needsAction', 0, `Ask Tom\n\n${rule}`]]],
] as const)('has one open task after a conflict in which %s', async (_which, keep, expected) => {
  await addTask()
  const { key } = open(here)[0]!
  await here.replica.setOffline(true)
  await here.replica.edit([{ kind: 'change', key, patch: { notes: `Ask Jo\n\n${rule}` } }], { label: 'Notes' })
  await complete(here)
  const notes = `Ask Tom\n\n${rule}`
  await there.replica.edit([{ kind: 'change', key, patch: { notes } }], { label: 'Notes' })
  await there.settled()
  await here.replica.setOffline(false)
  await here.until('a question', ({ status }) => status.needsYou === 1 && status.phase === 'idle')
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep })
  await sync()
  expect([shown(here), shown(there)]).toEqual([expected, expected])
  noQuestions()
})

const family = ({ replica }: Device): unknown[] => {
  const rows = replica.rows('tasks')
  const top = new Map(rows.map(({ id, value }) => [id, value!]))
  return rows
    .flatMap(({ value }) => {
      const above = top.get(String(value!['parent']))
      return above
        ? [[above['status'], value!['title'], value!['status'], String(value!['due'] ?? '').slice(0, 10)]]
        : []
    })
    .sort()
}
async function addFamily(): Promise<void> {
  await addTask({ due: dueText(wednesday) })
  const [task] = open(here)
  for (const [title, status] of [
    ['Numbers', 'completed'],
    ['Charts', 'needsAction'],
  ]) {
    const value = { title, status, ...(title === 'Charts' && { due: dueText(wednesday - day) }) }
    const place = { parent: task!.id }
    const change = { kind: 'create', collection: 'tasks', parent: task!.parent, value, place } as const
    await here.replica.edit([change], { label: 'New' })
  }
  await sync()
}
const top = (device: Device): Row[] => open(device).filter(({ value }) => !value!['parent'])
const completeFamily = (device: Device): Promise<unknown> => complete(device, top(device)[0])
const dayText = (at: number): string => dueText(at).slice(0, 10)
const done = [
  ['completed', 'Charts', 'completed', dayText(wednesday - day)],
  ['completed', 'Numbers', 'completed', ''],
]
const copied = [
  ['needsAction', 'Charts', 'needsAction', dayText(wednesday + 6 * day)],
  ['needsAction', 'Numbers', 'needsAction', ''],
]

it('completes the open subtasks of a task with it, and says how many', async () => {
  await addTask({ notes: null })
  const [task] = open(here)
  for (const title of ['Numbers', 'Charts', 'Words']) {
    const change = {
      kind: 'create',
      collection: 'tasks',
      parent: task!.parent,
      value: { title },
      place: { parent: task!.id },
    } as const
    await here.replica.edit([change], { label: 'New' })
  }
  await sync()
  await complete(
    here,
    open(here).find(({ value }) => value!['title'] === 'Words'),
  )
  const [charts] = open(here).filter(({ value }) => value!['title'] === 'Charts')
  const changes = completing(here.replica, [task!], now, today)
  expect(alongWords([task!], changes)).toBe(', with 2 subtasks')
  expect(completing(here.replica, [task!, charts!], now, today)).toHaveLength(changes.length)
  await here.replica.edit(changes, { label: 'Complete' })
  await sync()
  expect(open(there)).toEqual([])
  await here.replica.undo()
  expect(open(here)).toHaveLength(3)
})

it('copies the subtasks to the next task, open and in order, as part of the same step', async () => {
  await addFamily()
  const order = (device: Device): unknown[] =>
    device.replica
      .rows('tasks')
      .filter(({ value }) => value!['parent'] === top(device)[0]!.id)
      .sort((a, b) => (String(a.value!['position']) < String(b.value!['position']) ? -1 : 1))
      .map(({ value }) => value!['title'])
  const before = [family(here), order(here)]
  await completeFamily(here)
  expect([family(here), order(here)]).toEqual([[...done, ...copied], before[1]])
  await here.replica.undo()
  expect([family(here), order(here)]).toEqual(before)
  await here.replica.redo()
  await sync()
  for (const device of [here, there]) expect([family(device), order(device)]).toEqual([[...done, ...copied], before[1]])
  noQuestions()
})

it('copies subtasks once if two computers complete the same task offline', async () => {
  await addFamily()
  await offline(true)
  await completeFamily(here)
  await completeFamily(there)
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  for (const device of [here, there]) expect(family(device)).toEqual([...done, ...copied])
  noQuestions()
})

it('copies subtasks with one title if their notes differ', async () => {
  await addFamily()
  const [task] = top(here)
  const twin: Change = {
    kind: 'create',
    collection: 'tasks',
    parent: task!.parent,
    value: { title: 'Charts', notes: 'For Mina', status: 'needsAction' },
    place: { parent: task!.id },
  }
  await here.replica.edit([twin], { label: 'New' })
  await sync()
  await completeFamily(here)
  await sync()
  for (const device of [here, there]) {
    const [next] = top(device)
    const inside = open(device).filter(({ value }) => value!['parent'] === next!.id)
    expect(inside.map(({ value }) => [value!['title'], value!['notes'] ?? '']).sort()).toEqual([
      ['Charts', ''],
      ['Charts', 'For Mina'],
      ['Numbers', ''],
    ])
  }
})

it('continues a repeating subtask with the task above it', async () => {
  await addTask()
  const [task] = open(here)
  const value = { title: 'Charts', status: 'needsAction', notes: rule, due: dueText(wednesday) }
  const place = { parent: task!.id }
  await here.replica.edit([{ kind: 'create', collection: 'tasks', parent: task!.parent, value, place }], {
    label: 'New',
  })
  await sync()
  await completeFamily(here)
  await sync()
  expect(open(there)).toHaveLength(2)
  expect(open(there).filter(({ value: sub }) => sub!['parent'] === top(there)[0]!.id)).toHaveLength(1)
  noQuestions()
})

/** Continues repeating tasks of a device, as after each sync. Returns the messages. */
async function goOn({ replica }: Device): Promise<string[]> {
  const receipts: string[] = []
  const settings = { values: { continuedTasks: {} }, set: (change: object) => Object.assign(settings.values, change) }
  const app = {
    ...{ replica, account: { id: 'account' }, settings, clock: { now }, preferences: { zone: 'UTC' } },
    edit: (changes: Change[], options: EditOptions, receipt: { text: string }) => {
      receipts.push(receipt.text)
      return replica.edit(changes, options)
    },
  }
  const continuation = new Continuation(app as unknown as ConstructorParameters<typeof Continuation>[0])
  await continuation.look()
  await continuation.look()
  return receipts
}
async function merged(devices: Device[]): Promise<string[]> {
  const receipts: string[] = []
  for (const device of devices) {
    receipts.push(...(await goOn(device)))
    await sync()
  }
  return receipts
}
const isTold = ['1 repeating task added on two computers, now merged']

it('creates one with what both typed if two computers complete the same task with another time and tag', async () => {
  await addTask()
  const { key } = open(here)[0]!
  await offline(true)
  for (const [device, more] of [
    [here, '#work'],
    [there, 'at 15:00'],
  ] as const) {
    const patch = { notes: `Ask Mina\n\n${rule} · ${more}` }
    await device.replica.edit([{ kind: 'change', key, patch }], { label: 'Extras' })
    await complete(device)
  }
  await here.replica.setOffline(false)
  await here.settled()
  // Another app adds a line below.
  const [next] = open(here)
  const patch = { notes: `${String(next!.value!['notes'])}\nSent from my phone` }
  await here.replica.edit([{ kind: 'change', key: next!.key, patch }], { label: 'Another app' })
  await here.settled()
  await sync()
  expect(open(here)).toHaveLength(1)
  expect(await merged([there, here])).toEqual(isTold)
  for (const device of [here, there])
    expect(shown(device)).toEqual([
      ['Report', 'completed', 0, 'Ask Mina\n\nat 15:00 · #work'],
      ['Report', 'needsAction', 1, `Ask Mina\n\nSent from my phone\n\n${rule} · at 15:00 · #work`],
    ])
  noQuestions()
})

it('leaves the next task of another computer as it was if nothing was typed here', async () => {
  await addTask()
  await offline(true)
  await complete(there)
  await complete(here)
  const [next] = open(here)
  await here.replica.edit([{ kind: 'change', key: next!.key, patch: { notes: rule } }], { label: 'Notes' })
  await here.replica.setOffline(false)
  await here.settled()
  await sync()
  expect(await merged([there, here])).toEqual([])
  expect(open(there).map(({ value }) => value!['notes'])).toEqual([rule])
})

it('puts what was typed here into a task of its own if the next task of another computer has no room for it', async () => {
  await addTask()
  await offline(true)
  const typed = { here: 'h'.repeat(5_000), there: 't'.repeat(5_000) }
  const write = ({ replica }: Device, { key }: Row, notes: string): Promise<unknown> =>
    replica.edit([{ kind: 'change', key, patch: { notes } }], { label: 'Notes' })
  await write(there, open(there)[0]!, `${typed.there}\n\n${rule} · #work`)
  await Promise.all([complete(here), complete(there)])
  await here.replica.setOffline(false)
  await here.settled()
  await write(here, open(here)[0]!, `${typed.here}\n\n${rule}`)
  await here.settled()
  await sync()
  expect(await merged([there, here])).toEqual(isTold)
  for (const device of [here, there])
    expect(new Set(shown(device).map((task) => JSON.stringify(task)))).toEqual(
      new Set(
        [
          ['Report', 'completed', 0, `${typed.there}\n\n#work`],
          ['Report', 'needsAction', 1, `${typed.here}\n\n${rule}`],
          ['Report', 'needsAction', 1, `${typed.there}\n\n#work`],
        ].map((task) => JSON.stringify(task)),
      ),
    )
  noQuestions()
})

/** Both computers create the next task at the same moment. Returns the two, the one with the lower ID first. */
async function twoNext(): Promise<Row[]> {
  await addFamily()
  await Promise.all([here.close(), there.close()])
  // Neither sees what the other creates: both requests are sent before one is answered.
  let waiting: (() => void)[] = []
  let both: (() => void) | undefined
  const together = new Promise<void>((met) => (both = met))
  const held: typeof fetch = async (url, init) => {
    if (init?.method === 'POST' && String(init.body).includes('Report')) {
      await new Promise<void>((go) => {
        waiting.push(go)
        if (waiting.length === 2) both!()
        void together.then(go)
      })
      waiting = []
    }
    return fetch(url, init)
  }
  ;[here, there] = await Promise.all([deviceOf(service, { fetch: held }), deviceOf(service, { fetch: held })])
  await Promise.all([here.settled(), there.settled()])
  await offline(true)
  await completeFamily(here)
  await completeFamily(there)
  await Promise.all([here, there].map(({ replica }) => replica.setOffline(false)))
  await Promise.all([here.settled(), there.settled()])
  await sync()
  expect(top(here)).toHaveLength(2)
  return top(there).sort((a, b) => (a.id < b.id ? -1 : 1))
}

it('leaves both if the service would take only part of what was typed', async () => {
  const typed = (await twoNext()).map(({ key }, at): Change => {
    return { kind: 'change', key, patch: { notes: `${String(at).repeat(5_000)}\n\n${rule}` } }
  })
  await there.replica.edit(typed, { label: 'Typed' })
  await sync()
  expect(await merged([here, there])).toEqual([])
  expect(top(here)).toHaveLength(2)
  noQuestions()
})

it.each([
  ['leaves one', false],
  ['leaves one with what was typed into both', true],
])('%s if two computers create the next one at the same moment', async (_which, isChanged) => {
  const [first, second] = await twoNext()
  if (isChanged) {
    const change = (task: Row, patch: JsonObject): Change => ({ kind: 'change', key: task.key, patch })
    const below: Change = {
      kind: 'create',
      collection: 'tasks',
      parent: second!.parent,
      value: { title: 'Words', status: 'needsAction' },
      place: { parent: second!.id },
    }
    const charts = open(there).find(({ value }) => value!['parent'] === second!.id && value!['title'] === 'Charts')!
    const changes = [
      change(first!, { notes: `Ask Mina\n\n${rule} · #work` }),
      change(second!, { notes: `Ask Tom\n\n${rule} · at 15:00`, due: dueText(wednesday + 9 * day) }),
      change(charts, { status: 'completed' }),
      below,
    ]
    await there.replica.edit(changes, { label: 'Typed' })
    await sync()
  }
  expect(await merged([here, there])).toEqual(isTold)
  const words = isChanged ? [['needsAction', 'Words', 'needsAction', '']] : []
  const charts = isChanged ? ['needsAction', 'Charts', 'completed', copied[0]![3]] : copied[0]
  for (const device of [here, there]) {
    expect(top(device).map(({ id, value }) => [id, value!['notes'], dueDay(value!)])).toEqual([
      isChanged
        ? [first!.id, `Ask Tom\n\n${rule} · at 15:00 · #work`, wednesday + 9 * day]
        : [first!.id, `Ask Mina\n\n${rule}`, wednesday + 7 * day],
    ])
    expect(family(device)).toEqual([...done, ...[charts, copied[1], ...words].sort()])
  }
  noQuestions()
})

it('keeps the next one if the notes of the completed one stay as theirs', async () => {
  await addTask()
  await offline(true)
  await complete(here)
  const theirs = 'Ask Mina\n\n↻ every 2 weeks on Wed'
  await there.replica.edit([{ kind: 'change', key: open(there)[0]!.key, patch: { notes: theirs } }], { label: 'Notes' })
  await there.replica.setOffline(false)
  await there.settled()
  await here.replica.setOffline(false)
  await here.asks()
  const entry = here.replica.outbox().find(({ conflict }) => conflict)!
  expect(entry.conflict!.fields).toEqual(['notes'])
  await here.replica.resolve(entry.id, { fields: { notes: 'theirs' } })
  await sync()
  expect([shown(here), shown(there)]).toEqual([
    [['Report', 'completed', 0, theirs], next],
    [['Report', 'completed', 0, theirs], next],
  ])
  noQuestions()
})
