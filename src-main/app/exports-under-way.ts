/** Progress of a task. `noun`: its unit, such as rows or files. */
export interface Progress {
  done: number
  of: number
  noun: string
}

/** A file, several, or edits in progress. */
export interface UnderWay {
  /** Its name for users. */
  name: string
  /** Undefined if not yet known. */
  far: Progress | undefined
}

/** Exports that users started and that aren't complete. Automatic exports aren't included: they resume after a restart. */
export class ExportsUnderWay {
  readonly #under = new Set<UnderWay & { id: string }>()

  get list(): readonly UnderWay[] {
    return [...this.#under]
  }

  /** @param id key for progress updates @returns a function to call at the end, whatever the outcome */
  begin(id: string, name: string): () => void {
    const one = { id, name, far: undefined }
    this.#under.add(one)
    return () => void this.#under.delete(one)
  }

  tell(id: string, far: Progress): void {
    for (const one of this.#under) if (one.id === id) one.far = far
  }
}

/** Describes running exports in short, and with a line for each. */
export function underWayWords(list: readonly UnderWay[]): { short: string; lines: string[] } {
  const [first] = list
  return {
    short: list.length === 1 ? `Exporting ${first!.name}.` : `${list.length} exports are running.`,
    lines: progressLines(list),
  }
}

/** Lines with the progress of each task. */
export const progressLines = (list: readonly UnderWay[]): string[] =>
  list.map(({ name, far }) => (far ? `${name}: ${progressWords(far)}` : `${name}: starting`))

const progressWords = ({ done, of, noun }: Progress): string =>
  `${done.toLocaleString('en')} of ${of.toLocaleString('en')} ${noun}`
