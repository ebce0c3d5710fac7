import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  descendants,
  indented,
  outdented,
  placeOf,
  positionAt,
  positionBetween,
  siblings,
  stepped,
} from '#shared/domain/task-order'

const tasks = [
  { id: 'a', position: '00000000000000000000' },
  { id: 'b', position: '00000000000000000001' },
  { id: 'b1', parent: 'b', position: '00000000000000000000' },
  { id: 'b2', parent: 'b', position: '00000000000000000001' },
  { id: 'c', position: '00000000000000000002' },
  { id: 'lost', parent: 'gone', position: '00000000000000000003' },
]

describe('task order', () => {
  it('shows a task without its parent at the top level', () => {
    expect(siblings(tasks, undefined).map((task) => task.id)).toEqual(['a', 'b', 'c', 'lost'])
  })

  it("finds a task's position", () => {
    expect(placeOf(tasks, 'b2')).toEqual({ parent: 'b', previous: 'b1' })
    expect(placeOf(tasks, 'a')).toEqual({})
  })

  it('indents under the sibling above, after its children, and outdents after the parent', () => {
    expect(indented(tasks, 'c')).toEqual({ parent: 'b', previous: 'b2' })
    expect(indented(tasks, 'a')).toBeUndefined()
    expect(outdented(tasks, 'b1')).toEqual({ previous: 'b' })
    expect(outdented(tasks, 'a')).toBeUndefined()
  })

  it('moves up and down and stops at the ends', () => {
    expect(stepped(tasks, 'b', 'up')).toEqual({})
    expect(stepped(tasks, 'c', 'up')).toEqual({ previous: 'a' })
    expect(stepped(tasks, 'a', 'down')).toEqual({ previous: 'b' })
    expect(stepped(tasks, 'a', 'up')).toBeUndefined()
    expect(stepped(tasks, 'b2', 'down')).toBeUndefined()
  })

  it('lists descendants with parents before their children', () => {
    expect(descendants([...tasks, { id: 'b11', parent: 'b1' }], 'b').map((task) => task.id)).toEqual([
      'b1',
      'b11',
      'b2',
    ])
  })

  it('finds a position between any two neighbors, repeatedly', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 60 }), (choices) => {
        const row = ['00000000000000000000', '00000000000000000001']
        for (const choice of choices) {
          const at = choice % (row.length + 1)
          row.splice(at, 0, positionBetween(row[at - 1] ?? '', row[at]))
        }
        expect([...row].sort()).toEqual(row)
        expect(new Set(row).size).toBe(row.length)
      }),
    )
  })

  it('inserts a task first, in between, and last', () => {
    const orderWith = (place: { previous?: string }): string[] =>
      siblings([...tasks, { id: 'new', position: positionAt(tasks, place) }], undefined).map((task) => task.id)
    expect(orderWith({})[0]).toBe('new')
    expect(orderWith({ previous: 'a' }).slice(0, 3)).toEqual(['a', 'new', 'b'])
    expect(orderWith({ previous: 'lost' }).at(-1)).toBe('new')
  })
})
