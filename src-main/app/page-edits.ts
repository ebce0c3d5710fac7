import type { UnderWay } from './exports-under-way'

/** Maximum time to wait for a page to save typed text, in milliseconds. Its database may be stuck. */
export const saveTimeout = 10_000

/** Tracks unsaved edits that the page reports. */
export class PageEdits {
  #works: readonly UnderWay[] = []
  /** `unknown`: no page can tell. */
  #typed: 'unknown' | 'open' | 'saved' = 'unknown'
  #ended: (() => void) | undefined

  get works(): readonly UnderWay[] {
    return this.#works
  }

  report(works: readonly UnderWay[], saved: boolean): void {
    this.#works = works
    this.#typed = saved ? 'saved' : this.#typed === 'unknown' ? 'open' : this.#typed
    this.#resolveIfSaved()
  }

  /** Called when the page is reloading or gone. The next page doesn't know its edits. */
  gone(): void {
    this.#works = []
    this.#typed = 'unknown'
    this.#resolveIfSaved()
  }

  /**
   * Makes the page save typed text.
   * @param ask sends the request to the page
   * @returns resolves when everything is saved, the page can't answer, or `saveTimeout` has passed
   */
  async save(ask: () => void): Promise<void> {
    if (this.#typed === 'saved') this.#typed = 'open'
    ask()
    if (this.#isSaved) return
    await new Promise<void>((ended) => {
      const late = setTimeout(ended, saveTimeout)
      this.#ended = () => {
        clearTimeout(late)
        ended()
      }
    })
  }

  get #isSaved(): boolean {
    return this.#typed !== 'open' && this.#works.length === 0
  }

  #resolveIfSaved(): void {
    if (this.#isSaved) this.#ended?.()
  }
}

/** Unsaved edits of all pages, by ID. */
export class AllPageEdits {
  readonly #pages = new Map<number, PageEdits>()

  get works(): readonly UnderWay[] {
    return [...this.#pages.values()].flatMap(({ works }) => works)
  }

  of(page: number): PageEdits {
    const known = this.#pages.get(page) ?? new PageEdits()
    this.#pages.set(page, known)
    return known
  }

  /** @param ask sends the request to all pages */
  async save(ask: () => void): Promise<void> {
    let asked = false
    const once = (): void => {
      if (!asked) ask()
      asked = true
    }
    await Promise.all([...this.#pages.values()].map((page) => page.save(once)))
    once()
  }
}
