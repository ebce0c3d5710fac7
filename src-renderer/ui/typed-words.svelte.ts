/** Unparsed or invalid text of a field. It stays there with the reason, which is reported to the field's owner. */
export class TypedWords {
  /** Null if nothing was typed since the value was last shown. */
  text = $state<string | null>(null)
  problem = $state<string | null>(null)

  /** @param onunread read for each call. Receives null when the field unmounts */
  constructor(private readonly onunread: () => ((problem: string | null) => void) | undefined) {
    $effect(() => () => this.tell(null))
  }

  /** Reports the reason that the text is invalid, or null once resolved. */
  tell(problem: string | null): void {
    if (problem === this.problem) return
    this.problem = problem
    this.onunread()?.(problem)
  }

  forget(): void {
    this.text = null
    this.tell(null)
  }
}
