import { globalShortcut } from 'electron'

/**
 * Registers the only global shortcut, and replaces the previous one. Empty keys register none.
 * @returns the reason why it doesn't work, or an empty string
 */
export function setShortcut(keys: string, run: () => void): string {
  globalShortcut.unregisterAll()
  if (keys === '') return ''
  try {
    return globalShortcut.register(keys, run) ? '' : 'Another app uses these keys, or the system reserves them.'
  } catch {
    return 'These keys can’t be used as a shortcut. Press others.'
  }
}
