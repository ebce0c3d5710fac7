import { expect, it } from 'vitest'
import { interruptedEditMeta, interruptedEditAlert } from '../../../src-renderer/replica/interrupted-edit'
import type { UndoStep } from '../../../src-renderer/replica/undo'
import { partId, UndoSteps } from '../../../src-renderer/replica/undo-steps'

const part = (number: number, stack: UndoStep['stack']): UndoStep => ({
  id: partId('G', number),
  ...(number > 0 && { of: 'G' }),
  stack,
  label: 'Paste into *3 placements*',
  options: {},
  items: [
    { kind: 'created', key: 'a' },
    { kind: 'created', key: 'b' },
  ],
})
const stepsOf = (...all: readonly UndoStep[]): UndoSteps => {
  const steps = new UndoSteps()
  for (const one of all) steps.set(one.id, one)
  return steps
}
const meta = new Map<string, unknown>([[interruptedEditMeta, { group: 'G', count: 9 }]])

it('the start reports how much of a partial bulk edit was saved', () => {
  const text = (stack: UndoStep['stack']): string | undefined =>
    interruptedEditAlert(meta, stepsOf(part(0, stack), part(1, stack), { ...part(0, stack), id: 'other' }), 0)?.text
  expect(text('undo')).toContain('during “Paste into 3 placements”. 4 of 9 changes were saved')
  expect(text('redo')).toContain('4 of 9 changes were undone')
  expect(interruptedEditAlert(new Map(), stepsOf(part(0, 'undo')), 0)).toBeUndefined()
  expect(interruptedEditAlert(meta, stepsOf(), 0)).toBeUndefined()
  expect(interruptedEditAlert(new Map([[interruptedEditMeta, 'odd']]), stepsOf(part(0, 'undo')), 0)).toBeUndefined()
})
