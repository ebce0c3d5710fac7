import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { descendants, placeOf, positionAt, siblings, type PlacedTask } from '#shared/domain/task-order'
import { TaskList } from '../../../src-renderer/behaviors/task-list'

const names = ['a', 'b', 'c', 'd', 'e', 'f']
const aTask = fc.record(
  {
    id: fc.constantFrom(...names),
    // A parent sorts before its children, so there are no cycles. `0` never exists.
    parent: fc.constantFrom('0', 'a', 'b', 'c'),
    position: fc.constantFrom('1', '11', '2', 'P', '!'),
  },
  { requiredKeys: ['id'] },
)
const aStep = fc.oneof(
  { weight: 3, arbitrary: aTask },
  { weight: 1, arbitrary: fc.constantFrom(...names).map((gone) => ({ gone })) },
)

describe('the sorted tasks of a list', () => {
  it('match a full sort after any steps', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 40 }), (steps) => {
        const list = new TaskList()
        const known = new Map<string, PlacedTask>()
        for (const step of steps) {
          if ('gone' in step) {
            list.delete(step.gone)
            known.delete(step.gone)
            continue
          }
          const { parent, ...rest } = step
          const task = parent !== undefined && parent < step.id ? { ...rest, parent } : rest
          list.set(task)
          known.set(step.id, task)
        }
        const tasks = [...known.values()]
        expect(list.size).toBe(tasks.length)
        const below = (id: string): string[] => descendants(tasks, id).map((task) => task.id)
        expect(list.all()).toEqual(siblings(tasks, undefined).flatMap(({ id }) => [id, ...below(id)]))
        for (const id of names) {
          expect(list.has(id)).toBe(known.has(id))
          expect(list.placeOf(id)).toEqual(placeOf(tasks, id))
          expect(list.descendants(id)).toEqual(below(id))
          for (const parent of [undefined, ...names]) {
            for (const previous of [undefined, ...names]) {
              const place = { ...(parent && { parent }), ...(previous && { previous }) }
              expect(list.positionAt(place, id)).toBe(positionAt(tasks, place, id))
            }
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})
