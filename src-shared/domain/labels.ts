const takenBack = 'Take back: '

/** Label of an edit that reverts the one with this label. Reverting a revert restores the first label. */
export const takeBackLabel = (label: string): string =>
  label.startsWith(takenBack) ? label.slice(takenBack.length) : takenBack + label
