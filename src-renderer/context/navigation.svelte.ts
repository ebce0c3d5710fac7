import type { Place } from '#shared/links/place'

export type { Place }

const depth = 100
const same = (a: Place, b: Place): boolean => a.view === b.view && JSON.stringify(a.params) === JSON.stringify(b.params)

/** Back and forward through places. */
export class Navigation {
  #past = $state.raw<readonly Place[]>([])
  #future = $state.raw<readonly Place[]>([])
  place = $state.raw<Place>({ view: 'calendar', params: {} })
  /** The last place of each view, restored on return. */
  #last = new Map<string, Place>()
  /** Command to run on what the place names, once that is shown. */
  #command: string | undefined

  constructor(start: Place) {
    this.place = start
  }

  get canGoBack(): boolean {
    return this.#past.length > 0
  }
  get canGoForward(): boolean {
    return this.#future.length > 0
  }

  /**
   * Without `params`: to where that view was last.
   * @param command ID of a command to run on the item that `params` names. Any key or click before it’s shown cancels it.
   */
  go(view: string, params?: Place['params'], command?: string): void {
    this.#command = command
    if (command !== undefined) {
      const drop = (): void => {
        if (this.#command === command) this.#command = undefined
      }
      for (const type of ['keydown', 'pointerdown']) addEventListener(type, drop, { capture: true, once: true })
    }
    const next: Place = params ? { view, params } : (this.#last.get(view) ?? { view, params: {} })
    if (same(next, this.place)) {
      // No step back, but a wish to see it again.
      this.place = next
      return
    }
    this.#past = [...this.#past, this.place].slice(-depth)
    this.#future = []
    this.#show(next)
  }

  /** Where a view was last. Undefined if it wasn’t shown yet. */
  lastOf(view: string): Place | undefined {
    return this.place.view === view ? this.place : this.#last.get(view)
  }

  /** The command to run on the item that was named, now that it’s shown. */
  takeCommand(): string | undefined {
    const command = this.#command
    this.#command = undefined
    return command
  }

  /** Changes the current parameters without adding a history entry. */
  replace(params: Place['params']): void {
    this.#show({ view: this.place.view, params })
  }

  back(): void {
    const previous = this.#past.at(-1)
    if (!previous) return
    this.#past = this.#past.slice(0, -1)
    this.#future = [this.place, ...this.#future]
    this.#show(previous)
  }

  forward(): void {
    const next = this.#future[0]
    if (!next) return
    this.#future = this.#future.slice(1)
    this.#past = [...this.#past, this.place]
    this.#show(next)
  }

  #show(place: Place): void {
    this.#last.set(this.place.view, this.place)
    this.#last.set(place.view, place)
    this.place = place
  }
}
