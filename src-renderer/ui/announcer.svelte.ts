import { untrack } from 'svelte'

/** Announces messages to assistive technology. Debounces polite messages, so a burst is announced once. */
export class Announcer {
  polite = $state('')
  urgent = $state('')
  #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  say(text: string, urgent = false): void {
    if (urgent) {
      this.urgent = text === untrack(() => this.urgent) ? `${text}\u00a0` : text
      return
    }
    // A receipt may also be a message, with fewer words.
    if (this.#waiting.some((one) => one.startsWith(text))) return
    this.#waiting = [...this.#waiting.filter((one) => !text.startsWith(one)), text]
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const text = this.#waiting.slice(-3).join('. ')
      this.#waiting = []
      // A repeated sentence is only spoken again when its text differs.
      this.polite = text === this.polite ? `${text}\u00a0` : text
    }, 80)
  }
}
