import type { ContextMenuParams } from 'electron'

/** Facts about the clicked text that the menu depends on. */
export type ClickedText = Pick<
  ContextMenuParams,
  'isEditable' | 'selectionText' | 'misspelledWord' | 'dictionarySuggestions'
> & { editFlags: Pick<ContextMenuParams['editFlags'], 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'> }

export interface TextMenuItem {
  role?: 'cut' | 'copy' | 'paste' | 'selectAll'
  label?: string
  /** Absent for a separator. */
  enabled?: boolean
  /** The spelling that replaces the marked word. */
  replaceWith?: string
  /** The word to add to the dictionary. */
  learn?: string
}

const separator: TextMenuItem = {}

/** Items of the menu for a text. Empty if there's nothing to do with it. */
export function textMenuItems(clicked: ClickedText): TextMenuItem[] {
  const { isEditable, selectionText, editFlags } = clicked
  const copy: TextMenuItem = { role: 'copy', label: 'Copy', enabled: editFlags.canCopy }
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy]
  return [
    ...spelling(clicked),
    { role: 'cut', label: 'Cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: 'Paste', enabled: editFlags.canPaste },
    separator,
    { role: 'selectAll', label: 'Select all', enabled: editFlags.canSelectAll },
  ]
}

function spelling({ misspelledWord, dictionarySuggestions }: ClickedText): TextMenuItem[] {
  if (misspelledWord === '') return []
  const suggestions = dictionarySuggestions.map((word) => ({ label: word, enabled: true, replaceWith: word }))
  const none = { label: 'No suggestions', enabled: false }
  return [
    ...(suggestions.length > 0 ? suggestions : [none]),
    { label: 'Add to dictionary', enabled: true, learn: misspelledWord },
    separator,
  ]
}
