import { describe, expect, it } from 'vitest'
import Icon from '@lucide/svelte/icons/search'
import {
  listed,
  passing,
  type Order,
  type ResultFilter,
  type SearchResult,
  type When,
} from '../../../../src-renderer/views/search/results'

const day = 86_400_000
const now = Date.UTC(2026, 11, 31, 23, 52)
const everything: ResultFilter = { kind: 'all', place: '', when: 'any', openOnly: false, order: 'best' }

function result(
  title: string,
  span: [from: number, days: number] | null,
  more: Partial<SearchResult> = {},
): SearchResult {
  const [from, days] = span ?? [0, 0]
  return {
    kind: 'events',
    entry: { key: title, group: 'Events', title, icon: Icon as never, run: () => {} },
    place: { id: 'calendar work', name: 'Work' },
    where: 'Work',
    date: '',
    span: span && { start: now + from * day, end: now + (from + days) * day },
    ended: false,
    quality: 2,
    ...more,
  }
}
const titles = (results: readonly SearchResult[]): string[] => results.map(({ entry }) => entry.title)

describe('filters of results', () => {
  const all = [
    result('now', [-0.1, 1]),
    result('tomorrow', [1, 1]),
    result('next month', [31, 1]),
    result('last week', [-7, 1]),
    result('spring', [-250, 1]),
    result('all of last year', [-600, 400]),
    result('undated', null),
  ]
  const at = (when: When): string[] => titles(passing(all, { ...everything, when }, now))

  it('compare the time of a result with now, and leave out what has none', () => {
    expect(at('any')).toEqual(titles(all))
    expect(at('upcoming')).toEqual(['now', 'tomorrow', 'next month'])
    expect(at('past')).toEqual(['last week', 'spring', 'all of last year'])
    expect(at('week')).toEqual(['now', 'tomorrow'])
    expect(at('month')).toEqual(['now', 'last week'])
    expect(at('year')).toEqual(['now', 'last week', 'spring', 'all of last year'])
  })

  it('leave out what has ended on request', () => {
    const some = [result('open', null), result('done', null, { ended: true })]
    expect(titles(passing(some, { ...everything, openOnly: true }, now))).toEqual(['open'])
    expect(titles(passing(some, everything, now))).toEqual(['open', 'done'])
  })

  it('choose by kind and place', () => {
    const home = { id: 'calendar home', name: 'Home' }
    const some = [result('a', null), result('b', null, { place: home }), result('c', null, { kind: 'tasks' })]
    expect(titles(listed(some, { ...everything, kind: 'events' }))).toEqual(['a', 'b'])
    expect(titles(listed(some, { ...everything, place: home.id }))).toEqual(['b'])
  })
})

describe('the order of results', () => {
  const some = [
    result('Team 10', [3, 1], { quality: 2 }),
    result('Team 2', null, { quality: 0 }),
    result('a team', [-3, 1], { quality: 2 }),
  ]
  const by = (order: Order): string[] => titles(listed(some, { ...everything, order }))

  it('is by match, date, or title', () => {
    expect(by('best')).toEqual(['Team 2', 'Team 10', 'a team'])
    expect(by('newest')).toEqual(['Team 10', 'a team', 'Team 2'])
    expect(by('oldest')).toEqual(['a team', 'Team 10', 'Team 2'])
    expect(by('title')).toEqual(['a team', 'Team 2', 'Team 10'])
  })
})
