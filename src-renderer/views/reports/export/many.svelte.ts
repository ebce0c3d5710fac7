import { SvelteSet } from 'svelte/reactivity'
import type { ListedReport } from '../model.svelte'

/** Reports of the list that are picked, to do something with all of them. */
export class PickedReports {
  readonly #keys = new SvelteSet<string>()
  /** Where a stretch begins. */
  #from = ''

  get size(): number {
    return this.#keys.size
  }
  has(key: string): boolean {
    return this.#keys.has(key)
  }
  of(reports: readonly ListedReport[]): ListedReport[] {
    return reports.filter(({ key }) => this.#keys.has(key))
  }

  clear(): void {
    this.#keys.clear()
    this.#from = ''
  }
  /** One more, or one less. `current`: the one that is shown is among them once there are several. */
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
