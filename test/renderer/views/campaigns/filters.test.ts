import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { allColumns } from '../../../../src-renderer/views/campaigns/grid-columns'
import type { Condition } from '../../../../src-renderer/replica/api'
import {
  conditionOf,
  draftOf,
  newDraft,
  patternProblems,
  waysOf,
  wordsOfHow,
  type ConditionDraft,
} from '../../../../src-renderer/views/campaigns/filters'

describe('column filters', () => {
  it("fit the column's type, with the usual operator first", () => {
    expect(waysOf({ kind: 'date' })[0]).toBe('between')
    expect(waysOf({ kind: 'money' })[0]).toBe('between')
    expect(waysOf({ kind: 'reference' })[0]).toBe('is')
    expect(waysOf({ kind: 'text' })[0]).toBe('has')
  })
  it('compare names of records only where they’re known', () => {
    expect(waysOf({ kind: 'reference' }, true)).toEqual(expect.arrayContaining(['has', 'hasNot']))
    expect(waysOf({ kind: 'references' })).not.toContain('has')
    expect(waysOf({ kind: 'choice' }, true)).not.toContain('has')
  })
  it('compare computed numbers and amounts like those of records', () => {
    expect(waysOf({ kind: 'computed', path: 'fx.cost' })).toEqual(waysOf({ kind: 'money' }))
    expect(waysOf({ kind: 'computed', path: 'fx.placements' })).toEqual(waysOf({ kind: 'number' }))
    expect(waysOf({ kind: 'computed', path: 'fx.phase' })).toEqual(waysOf({ kind: 'text' }))
  })
  it('call a day before or after another, and a number below or above', () => {
    expect(wordsOfHow('above', { kind: 'date' })).toBe('is after')
    expect(wordsOfHow('below', { kind: 'moment' })).toBe('is before')
    expect(wordsOfHow('above', { kind: 'money' })).toBe('is above')
  })
  it('include emptiness for every type, and all operators have labels', () => {
    for (const kind of factsOf().all)
      for (const column of allColumns(kind)) {
        const ways = waysOf(column)
        expect(ways).toEqual(expect.arrayContaining(['empty', 'filled']))
        for (const way of ways) expect(wordsOfHow(way, column)).not.toBe('')
      }
  })
})

describe('a filter condition', () => {
  const read = (text: string): { value: string } | { problem: string } =>
    text === '?' ? { problem: 'Not that' } : { value: text.toUpperCase() }
  const draft = (own: Partial<ConditionDraft>): ConditionDraft => ({
    ...newDraft({ path: 'name', kind: 'text' }),
    ...own,
  })

  it('contains all of a day, for a column of moments', () => {
    const moments = (text: string, last = false): { value: string } => ({
      value: `${text} ${last ? '23:59' : '00:00'}`,
    })
    expect(conditionOf(draft({ how: 'is', typed: '30 Jun' }), moments)).toEqual({
      ...{ column: 'name', from: '30 Jun 00:00', to: '30 Jun 23:59' },
    })
    expect(conditionOf(draft({ how: 'is', typed: '30 Jun' }), () => ({ value: '2026-06-30' }))).toEqual({
      ...{ column: 'name', is: ['2026-06-30'] },
    })
  })
  it('can have several values, selected or typed', () => {
    expect(conditionOf(draft({ how: 'is', typed: 'a | b|' }), read)).toEqual({ column: 'name', is: ['A', 'B'] })
    expect(conditionOf(draft({ how: 'isNot', picked: ['1', '2'] }), read)).toEqual({
      column: 'name',
      isNot: ['1', '2'],
    })
    expect(conditionOf(draft({ how: 'between', to: 'z' }), read)).toEqual({ column: 'name', to: 'Z' })
  })
  it('requires a value and rejects invalid ones', () => {
    for (const how of ['is', 'isNot', 'has', 'hasNot', 'matches', 'longer', 'above', 'between'] as const)
      expect(conditionOf(draft({ how, typed: ' ' }), read)).toEqual({ problem: 'Enter a value' })
    expect(conditionOf(draft({ how: 'is', typed: 'a|?' }), read)).toEqual({ problem: 'Not that' })
    expect(conditionOf(draft({ how: 'below', typed: '?' }), read)).toEqual({ problem: 'Not that' })
    for (const typed of ['x', '-1', '1.5', '12345678'])
      expect(conditionOf(draft({ how: 'longer', typed }), read)).toEqual({ problem: 'Enter a number of characters' })
    expect(conditionOf(draft({ how: 'has', typed: 'x'.repeat(1_001) }), read)).toHaveProperty('problem')
  })
  it('above a day starts after its end', () => {
    const last = (text: string, isEnd = false): { value: string } => ({ value: isEnd ? `${text} 24:00` : text })
    expect(conditionOf(draft({ how: 'above', typed: '1 June' }), last)).toEqual({
      column: 'name',
      above: '1 June 24:00',
    })
    expect(conditionOf(draft({ how: 'below', typed: '1 June' }), last)).toEqual({ column: 'name', below: '1 June' })
  })
  it('with an invalid pattern says why', async () => {
    const problems = await patternProblems([
      draft({ how: 'matches', typed: '(' }),
      draft({ how: 'matchesNot', typed: '^a' }),
      draft({ how: 'has', typed: '(' }),
    ])
    expect(problems).toEqual([expect.stringMatching(/^Invalid expression/), undefined, undefined])
  })
  it('survives editing unchanged', () => {
    const text = { path: 'name', kind: 'text' } as const
    const site = { path: 'siteId', kind: 'reference' } as const
    const same = (value: string): string => value
    const given: [Condition, typeof text | typeof site][] = [
      [{ column: 'name', is: ['A', 'B'] }, text],
      [{ column: 'siteId', isNot: ['1', '2'] }, site],
      [{ column: 'name', has: 'X' }, text],
      [{ column: 'name', from: 'A', to: 'B' }, text],
      [{ column: 'name', empty: false }, text],
      [{ column: 'name', hasNot: 'X' }, text],
      [{ column: 'name', matches: '^x|y' }, text],
      [{ column: 'name', matchesNot: '^x|y' }, text],
      [{ column: 'name', longer: 12 }, text],
      [{ column: 'name', above: 'A' }, text],
      [{ column: 'name', below: 'B' }, text],
    ]
    for (const [condition, column] of given)
      expect(conditionOf(draftOf(condition, column, same), read)).toEqual(condition)
  })
})
