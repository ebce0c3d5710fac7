import { describe, expect, it } from 'vitest'
import type { Json } from '#shared/json'
import type { UndoStep } from '../../../src-renderer/replica/undo'
import { partId, renameMeta, UndoSteps } from '../../../src-renderer/replica/undo-steps'

const step = (id: string, key: string, more: Partial<UndoStep> = {}): UndoStep => ({
  id,
  stack: 'undo',
  label: id,
  options: {},
  items: [{ kind: 'created', key }],
  ...more,
})
const steps = (...all: readonly UndoStep[]): UndoSteps => {
  const found = new UndoSteps()
  for (const one of all) found.set(one.id, one)
  return found
}
const keysOf = (found: UndoSteps, id: string): string[] => found.current(id, found.get(id)!.items).map(({ key }) => key)

describe('undo steps', () => {
  it('are read per stack, oldest first, large ones in parts', () => {
    const large = [0, 1, 2].map((n) => step(partId('B', n), 'k', n > 0 ? { of: 'B' } : {}))
    const found = steps(step('C', 'k'), ...large.reverse(), step('A', 'k'), step('R', 'k', { stack: 'redo' }))
    expect(found.parts('undo').map((parts) => parts.map(({ id }) => id))).toEqual([
      ['A'],
      ['B', 'B.000001', 'B.000002'],
      ['C'],
    ])
    expect([found.top('undo')?.id, found.top('redo')?.id, found.lastId]).toEqual(['C', 'R', 'R'])
    found.set('C', step('C', 'k', { stack: 'redo' }))
    found.delete('R')
    expect([found.top('undo')?.id, found.top('redo')?.id]).toEqual(['B.000002', 'C'])
  })

  it('find a record under its new ID, whatever it was called before', () => {
    const found = steps(step('A', 'tasks\nl\nlocal:1'), step('B', 'tasks\nl\nreal'), step('D', 'tasks\nl\nreal'))
    found.renames.set('local:1', [{ to: 'real', upTo: 'A' }])
    found.renames.set('real', [
      { to: 'local:2', upTo: 'B' },
      { to: 'local:3', upTo: 'E' },
    ])
    // Deleted and recreated after B. D saw it return and disappear again.
    expect(keysOf(found, 'A')).toEqual(['tasks\nl\nlocal:2'])
    expect(keysOf(found, 'B')).toEqual(['tasks\nl\nlocal:2'])
    expect(keysOf(found, 'D')).toEqual(['tasks\nl\nlocal:3'])
  })

  it('stop following renames when a record gets its old ID back', () => {
    const found = steps(step('A', 'tasks\nl\nreal'))
    found.renames.set('real', [{ to: 'local:1', upTo: 'A' }])
    found.renames.set('local:1', [{ to: 'real', upTo: 'B' }])
    expect(keysOf(found, 'A')).toEqual(['tasks\nl\nreal'])
  })

  it('know which deleted records, or what contained them, were created again since, also after a restart', () => {
    const task = (id: string, parent: string): UndoStep => {
      const key = `tasks\n${parent}\n${id}`
      return step(id, key, { items: [{ kind: 'deleted', key, collection: 'tasks', parent, id, value: { id } }] })
    }
    const notes = { local: [{ to: 'real', upTo: 'z' }], old: [{ to: 'new', upTo: 'z', again: true as const }] }
    const meta = new Map<string, unknown>(Object.entries(notes).map(([id, note]) => [renameMeta(id), note]))
    const found = steps(task('a', 'old'), task('local', 'l'), task('old', 'l'), task('c', 'l'))
    const known = (): unknown[] =>
      ['a', 'local', 'old', 'c'].map((id) => found.current(id, found.get(id)!.items).map((item) => 'again' in item))
    found.rewritten(meta)
    expect(known()).toEqual([[true], [false], [true], [false]])
  })

  it('are rewritten with new IDs at the next start, which clears the rename notes', () => {
    const found = steps(step('A', 'tasks\nl\nlocal:1'), step('B', 'tasks\nl\nother'))
    const note: Json = [{ to: 'real', upTo: 'B' }]
    const meta = new Map<string, unknown>([
      [renameMeta('local:1'), note],
      [renameMeta('odd'), 'nonsense'],
      ['epoch', 'e'],
    ])
    expect(found.rewritten(meta)).toEqual([
      { table: 'meta', remove: renameMeta('local:1') },
      { table: 'meta', remove: renameMeta('odd') },
      { table: 'undo', put: step('A', 'tasks\nl\nreal') },
    ])
    expect([found.renames.size, keysOf(found, 'A')]).toEqual([0, ['tasks\nl\nreal']])
  })
})
