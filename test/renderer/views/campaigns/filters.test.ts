import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { allColumns } from '../../../../src-renderer/views/campaigns/columns'
import { howWords, waysOf } from '../../../../src-renderer/views/campaigns/filters'

describe('a column can be filtered', () => {
  it('in ways that fit its kind, the usual one first', () => {
    expect(waysOf({ kind: 'date' })[0]).toBe('between')
    expect(waysOf({ kind: 'money' })[0]).toBe('between')
    expect(waysOf({ kind: 'reference' })[0]).toBe('is')
    expect(waysOf({ kind: 'text' })[0]).toBe('has')
  })
  it('by whether it is empty, whatever it is, and in ways that have words', () => {
    for (const kind of factsOf().all)
      for (const column of allColumns(kind)) {
        const ways = waysOf(column)
        expect(ways).toEqual(expect.arrayContaining(['empty', 'filled']))
        for (const way of ways) expect(howWords[way]).not.toBe('')
      }
  })
})
