import type { ImportNote } from '#shared/ipc/file-questions'

/** What an import says of a file, one line for each event that it is said of. */
export const said = (notes: readonly ImportNote[]): string[] =>
  notes.flatMap(({ names, words }) => names.map((name) => `${name} ${words}`))
