import { SvelteSet } from 'svelte/reactivity'

/** Entries of a list that are selected, by their keys, to do something with all of them. */
export class PickedKeys {
  readonly #keys = new SvelteSet<string>()
  /** Anchor of a range selection. */
  #from = ''

  get size(): number {
    return this.#keys.size
  }
  has(key: string): boolean {
    return this.#keys.has(key)
  }
  /** The selected items of a list, in its order. */
  of<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
    return this.#keys.size === 0 ? [] : all.filter((one) => this.#keys.has(keyOf(one)))
  }

  clear(): void {
    this.#keys.clear()
    this.#from = ''
  }
  /** Selects these keys only. */
  set(keys: Iterable<string>): void {
    this.clear()
    for (const key of keys) this.#keys.add(key)
  }
  /** Adds or removes a key. `current` is the displayed item, which joins the selection once there are several. */
  toggle(key: string, current?: string): void {
    if (this.#keys.size === 0 && current !== undefined && current !== key) this.#keys.add(current)
    if (!this.#keys.delete(key)) this.#keys.add(key)
    this.#from = key
  }
  /** From where the stretch began, else from `current`, to this one. */
  stretch(key: string, current: string | undefined, order: readonly string[]): void {
    const from = order.indexOf(this.#from || (current ?? key))
    const to = order.indexOf(key)
    if (to < 0) return
    this.#from = order[from] ?? key
    this.#keys.clear()
    for (let at = Math.min(from < 0 ? to : from, to); at <= Math.max(from, to); at++) this.#keys.add(order[at]!)
  }
}
