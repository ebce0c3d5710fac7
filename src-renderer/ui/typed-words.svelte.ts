/** Words in a field that are not read yet, or cannot be: they stay there with the reason, and whoever holds the field is told. */
export class TypedWords {
  /** null: nothing was typed since the value was last shown. */
  text = $state<string | null>(null)
  problem = $state<string | null>(null)

  /** Made by a field; `onunread` is asked for each time, and hears null when the field goes. */
  constructor(private readonly onunread: () => ((problem: string | null) => void) | undefined) {
    $effect(() => () => this.tell(null))
  }

  /** What is wrong with the words; null when that is over. */
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
