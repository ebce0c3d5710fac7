/** The keys of a key event in the form commands use: `Ctrl+Shift+Z`, `c`, `?`, `Alt+ArrowUp`. */
export function keysOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> & { altGraph?: boolean },
): string {
  const letter = event.key.length === 1
  const isLetter = /^\p{L}$/u.test(event.key)
  const name = event.key === ' ' ? 'Space' : letter && isLetter ? event.key.toLowerCase() : event.key
  const held: string[] = []
  if ((event.ctrlKey || event.metaKey) && !event.altGraph) held.push('Ctrl')
  if (event.altKey && !event.altGraph) held.push('Alt')
  // The shift that makes `?` out of a key is part of the character.
  if (event.shiftKey && (!letter || isLetter)) held.push('Shift')
  return [...held, name].join('+')
}

/** `Ctrl+Z` and `Ctrl+z` are one combination. */
export function normalKeys(keys: string): string {
  const parts = keys.split(/\+(?!$)/)
  const name = parts.pop()!
  return [...parts, name.length === 1 ? name.toLowerCase() : name].join('+')
}

/** True for a key that types a character on its own, including capital letters. */
export const isSingleKey = (keys: string): boolean => [...keys.replace(/^Shift\+(?=.$)/u, '')].length === 1

const editable = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true]'
const chorded = (keys: string): boolean => /^(Ctrl|Alt)\+/.test(keys) || /^(Shift\+)?F\d/.test(keys)
/** Shortcuts that text fields handle themselves. */
const fieldKeys = new Set(['Ctrl+z', 'Ctrl+Shift+z', 'Ctrl+y', 'Ctrl+a', 'Ctrl+c', 'Ctrl+v', 'Ctrl+x', 'Ctrl+d'])

/** With Ctrl, Alt, or Shift, these keys edit text or move through it. */
const textKeys = /^(Ctrl|Alt)\+(Shift\+)?(Arrow(Left|Right|Up|Down)|Home|End|Backspace|Delete)$/

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(editable) !== null
/** True for a key that types or deletes text on its own. */
export const typesText = (keys: string): boolean =>
  isSingleKey(keys) || /^(Shift\+)?(Space|Backspace|Delete)$/.test(keys)

/** True if a shortcut belongs to the focused element instead of a command. */
export function keptByFocus(keys: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(editable)) return !chorded(keys) || fieldKeys.has(keys) || textKeys.test(keys)
  if (target.closest('[role="menu"], [role="listbox"]')) return !chorded(keys)
  // Dialogs keep single keys, unless an element allows commands.
  if (target.closest<HTMLElement>('[data-keys]')?.dataset['keys'] === 'local') return !chorded(keys)
  return false
}
