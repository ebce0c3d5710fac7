import { untrack } from 'svelte'

/** Whether a dialog keeps the window behind it out of reach. */
class Modal {
  #open = $state(0)

  get isOpen(): boolean {
    return this.#open > 0
  }

  /** Counts a dialog and returns a function that ends it. */
  begin(): () => void {
    // Effects call this, and mustn't depend on the count.
    this.#open = untrack(() => this.#open) + 1
    return () => void (this.#open = untrack(() => this.#open) - 1)
  }
}
export const modal = new Modal()
