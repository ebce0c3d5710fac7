type Reading<V> = { value: V } | { problem: string }

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

  /**
   * Passes the value of the text on if it's another one. Unreadable text stays, with the reason; an emptied field shows its
   * value again, unless it may be empty.
   * @param value only read after something was typed: a field that loses the focus because it goes may have none
   */
  commit<V>(
    read: (text: string) => Reading<V>,
    value: () => V | null,
    onpick: (value: V) => void,
    onclear?: () => void,
  ): void {
    if (this.text === null) return
    if (this.text.trim() === '') {
      onclear?.()
      return this.forget()
    }
    const reading = read(this.text)
    if ('problem' in reading) return this.tell(reading.problem)
    this.forget()
    if (reading.value !== value()) onpick(reading.value)
  }

  /** Escape takes back what was typed, before it closes what the field is in. */
  takeBack(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.text === null) return
    this.forget()
    event.stopPropagation()
  }
}
