import { beforeEach, describe, expect, it } from 'vitest'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'

const at = (
  hour: number,
): { start: { dateTime: string; timeZone: string }; end: { dateTime: string; timeZone: string } } => ({
  start: { dateTime: `2026-03-10T${String(hour).padStart(2, '0')}:00:00Z`, timeZone: 'UTC' },
  end: { dateTime: `2026-03-10T${String(hour + 1).padStart(2, '0')}:00:00Z`, timeZone: 'UTC' },
})

describe('a device and its service', () => {
  let clock: VirtualClock
  let service: ModelService
  let one: Device
  let two: Device
  beforeEach(async () => {
    clock = new VirtualClock()
    service = new ModelService(() => clock.time)
    one = new Device('one', service, clock, seeded(1))
    two = new Device('two', service, clock, seeded(2))
    await one.start()
    await two.start()
    await clock.pass(2_000)
  })

  it('loads everything at the first start', () => {
    expect(one.replica.status.phase).toBe('idle')
    expect(one.replica.rows('calendarList').map((row) => row.id)).toEqual(['me', 'work'])
    expect(one.replica.rows('tasklists')).toHaveLength(1)
  })

  it('sends a new event once and shows it on another device', async () => {
    const { keys } = await one.replica.edit(
      [{ kind: 'create', collection: 'events', parent: 'me', value: { summary: 'Lunch', ...at(12) } }],
      { label: 'New event *Lunch*' },
    )
    expect(one.replica.items(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1))).toMatchObject([
      { title: 'Lunch', mark: 'local' },
    ])
    await clock.pass(5_000)
    expect(service.living('events me')).toMatchObject([{ summary: 'Lunch' }])
    expect(one.replica.items(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1))).toMatchObject([
      { title: 'Lunch', mark: 'synced' },
    ])
    expect(one.replica.outbox()).toEqual([])
    expect((await one.replica.read(keys[0]!))?.etag).toBeDefined()
    await clock.pass(120_000)
    expect(two.replica.items(Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1))).toMatchObject([
      { title: 'Lunch', mark: 'synced' },
    ])
  })

  it("replaces a new list's local ID everywhere before sending its tasks", async () => {
    one.replica.pause(true)
    const { keys } = await one.replica.edit(
      [{ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Launch' } }],
      { label: 'New list' },
    )
    const list = one.replica.peek(keys[0]!)!.id
    const made = await one.replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Parent' } }],
      { label: 'New task' },
    )
    const parent = one.replica.peek(made.keys[0]!)!.id
    const child = await one.replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Child' }, place: { parent } }],
      { label: 'New subtask' },
    )
    one.replica.pause(false)
    await clock.pass(10_000)
    expect(one.replica.outbox()).toEqual([])
    const real = one.replica.rows('tasklists').find((row) => row.value!.title === 'Launch')!
    const tasks = one.replica.rows('tasks', real.id)
    expect(tasks.map((row) => row.value!.title).sort()).toEqual(['Child', 'Parent'])
    expect(tasks.find((row) => row.value!.title === 'Child')!.value!.parent).toBe(
      tasks.find((row) => row.value!.title === 'Parent')!.id,
    )
    // A view with the old local key still finds the record.
    expect(one.replica.peek(child.keys[0]!)!.value!.title).toBe('Child')
  })

  it('merges different fields from two devices and keeps a receipt', async () => {
    const value = { summary: 'Plan', ...at(9) }
    const { keys } = await one.replica.edit([{ kind: 'create', collection: 'events', parent: 'me', value }], {
      label: 'New',
    })
    await one.quiesce()
    await two.quiesce()
    await one.replica.setOffline(true)
    await one.replica.edit([{ kind: 'change', key: keys[0]!, patch: { summary: 'Plan B' } }], { label: 'Rename' })
    await two.replica.edit([{ kind: 'change', key: keys[0]!, patch: { location: 'Room 2' } }], { label: 'Place' })
    await two.quiesce()
    await one.quiesce()
    expect(service.living('events me')).toMatchObject([{ summary: 'Plan B', location: 'Room 2' }])
    expect((await one.replica.history())[0]).toMatchObject({ how: 'merged' })
  })

  it('asks about a real conflict and applies the choice', async () => {
    const { keys } = await one.replica.edit(
      [{ kind: 'create', collection: 'events', parent: 'me', value: { summary: 'Plan', ...at(9) } }],
      { label: 'New' },
    )
    await one.quiesce()
    await two.quiesce()
    await one.replica.setOffline(true)
    await one.replica.edit([{ kind: 'change', key: keys[0]!, patch: { colorId: '1' } }], { label: 'Mine' })
    await two.replica.edit([{ kind: 'change', key: keys[0]!, patch: { colorId: '2' } }], { label: 'Theirs' })
    await two.quiesce()
    await one.quiesce()
    const [entry] = one.replica.outbox()
    expect(entry).toMatchObject({ state: 'needsYou', conflict: { fields: ['colorId'] } })
    expect(one.replica.peek(keys[0]!)).toMatchObject({ mark: 'needsYou', value: { colorId: '1' } })
    await one.replica.resolve(entry!.id, { fields: { colorId: 'mine' } })
    await one.quiesce()
    expect(service.living('events me')).toMatchObject([{ colorId: '1' }])
    expect(one.replica.status.unsent).toBe(0)
  })

  it('sends nothing created, changed, and deleted while pending', async () => {
    await one.replica.setOffline(true)
    const { keys } = await one.replica.edit(
      [{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Oops' } }],
      { label: 'New' },
    )
    await one.replica.edit([{ kind: 'change', key: keys[0]!, patch: { notes: 'x' } }], { label: 'Note' })
    await one.replica.edit([{ kind: 'delete', key: keys[0]! }], { label: 'Delete' })
    expect(one.replica.outbox()).toEqual([])
    const before = service.calls.length
    await one.quiesce()
    expect(service.calls.slice(before).filter((call) => !call.id.endsWith('list') && !call.id.endsWith('get'))).toEqual(
      [],
    )
  })

  it.each([
    ['is being sent', { state: 'sending' }],
    ['was sent, although the response was lost', { unknownOutcome: true }],
  ] as const)('deletes a record on the service, too, if it %s', async (_when, attempt) => {
    const { replica } = one
    let answer: () => void = () => undefined
    one.beforeAnswer = (name) =>
      name === 'sync/push' && 'state' in attempt ? new Promise<void>((resolve) => (answer = resolve)) : undefined
    service.trouble = (_call, moment) =>
      moment === 'after' && !('state' in attempt) && service.living('tasks inbox').length > 0 ? 'answerLost' : undefined
    // The service fills in the status of a new task. An app that looks for it later doesn't know who did.
    const value = { title: 'Brief', ...(!('state' in attempt) && { status: 'needsAction' }) }
    await replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value }], { label: 'New task' })
    await clock.pass(400)
    expect(replica.outbox()).toMatchObject([attempt])
    await replica.edit([{ kind: 'delete', key: replica.rows('tasks')[0]!.key }], { label: 'Delete' })
    one.beforeAnswer = null
    service.trouble = () => undefined
    answer()
    await one.quiesce()
    expect(service.living('tasks inbox')).toEqual([])
    expect([replica.rows('tasks'), replica.outbox()]).toEqual([[], []])
  })

  it('deletes an event that is being sent without a question about what the service filled in', async () => {
    const { replica } = one
    let answer: () => void = () => undefined
    one.beforeAnswer = (name) => (name === 'sync/push' ? new Promise<void>((resolve) => (answer = resolve)) : undefined)
    const [start, end] = ['10', '11'].map((hour) => ({ dateTime: `2026-03-10T${hour}:00:00Z`, timeZone: 'UTC' }))
    const value = { summary: 'Briefing', start: start!, end: end! }
    const made = replica.edit([{ kind: 'create', collection: 'events', parent: 'work', value }], { label: 'New event' })
    await clock.pass(400)
    const [key] = (await made).keys
    expect(replica.outbox()).toMatchObject([{ state: 'sending' }])
    await replica.edit([{ kind: 'delete', key: key! }], { label: 'Delete' })
    one.beforeAnswer = null
    answer()
    await one.quiesce()
    expect([service.living('events work'), replica.outbox()]).toEqual([[], []])
  })

  it('recovers from a crash with everything acknowledged', async () => {
    await one.replica.setOffline(true)
    await one.replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Keep me' } }], {
      label: 'New',
    })
    one.crash()
    await one.start()
    expect(one.replica.rows('tasks', 'inbox').map((row) => row.value!.title)).toEqual(['Keep me'])
    await one.quiesce()
    expect(service.living('tasks inbox')).toMatchObject([{ title: 'Keep me' }])
  })

  it('restores unsent edits from the journal after a database loss, and says so', async () => {
    await one.replica.setOffline(true)
    await one.replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Keep me' } }], {
      label: 'New',
    })
    one.crash()
    one.disk.data = new Device('blank', service, clock, seeded(3)).disk.data
    await one.start()
    expect(one.replica.notices()[0]!.text).toContain('1 pending change was restored from the journal')
    await one.quiesce()
    expect(service.living('tasks inbox')).toMatchObject([{ title: 'Keep me' }])
  })
})
