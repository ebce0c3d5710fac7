import { describe, expect, it } from 'vitest'
import { blockId, hasMoreThanTask, strayBlocks, taskFields, taskIdOf, withoutTask } from '#shared/domain/time-blocks'

describe('a time block', () => {
  it('carries the ID of its task, next to the properties of others', () => {
    const event = { summary: 'Brief', ...taskFields('t1') }
    expect(taskIdOf(event)).toBe('t1')
    const shared = { extendedProperties: { private: { other: 'x', flightplanTask: 't1' }, shared: { a: 'b' } } }
    expect(withoutTask(shared)).toEqual({ extendedProperties: { private: { other: 'x' }, shared: { a: 'b' } } })
    expect(taskIdOf({ ...shared, ...withoutTask(shared) })).toBeUndefined()
  })

  it.each([
    {},
    { extendedProperties: null },
    { extendedProperties: { private: null } },
    { extendedProperties: { private: { flightplanTask: 5 } } },
    { extendedProperties: { private: { flightplanTask: '' } } },
    { extendedProperties: { private: { flightplanTask: 'x'.repeat(1000) } } },
    { extendedProperties: { shared: { flightplanTask: 't1' } } },
  ])('is not an event with %j', (event) => {
    expect(taskIdOf(event)).toBeUndefined()
  })

  it('has an ID that the service accepts, one for each task and turn', () => {
    const ids = Array.from({ length: 2000 }, (_, at) => blockId(`task${at >> 1}`, at % 2))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => /^[0-9a-v]{26}$/.test(id))).toBe(true)
    expect(blockId('task7')).toBe(blockId('task7', 0))
  })

  it('has more than its task once someone adds a place or a description', () => {
    expect(hasMoreThanTask({ summary: 'Brief', description: '', attendees: [] })).toBe(false)
    expect(hasMoreThanTask({ description: 'Bring the plan' })).toBe(true)
    expect(hasMoreThanTask({ attendees: [{ email: 'a@b.example' }] })).toBe(true)
  })
})

describe('stray time blocks', () => {
  const block = (rowKey: string, taskId: string | undefined, start = 0) => ({
    rowKey,
    start,
    ...(taskId !== undefined && { taskId }),
  })
  const keys = (found: ReturnType<typeof strayBlocks>): [string[], string[]] => [
    found.orphans.map(({ rowKey }) => rowKey),
    found.doubles.map(({ rowKey }) => rowKey),
  ]
  const isThere = (id: string): boolean => id !== 'gone'

  it('are those without their task', () => {
    expect(keys(strayBlocks([block('a', 'gone'), block('b', 't'), block('c', undefined)], isThere))).toEqual([
      ['a'],
      [],
    ])
  })

  it('are second ones of a task at one time, and the same ones on every computer', () => {
    const [a, b, later] = [block('a', 't', 1), block('b', 't', 1), block('c', 't', 2)]
    expect(keys(strayBlocks([a, b, later], isThere))).toEqual([[], ['b']])
    expect(keys(strayBlocks([later, b, a], isThere))).toEqual([[], ['b']])
  })
})
