import { expect, it } from 'vitest'
import { revertLabel } from '#shared/domain/labels'

it("a revert's label names the original, and reverting it restores that name", () => {
  expect(revertLabel('Rename')).toBe('Revert: Rename')
  expect(revertLabel('Revert: Rename')).toBe('Rename')
})

it('a label stored by an older version is recognized', () => {
  expect(revertLabel('Take back: Rename')).toBe('Rename')
})
