import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { deleteSeries, editSeries } from '#shared/domain/series-edit'
import type { Change } from '../../src-renderer/replica/api'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device } from '../helpers/device'
import { primary, times } from '../helpers/some-event'

const service = serviceForEach()
let here: Device
let there: Device

beforeEach(async () => {
  here = await deviceOf(service)
  there = await deviceOf(service)
})
afterEach(async () => {
  await here?.close()
  await there?.close()
})

const edit = async ({ replica }: Device, ...changes: Change[]): Promise<string> =>
  (await replica.edit(changes, { label: 'Edit' })).keys[0]!
const known = ({ replica }: Device, key: string): string => replica.peek(key)!.key
const idOf = (device: Device, key: string): string => parseRecordKey(known(device, key)).id

/** Goes online and waits for the question. @returns the titles of the records it names */
async function asked(device: Device): Promise<string[]> {
  await device.replica.setOffline(false)
  await device.asks()
  const [entry] = device.replica.outbox().filter(({ state }) => state === 'needsYou')
  const rows = await Promise.all(entry!.conflict!.unseen!.map((key) => device.replica.read(key)))
  return rows.map((row) => String(row!.base!['title'] ?? row!.base!['summary']))
}
const answer = async (device: Device, keep: 'mine' | 'theirs'): Promise<void> => {
  const entry = device.replica.outbox().find(({ state }) => state === 'needsYou')!
  await device.replica.resolve(entry.id, { keep })
  await device.settled()
  expect(device.replica.outbox()).toEqual([])
}
/** Sends the last edit and its undo, and redoes it offline. */
async function redoSent(): Promise<void> {
  await here.replica.setOffline(false)
  await here.settled()
  await here.replica.undo()
  await here.settled()
  await there.settled()
  await here.replica.setOffline(true)
  await here.replica.redo()
}
const tasksAt = async (tasklist: string): Promise<string[]> => {
  const { body } = await service.client.call('tasks.tasks.list', { tasklist, showCompleted: true, showHidden: true })
  return (body.items ?? []).map(({ title, hidden }) => `${title}${hidden ? ' (hidden)' : ''}`).sort()
}

describe('tasks that someone else added or changed', () => {
  let list: string
  let task: string
  beforeEach(async () => {
    await there.settled()
    const made = await edit(there, { kind: 'create', collection: 'tasklists', parent: null, value: { title: 'Trip' } })
    await there.settled()
    list = idOf(there, made)
    const key = await edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Pack' } })
    await there.settled()
    task = known(there, key)
    await here.settled()
    await here.replica.setOffline(true)
  })
  const newTask = (title: string, more: Partial<Extract<Change, { kind: 'create' }>> = {}): Promise<string> =>
    edit(there, { kind: 'create', collection: 'tasks', parent: list, value: { title }, ...more })

  it.each(['mine', 'theirs'] as const)('prompt before their list is deleted: %s', async (keep) => {
    await edit(here, { kind: 'delete', key: recordKey('tasklists', null, list) })
    await newTask('Tickets')
    await edit(there, { kind: 'change', key: task, patch: { notes: 'Passport!' } })
    await there.settled()
    expect((await asked(here)).sort()).toEqual(['Pack', 'Tickets'])
    await answer(here, keep)
    const { body } = await service.client.call('tasks.tasklists.list', {})
    expect(body.items!.some(({ id }) => id === list)).toBe(keep === 'theirs')
    if (keep === 'theirs') expect(await tasksAt(list)).toEqual(['Pack', 'Tickets'])
    expect(
      here.replica
        .rows('tasks', list)
        .map(({ value }) => value?.['title'])
        .sort(),
    ).toEqual(keep === 'theirs' ? ['Pack', 'Tickets'] : [])
  })

  it.each(['mine', 'theirs'] as const)('prompt before their parent is deleted: %s', async (keep) => {
    await edit(here, { kind: 'delete', key: task })
    await newTask('Socks', {
      value: { title: 'Socks', notes: 'Six pairs' },
      place: { parent: parseRecordKey(task).id },
    })
    await there.settled()
    expect(await asked(here)).toEqual(['Socks'])
    await answer(here, keep)
    expect(await tasksAt(list)).toEqual(keep === 'theirs' ? ['Pack', 'Socks'] : [])
  })

  it.each(['mine', 'theirs'] as const)(
    'prompt before the parent that they were moved into is deleted: %s',
    async (keep) => {
      const tickets = await newTask('Tickets')
      await there.settled()
      await here.replica.setOffline(false)
      await here.settled()
      await here.replica.setOffline(true)
      await edit(here, { kind: 'delete', key: task })
      const action = { name: 'moveTask', parent: parseRecordKey(task).id } as const
      await edit(there, { kind: 'action', key: known(there, tickets), action })
      await there.settled()
      expect(await asked(here)).toEqual(['Tickets'])
      await answer(here, keep)
      expect(await tasksAt(list)).toEqual(keep === 'theirs' ? ['Pack', 'Tickets'] : [])
    },
  )

  it('are deleted without a prompt if you moved them into their parent', async () => {
    const tickets = await newTask('Tickets')
    await there.settled()
    await here.replica.setOffline(false)
    await here.settled()
    await here.replica.setOffline(true)
    const action = { name: 'moveTask', parent: parseRecordKey(task).id } as const
    await edit(here, { kind: 'action', key: known(there, tickets), action })
    await edit(here, { kind: 'delete', key: task })
    await here.replica.setOffline(false)
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    expect(await tasksAt(list)).toEqual([])
  })

  it.each(['mine', 'theirs'] as const)('prompt before their parent goes after they were kept: %s', async (keep) => {
    const socks = await newTask('Socks', { place: { parent: parseRecordKey(task).id } })
    await there.settled()
    await here.replica.setOffline(false)
    await here.settled()
    await here.replica.setOffline(true)
    await edit(here, { kind: 'delete', key: known(there, socks) })
    await edit(there, { kind: 'change', key: known(there, socks), patch: { notes: 'Six pairs' } })
    await there.settled()
    await here.replica.setOffline(false)
    await here.asks()
    await here.replica.setOffline(true)
    await edit(here, { kind: 'delete', key: task })
    const first = here.replica.outbox().find(({ state }) => state === 'needsYou')!
    await here.replica.resolve(first.id, { keep: 'theirs' })
    expect(await asked(here)).toEqual(['Socks'])
    await answer(here, keep)
    expect(await tasksAt(list)).toEqual(keep === 'theirs' ? ['Pack', 'Socks'] : [])
  })

  it('prompt before completed ones are hidden', async () => {
    await edit(here, { kind: 'action', key: recordKey('tasklists', null, list), action: { name: 'clearCompleted' } })
    await edit(there, { kind: 'change', key: task, patch: { status: 'completed' } })
    await there.settled()
    expect(await asked(here)).toEqual(['Pack'])
    await answer(here, 'theirs')
    expect(await tasksAt(list)).toEqual(['Pack'])
  })

  it('stay here when hidden anyway', async () => {
    await edit(here, { kind: 'action', key: recordKey('tasklists', null, list), action: { name: 'clearCompleted' } })
    await edit(there, { kind: 'change', key: task, patch: { status: 'completed' } })
    await there.settled()
    expect(await asked(here)).toEqual(['Pack'])
    await answer(here, 'mine')
    expect(await tasksAt(list)).toEqual(['Pack (hidden)'])
    expect(here.replica.rows('tasks', list).map(({ value }) => [value?.['title'], value?.['hidden']])).toEqual([
      ['Pack', true],
    ])
  })

  it('are deleted without a prompt if unchanged or changed by you', async () => {
    await edit(here, { kind: 'change', key: task, patch: { notes: 'Mine' } })
    await here.replica.setOffline(false)
    await here.settled()
    await edit(here, { kind: 'delete', key: recordKey('tasklists', null, list) })
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
  })

  it.each([
    ['changed', true],
    ['unchanged', false],
  ])('are compared with what you saw, even after a database loss: %s', async (_how, changes) => {
    await here.replica.setOffline(false)
    const sub = await newTask('Socks', { place: { parent: parseRecordKey(task).id } })
    await there.settled()
    await here.settled()
    await here.replica.setOffline(true)
    await edit(here, { kind: 'delete', key: task })
    if (changes) await edit(there, { kind: 'change', key: sub, patch: { title: 'Warm socks' } })
    await there.settled()
    await here.restart({ wiped: true })
    if (changes) expect(await asked(here)).toEqual(['Warm socks'])
    else {
      await here.replica.setOffline(false)
      await here.settled()
      expect(here.replica.outbox()).toEqual([])
    }
    expect(await tasksAt(list)).toEqual(changes ? ['Pack', 'Warm socks'] : [])
  })

  it("prompt when both are online and the other edit hasn't arrived", async () => {
    await here.replica.setOffline(false)
    await here.settled()
    await newTask('Tickets')
    await there.settled()
    await edit(here, { kind: 'delete', key: recordKey('tasklists', null, list) })
    expect(await asked(here)).toEqual(['Tickets'])
  })
})

describe('occurrences that someone else changed', () => {
  let master: string
  beforeEach(async () => {
    const value = { summary: 'Standup', ...times, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
    await there.settled()
    const key = await edit(there, { kind: 'create', collection: 'events', parent: primary, value })
    await there.settled()
    master = known(there, key)
    await here.settled()
    await here.replica.setOffline(true)
  })
  const occurrence = (day: number): string =>
    recordKey('events', primary, `${parseRecordKey(master).id}_202605${String(day).padStart(2, '0')}T070000Z`)
  const contextOf = ({ replica }: Device, day: number) => {
    const { id, value } = replica.peek(master)!
    return {
      calendarId: primary,
      masterId: id,
      master: { ...value!, id },
      exceptions: replica.exceptions(master).map((row) => ({ id: row.id, value: row.value })),
      eventId: parseRecordKey(occurrence(day)).id,
      newId: () => replica.newEventId(),
    }
  }
  const rename = async (day: number): Promise<void> => {
    await edit(there, { kind: 'change', key: occurrence(day), patch: { summary: 'Retro' } })
    await there.settled()
  }
  const titles = async (): Promise<string[]> => {
    const { body } = await service.client.call('calendar.events.list', { calendarId: primary, singleEvents: true })
    return (body.items ?? []).map(({ summary, location }) => `${summary}${location ? ` ${location}` : ''}`).sort()
  }

  it.each(['mine', 'theirs'] as const)('prompt before their series is deleted: %s', async (keep) => {
    await edit(here, { kind: 'delete', key: master })
    await rename(6)
    expect(await asked(here)).toEqual(['Retro'])
    await answer(here, keep)
    expect((await titles()).includes('Retro')).toBe(keep === 'theirs')
  })

  it.each(['mine', 'theirs'] as const)('prompt before this and following ones are deleted: %s', async (keep) => {
    await edit(here, ...(deleteSeries(contextOf(here, 6), 'following') as Change[]))
    await rename(7)
    expect(await asked(here)).toEqual(['Retro'])
    await answer(here, keep)
    expect((await titles()).includes('Retro')).toBe(keep === 'theirs')
  })

  it.each(['mine', 'theirs'] as const)('prompt after their series moved: %s', async (keep) => {
    await edit(there, { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Team' } })
    await edit(there, { kind: 'change', key: occurrence(7), patch: { location: 'Room 1' } })
    await there.settled()
    await here.replica.setOffline(false)
    await here.settled()
    await here.replica.setOffline(true)
    await edit(here, ...(deleteSeries(contextOf(here, 6), 'following') as Change[]))
    await rename(7)
    const team = there.replica.rows('calendarList').find(({ value }) => value?.['summary'] === 'Team')!.id
    await edit(there, { kind: 'action', key: master, action: { name: 'moveEvent', destination: team } })
    await there.settled()
    expect(await asked(here)).toEqual(['Retro'])
    await answer(here, keep)
    const { body } = await service.client.call('calendar.events.list', { calendarId: team, singleEvents: true })
    expect(body.items?.some(({ summary }) => summary === 'Retro') ?? false).toBe(keep === 'theirs')
  })

  it.each(['done', 'redone', 'sent and redone'])(
    "prompt before a split that was %s and then doesn't happen",
    async (how) => {
      await edit(here, ...(editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following') as Change[]))
      if (how === 'sent and redone') await redoSent()
      else if (how === 'redone') {
        await here.replica.undo()
        await here.replica.redo()
      }
      await rename(7)
      expect(await asked(here)).toEqual(['Retro'])
      await answer(here, 'theirs')
      expect((await titles()).filter((title) => /Standup|Retro/.test(title))).toHaveLength(5)
      expect((await titles()).filter((title) => title.includes('Room 2'))).toEqual([])
    },
  )

  /** Splits the series, sends that, and undoes it offline. */
  async function undoSentSplit(): Promise<void> {
    await edit(here, ...(editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following') as Change[]))
    await here.replica.setOffline(false)
    await here.settled()
    await there.settled()
    await here.replica.setOffline(true)
    await here.replica.undo()
  }
  const secondHalf = (): string => {
    const standups = there.replica.items(0, 4e12).filter(({ title }) => title === 'Standup')
    return recordKey('events', primary, standups.find(({ start }) => start > Date.UTC(2026, 4, 7))!.eventId)
  }

  it.each(['mine', 'theirs'] as const)('prompt before a split that was sent is undone: %s', async (keep) => {
    await undoSentSplit()
    await edit(there, { kind: 'change', key: secondHalf(), patch: { summary: 'Retro' } })
    await there.settled()
    await here.replica.setOffline(false)
    await here.asks()
    expect((await titles()).filter((title) => /Standup|Retro/.test(title))).toHaveLength(5)
    await answer(here, keep)
    expect((await titles()).filter((title) => /Standup|Retro/.test(title))).toHaveLength(5)
  })

  it('leave a new title of the first half alone if the second half stays', async () => {
    await undoSentSplit()
    await edit(here, { kind: 'change', key: master, patch: { summary: 'Daily' } })
    await edit(there, { kind: 'change', key: secondHalf(), patch: { summary: 'Retro' } })
    await there.settled()
    expect(await asked(here)).toEqual(['Retro'])
    await answer(here, 'theirs')
    const theirs = ['Retro Room 2', 'Standup Room 2', 'Standup Room 2']
    expect((await titles()).filter((title) => /Daily|Retro|Standup/.test(title))).toEqual(['Daily', 'Daily', ...theirs])
  })

  it.each(['mine', 'theirs'] as const)('prompt before a move that was sent is undone: %s', async (keep) => {
    const later = {
      start: { dateTime: '2026-05-05T10:00:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-05T10:30:00+02:00', timeZone: 'Europe/Berlin' },
    }
    await here.replica.setOffline(false)
    await edit(here, ...(editSeries(contextOf(here, 5), later, 'all') as Change[]))
    await here.settled()
    await there.settled()
    const moved = there.replica.items(0, 4e12).filter(({ title }) => title === 'Standup')[2]!
    await edit(there, { kind: 'change', key: recordKey('events', primary, moved.eventId), patch: { summary: 'Retro' } })
    await there.settled()
    await here.settled()
    await here.replica.undo()
    await here.asks()
    expect((await titles()).includes('Retro')).toBe(true)
    await answer(here, keep)
    expect((await titles()).includes('Retro')).toBe(keep === 'theirs')
  })

  it.each([
    ['mine', 'sent'],
    ['theirs', 'sent'],
    ['mine', 'waiting'],
    ['theirs', 'waiting'],
  ] as const)('prompt before a move is reverted that you edited one after: %s, %s', async (keep, state) => {
    const value = here.replica.peek(master)!.value!
    const moved = {
      start: { dateTime: '2026-05-05T10:00:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-05T10:30:00+02:00', timeZone: 'Europe/Berlin' },
    }
    await here.replica.setOffline(false)
    await edit(here, ...(editSeries(contextOf(here, 5), moved, 'all') as Change[]))
    await here.settled()
    const { eventId } = here.replica.items(0, 4e12).filter(({ title }) => title === 'Standup')[2]!
    const key = recordKey('events', primary, eventId)
    await edit(here, { kind: 'change', key, patch: { summary: 'Retro' } })
    await here.settled()
    await here.replica.setOffline(true)
    await edit(here, { kind: 'change', key, patch: { location: 'Room 1' } })
    if (state === 'sent') {
      await here.replica.setOffline(false)
      await here.settled()
    }
    const before = { start: value['start']!, end: value['end']! }
    const now = here.replica.peek(master)!.value!
    // The step renamed one, too.
    await edit(
      here,
      { kind: 'revert', key, fields: { before: { summary: 'Standup' }, after: { summary: 'Retro' } } },
      { kind: 'revert', key: master, fields: { before, after: { start: now['start']!, end: now['end']! } } },
    )
    await here.replica.setOffline(false)
    await here.asks()
    await answer(here, keep)
    expect((await titles()).includes('Standup Room 1')).toBe(keep === 'theirs')
  })

  it.each(['mine', 'theirs'] as const)('prompt before a move that was undone is redone: %s', async (keep) => {
    const later = {
      start: { dateTime: '2026-05-05T10:00:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-05T10:30:00+02:00', timeZone: 'Europe/Berlin' },
    }
    await edit(there, { kind: 'change', key: occurrence(7), patch: { location: 'Room 1' } })
    await there.settled()
    await here.replica.setOffline(false)
    await here.settled()
    await edit(here, ...(editSeries(contextOf(here, 5), later, 'all') as Change[]))
    await here.settled()
    await here.replica.undo()
    await here.settled()
    await there.settled()
    expect((await titles()).includes('Standup Room 1')).toBe(true)
    await rename(7)
    await here.settled()
    await here.replica.redo()
    await here.asks()
    await answer(here, keep)
    expect((await titles()).includes('Retro Room 1')).toBe(keep === 'theirs')
  })

  it.each(['mine', 'theirs'] as const)('prompt while the undoing of a split is sent: %s', async (keep) => {
    let half: string | undefined
    await here.close()
    here = await deviceOf(service, {
      fetch: async (input, init) => {
        if (init?.method === 'DELETE' && half !== undefined) {
          const eventId = half
          half = undefined
          const body = { summary: 'Retro' }
          await service.client.call('calendar.events.patch', { calendarId: primary, eventId }, { body })
        }
        return fetch(input, init)
      },
    })
    await here.settled()
    const changes = editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following')
    await edit(here, ...(changes as Change[]))
    await here.settled()
    half = changes.flatMap((change) => (change.kind === 'create' ? [change.id] : []))[0]
    await here.replica.undo()
    await here.asks()
    expect(half).toBeUndefined()
    await answer(here, keep)
    expect((await titles()).filter((title) => /Standup|Retro/.test(title))).toHaveLength(5)
  })

  it.each(['done', 'sent and redone'])(
    "aren't duplicated by a split that was %s if its rule stays as theirs",
    async (how) => {
      await edit(here, ...(editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following') as Change[]))
      if (how !== 'done') await redoSent()
      await edit(there, { kind: 'change', key: master, patch: { recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] } })
      await there.settled()
      await here.replica.setOffline(false)
      await here.asks()
      await answer(here, 'theirs')
      expect((await titles()).filter((title) => title.includes('Standup'))).toEqual(Array(9).fill('Standup'))
    },
  )

  it('aren’t duplicated by a split whose rule stays as theirs and whose title is yours', async () => {
    await edit(here, { kind: 'change', key: master, patch: { summary: 'Daily' } })
    await edit(here, ...(editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following') as Change[]))
    const patch = { summary: 'Huddle', recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] }
    await edit(there, { kind: 'change', key: master, patch })
    await there.settled()
    await here.replica.setOffline(false)
    await here.asks()
    const entry = here.replica.outbox().find(({ state }) => state === 'needsYou')!
    await here.replica.resolve(entry.id, { fields: { summary: 'mine', recurrence: 'theirs' } })
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    expect((await titles()).filter((title) => /Daily|Huddle/.test(title))).toEqual(Array(9).fill('Daily'))
  })

  it('prompt after a rule conflict is resolved', async () => {
    await edit(here, ...(deleteSeries(contextOf(here, 6), 'following') as Change[]))
    await edit(there, { kind: 'change', key: master, patch: { recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] } })
    await there.settled()
    await here.replica.setOffline(false)
    await here.asks()
    await rename(7)
    here.replica.syncNow()
    const conflict = () => here.replica.outbox()[0]!.conflict!
    await here.until('both questions', () => conflict().unseen !== undefined)
    expect(conflict().fields).toEqual(['recurrence'])
    await here.replica.resolve(here.replica.outbox()[0]!.id, { fields: { recurrence: 'mine' } })
    expect(await asked(here)).toEqual(['Retro'])
    expect(conflict().fields).toEqual([])
    await answer(here, 'theirs')
    expect(await titles()).toContain('Retro')
  })

  it('are unaffected outside the scope', async () => {
    await edit(here, ...(editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following') as Change[]))
    await rename(5)
    await here.replica.setOffline(false)
    await here.settled()
    expect(here.replica.outbox()).toEqual([])
    expect(await titles()).toContain('Retro')
  })

  it("aren't duplicated when both split the series at the same point", async () => {
    await edit(here, ...(editSeries(contextOf(here, 6), { location: 'Room 2' }, 'following') as Change[]))
    await edit(there, ...(editSeries(contextOf(there, 6), { location: 'Room 3' }, 'following') as Change[]))
    await there.settled()
    expect(await asked(here)).toEqual(['Standup'])
    await answer(here, 'theirs')
    expect((await titles()).filter((title) => title.includes('Standup'))).toHaveLength(5)
  })

  it('are hidden once the calendar is cleared, and shown again if that is undone before it is sent', async () => {
    const shown = (): number => here.replica.items(0, 4e12).length
    const before = shown()
    expect(before).toBeGreaterThan(1)
    const key = recordKey('calendars', null, primary)
    await edit(here, { kind: 'action', key, action: { name: 'clearCalendar' } })
    expect(shown()).toBe(0)
    await here.replica.undo()
    expect([shown(), here.replica.outbox()]).toEqual([before, []])
  })

  it('prompt before the calendar is cleared', async () => {
    const calendar = here.replica.rows('calendars').find(({ value }) => value)?.id ?? primary
    await edit(here, { kind: 'action', key: recordKey('calendars', null, calendar), action: { name: 'clearCalendar' } })
    await edit(there, {
      kind: 'create',
      collection: 'events',
      parent: primary,
      value: { summary: 'Dentist', ...times },
    })
    await there.settled()
    expect(await asked(here)).toEqual(['Dentist'])
    await answer(here, 'theirs')
    expect(await titles()).toContain('Dentist')
  })

  it.each(['mine', 'theirs'] as const)('and new events prompt before their calendar is deleted: %s', async (keep) => {
    await here.replica.setOffline(false)
    await edit(there, { kind: 'create', collection: 'calendars', parent: null, value: { summary: 'Team' } })
    await there.settled()
    const calendar = there.replica.rows('calendarList').find(({ value }) => value?.['summary'] === 'Team')!.id
    await here.settled()
    await here.replica.setOffline(true)
    await edit(here, { kind: 'delete', key: recordKey('calendars', null, calendar) })
    const value = { summary: 'Dentist', ...times }
    await edit(there, { kind: 'create', collection: 'events', parent: calendar, value })
    await there.settled()
    expect(await asked(here)).toEqual(['Dentist'])
    await answer(here, keep)
    const { body } = await service.client.call('calendar.calendarList.list', {})
    expect(body.items!.some(({ id }) => id === calendar)).toBe(keep === 'theirs')
  })
})
