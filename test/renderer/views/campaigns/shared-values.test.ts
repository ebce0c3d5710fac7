import { describe, expect, it } from 'vitest'
import { entriesAt, sharedOf, valuesAt } from '../../../../src-renderer/views/campaigns/shared-values'

const one = { name: 'A', size: { width: 300, height: 250 }, tags: ['x', 'y'], prices: [{ units: '5', rate: '1' }] }
const other = { name: 'B', size: { width: 300, height: 600 }, tags: ['y'], prices: [{ units: '5', rate: '2' }] }

describe('several records', () => {
  it('share the values that all of them have, also inside of objects and of lists of the same length', () => {
    expect(sharedOf([one, other])).toEqual({ size: { width: 300 }, prices: [{ units: '5' }] })
    expect(sharedOf([one, one])).toEqual(one)
    expect(sharedOf([one, { ...one, prices: [] }])).toEqual({ ...one, prices: undefined })
    expect(sharedOf([])).toEqual({})
  })
  it('have values and entries with counts, most frequent first', () => {
    expect(valuesAt([one, other, other, {}], 'name')).toEqual([
      { value: 'B', count: 2 },
      { value: 'A', count: 1 },
      { value: null, count: 1 },
    ])
    expect(entriesAt([one, other, {}], 'tags')).toEqual([
      { value: 'y', count: 2 },
      { value: 'x', count: 1 },
    ])
    const assigned = (...ids: string[]) => ({ ads: ids.map((id) => ({ id, weight: Number(id) })) })
    const byId = (entry: unknown): unknown => (entry as { id: string }).id
    expect(entriesAt([assigned('1', '2'), { ads: [{ id: '1', weight: 9 }] }], 'ads', byId)).toEqual([
      { value: { id: '1', weight: 1 }, count: 2 },
      { value: { id: '2', weight: 2 }, count: 1 },
    ])
  })
})
