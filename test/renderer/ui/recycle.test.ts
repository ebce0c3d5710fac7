import { describe, expect, it } from 'vitest'
import { recycle, unmoved, type Recycled } from '../../../src-renderer/ui/recycle'

const none: Recycled = { first: 0, ids: [], left: [], made: 0 }
const at = (first: number, last: number, before = none): Recycled => recycle(before, first, last)

describe('the elements of rows that are drawn', () => {
  it('are made once, and each row keeps its own while it is in sight', () => {
    const before = at(10, 16)
    expect(before.ids).toEqual([0, 1, 2, 3, 4, 5])
    expect(at(12, 18, before).ids).toEqual([2, 3, 4, 5, 0, 1])
    expect(at(8, 14, before).ids).toEqual([4, 5, 0, 1, 2, 3])
  })

  it('stay in their order where all rows are others', () => {
    const before = at(10, 16)
    expect(at(500, 506, before).ids).toEqual(before.ids)
    expect(at(0, 6, at(500, 506, before)).ids).toEqual(before.ids)
  })

  it('wait where fewer rows are drawn, and are taken before new ones are made', () => {
    const few = at(500, 502, at(10, 16))
    expect([few.ids, few.left]).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ])
    const all = at(500, 507, few)
    expect([all.ids, all.left, all.made]).toEqual([[0, 1, 2, 3, 4, 5, 6], [], 7])
  })

  it('are as many as the rows, and never the same for two', () => {
    let one = none
    for (const [first, last] of [
      [0, 5],
      [3, 12],
      [4, 6],
      [0, 0],
      [7, 9],
      [2, 30],
    ] as const) {
      one = recycle(one, first, last)
      expect(one.ids).toHaveLength(last - first)
      expect(new Set(one.ids).size).toBe(last - first)
    }
  })
})

describe('the elements in the document', () => {
  it('stay in their order, whichever rows they draw; new ones come behind them', () => {
    expect(unmoved([0, 1, 2, 3], [2, 3, 0, 1])).toEqual([0, 1, 2, 3])
    expect(unmoved([0, 1, 2, 3], [3, 0, 4])).toEqual([0, 3, 4])
    expect(unmoved([], [1, 0])).toEqual([1, 0])
    expect(unmoved([1, 0], [])).toEqual([])
  })
})
