import type { ImportNote } from '#shared/ipc/file-questions'

/** Maximum number of names for each kind of note. The rest is counted. */
const maxNames = 200

/** Notes about a file, grouped by kind, with the affected events. */
export class Notes {
  readonly #found = new Map<string, ImportNote>()

  /** Notes a repair. `words` continue after the event's name. */
  put(words: string, name: string): void {
    this.#add(words, name, false)
  }

  /** Records that something couldn't be imported. */
  lost(words: string, name: string): void {
    this.#add(words, name, true)
  }

  list(): ImportNote[] {
    return [...this.#found.values()].sort((a, b) => Number(b.lost) - Number(a.lost))
  }

  #add(words: string, name: string, lost: boolean): void {
    const key = `${String(lost)} ${words}`
    let note = this.#found.get(key)
    if (!note) this.#found.set(key, (note = { words, lost, count: 0, names: [] }))
    note.count++
    if (note.names.length < maxNames) note.names.push(name)
  }
}
