import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IdIndex } from '../../../src-renderer/replica/id-index'
import { SortedIds } from '../../../src-renderer/replica/sorted-ids'

const id = fc.integer({ min: 0, max: 2_500 }).map((n) => String(n).padStart(4, '0'))

describe('sorted IDs', () => {
  it('are the added and not deleted ones, in any order and number of chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), id), { maxLength: 4_000, minLength: 1_500, size: 'max' }),
        (steps) => {
          const ids = new SortedIds()
          const known = new Set<string>()
          for (const [adds, one] of steps) {
            if (adds) ids.add(one)
            else ids.delete(one)
            if (adds) known.add(one)
            else known.delete(one)
          }
          const sorted = [...known].sort()
          expect([...ids]).toEqual(sorted)
          expect([ids.size, ids.first, ids.last]).toEqual([sorted.length, sorted[0], sorted.at(-1)])
          for (const one of ['0000', '0017', '1200', '1201', '2499', '9']) {
            expect(ids.has(one)).toBe(known.has(one))
            expect(ids.before(one)).toBe(sorted.filter((other) => other < one).at(-1))
            expect(ids.after(one)).toBe(sorted.find((other) => other > one))
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('under a key are found until the last one is deleted', () => {
    const index = new IdIndex()
    index.add('k', '2')
    index.add('k', '1')
    index.add('k', '2')
    index.add('other', '3')
    expect([[...index.ids('k')], index.first('k'), index.last('k')]).toEqual([['1', '2'], '1', '2'])
    index.delete('k', '1')
    index.delete('k', 'unknown')
    index.delete('other', 'unknown')
    expect([[...index.ids('k')], index.has('other')]).toEqual([['2'], true])
    index.delete('k', '2')
    expect([index.has('k'), [...index.ids('k')]]).toEqual([false, []])
  })
})
