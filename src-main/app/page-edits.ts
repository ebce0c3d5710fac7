import type { UnderWay } from './exports-under-way'

/** Longest time to wait for the page to save what was typed, in milliseconds. Its database may be stuck. */
export const saveTimeout = 10_000

/** Tracks unsaved edits that the page reports. */
export class PageEdits {
  #works: readonly UnderWay[] = []
  /** `unknown`: there's no page that could say. */
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

  /** The page is reloading or gone, and the next one doesn't know what it was editing. */
  gone(): void {
    this.#works = []
    this.#typed = 'unknown'
    this.#resolveIfSaved()
  }

  /**
   * Makes the page save what was typed.
   * @param ask tells the page to
   * @returns resolves when nothing is left to save, or the page can't say, or takes longer than `saveTimeout`
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

/** The same of all pages, by their IDs. */
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

  /** @param ask tells all pages to save what was typed */
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
