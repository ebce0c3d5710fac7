/** Keys by their place on the keyboard, as Electron names them. */
const named: Readonly<Record<string, string>> = {
  Space: 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Enter: 'Return',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  Insert: 'Insert',
}

type Pressed = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

/**
 * Pressed keys as a global shortcut of Electron. Null if they can't be one: it needs Ctrl, Alt, or the system's key, so
 * that typing elsewhere still works.
 */
export function acceleratorOf({ code, ctrlKey, altKey, shiftKey, metaKey }: Pressed): string | null {
  const key = named[code] ?? /^(?:Key([A-Z])|Digit(\d)|(F\d{1,2}))$/.exec(code)?.slice(1).find(Boolean)
  if (key === undefined || !(ctrlKey || altKey || metaKey)) return null
  const held = [ctrlKey && 'Control', altKey && 'Alt', shiftKey && 'Shift', metaKey && 'Super']
  return [...held.filter(Boolean), key].join('+')
}

/** `Ctrl+Alt+Space`, or `None`. */
export const acceleratorWords = (keys: string): string =>
  keys === '' ? 'None' : keys.replace('Control', 'Ctrl').replace('Return', 'Enter')
