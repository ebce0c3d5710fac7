import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { allColumns } from '../../../../src-renderer/views/campaigns/grid-columns'
import type { Condition } from '../../../../src-renderer/replica/api'
import {
  conditionOf,
  draftOf,
  newDraft,
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

  it('can have several values, selected or typed', () => {
    expect(conditionOf(draft({ how: 'is', typed: 'a | b|' }), read)).toEqual({ column: 'name', is: ['A', 'B'] })
    expect(conditionOf(draft({ how: 'isNot', picked: ['1', '2'] }), read)).toEqual({
      column: 'name',
      isNot: ['1', '2'],
    })
    expect(conditionOf(draft({ how: 'between', to: 'z' }), read)).toEqual({ column: 'name', to: 'Z' })
  })
  it('requires a value and rejects invalid ones', () => {
    for (const how of ['is', 'isNot', 'has', 'between'] as const)
      expect(conditionOf(draft({ how, typed: ' ' }), read)).toEqual({ problem: 'Enter a value' })
    expect(conditionOf(draft({ how: 'is', typed: 'a|?' }), read)).toEqual({ problem: 'Not that' })
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
    ]
    for (const [condition, column] of given)
      expect(conditionOf(draftOf(condition, column, same), read)).toEqual(condition)
  })
})
