import { describe, expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownHistory, serviceLines, withService, type HistoryLine } from '../../../src-renderer/context/history-lines'
import type { HistoryItem } from '../../../src-renderer/replica/api'

const at = (time: string): number => Date.parse(`2026-06-${time}:00Z`)
const entry = (id: string, recordId: string, label: string, more: Partial<OutboxEntry> = {}): OutboxEntry =>
  ({
    id,
    collection: 'events',
    parent: 'work',
    recordId,
    label,
    madeAt: at('10T08:00'),
    state: 'waiting',
    ...more,
  }) as OutboxEntry
const sent = (id: string, recordId: string, label: string, time: string): HistoryItem => ({
  id,
  entry: entry(id, recordId, label),
  how: 'confirmed',
  at: at(time),
})
const replica = {
  outbox: () => [entry('3', 'a', 'Move *Lunch*'), entry('4', 'other', 'Rename *Dinner*')],
  history: () =>
    Promise.resolve([
      sent('2', 'a_20260612', 'Rename *Lunch*', '09T10:00'),
      sent('1', 'x', 'New event *X*', '09T09:00'),
    ]),
}
const of = ['a', 'a_20260612'].map((id) => ({ collection: 'events' as const, parent: 'work', id }))
const words = (lines: readonly HistoryLine[]): string[] =>
  lines.map(({ who, what, more }) => [who, what, more].filter(Boolean).join(' · '))

describe('history of an event', () => {
  it('has pending and sent changes of the event and its series, newest first', async () => {
    const own = await ownHistory(replica, of, 100)
    expect(words(own)).toEqual(['You · Move “Lunch” · pending', 'You · Rename “Lunch” · Sent'])
  })

  it.each([
    ['delete', 'You · Delete “Lunch” · couldn’t check what else would be deleted'],
    ['change', 'You · Delete “Lunch” · contents couldn’t be checked'],
  ] as const)('says what couldn’t be checked: %s', async (kind, line) => {
    const conflict = { remote: {}, fields: [], merged: {}, unread: ['subtasks'] }
    const asked = entry('3', 'a', 'Delete *Lunch*', { kind, state: 'needsYou', conflict })
    const own = await ownHistory({ outbox: () => [asked], history: () => Promise.resolve([]) }, of, 100)
    expect(words(own)).toEqual([line])
  })

  it('says who created it, and when it last changed elsewhere', async () => {
    const own = await ownHistory(replica, of, 100)
    const record = {
      created: '2026-06-01T10:00:00Z',
      updated: '2026-06-09T12:00:00Z',
      creator: { email: 'mina@x.example', displayName: 'Mina' },
    }
    expect(words(withService(own, serviceLines(record, own, 'alex@x.example')))).toEqual([
      'You · Move “Lunch” · pending',
      'Elsewhere · Last change on the server',
      'You · Rename “Lunch” · Sent',
      'Mina · Created',
    ])
  })

  it('doesn’t repeat what was made here', () => {
    const own: HistoryLine[] = [
      { id: '1', at: at('09T10:00'), who: 'You', what: 'New event Lunch', more: 'Sent', state: 'done' },
    ]
    const record = { created: '2026-06-09T10:00:01Z', updated: '2026-06-09T10:00:01Z', creator: { self: true } }
    expect(serviceLines(record, own, '')).toEqual([])
    expect(words(serviceLines(record, [], ''))).toEqual(['You · Created'])
    expect(serviceLines({ updated: 'nonsense', created: 5 }, [], '')).toEqual([])
  })
})
