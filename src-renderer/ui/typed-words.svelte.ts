import { unreadAbove } from './unread.svelte'

/** Number of fields so far, which names each. */
let fields = 0

type Reading<V> = { value: V } | { problem: string }

/** Unparsed or invalid text of a field. It stays there with the reason, which is reported to the field's owner. */
export class TypedWords {
  /** Null if nothing was typed since the value was last shown. */
  text = $state<string | null>(null)
  problem = $state<string | null>(null)
  readonly #form = unreadAbove()
  readonly #name = String(fields++)

  /** @param onunread read for each call. Receives null when the field unmounts */
  constructor(private readonly onunread: () => ((problem: string | null) => void) | undefined) {
    $effect(() => () => this.tell(null))
  }

  /** Reports the reason that the text is invalid, or null once resolved. */
  tell(problem: string | null): void {
    if (problem === this.problem) return
    this.problem = problem
    this.#form?.set(this.#name, problem)
    this.onunread()?.(problem)
  }

  /** A reason goes away here instead of on blur, when it would move the button being pressed from under the pointer. */
  type(text: string): void {
    this.text = text
    this.tell(null)
  }

  forget(): void {
    this.text = null
    this.tell(null)
  }

  /**
   * Passes on the value of the text if it changed. Invalid text stays, with the reason. An emptied field shows its value
   * again, unless it may be empty.
   * @param value read only if something was typed, because a field that is being removed also loses focus
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

  /** Escape first reverts the text. Only the next one closes the dialog around the field. */
  revert(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || this.text === null) return
    this.forget()
    event.stopPropagation()
  }
}
