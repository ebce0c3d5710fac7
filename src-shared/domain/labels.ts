const revertPrefix = 'Revert: '
/** Older versions stored labels with this prefix. */
const oldRevertPrefix = 'Take back: '

/** Returns the label of an edit that reverts the edit with this label. Reverting a revert restores the original label. */
export function revertLabel(label: string): string {
  const prefix = [revertPrefix, oldRevertPrefix].find((prefix) => label.startsWith(prefix))
  return prefix === undefined ? revertPrefix + label : label.slice(prefix.length)
}
