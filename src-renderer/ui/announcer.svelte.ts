import { untrack } from 'svelte'

/** How long an announcement stays in the page, in milliseconds. Screen readers may get to it late, and read only additions. */
const lifetime = 7_000

export interface Announcement {
  readonly id: number
  readonly text: string
}

/** Announces messages to assistive technology. Debounces polite messages, so a burst is announced once. */
export class Announcer {
  /** Announcements of the last few seconds, oldest first. */
  polite = $state.raw<readonly Announcement[]>([])
  urgent = $state.raw<readonly Announcement[]>([])
  #count = 0
  #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  say(text: string, urgent = false): void {
    if (urgent) return this.#add('urgent', text)
    // A receipt may also be a message, with fewer words.
    if (this.#waiting.some((one) => one.startsWith(text))) return
    this.#waiting = [...this.#waiting.filter((one) => !text.startsWith(one)), text]
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#add('polite', this.#waiting.slice(-3).join('. '))
      this.#waiting = []
    }, 80)
  }

  #add(where: 'polite' | 'urgent', text: string): void {
    const id = (this.#count += 1)
    // Callers may be effects, which don't depend on what was said before.
    untrack(() => (this[where] = [...this[where], { id, text }]))
    setTimeout(() => (this[where] = this[where].filter((one) => one.id !== id)), lifetime)
  }
}
