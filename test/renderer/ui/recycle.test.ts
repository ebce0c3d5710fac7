import { describe, expect, it } from 'vitest'
import { recycle, unmoved, type Recycled } from '../../../src-renderer/ui/recycle'

const none: Recycled = { first: 0, ids: [], left: [], made: 0 }
const at = (first: number, last: number, before = none): Recycled => recycle(before, first, last)

describe('elements of drawn rows', () => {
  it('are created once, and each row keeps its own while visible', () => {
    const before = at(10, 16)
    expect(before.ids).toEqual([0, 1, 2, 3, 4, 5])
    expect(at(12, 18, before).ids).toEqual([2, 3, 4, 5, 0, 1])
    expect(at(8, 14, before).ids).toEqual([4, 5, 0, 1, 2, 3])
  })

  it('stay in order when all rows change', () => {
    const before = at(10, 16)
    expect(at(500, 506, before).ids).toEqual(before.ids)
    expect(at(0, 6, at(500, 506, before)).ids).toEqual(before.ids)
  })

  it('wait when fewer rows are drawn and are reused before new ones are created', () => {
    const few = at(500, 502, at(10, 16))
    expect([few.ids, few.left]).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ])
    const all = at(500, 507, few)
    expect([all.ids, all.left, all.made]).toEqual([[0, 1, 2, 3, 4, 5, 6], [], 7])
  })

  it('match the rows one to one', () => {
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

describe('elements in the document', () => {
  it('keep their order, and new ones are appended', () => {
    expect(unmoved([0, 1, 2, 3], [2, 3, 0, 1])).toEqual([0, 1, 2, 3])
    expect(unmoved([0, 1, 2, 3], [3, 0, 4])).toEqual([0, 3, 4])
    expect(unmoved([], [1, 0])).toEqual([1, 0])
    expect(unmoved([1, 0], [])).toEqual([])
  })
})
