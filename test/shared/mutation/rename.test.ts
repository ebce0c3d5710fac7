import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renameId, renameIds } from '#shared/mutation/rename'

describe('replaced IDs', () => {
  const data = {
    id: 'local:A',
    key: 'tasks\nlocal:A\nlocal:B',
    occurrence: 'local:B_20260310T090000Z',
    words: 'nothing about local:A here',
    deep: [{ parent: 'local:B', none: null, n: 1 }],
  }

  it('are found as whole words, in row keys and before an occurrence suffix, in one pass', () => {
    const names = new Map([
      ['local:A', 'a'],
      ['local:B', 'b'],
    ])
    expect(renameIds(data, (id) => names.get(id))).toEqual({
      id: 'a',
      key: 'tasks\na\nb',
      occurrence: 'b_20260310T090000Z',
      words: data.words,
      deep: [{ parent: 'b', none: null, n: 1 }],
    })
  })

  it('return the same object without a match', () => {
    expect(renameIds(data, () => undefined)).toBe(data)
    expect(renameIds(data, (id) => (id === 'local:C' ? 'c' : undefined))).toBe(data)
  })

  it('match replacing one after the other', () => {
    const part = fc.constantFrom('x', 'y_1', 'z', 'x_2', 'y')
    const text = fc.oneof(
      part,
      fc.tuple(part, part).map((two) => two.join('\n')),
      fc.tuple(part, part).map((two) => two.join('_')),
    )
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom('x', 'z', 'y_1'), (texts, from) => {
        expect(renameIds(texts, (id) => (id === from ? 'new' : undefined))).toEqual(renameId(texts, from, 'new'))
      }),
    )
  })
})
