import type { ImportNote } from '#shared/ipc/file-questions'

/** An import's notes, one line per affected event. */
export const importNotes = (notes: readonly ImportNote[]): string[] =>
  notes.flatMap(({ names, words }) => names.map((name) => `${name} ${words}`))
