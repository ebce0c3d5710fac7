import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { OutboxEntry } from '#shared/mutation/entry'
import { theirSide } from './conflict'

/**
 * Conflicts of a group that are ticked. Those that are listed from the start are. One that arrives later, or whose other
 * side changes, isn't until someone ticks it, so that nothing is decided unseen.
 */
export class ConflictSelection {
  readonly #first: ReadonlyMap<string, string>
  /** The sides that were on show when they were ticked, by entry. */
  readonly #ticked: SvelteMap<string, string>
  /** Conflicts that were unticked or ticked by hand, so they’re no longer new. */
  readonly #touched = new SvelteSet<string>()

  constructor(entries: readonly OutboxEntry[]) {
    this.#first = new Map(entries.map((entry) => [entry.id, theirSide(entry)]))
    this.#ticked = new SvelteMap(this.#first)
  }

  has(entry: OutboxEntry): boolean {
    return this.#ticked.get(entry.id) === theirSide(entry)
  }

  set(entry: OutboxEntry, ticked: boolean): void {
    const side = theirSide(entry)
    if (ticked) this.#ticked.set(entry.id, side)
    else this.#ticked.delete(entry.id)
    this.#touched.add(`${entry.id}\n${side}`)
  }

  /** True if a conflict arrived, or changed on the service, after the group was opened, and no one selected it since. */
  isNew(entry: OutboxEntry): boolean {
    const side = theirSide(entry)
    return this.#first.get(entry.id) !== side && !this.#touched.has(`${entry.id}\n${side}`)
  }
}
