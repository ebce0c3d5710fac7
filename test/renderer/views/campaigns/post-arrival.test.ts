import { expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import { arrivalOf, arrivalWords } from '../../../../src-renderer/views/campaigns/post-arrival'
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
