import { afterEach, beforeEach, expect, it } from 'vitest'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import { systemClock } from '#shared/time/clock'
import { restoring } from '../../src-renderer/context/recently-deleted'
import { blockCreation, blocksOf, tasksById } from '../../src-renderer/context/time-blocks'
import type { CalendarItem, Change, Row } from '../../src-renderer/replica/api'
import { CalendarActions } from '../../src-renderer/views/calendar/actions.svelte'
import type { CalendarModel } from '../../src-renderer/views/calendar/model.svelte'
import { timesOfSpan } from '../../src-renderer/views/calendar/times'
import { TaskActions } from '../../src-renderer/views/tasks/actions'
import type { TasksModel } from '../../src-renderer/views/tasks/model.svelte'
import type { TaskLine } from '../../src-renderer/views/tasks/tree'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'

const primary = 'alex.morgan@flightplan.example'
const zone = 'Europe/Berlin'
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const now = systemClock.now()
const today = Math.floor(wallOfInstant(now, zone) / dayMs) * dayMs

const service = serviceForEach()
let device: Device
let task: Row
let edits: (readonly Change[])[]

/** A task with a time block that repeats every day from tomorrow on. */
beforeEach(async () => {
  device = await deviceOf(service)
  await device.settled()
  const { replica } = device
  const value = { title: 'Standup notes', status: 'needsAction' }
  const parent = replica.rows('tasklists')[0]!.id
  await replica.edit([{ kind: 'create', collection: 'tasks', parent, value }], { label: 'Add' })
  await device.settled()
  task = [...tasksById(replica).values()].find((one) => one.value?.['title'] === value.title)!
  const start = today + dayMs + 9 * hourMs
  const times = timesOfSpan({ start, end: start + hourMs, allDay: false }, zone)
  const made = await blockCreation(replica, task, primary, { ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] })
  await replica.edit([made], { label: 'Plan' })
  await device.settled()
  edits = []
})
afterEach(() => device?.close())

const app = (): unknown => ({
  replica: device.replica,
  clock: { now },
  edit: (changes: readonly Change[]) => {
    edits.push(changes)
    return device.replica.edit(changes, { label: 'Edit' })
  },
})
const blocks = (): CalendarItem[] => blocksOf(device.replica, [task.id], now)

const calendarActions = (): CalendarActions =>
  new CalendarActions({
    app: app(),
    zone,
    today,
    stretch: { first: today, last: today + 6 * dayMs },
    words: { thisYear: 2026, hour12: false, zone },
    newEventCalendar: { id: primary },
    calendar: () => ({ writable: true }),
  } as unknown as CalendarModel)

it('planning a task that was sent since it was shown moves its block', async () => {
  const { replica } = device
  await replica.setOffline(true)
  const value = { title: 'Sort the invoices', status: 'needsAction' }
  const { keys } = await replica.edit([{ kind: 'create', collection: 'tasks', parent: task.parent, value }], {
    label: 'Add',
  })
  const shown = replica.peek(keys[0]!)!
  const span = (hour: number) => {
    const start = today + dayMs + hour * hourMs
    return { start, end: start + hourMs, allDay: false }
  }
  await calendarActions().plan(shown, span(8))
  await replica.setOffline(false)
  await device.settled()
  await calendarActions().plan(shown, span(17))
  await device.settled()
  const sent = replica.peek(keys[0]!)!
  expect(sent.id).not.toBe(shown.id)
  const own = blocksOf(replica, [sent.id], now).map(({ start }) => start)
  expect(own).toEqual([instantOfWall(span(17).start, zone)])
})

it('planning a task whose time block repeats moves the next block only', async () => {
  const before = blocks().map(({ start }) => start)
  const actions = calendarActions()
  const start = today + 2 * dayMs + 15 * hourMs
  await actions.plan(task, { start, end: start + hourMs, allDay: false })
  await device.settled()
  const moved = instantOfWall(start, zone)
  expect(blocks().map((one) => one.start)).toEqual([...before.slice(1), moved].sort((a, b) => a - b))
})

it('deleting a task deletes the time blocks of its subtasks, and undo brings both back', async () => {
  const { replica } = device
  const named = (title: string): Row | undefined =>
    [...tasksById(replica).values()].find(({ value }) => value?.['title'] === title)
  const value = { title: 'Send them', status: 'needsAction' }
  const place = { parent: task.id }
  await replica.edit([{ kind: 'create', collection: 'tasks', parent: task.parent!, value, place }], { label: 'Add' })
  await device.settled()
  const start = today + dayMs + 12 * hourMs
  const times = timesOfSpan({ start, end: start + hourMs, allDay: false }, zone)
  await replica.edit([await blockCreation(replica, named('Send them')!, primary, times)], { label: 'Plan' })
  await device.settled()
  const actions = new CalendarActions({ app: app() } as unknown as CalendarModel)
  await actions.removeTask(task)
  await device.settled()
  expect(replica.items(now, now + 30 * dayMs).filter(({ taskId }) => taskId !== undefined)).toEqual([])
  await replica.undo()
  await device.settled()
  expect(blocksOf(replica, [named('Send them')!.id], now)).toHaveLength(1)
})

it('restoring a task restores the time blocks deleted with it, and none deleted before', async () => {
  const { replica } = device
  const plan = async (hour: number): Promise<string> => {
    const start = today + 2 * dayMs + hour * hourMs
    const times = timesOfSpan({ start, end: start + hourMs, allDay: false }, zone)
    const { keys } = await replica.edit([await blockCreation(replica, task, primary, times)], { label: 'Plan' })
    await device.settled()
    return keys[0]!
  }
  await replica.edit([{ kind: 'delete', key: await plan(14) }], { label: 'Delete' })
  const planned = blocks().length
  const later = await plan(16)
  await new CalendarActions({ app: app() } as unknown as CalendarModel).removeTask(task)
  await device.restart()
  expect(blocksOf(device.replica, [task.id], now)).toEqual([])
  const changes = restoring(device.replica, task.key)
  expect(changes).toContainEqual({ kind: 'restore', key: later })
  await device.replica.edit(changes, { label: 'Restore' })
  await device.settled()
  expect(blocks()).toHaveLength(planned + 1)
})

it('renaming a task renames each time block once, and all that repeat', async () => {
  const actions = new TaskActions({ app: app() } as unknown as TasksModel)
  const line = { id: task.id, key: task.key, title: 'Standup notes' } as unknown as TaskLine
  await actions.rename(line, 'Notes', {})
  expect(edits.map((changes) => changes.length)).toEqual([2])
  expect(new Set(blocks().map(({ title }) => title))).toEqual(new Set(['Notes']))
})
