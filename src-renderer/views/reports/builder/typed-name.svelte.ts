import type { Upon } from '../../../replica/api'
import type { BuilderModel } from './builder.svelte'
import { setField } from './definition'

const pause = 500

/** Name field, saved with a debounce, and on blur. */
export class TypedName {
  /** Unsaved text, or null. */
  text = $state<string | null>(null)
  /** Values that the user saw when they began to type the unsaved text. */
  #upon: Upon = {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly model: BuilderModel) {}

  type(text: string): void {
    if (this.text === null) this.#upon = this.model.seen
    this.text = text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.keep(), pause)
  }
  keep(): void {
    clearTimeout(this.#timer)
    const { text } = this
    if (text === null) return
    void this.model
      .step('name', (report) => setField(report, 'name', text), this.#upon)
      .then(() => {
        if (this.text === text) this.text = null
      })
    this.#upon = this.model.seen
  }
}
