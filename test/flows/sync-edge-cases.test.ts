import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device } from '../helpers/device'
import { primary, times } from '../helpers/some-event'

const service = serviceForEach()
let here: Device
let list: string

beforeEach(async () => {
  here = await deviceOf(service)
  await here.settled()
  list = here.replica.rows('tasklists')[0]!.id
})
afterEach(() => here?.close())

const edit = async (change: Change): Promise<string> => (await here.replica.edit([change], { label: 'Edit' })).keys[0]!
const task = (title: string, place = {}, parent = list): Promise<string> =>
  edit({ kind: 'create', collection: 'tasks', parent, value: { title }, place })
const known = (key: string): string => here.replica.peek(key)!.key
const trouble = (operation: string, more: JsonObject): Promise<unknown> =>
  service.order('POST', '/trouble', { operation, count: 1, ...more })
async function online(): Promise<void> {
  await here.replica.setOffline(false)
  await here.settled()
  expect(here.replica.outbox()).toEqual([])
}
const tasksOf = async (tasklist: string): Promise<string[]> => {
  const { body } = await service.client.call('tasks.tasks.list', { tasklist, showCompleted: true, showHidden: true })
  return (body.items ?? []).map(({ title }) => String(title)).sort()
}

describe('an occurrence whose series moves to another calendar', () => {
  it.each([
    ['deleted after the move, which the service rejects once', 'delete', 'after', 'calendar.events.move'],
    ['changed after the move, which the service rejects once', 'change', 'after', 'calendar.events.move'],
    ['deleted before the move, and rejected once', 'delete', 'before', 'calendar.events.delete'],
    ['changed before the move, and rejected once', 'change', 'before', 'calendar.events.update'],
  ] as const)('keeps its local edit: %s', async (_name, kind, order, refused) => {
    await edit({ kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Other' } })
    const value = { summary: 'Daily', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
    const key = await edit({ kind: 'create', collection: 'events', parent: primary, value })
    await here.settled()
    const other = here.replica.rows('calendarList').find((row) => row.value?.['summary'] === 'Other')!.id
    const { id } = parseRecordKey(key)
    await here.replica.setOffline(true)
    const move = (): Promise<string> => edit({ kind: 'action', key, action: { name: 'moveEvent', destination: other } })
    if (order === 'after') await move()
    const occurrence = recordKey('events', order === 'after' ? other : primary, `${id}_20260505T070000Z`)
    await edit(kind === 'delete' ? { kind, key: occurrence } : { kind, key: occurrence, patch: { summary: 'Special' } })
    if (order === 'before') await move()
    await trouble(refused, { status: 503 })
    await online()
    const { body } = await service.client.call('calendar.events.instances', { calendarId: other, eventId: id })
    const titles = (body.items ?? []).map(({ summary }) => summary)
    expect(titles).toHaveLength(kind === 'delete' ? 4 : 5)
    expect(titles.includes('Special')).toBe(kind === 'change')
  })
})

it("a deleted subtask doesn't return with its parent in another list", async () => {
  await edit({ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Other' } })
  const parent = await task('Parent')
  await here.settled()
  const child = await task('Child', { parent: parseRecordKey(known(parent)).id })
  await here.settled()
  const other = here.replica.rows('tasklists').find((row) => row.value?.['title'] === 'Other')!.id
  await here.replica.setOffline(true)
  await edit({ kind: 'delete', key: known(child) })
  await edit({ kind: 'action', key: known(parent), action: { name: 'moveTask', destination: other } })
  await trouble('tasks.tasks.delete', { status: 503 })
  await online()
  expect(await tasksOf(other)).toEqual(['Parent'])
  expect(await tasksOf(list)).toEqual([])
})

it('a creation whose lookup failed is looked up again on retry', async () => {
  await trouble('tasks.tasks.insert', { drop: 'after' })
  // The list is read again before it's searched.
  await trouble('tasks.tasks.list', { status: 403, reason: 'insufficientPermissions', count: 2 })
  await task('Once')
  await here.until('unknown', ({ outbox }) => outbox.call(here.replica)[0]?.unknownOutcome === true)
  await here.asks()
  await here.replica.retry(here.replica.outbox()[0]!.id)
  await here.until('sent', ({ status }) => status.unsent === 0)
  expect(await tasksOf(list)).toEqual(['Once'])
})

it("a new task isn't mistaken for an older one with the same text after a database loss", async () => {
  await task('Milk')
  await here.settled()
  await here.replica.setOffline(true)
  await task('Milk')
  await here.restart({ wiped: true })
  await online()
  expect(await tasksOf(list)).toEqual(['Milk', 'Milk'])
})

it('a captive portal on every response leaves no edit needing attention', async () => {
  await service.order('POST', '/trouble', { operation: '*', count: 1_000, html: true })
  await task('One')
  await task('Two')
  await here.until('met it', ({ status }) => status.phase === 'waiting' && status.fault?.code === 'badAnswer')
  for (let tries = 0; tries < 6; tries++) {
    const { nextTry } = here.replica.status
    here.replica.syncNow()
    await here.until('tried', ({ status }) => status.nextTry !== undefined && status.nextTry !== nextTry)
  }
  expect(here.replica.status.needsYou).toBe(0)
  await service.order('DELETE', '/trouble')
  await here.settled()
  expect(await tasksOf(list)).toEqual(['One', 'Two'])
})
