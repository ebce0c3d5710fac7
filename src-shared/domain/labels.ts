import { currentLabel } from '../former-words'

const revertPrefix = 'Revert: '

/** Returns the label of an edit that reverts the edit with this label. Reverting a revert restores the original label. */
export function revertLabel(label: string): string {
  const current = currentLabel(label)
  return current.startsWith(revertPrefix) ? current.slice(revertPrefix.length) : revertPrefix + current
}
