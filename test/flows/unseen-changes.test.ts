import { expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Change } from '../../src-renderer/replica/api'
import type { Device } from '../helpers/device'
import { devicesForEach } from '../helpers/for-file'
import { primary, times } from '../helpers/some-event'

const { service, here, there } = devicesForEach()

const edit = async ({ replica }: Device, ...changes: Change[]): Promise<string> =>
  (await replica.edit(changes, { label: 'Edit' })).keys[0]!
async function settled(): Promise<void> {
  await there.settled()
  await here.settled()
  await there.settled()
}
async function comesBack(): Promise<void> {
  await there.settled()
  await here.replica.setOffline(false)
  await here.settled()
}
const question = () => here.replica.outbox().map(({ state, conflict }) => [state, conflict?.remote])
const daily = { summary: 'Daily', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
const secondOf = (key: string): string => recordKey('events', primary, `${parseRecordKey(key).id}_20260505T070000Z`)

it('deleting an occurrence that someone changed asks first', async () => {
  const key = await edit(there, { kind: 'create', collection: 'events', parent: primary, value: daily })
  await settled()
  await here.replica.setOffline(true)
  await edit(here, { kind: 'delete', key: secondOf(key) })
  await edit(there, { kind: 'change', key: secondOf(key), patch: { location: 'Room 2' } })
  await comesBack()
  expect(question()).toMatchObject([['needsYou', { location: 'Room 2' }]])
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
  await here.settled()
  const { body } = await service.client.call('calendar.events.instances', {
    calendarId: primary,
    eventId: parseRecordKey(key).id,
  })
  expect(body.items!.map(({ location }) => location)).toEqual([undefined, 'Room 2', undefined, undefined, undefined])
})

it("deleting an unchanged occurrence doesn't ask", async () => {
  const key = await edit(there, { kind: 'create', collection: 'events', parent: primary, value: daily })
  await settled()
  await edit(here, { kind: 'delete', key: secondOf(key) })
  await here.settled()
  expect(here.replica.outbox()).toEqual([])
})

it('a deletion after a move is compared with what the move found', async () => {
  await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Later' } })
  await there.settled()
  const { id: later } = there.replica.rows('tasklists').find(({ value }) => value?.['title'] === 'Later')!
  const { id: list } = there.replica.rows('tasklists').find(({ value }) => value?.['title'] !== 'Later')!
  const made = await edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Call' } })
  await settled()
  const { key } = there.replica.peek(made)!
  await here.replica.setOffline(true)
  const moved = await edit(here, { kind: 'action', key, action: { name: 'moveTask', destination: later } })
  await edit(here, { kind: 'delete', key: moved })
  await edit(there, { kind: 'change', key, patch: { title: 'Call Mina' } })
  await comesBack()
  expect(question()).toMatchObject([['needsYou', { title: 'Call Mina' }]])
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'mine' })
  await here.settled()
  const { body } = await service.client.call('tasks.tasks.list', { tasklist: later })
  expect([body.items ?? [], here.replica.outbox()]).toEqual([[], []])
})

/** Unsent tasks of `here` in a shared list that it deletes, with the list’s ID. */
async function deleteWithUnsent(): Promise<string> {
  const list = await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } })
  await settled()
  const { key, id } = there.replica.peek(list)!
  await here.replica.setOffline(true)
  const pack = await addTask(here, id, 'Pack')
  await addTask(here, id, 'Tent', { parent: parseRecordKey(pack).id })
  await edit(here, { kind: 'delete', key })
  return id
}
const addTask = (device: Device, list: string, title: string, place = {}): Promise<string> =>
  edit(device, { kind: 'create', collection: 'tasks', parent: list, value: { title }, place })
async function bothHave(list: string, titles: readonly string[]): Promise<void> {
  await settled()
  for (const { replica } of [here, there]) {
    const rows = replica.rows('tasks', list)
    const parent = rows.find(({ value }) => value?.['title'] === 'Pack')?.id
    expect(rows.map(({ value }) => [value!['title'], value!['parent']]).sort()).toEqual(
      titles.map((title) => [title, title === 'Tent' ? parent : undefined]),
    )
  }
  expect([here.replica.outbox(), here.replica.deleted()]).toEqual([[], []])
}

it('a deletion that is given up brings back the unsent tasks that it discarded, once', async () => {
  const list = await deleteWithUnsent()
  await addTask(there, list, 'Tickets')
  await comesBack()
  expect(here.replica.outbox()).toMatchObject([{ kind: 'delete', conflict: { unseen: [expect.any(String)] } }])
  await here.replica.resolve(here.replica.outbox()[0]!.id, { keep: 'theirs' })
  await bothHave(list, ['Pack', 'Tent', 'Tickets'])
  await here.replica.undo()
  await bothHave(list, ['Pack', 'Tent', 'Tickets'])
})

it('discarding a pending deletion brings back the unsent tasks that it discarded, once', async () => {
  const list = await deleteWithUnsent()
  await here.replica.withdraw(here.replica.outbox()[0]!.id)
  await here.replica.setOffline(false)
  await bothHave(list, ['Pack', 'Tent'])
  await here.replica.undo()
  await bothHave(list, ['Pack', 'Tent'])
})

it('new events after clearing a calendar are sent after the clear', async () => {
  await settled()
  await here.replica.setOffline(true)
  await edit(here, { kind: 'action', key: recordKey('calendars', null, primary), action: { name: 'clearCalendar' } })
  const value = { summary: 'After the clearing', ...times }
  await edit(here, { kind: 'create', collection: 'events', parent: primary, value })
  await comesBack()
  expect(here.replica.outbox()).toEqual([])
  const { body } = await service.client.call('calendar.events.list', { calendarId: primary })
  expect(body.items!.map(({ summary }) => summary)).toEqual(['After the clearing'])
})

it('an edit without remaining changes leaves no phantom occurrence', async () => {
  await settled()
  await here.replica.setOffline(true)
  const key = await edit(here, { kind: 'create', collection: 'events', parent: primary, value: daily })
  await edit(here, { kind: 'change', key: secondOf(key), patch: { location: 'Room 2' } })
  await edit(here, { kind: 'change', key, patch: { location: 'Room 2' } })
  await comesBack()
  await settled()
  await edit(there, { kind: 'change', key, patch: { location: 'Room 3' } })
  await settled()
  await here.settled()
  const shown = here.replica.items(Date.parse('2026-05-04'), Date.parse('2026-05-10'))
  const events = await Promise.all(shown.map((item) => here.replica.readItem(item)))
  const { body } = await service.client.call('calendar.events.instances', {
    calendarId: primary,
    eventId: parseRecordKey(key).id,
  })
  expect(events.map((found) => found?.event['location'])).toEqual(body.items!.map(({ location }) => location))
})
