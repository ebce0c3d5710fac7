import { expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { HistoryItem } from '../../../../src-renderer/replica/api'
import { arrivalOf, arrivalWords, unsentIn } from '../../../../src-renderer/views/campaigns/post-arrival'
import type { PlannedRow } from '../../../../src-renderer/views/campaigns/post-plan'

const entry = (id: string, more: Partial<OutboxEntry> = {}): OutboxEntry =>
  ({ id, state: 'waiting', dependsOn: [], ...more }) as unknown as OutboxEntry
const words = (left: readonly OutboxEntry[], withdrawn: readonly string[] = []): string => {
  const posted = ['1', '2', '3', '4'].map((id) => ({ entry: entry(id) }) as PlannedRow)
  const arrival = arrivalOf(posted, new Map(left.map((one) => [one.id, one])), new Set(withdrawn))
  return arrivalWords(arrival, posted.length)
}

it('the result of a post counts as sent only what the service has taken', () => {
  expect(words([])).toBe('4 of 4 sent.')
  const conflict = entry('1', { state: 'needsYou', conflict: { remote: {}, fields: ['name'], merged: {} } })
  expect(words([conflict, entry('2', { dependsOn: ['1'] }), entry('3')])).toBe(
    '1 of 4 sent, 1 needs attention, 1 waiting for it.',
  )
  // A rule kept theirs, or someone discarded it in the meantime.
  expect(words([], ['2', '9'])).toBe('3 of 4 sent, 1 discarded.')
})

it('a change that gave way to someone else’s wasn’t sent', () => {
  const conflict = { remote: {}, fields: ['name'], merged: {} }
  const item = (id: string, more: Partial<HistoryItem>, change: Partial<OutboxEntry> = {}): HistoryItem =>
    ({ entry: entry(id, change), ...more }) as HistoryItem
  const unsent = unsentIn([
    item('1', { how: 'confirmed' }),
    item('2', { how: 'withdrawn' }),
    item('3', { how: 'merged', receipt: { mine: [], theirs: ['name'], combined: [] } }, { conflict }),
    item('4', { how: 'merged', receipt: { mine: ['name'], theirs: ['comment'], combined: [] } }),
    item('5', { how: 'merged', receipt: { mine: [], theirs: ['name'], combined: [] } }),
  ])
  expect([...unsent]).toEqual(['2', '3'])
})
