import { describe, expect, it } from 'vitest'
import { dueDay } from '#shared/domain/task-days'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../../../src-renderer/replica/api'
import {
  asCompleted,
  asTree,
  below,
  byDue,
  dropPlace,
  dueText,
  linesOf,
  topmost,
  withOpenBelow,
} from '../../../../src-renderer/views/tasks/tree'

const row = (id: string, value: JsonObject, parent = 'list'): Row => ({
  key: `tasks\n${parent}\n${id}`,
  collection: 'tasks',
  parent,
  id,
  value: { title: id, status: 'needsAction', ...value },
  base: null,
  complete: true,
  mark: 'synced',
  remoteSeq: 0,
})
const names = (lines: readonly { id: string; level: number }[]): string[] =>
  lines.map((line) => `${'  '.repeat(line.level - 1)}${line.id}`)

describe('dropping a task', () => {
  const open = asTree(
    linesOf([
      row('left', { parent: 'cleared', position: '1' }),
      row('a', { position: '2' }),
      row('a1', { parent: 'a', position: '1' }),
      row('b', { position: '3' }),
      row('c', { position: '4' }),
    ]),
  )
  const drop = (moving: string, target: string, where: 'before' | 'after' | 'inside'): unknown => {
    const line = (id: string) => open.find((one) => one.id === id)!
    return dropPlace(open, line(moving), line(target), where, line(moving).children === 0)
  }
  it('puts it next to its target, or below it', () => {
    expect(drop('c', 'b', 'before')).toEqual({ previous: 'a' })
    expect(drop('c', 'b', 'after')).toEqual({ previous: 'b' })
    expect(drop('c', 'b', 'inside')).toEqual({ parent: 'b' })
    expect(drop('c', 'a', 'inside')).toEqual({ parent: 'a', previous: 'a1' })
    expect(drop('c', 'a', 'after')).toEqual({ parent: 'a' })
    expect(drop('c', 'a1', 'before')).toEqual({ parent: 'a' })
    expect(drop('left', 'b', 'after')).toEqual({ previous: 'b' })
  })
  it('puts it nowhere that the service doesn’t know: after or below a subtask of a cleared task', () => {
    expect(drop('c', 'a', 'before')).toEqual({})
    for (const where of ['before', 'after', 'inside'] as const) expect(drop('c', 'left', where)).toBeUndefined()
  })
  it('nests no task with subtasks, and no subtasks of subtasks', () => {
    expect(drop('a', 'b', 'inside')).toBeUndefined()
    expect(drop('c', 'a1', 'inside')).toBeUndefined()
    expect(drop('a', 'a1', 'after')).toBeUndefined()
  })
})

describe('the tree of a task list', () => {
  it('follows positions, with subtasks below their parent', () => {
    const lines = linesOf([
      row('b', { position: '2' }),
      row('b2', { parent: 'b', position: '2' }),
      row('a', { position: '1' }),
      row('b1', { parent: 'b', position: '1' }),
    ])
    expect(names(asTree(lines))).toEqual(['a', 'b', '  b1', '  b2'])
    expect(asTree(lines).map(({ place, of, children }) => [place, of, children])).toEqual([
      [1, 2, 0],
      [2, 2, 2],
      [1, 2, 0],
      [2, 2, 0],
    ])
  })

  it('omits deleted and cleared tasks, whether local or remote', () => {
    const gone = { ...row('x', {}), value: null }
    expect(
      linesOf([row('a', { hidden: true }), row('b', { deleted: true }), gone, row('c', {})]).map((line) => line.id),
    ).toEqual(['c'])
  })

  it('shows orphans at the top level, and tasks in a parent cycle', () => {
    expect(names(asTree(linesOf([row('orphan', { parent: 'gone', position: '1' })])))).toEqual(['orphan'])
    expect(asTree(linesOf([row('x', { parent: 'y' }), row('y', { parent: 'x' })]))).toHaveLength(2)
  })

  it('puts orphans last, together with those of the same parent', () => {
    const lines = linesOf([
      row('a', { position: '1' }),
      row('b', { position: '3' }),
      row('y', { parent: 'two', position: '2' }),
      row('x1', { parent: 'one', position: '2' }),
      row('x2', { parent: 'one', position: '4' }),
    ])
    expect(names(asTree(lines))).toEqual(['a', 'b', 'x1', 'x2', 'y'])
  })

  it('orders equal positions consistently', () => {
    const lines = linesOf([row('z', { position: '1' }), row('a', { position: '1' })])
    expect(names(asTree(lines))).toEqual(names(asTree([...lines].reverse())))
  })

  it('keeps a completed parent with an open subtask', () => {
    const lines = linesOf([
      row('p', { status: 'completed' }),
      row('c', { parent: 'p' }),
      row('q', { status: 'completed' }),
    ])
    expect(withOpenBelow(lines).map((line) => line.id)).toEqual(['p', 'c'])
  })

  it('puts the last completed first', () => {
    const lines = linesOf([
      row('old', { completed: '2026-01-01T00:00:00Z' }),
      row('new', { completed: '2026-02-01T00:00:00Z' }),
    ])
    expect(asCompleted(lines).map((line) => line.id)).toEqual(['new', 'old'])
  })

  it('groups by due day and skips tasks without one', () => {
    const lines = linesOf([
      row('later', { due: '2026-07-20T00:00:00.000Z' }),
      row('none', {}),
      row('soon', { due: '2026-07-14T00:00:00.000Z' }),
    ])
    expect(byDue(lines).map((line) => line.id)).toEqual(['soon', 'later'])
  })

  it('names tasks that move with their parent once', () => {
    const lines = linesOf([row('p', {}), row('c', { parent: 'p' }), row('other', {})])
    expect(topmost(lines, lines).map((line) => line.id)).toEqual(['p', 'other'])
    expect(below(lines[0]!, lines).map((line) => line.id)).toEqual(['c'])
  })

  it('sorts 20,000 tasks by position', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      row(`t${index}`, { position: String(20_000 - index).padStart(6, '0') }),
    )
    const lines = asTree(linesOf(rows))
    expect([lines.length, lines[0]!.id, lines.at(-1)!.id]).toEqual([20_000, 't19999', 't0'])
  })
})

describe('due days', () => {
  it("are dates, whatever this computer's time zone", () => {
    expect(dueText(dueDay({ due: '2026-07-14T00:00:00.000Z' })!)).toBe('2026-07-14T00:00:00.000Z')
    expect(dueDay({ due: 'nonsense' })).toBeNull()
    expect(dueDay({})).toBeNull()
  })
})
