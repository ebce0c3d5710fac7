import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../src-renderer/replica/api'
import { modelForEach } from './model/for-each'

const { clock, service, replica, device } = modelForEach(2_000)

const tasklist = 'inbox'
const ada = (operation: string, params: Record<string, string>, body: JsonObject): string =>
  String(service.callAs('ada', operation, { tasklist, ...params }, body)!.id)

it('a deletion whose answer was lost leaves a subtask that someone else changed and restored before it was restored here', async () => {
  const task = ada('tasks.tasks.insert', {}, { title: 'Pack' })
  const subtask = ada('tasks.tasks.insert', { parent: task }, { title: 'Socks' })
  replica.syncNow()
  await clock.pass(10_000)
  let losesAnswer = true
  let restores = false
  service.trouble = ({ id, params }, moment) => {
    if (id === 'tasks.tasks.delete' && moment === 'after' && losesAnswer) {
      losesAnswer = false
      return 'answerLost'
    }
    if (restores && id === 'tasks.tasks.get' && params['task'] === subtask) {
      restores = false
      ada('tasks.tasks.patch', { task }, { deleted: false })
      ada('tasks.tasks.patch', { task: subtask }, { deleted: false, title: 'Warm socks' })
    }
    return undefined
  }
  const key = recordKey('tasks', tasklist, task)
  await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
  for (let passed = 0; losesAnswer && passed < 60; passed++) await clock.pass(500)
  expect(losesAnswer).toBe(false)
  restores = true
  await replica.edit([{ kind: 'restore', key }], { label: 'Restore' })
  await clock.pass(60_000)
  expect(restores).toBe(false)
  expect(replica.outbox()).toEqual([])
  expect(service.living('tasks inbox').map(({ title }) => title)).toEqual(['Pack', 'Warm socks'])
})

it.each(['mine', 'theirs'] as const)(
  'deleting a task asks if someone changed a subtask and restored it first: %s',
  async (keep) => {
    const task = ada('tasks.tasks.insert', {}, { title: 'Pack' })
    const subtask = ada('tasks.tasks.insert', { parent: task }, { title: 'Socks' })
    replica.syncNow()
    await clock.pass(10_000)
    const key = recordKey('tasks', tasklist, subtask)
    await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    await clock.pass(10_000)
    let restores = true
    service.trouble = ({ id, params }) => {
      if (restores && id === 'tasks.tasks.get' && params['task'] === subtask) {
        restores = false
        ada('tasks.tasks.patch', { task: subtask }, { deleted: false, title: 'Warm socks' })
      }
      return undefined
    }
    await replica.setOffline(true)
    await replica.edit([{ kind: 'restore', key }], { label: 'Restore' })
    await replica.edit([{ kind: 'change', key, patch: { status: 'completed' } }], { label: 'Complete' })
    await replica.edit([{ kind: 'delete', key: recordKey('tasks', tasklist, task) }], { label: 'Delete' })
    await replica.setOffline(false)
    await clock.pass(60_000)
    expect(restores).toBe(false)
    const [deletion] = replica.outbox()
    expect(deletion?.conflict?.unseen).toEqual([key])
    await replica.resolve(deletion!.id, { keep })
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    expect(service.living('tasks inbox').map(({ title }) => title)).toEqual(
      keep === 'mine' ? [] : ['Pack', 'Warm socks'],
    )
  },
)

it('a task whose neighbor was created again is still restored itself', async () => {
  const task = ada('tasks.tasks.insert', {}, { title: 'Pack' })
  replica.syncNow()
  await clock.pass(10_000)
  const pack = recordKey('tasks', tasklist, task)
  const edit = async (change: Change): Promise<string> => (await replica.edit([change], { label: 'Edit' })).keys[0]!
  await edit({ kind: 'delete', key: pack })
  await clock.pass(10_000)
  await replica.setOffline(true)
  await edit({ kind: 'restore', key: pack })
  const visa = await edit({ kind: 'create', collection: 'tasks', parent: tasklist, value: { title: 'Visa' } })
  await edit({ kind: 'delete', key: pack })
  await edit({ kind: 'delete', key: visa })
  await edit({ kind: 'restore', key: visa })
  await edit({ kind: 'restore', key: pack })
  await replica.setOffline(false)
  await clock.pass(60_000)
  expect(replica.outbox()).toEqual([])
  expect(service.living('tasks inbox').filter(({ title }) => title === 'Pack')).toMatchObject([{ id: task }])
})

it('an edit of a subtask names no local ID when its task is created again, because the service no longer keeps it', async () => {
  const task = ada('tasks.tasks.insert', {}, { title: 'Pack' })
  const subtask = ada('tasks.tasks.insert', { parent: task }, { title: 'Socks' })
  replica.syncNow()
  await clock.pass(10_000)
  service.callAs('ada', 'tasks.tasks.delete', { tasklist, task })
  ada('tasks.tasks.patch', { task: subtask }, { deleted: false })
  replica.syncNow()
  await clock.pass(10_000)
  service.shelf('tasks inbox').drop(task)
  // The edit is sent between the failed restoration and the creation.
  let isTried = false
  let isSent = false
  service.trouble = ({ id, params }, moment) => {
    isTried ||= id === 'tasks.tasks.patch' && params['task'] === task
    isSent ||= id === 'tasks.tasks.update' && moment === 'after'
    if (id === 'tasks.tasks.update' && !isTried) return 'rateLimited'
    return id === 'tasks.tasks.insert' && !isSent ? 'unavailable' : undefined
  }
  await replica.setOffline(true)
  await replica.edit([{ kind: 'restore', key: recordKey('tasks', tasklist, task) }], { label: 'Restore' })
  const key = recordKey('tasks', tasklist, subtask)
  await replica.edit([{ kind: 'change', key, patch: { notes: 'Six pairs' } }], { label: 'Edit' })
  await replica.setOffline(false)
  await clock.pass(300_000)
  expect(service.leaked).toEqual([])
  expect(replica.outbox()).toEqual([])
  expect(service.living('tasks inbox').map(({ title, notes }) => [title, notes])).toEqual([
    ['Socks', 'Six pairs'],
    ['Pack', undefined],
  ])
})

it('undoing a restoration keeps a subtask that was added before it, and rejected', async () => {
  const task = ada('tasks.tasks.insert', {}, { title: 'Pack' })
  replica.syncNow()
  await clock.pass(10_000)
  service.trouble = ({ id }, moment) => {
    if (id === 'tasks.tasks.insert' && moment === 'before' && service.living('tasks inbox').length > 0)
      service.callAs('ada', 'tasks.tasks.delete', { tasklist, task })
    return undefined
  }
  const key = recordKey('tasks', tasklist, task)
  const place = { parent: task }
  await replica.edit([{ kind: 'create', collection: 'tasks', parent: tasklist, value: { title: 'Socks' }, place }], {
    label: 'New task',
  })
  await clock.pass(10_000)
  const rejected = { kind: 'create', state: 'needsYou', patch: { title: 'Socks' } }
  expect(replica.outbox()).toMatchObject([rejected])
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  await replica.edit([{ kind: 'restore', key }], { label: 'Restore' })
  await replica.undo()
  expect(replica.outbox()).toMatchObject([rejected])
})

it('an occurrence that was restored after its series was cut stays when the lost answer is looked up', async () => {
  const calendarId = 'work'
  const event = (day: number): JsonObject => ({
    summary: 'Yoga',
    start: { dateTime: `2026-03-0${day}T10:00:00Z`, timeZone: 'UTC' },
    end: { dateTime: `2026-03-0${day}T11:00:00Z`, timeZone: 'UTC' },
  })
  const asAda = (operation: string, params: JsonObject, body: JsonObject): unknown =>
    service.callAs('ada', operation, { calendarId, ...params }, body)
  const eventId = 'yoga_20260304T100000Z'
  asAda('calendar.events.insert', {}, { id: 'yoga', ...event(2), recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
  asAda('calendar.events.patch', { eventId }, { summary: 'Yoga outside' })
  replica.syncNow()
  await clock.pass(10_000)
  let cuts = true
  service.trouble = ({ id }, moment) => {
    if (!cuts || moment === 'before' || id !== 'calendar.events.update') return undefined
    cuts = false
    asAda('calendar.events.patch', { eventId }, { ...event(4), summary: 'Yoga outside', status: 'confirmed' })
    return 'answerLost'
  }
  const [key, occurrence] = ['yoga', eventId].map((id) => recordKey('events', calendarId, id))
  const patch = { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260304T095959Z'] }
  await replica.edit([{ kind: 'change', key: key!, patch, hides: [occurrence!] }], { label: 'Delete following' })
  await clock.pass(120_000)
  expect(cuts).toBe(false)
  expect(replica.outbox()).toEqual([])
  expect(service.living('events work').map(({ id }) => id)).toEqual(['yoga', eventId])
  expect((await replica.read(occurrence!))?.value).toMatchObject({ summary: 'Yoga outside' })
})

it.each(['the deletion is discarded', 'it is kept when asked about'])(
  'an unsent event of a calendar stays when %s',
  async (how) => {
    const { id } = service.callAs('ada', 'calendar.calendars.insert', {}, { summary: 'Trip' })!
    const event = (summary: string): JsonObject => ({
      summary,
      start: { dateTime: '2026-03-03T10:00:00Z' },
      end: { dateTime: '2026-03-03T11:00:00Z' },
    })
    replica.syncNow()
    await clock.pass(10_000)
    await replica.setOffline(true)
    const parent = String(id)
    const created = { kind: 'create', collection: 'events', parent, value: event('Flight') } as const
    const { keys } = await replica.edit([created], { label: 'New event' })
    await replica.edit([{ kind: 'delete', key: recordKey('calendars', null, parent) }], { label: 'Delete' })
    const isDeletion = ({ kind }: { kind: string }): boolean => kind === 'delete'
    if (how === 'the deletion is discarded') await replica.withdraw(replica.outbox().find(isDeletion)!.id)
    else service.callAs('ada', 'calendar.events.insert', { calendarId: parent }, event('Hotel'))
    await replica.setOffline(false)
    await clock.pass(60_000)
    const asked = replica.outbox().find(isDeletion)
    expect(asked !== undefined).toBe(how !== 'the deletion is discarded')
    if (asked) await replica.resolve(asked.id, { keep: 'theirs' })
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    expect(service.living(`events ${parent}`).map(({ summary }) => summary)).toContain('Flight')
    expect((await replica.read(keys[0]!))?.value).toMatchObject({ summary: 'Flight' })
  },
)

it('an occurrence like its series on the service is no exception here while the series has a pending change', async () => {
  const calendarId = 'work'
  const [eventId, date] = ['yoga_20260303T100000Z', '2026-03-02'] as const
  const [start, end] = [10, 11].map((hour) => ({ dateTime: `${date}T${hour}:00:00Z`, timeZone: 'UTC' }))
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  service.callAs(
    'ada',
    'calendar.events.insert',
    { calendarId },
    { id: 'yoga', summary: 'Yoga', start, end, recurrence },
  )
  replica.syncNow()
  await clock.pass(10_000)
  let isLost = false
  let waits = false
  service.trouble = ({ id, params }) => {
    if (id !== 'calendar.events.update') return undefined
    if (params['eventId'] === 'yoga') return waits ? 'rateLimited' : undefined
    if (isLost) return undefined
    isLost = true
    return 'answerLost'
  }
  const change = (id: string, patch: JsonObject): Promise<unknown> =>
    replica.edit([{ kind: 'change', key: recordKey('events', calendarId, id), patch }], { label: 'Change' })
  await replica.setOffline(true)
  await change(eventId, { summary: 'Yoga outside' })
  await change('yoga', { summary: 'Yoga outside' })
  await replica.setOffline(false)
  await clock.pass(1_500)
  waits = true
  await change('yoga', { location: 'Park' })
  await clock.pass(120_000)
  expect(replica.outbox().map(({ patch }) => patch)).toEqual([{ location: 'Park' }])
  waits = false
  await clock.pass(120_000)
  expect(replica.outbox()).toEqual([])
  expect((await device.stored('events', calendarId)).map(({ id }) => id)).toEqual(['yoga'])
})

it('a new subtask stays in its list when its task turns out to be in a list that is deleted here', async () => {
  const old = String(service.callAs('ada', 'tasks.tasklists.insert', {}, { title: 'Old' })!.id)
  replica.syncNow()
  await clock.pass(10_000)
  let losesAnswer = true
  service.trouble = ({ id }, moment) => {
    if (id !== 'tasks.tasks.insert' || moment === 'before' || !losesAnswer) return undefined
    losesAnswer = false
    const [task] = service.living('tasks inbox').map((value) => String(value.id))
    service.callAs('ada', 'tasks.tasks.move', { tasklist, task: task!, destinationTasklist: old })
    return 'answerLost'
  }
  const add = async (title: string, place = {}): Promise<string> => {
    const change: Change = { kind: 'create', collection: 'tasks', parent: tasklist, value: { title }, place }
    return parseRecordKey((await replica.edit([change], { label: title })).keys[0]!).id
  }
  await add('Visa', { parent: await add('Trip') })
  await clock.pass(60_000)
  const [creation] = replica.outbox()
  expect(creation?.conflict?.made).toContain(old)
  await replica.setOffline(true)
  await replica.resolve(creation!.id, { keep: 'theirs' })
  await replica.edit([{ kind: 'delete', key: recordKey('tasklists', null, old) }], { label: 'Delete list' })
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(replica.outbox()).toEqual([])
  expect(service.living('tasklists').map(({ title }) => title)).toEqual(['Inbox'])
  expect(service.living('tasks inbox').map(({ title }) => title)).toEqual(['Visa'])
})

it('cutting a series asks about an occurrence that someone changed, though its deletion here was rejected', async () => {
  const calendarId = 'work'
  const [start, end] = [10, 11].map((hour) => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' }))
  const asAda = (operation: string, params: JsonObject, body: JsonObject): unknown =>
    service.callAs('ada', operation, { calendarId, ...params }, body)
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  asAda('calendar.events.insert', {}, { id: 'yoga', summary: 'Yoga', start, end, recurrence } as JsonObject)
  replica.syncNow()
  await clock.pass(10_000)
  const eventId = 'yoga_20260305T100000Z'
  const key = recordKey('events', calendarId, eventId)
  service.trouble = ({ params }) => (params['eventId'] === eventId ? 'forbidden' : undefined)
  await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
  await clock.pass(10_000)
  expect(replica.outbox()).toMatchObject([{ kind: 'delete', state: 'needsYou' }])
  asAda('calendar.events.patch', { eventId }, { location: 'Mill Road' })
  const patch = { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  const cut: Change = { kind: 'change', key: recordKey('events', calendarId, 'yoga'), patch, hides: [key] }
  await replica.edit([cut], { label: 'Delete following' })
  await clock.pass(10_000)
  expect(replica.outbox().find(({ kind }) => kind === 'change')).toMatchObject({ conflict: { unseen: [key] } })
  expect(service.living(`events ${calendarId}`)).toContainEqual(expect.objectContaining({ location: 'Mill Road' }))
})

it('a sync check removes an occurrence that is no record of its own on the service', async () => {
  const calendarId = 'work'
  const [start, end] = [10, 11].map((hour) => ({ dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' }))
  const asAda = (operation: string, params: JsonObject, body: JsonObject): unknown =>
    service.callAs('ada', operation, { calendarId, ...params }, body)
  const eventId = 'yoga_20260303T100000Z'
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  asAda('calendar.events.insert', {}, { id: 'yoga', summary: 'Yoga', start, end, recurrence } as JsonObject)
  asAda('calendar.events.patch', { eventId }, { summary: 'Yoga outside' })
  replica.syncNow()
  await clock.pass(10_000)
  service.shelf('events work').drop(eventId)
  const ids = async (): Promise<string[]> => (await device.stored('events', calendarId)).map(({ id }) => id)
  expect(await ids()).toEqual(['yoga', eventId])
  replica.checkSync()
  await clock.pass(60_000)
  expect(await ids()).toEqual(['yoga'])
  const check = replica.status.lanes.find((lane) => lane.service === 'calendar')?.check
  expect(check?.last?.repairs).toMatchObject([{ difference: 'ghost', id: eventId }])
})

it.each([
  ['another list', 'tasks.tasks.move'],
  ['its list', 'tasks.tasks.patch'],
])('a new subtask stays when its task turns out to be one in %s that is deleted here', async (_where, call) => {
  const old = String(service.callAs('ada', 'tasks.tasklists.insert', {}, { title: 'Old' })!.id)
  replica.syncNow()
  await clock.pass(10_000)
  let losesAnswer = true
  service.trouble = ({ id }, moment) => {
    if (id !== 'tasks.tasks.insert' || moment === 'before' || !losesAnswer) return undefined
    losesAnswer = false
    const task = service.living('tasks inbox')[0]!.id!
    const isMove = call.endsWith('move')
    const params = { tasklist, task, ...(isMove && { destinationTasklist: old }) }
    service.callAs('ada', call, params, isMove ? undefined : { title: 'Journey' })
    return 'answerLost'
  }
  const add = async (title: string, place = {}): Promise<string> => {
    const change: Change = { kind: 'create', collection: 'tasks', parent: tasklist, value: { title }, place }
    return parseRecordKey((await replica.edit([change], { label: title })).keys[0]!).id
  }
  await add('Visa', { parent: await add('Trip') })
  await clock.pass(60_000)
  const [creation] = replica.outbox()
  await replica.setOffline(true)
  await replica.edit([{ kind: 'delete', key: creation!.conflict!.made! }], { label: 'Delete' })
  await replica.resolve(creation!.id, { keep: 'theirs' })
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(replica.outbox()).toEqual([])
  expect([tasklist, old].map((list) => service.living(`tasks ${list}`).map(({ title }) => title))).toEqual([
    ['Visa'],
    [],
  ])
})

it.each([
  ['mine', 'task'],
  ['theirs', 'task'],
  ['mine', 'list'],
  ['theirs', 'list'],
] as const)(
  'asks before it deletes what a rejected move took elsewhere here: %s, with its %s',
  async (keep, holder) => {
    const insert = (params: JsonObject, title: string): string =>
      String(service.callAs('ada', 'tasks.tasks.insert', params, { title })!.id)
    const list = String(service.callAs('ada', 'tasks.tasklists.insert', {}, { title: 'Trip' })!.id)
    const trip = insert({ tasklist: list }, 'Trip')
    const visa = insert({ tasklist: list, parent: trip }, 'Visa')
    replica.syncNow()
    await clock.pass(10_000)
    const keyOf = (id: string, at = list): string => recordKey('tasks', at, id)
    const isTask = holder === 'task'
    const action = { name: 'moveTask' as const, ...(!isTask && { destination: tasklist }) }
    service.trouble = ({ id }) => (id === 'tasks.tasks.move' ? 'forbidden' : undefined)
    await replica.edit([{ kind: 'action', key: keyOf(isTask ? visa : trip), action }], { label: 'Move' })
    await clock.pass(10_000)
    expect(replica.outbox()).toMatchObject([{ state: 'needsYou', fault: { code: 'forbidden' } }])
    const deleted = isTask ? keyOf(trip) : recordKey('tasklists', null, list)
    await replica.edit([{ kind: 'delete', key: deleted }], { label: 'Delete' })
    await clock.pass(10_000)
    const deletion = replica.outbox().find(({ kind }) => kind === 'delete')!
    expect([...(deletion.conflict?.unseen ?? [])].sort()).toEqual(
      (isTask ? [visa] : [trip, visa]).map((id) => keyOf(id)).sort(),
    )
    await replica.resolve(deletion.id, { keep })
    await clock.pass(10_000)
    expect(service.living(`tasks ${list}`).map(({ title }) => title)).toEqual(keep === 'mine' ? [] : ['Trip', 'Visa'])
  },
)

it('a completed task that someone else deletes disappears, though it is about to be cleared here', async () => {
  const task = String(
    service.callAs('ada', 'tasks.tasks.insert', { tasklist }, { title: 'Visa', status: 'completed' })!.id,
  )
  replica.syncNow()
  await clock.pass(10_000)
  replica.pause(true)
  const list = recordKey('tasklists', null, tasklist)
  await replica.edit([{ kind: 'action', key: list, action: { name: 'clearCompleted' } }], { label: 'Clear' })
  await clock.pass(2_000)
  service.callAs('ada', 'tasks.tasks.delete', { tasklist, task })
  replica.syncNow()
  await clock.pass(2_000)
  expect(replica.outbox()).toMatchObject([{ kind: 'action' }])
  expect(replica.rows('tasks')).toEqual([])
})

it('a change of a series asks about an occurrence of an earlier schedule that someone restored', async () => {
  const calendarId = 'work'
  const at = (hour: number): JsonObject => ({
    start: { dateTime: `2026-03-02T${hour}:00:00Z`, timeZone: 'UTC' },
    end: { dateTime: `2026-03-02T${hour + 1}:00:00Z`, timeZone: 'UTC' },
  })
  const asAda = (operation: string, params: JsonObject, body: JsonObject): unknown =>
    service.callAs('ada', operation, { calendarId, ...params }, body)
  const eventId = 'yoga_20260303T100000Z'
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  asAda('calendar.events.insert', {}, { id: 'yoga', summary: 'Yoga', ...at(10), recurrence })
  asAda('calendar.events.patch', { eventId }, { summary: 'Yoga outside' })
  asAda('calendar.events.patch', { eventId: 'yoga' }, { ...at(11), recurrence })
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  const [key, occurrence] = ['yoga', eventId].map((id) => recordKey('events', calendarId, id))
  const patch = { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260304T105959Z'] }
  await replica.edit([{ kind: 'change', key: key!, patch }], { label: 'Delete following' })
  asAda('calendar.events.patch', { eventId }, { status: 'confirmed', location: 'Park' })
  await replica.setOffline(false)
  await clock.pass(120_000)
  expect(replica.outbox()).toMatchObject([{ state: 'needsYou', conflict: { unseen: [occurrence] } }])
  expect(service.living('events work')).toMatchObject([{ id: 'yoga' }, { id: eventId, location: 'Park' }])
})

it('an edit whose base names a record that is not sent yet reads its own record first', async () => {
  const task = String(service.callAs('ada', 'tasks.tasks.insert', { tasklist }, { title: 'Visa' })!.id)
  replica.syncNow()
  await clock.pass(10_000)
  await replica.setOffline(true)
  await replica.edit([{ kind: 'change', key: recordKey('tasks', tasklist, task), patch: { notes: 'Photo' } }], {
    label: 'Edit',
  })
  const [entry] = replica.outbox()
  expect(entry).toMatchObject({ complete: true, etag: expect.any(String) })
  device.crash()
  const parent = `local:${entry!.id}`
  const changed = { ...entry!, base: { ...entry!.base, parent }, revision: 99 }
  device.journal.lines.push({ kind: 'entry', entry: changed })
  device.disk.data.outbox.set(changed.id, changed)
  await device.start()
  await replica.setOffline(false)
  await clock.pass(60_000)
  expect([service.leaked, replica.outbox()]).toEqual([[], []])
  expect(service.living(`tasks ${tasklist}`)).toMatchObject([{ title: 'Visa', notes: 'Photo' }])
})

it('a deletion of a list asks about a task in it that its author restores where it was before', async () => {
  const list = String(service.callAs('ada', 'tasks.tasklists.insert', {}, { title: 'Trip' })!.id)
  const task = String(service.callAs('ada', 'tasks.tasks.insert', { tasklist }, { title: 'Visa' })!.id)
  replica.syncNow()
  await clock.pass(10_000)
  service.callAs('ada', 'tasks.tasks.move', { tasklist, task, destinationTasklist: list })
  service.trouble = ({ id, params }) =>
    id === 'tasks.tasks.list' && params['tasklist'] === list ? 'unavailable' : undefined
  replica.syncNow()
  await clock.pass(10_000)
  expect(replica.rows('tasks', list)).toEqual([])
  await replica.setOffline(true)
  const key = recordKey('tasks', tasklist, task)
  await replica.edit([{ kind: 'restore', key }], { label: 'Restore' })
  await replica.edit([{ kind: 'delete', key: recordKey('tasklists', null, list) }], { label: 'Delete' })
  await replica.edit([{ kind: 'change', key, patch: { notes: 'Photo' } }], { label: 'Edit' })
  service.trouble = ({ id }) =>
    id === 'tasks.tasklists.delete' && !service.living(`tasks ${list}`)[0]?.notes ? 'unavailable' : undefined
  await replica.setOffline(false)
  await clock.pass(600_000)
  expect(replica.outbox()).toMatchObject([
    { kind: 'delete', state: 'needsYou', conflict: { unseen: [recordKey('tasks', list, task)] } },
  ])
  expect(service.living(`tasks ${list}`)).toMatchObject([{ title: 'Visa', notes: 'Photo' }])
})

it.each([
  ['deleted again', { kind: 'change', state: 'needsYou', conflict: { remote: null } }],
  ['moved', undefined],
])('an event that was %s after its restoration, whose answer was lost, isn’t restored again', async (how, question) => {
  const others = (operation: string, more: JsonObject = {}, body?: JsonObject): unknown =>
    service.callAs('ada', operation, { calendarId: 'me', ...more }, body)
  const start = { dateTime: '2026-03-19T10:00:00Z' }
  const event = { summary: 'Dentist', start, end: { dateTime: '2026-03-19T11:00:00Z' } }
  const eventId = String((others('calendar.events.insert', {}, event) as JsonObject).id)
  replica.syncNow()
  await clock.pass(10_000)
  const key = recordKey('events', 'me', eventId)
  await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
  await clock.pass(10_000)
  service.trouble = ({ id }, moment) => {
    if (id !== 'calendar.events.patch' || moment !== 'after') return undefined
    service.trouble = () => undefined
    expect(service.living('events me')).toMatchObject([{ summary: 'Dentist' }])
    if (how === 'moved') others('calendar.events.move', { eventId, destination: 'work' })
    else others('calendar.events.delete', { eventId })
    return 'answerLost'
  }
  await replica.edit([{ kind: 'restore', key }], { label: 'Restore' })
  await clock.pass(120_000)
  expect(service.living('events me')).toEqual([])
  expect(replica.outbox()).toMatchObject(question ? [question] : [])
})

it('an event whose answer was lost, and that someone deleted, is restored once by its author and by someone else', async () => {
  service.trouble = ({ id }, moment) =>
    id === 'calendar.events.insert' && moment === 'after' ? 'answerLost' : undefined
  const start = { dateTime: '2026-03-19T10:00:00Z' }
  const event = { summary: 'Dentist', start, end: { dateTime: '2026-03-19T11:00:00Z' }, location: 'Mill Road' }
  const made: Change = { kind: 'create', collection: 'events', parent: 'me', value: event }
  const { keys } = await replica.edit([made], { label: 'New' })
  await clock.pass(1_000)
  const { id: eventId } = parseRecordKey(keys[0]!)
  const others = (operation: string, body?: JsonObject): unknown =>
    service.callAs('ada', operation, { calendarId: 'me', eventId }, body)
  others('calendar.events.patch', { description: 'Bring the card.' })
  others('calendar.events.delete')
  service.trouble = () => undefined
  await clock.pass(60_000)
  const [creation] = replica.outbox()
  expect(creation?.conflict?.remote).toBeNull()
  await replica.setOffline(true)
  await replica.resolve(creation!.id, { keep: 'mine' })
  others('calendar.events.patch', { status: 'confirmed' })
  await replica.setOffline(false)
  await clock.pass(60_000)
  expect(replica.outbox()).toEqual([])
  expect(service.living('events me')).toMatchObject([
    { id: eventId, summary: 'Dentist', location: 'Mill Road', description: 'Bring the card.' },
  ])
})

it('events with the same ID in two calendars are listed apart when one is deleted here and one elsewhere', async () => {
  const times = { start: { dateTime: '2026-03-19T10:00:00Z' }, end: { dateTime: '2026-03-19T11:00:00Z' } }
  const body = { id: 'guestscopy', summary: 'Review', ...times }
  for (const calendarId of ['me', 'work']) service.callAs('ada', 'calendar.events.insert', { calendarId }, body)
  replica.syncNow()
  await clock.pass(10_000)
  await replica.edit([{ kind: 'delete', key: recordKey('events', 'me', body.id) }], { label: 'Delete' })
  await clock.pass(10_000)
  service.callAs('ada', 'calendar.events.delete', { calendarId: 'work', eventId: body.id })
  replica.syncNow()
  await clock.pass(10_000)
  expect(
    replica
      .deleted()
      .map(({ key }) => key)
      .sort(),
  ).toEqual(['me', 'work'].map((calendar) => recordKey('events', calendar, body.id)))
})

it.each(['changed', 'filled'])(
  'a task that is kept after all has what was typed before it was deleted: %s',
  async (how) => {
    const task = ada('tasks.tasks.insert', {}, { title: 'Pack', notes: 'Socks' })
    const inner = ada('tasks.tasks.insert', { parent: task }, { title: 'Shoes' })
    replica.syncNow()
    await clock.pass(10_000)
    await replica.setOffline(true)
    const key = recordKey('tasks', tasklist, task)
    await replica.edit([{ kind: 'change', key, patch: { title: 'Pack the bags' } }], { label: 'Rename' })
    await replica.edit([{ kind: 'change', key: recordKey('tasks', tasklist, inner), patch: { title: 'Boots' } }], {
      label: 'Rename',
    })
    await replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    if (how === 'changed') ada('tasks.tasks.patch', { task }, { notes: 'Socks and shoes' })
    else ada('tasks.tasks.insert', { parent: task }, { title: 'Socks' })
    await replica.setOffline(false)
    await clock.pass(10_000)
    const [question] = replica.outbox().filter(({ state }) => state === 'needsYou')
    await replica.resolve(question!.id, { keep: 'theirs' })
    await clock.pass(10_000)
    expect(service.living('tasks inbox').map(({ title }) => title)).toEqual([
      'Pack the bags',
      ...(how === 'changed' ? ['Boots'] : ['Boots', 'Socks']),
    ])
  },
)

describe('an occurrence whose series someone deletes', () => {
  const calendarId = 'work'
  const occurrence = recordKey('events', calendarId, 'yoga_20260303T100000Z')
  const edit = (change: Change): Promise<unknown> => replica.edit([change], { label: 'Edit' })
  /** Keeps the occurrence until nothing asks about it. */
  async function keep(): Promise<void> {
    for (let asked = 0; asked < 3; asked++) {
      replica.pause(false)
      await clock.pass(60_000)
      const [entry] = replica.outbox()
      if (!entry) return
      expect(entry.conflict).toBeDefined()
      await replica.resolve(entry.id, { keep: 'mine' })
    }
  }

  beforeEach(async () => {
    const start = { dateTime: '2026-03-02T10:00:00Z', timeZone: 'UTC' }
    const end = { dateTime: '2026-03-02T11:00:00Z', timeZone: 'UTC' }
    const yoga = { id: 'yoga', summary: 'Yoga', start, end, recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] }
    service.callAs('ada', 'calendar.events.insert', { calendarId }, yoga)
    replica.syncNow()
    await clock.pass(10_000)
    replica.pause(true)
  })
  const deleteSeries = (): unknown => service.callAs('ada', 'calendar.events.delete', { calendarId, eventId: 'yoga' })
  const left = (): JsonObject[] =>
    service.living(`events ${calendarId}`).map(({ summary, location, start, recurringEventId = null }) => ({
      summary: summary!,
      location: location ?? null,
      start: start!,
      recurringEventId,
    }))
  const starts = { dateTime: '2026-03-02T10:00:00Z', timeZone: 'UTC' }
  const alone = {
    summary: 'Yoga',
    start: { dateTime: '2026-03-03T10:00:00Z', timeZone: 'UTC' },
    recurringEventId: null,
  }

  it('stays as an event of its own if its editor keeps it', async () => {
    await edit({ kind: 'change', key: occurrence, patch: { location: 'Park' } })
    deleteSeries()
    await keep()
    expect(left()).toEqual([{ ...alone, location: 'Park' }])
  })

  it('isn’t taken for restored when its deletion is undone', async () => {
    await edit({ kind: 'delete', key: occurrence })
    replica.pause(false)
    await clock.pass(10_000)
    replica.pause(true)
    deleteSeries()
    await replica.undo()
    await keep()
    expect(left()).toEqual([{ ...alone, location: null }])
  })

  it('is an event of its own at once if it’s restored after the deletion has arrived', async () => {
    await edit({ kind: 'delete', key: occurrence })
    replica.pause(false)
    await clock.pass(10_000)
    deleteSeries()
    replica.syncNow()
    await clock.pass(10_000)
    await replica.undo()
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    expect(left()).toEqual([{ ...alone, location: null }])
  })

  const cut = { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260302T235959Z'] }
  const series = { summary: 'Yoga (morning)', location: null, start: starts }
  const renameSeries = (): unknown =>
    service.callAs('ada', 'calendar.events.patch', { calendarId, eventId: 'yoga' }, { summary: 'Yoga (morning)' })

  it('stays as an event of its own if its series was cut before it was restored', async () => {
    await edit({ kind: 'change', key: occurrence, patch: { location: 'Park' } })
    await edit({ kind: 'delete', key: occurrence })
    await edit({ kind: 'change', key: recordKey('events', calendarId, 'yoga'), patch: cut })
    await edit({ kind: 'restore', key: occurrence })
    replica.pause(false)
    await clock.pass(60_000)
    expect(replica.outbox()).toEqual([])
    renameSeries()
    expect(left()).toEqual([
      { ...series, recurringEventId: null },
      { ...alone, location: 'Park' },
    ])
  })

  it('stays as an event of its own if its editor keeps it after someone cut its series', async () => {
    await edit({ kind: 'change', key: occurrence, patch: { location: 'Park' } })
    service.callAs('ada', 'calendar.events.patch', { calendarId, eventId: 'yoga' }, cut)
    await keep()
    renameSeries()
    expect(left()).toEqual([
      { ...series, recurringEventId: null },
      { ...alone, location: 'Park' },
    ])
  })
})
