import { expect, it } from 'vitest'
import { revertLabel } from '#shared/domain/labels'

it('a revert names what it reverts, and reverting it names the original again', () => {
  expect(revertLabel('Rename')).toBe('Revert: Rename')
  expect(revertLabel('Revert: Rename')).toBe('Rename')
})

it('a label that an older version stored is recognized', () => {
  expect(revertLabel('Take back: Rename')).toBe('Rename')
})
