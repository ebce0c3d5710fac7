/** How far something is. `noun`: of what, such as rows or files. */
export interface Far {
  done: number
  of: number
  noun: string
}

/** A file, several, or edits that somebody waits for. */
export interface UnderWay {
  /** As people know it. */
  name: string
  /** Undefined where that is not known yet. */
  far: Far | undefined
}

/** Exports that people asked for and that are not written yet. Rules are not among them: theirs go on after a start. */
export class ExportsUnderWay {
  readonly #under = new Set<UnderWay & { id: string }>()

  get list(): readonly UnderWay[] {
    return [...this.#under]
  }

  /** `id`: by which is told how far it is. @returns to be called at its end, whatever that is */
  begin(id: string, name: string): () => void {
    const one = { id, name, far: undefined }
    this.#under.add(one)
    return () => void this.#under.delete(one)
  }

  tell(id: string, far: Far): void {
    for (const one of this.#under) if (one.id === id) one.far = far
  }
}

/** What is written at this moment: in short, and a line for each. */
export function underWayWords(list: readonly UnderWay[]): { short: string; lines: string[] } {
  const [first] = list
  return {
    short: list.length === 1 ? `Exporting ${first!.name}.` : `${list.length} exports are running.`,
    lines: farLines(list),
  }
}

/** How far each is, in words. */
export const farLines = (list: readonly UnderWay[]): string[] =>
  list.map(({ name, far }) => (far ? `${name}: ${farWords(far)}` : `${name}: starting`))

const farWords = ({ done, of, noun }: Far): string =>
  `${done.toLocaleString('en')} of ${of.toLocaleString('en')} ${noun}`
