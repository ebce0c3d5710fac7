import { tick } from 'svelte'
import type { VirtualRows } from './virtual-rows.svelte'

/** The current row of a long list, and the rows to draw. */
export class ListCursor<T> {
  readonly #rows: () => readonly T[]
  readonly #virtual: VirtualRows
  readonly #scroller: () => HTMLElement | null
  #chosen = $state(0)
  readonly at = $derived.by(() => Math.max(0, Math.min(this.#chosen, this.#rows().length - 1)))
  readonly drawn = $derived.by(() => this.#rows().slice(this.#virtual.first, this.#virtual.last))

  constructor(rows: () => readonly T[], virtual: VirtualRows, scroller: () => HTMLElement | null) {
    this.#rows = rows
    this.#virtual = virtual
    this.#scroller = scroller
  }

  /** Makes a visible row the current one. */
  pick(row: number): void {
    this.#chosen = row
  }
  /** Goes to a row and scrolls to it. */
  async moveTo(row: number): Promise<void> {
    this.#chosen = row
    await tick()
    this.#virtual.show(this.#scroller(), row)
  }
  /** Moves as a key says. False for any other key. */
  moveBy(key: string): boolean {
    const row = this.#virtual.goal(key, this.at)
    if (row !== undefined) void this.moveTo(row)
    return row !== undefined
  }
}
