import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { taskFields } from '#shared/domain/time-blocks'
import type { JsonObject } from '#shared/json'
import { deletedLines, restoring } from '../../../src-renderer/context/recently-deleted'
import type { Deleted, Row } from '../../../src-renderer/replica/api'

const now = Date.parse('2026-06-10T08:00:00+02:00')
const clock = { zone: 'Europe/Berlin', hour12: false, now }

function deleted(collection: CollectionName, parent: string | null, id: string, ...values: JsonObject[]): Deleted {
  const items = values.map((value, at) => {
    const own = at === values.length - 1 ? id : `${id}-${at}`
    return { kind: 'deleted' as const, key: recordKey(collection, parent, own), collection, parent, id: own, value }
  })
  return { key: recordKey(collection, parent, id), at: now - 3_600_000, elsewhere: false, items }
}
const replica = (all: Deleted[]) => ({
  deleted: () => all,
  peek: (key: string) =>
    ({
      value: {
        [recordKey('calendarList', null, 'work')]: { accessRole: 'owner', summary: 'Work', summaryOverride: 'Office' },
        [recordKey('calendarList', null, 'shared')]: { accessRole: 'writerWithoutPrivateAccess', summary: 'Shared' },
        [recordKey('calendarList', null, 'team')]: { accessRole: 'reader', summary: 'Team' },
        [recordKey('tasklists', null, 'inbox')]: { title: 'Inbox' },
      }[key],
    }) as unknown as Row,
})
const at = (time: string): JsonObject => ({ dateTime: `${time}+02:00`, timeZone: 'Europe/Berlin' })
const lunch = { summary: 'Lunch', start: at('2026-06-12T12:00:00'), end: at('2026-06-12T13:00:00') }

describe('recently deleted', () => {
  it('says when an event was, where, and whether it repeats', () => {
    const trip = { summary: 'Trip', start: { date: '2026-07-01' }, end: { date: '2026-07-04' } }
    const lines = deletedLines(
      replica([
        deleted('events', 'work', 'a', lunch),
        deleted('events', 'work', 'b', { ...lunch, recurrence: ['RRULE:FREQ=DAILY'] }),
        deleted('events', 'work', 'c', trip),
      ]),
      clock,
    )
    expect(lines.map(({ kind, title, facts }) => [kind, title, ...facts])).toEqual([
      ['event', 'Lunch', 'Fri 12 Jun, 12:00 to 13:00', 'Office'],
      ['event', 'Lunch', 'Fri 12 Jun, 12:00 to 13:00', 'Repeats', 'Office'],
      ['event', 'Trip', 'Wed 1 Jul – Fri 3 Jul', 'Office'],
    ])
  })

  it('leaves out events of calendars that can’t be changed', () => {
    expect(
      deletedLines(replica([deleted('events', 'team', 'a', lunch), deleted('events', 'gone', 'b', lunch)]), clock),
    ).toEqual([])
  })

  it('lists events of a calendar whose private events the user can’t see', () => {
    expect(deletedLines(replica([deleted('events', 'shared', 'a', lunch)]), clock)).toHaveLength(1)
  })

  it('says what tasks and lists contained', () => {
    const task = { title: 'Plan', due: '2026-06-12T00:00:00.000Z', status: 'needsAction' }
    const lines = deletedLines(
      replica([
        deleted('tasks', 'inbox', 'a', { title: 'Rooms' }, task),
        deleted('tasks', 'inbox', 'b', { ...task, title: ' ', status: 'completed' }),
        deleted('tasklists', null, 'c', { title: 'x' }, { title: 'y' }, { title: 'Trip' }),
      ]),
      clock,
    )
    expect(lines.map(({ kind, title, facts }) => [kind, title, ...facts])).toEqual([
      ['task', 'Plan', 'Due Fri 12 Jun', '1 subtask', 'Inbox'],
      ['task', '(No title)', 'Completed', 'Inbox'],
      ['list', 'Trip', 'List', 'with 2 tasks'],
    ])
  })

  it('restores a task and its time block together, whichever is chosen', () => {
    const task = deleted('tasks', 'inbox', 'a', { title: 'Plan' })
    const block = deleted('events', 'work', 'b', { ...lunch, ...taskFields('a') })
    const other = deleted('events', 'work', 'c', lunch)
    const both = [
      { kind: 'restore', key: task.key },
      { kind: 'restore', key: block.key },
    ]
    const source = replica([other, block, task])
    expect([task, block, other].map(({ key }) => restoring(source, key))).toEqual([
      both,
      both,
      [{ kind: 'restore', key: other.key }],
    ])
  })

  it('restores only the time blocks that were deleted with the task or because of it', () => {
    const before = { at: now - 7_200_000, step: 'before' }
    const block = (id: string, more: Partial<Deleted>): Deleted => ({
      ...deleted('events', 'work', id, { ...lunch, ...taskFields('a') }),
      ...more,
    })
    const restored = (task: Partial<Deleted>, ...blocks: Deleted[]): string[] =>
      restoring(
        replica([...blocks, { ...deleted('tasks', 'inbox', 'a', { title: 'Plan' }), ...task }]),
        recordKey('tasks', 'inbox', 'a'),
      ).map((change) => ('key' in change ? change.key.split('\n').at(-1)! : ''))
    const here = block('with', { at: now - 3_600_001, step: 'step' })
    expect(restored({ step: 'step' }, here, block('cleared', { at: now }), block('before', before))).toEqual([
      'a',
      'with',
      'cleared',
    ])
    const elsewhere = { elsewhere: true }
    const seen = block('seen', { ...elsewhere, at: now - 3_601_000 })
    expect(restored(elsewhere, seen, block('old', { ...elsewhere, at: now - 7_200_000 }))).toEqual(['a', 'seen'])
  })

  it('leaves out a time block in a calendar that can’t be changed anymore', () => {
    const task = deleted('tasks', 'inbox', 'a', { title: 'Plan' })
    const source = replica([task, deleted('events', 'team', 'b', { ...lunch, ...taskFields('a') })])
    expect(restoring(source, task.key)).toEqual([{ kind: 'restore', key: task.key }])
  })
})
