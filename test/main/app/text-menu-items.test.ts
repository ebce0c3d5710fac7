import { expect, it } from 'vitest'
import { textMenuItems, type ClickedText } from '../../../src-main/app/text-menu-items'

const clicked = (more: Partial<ClickedText> = {}): ClickedText => ({
  isEditable: true,
  selectionText: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  editFlags: { canCut: false, canCopy: false, canPaste: true, canSelectAll: true },
  ...more,
})
const words = (of: ClickedText): string[] =>
  textMenuItems(of).map(({ label = '—', enabled }) => (enabled === false ? `(${label})` : label))

it('a field offers to edit its text', () => {
  expect(words(clicked())).toEqual(['(Cut)', '(Copy)', 'Paste', '—', 'Select all'])
  expect(textMenuItems(clicked()).flatMap(({ role = [] }) => role)).toEqual(['cut', 'copy', 'paste', 'selectAll'])
})

it('selected text can only be copied, and anything else has no menu', () => {
  const editFlags = { canCut: false, canCopy: true, canPaste: false, canSelectAll: true }
  expect(words(clicked({ isEditable: false, selectionText: 'Harbor', editFlags }))).toEqual(['Copy'])
  expect(words(clicked({ isEditable: false, selectionText: ' ' }))).toEqual([])
})

it('a misspelled word comes with suggestions', () => {
  const wrong = clicked({ misspelledWord: 'Habor', dictionarySuggestions: ['Harbor', 'Labor'] })
  expect(words(wrong).slice(0, 4)).toEqual(['Harbor', 'Labor', 'Add to dictionary', '—'])
  expect(textMenuItems(wrong).map(({ replaceWith, learn }) => replaceWith ?? learn)).toEqual(
    expect.arrayContaining(['Harbor', 'Habor']),
  )
  expect(words(clicked({ misspelledWord: 'Habor' }))[0]).toBe('(No suggestions)')
})
