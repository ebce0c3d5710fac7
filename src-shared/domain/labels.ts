const takenBack = 'Take back: '

/** What an edit says that takes back the one of this label; where that one took something back itself, it is done again. */
export const takeBackLabel = (label: string): string =>
  label.startsWith(takenBack) ? label.slice(takenBack.length) : takenBack + label
