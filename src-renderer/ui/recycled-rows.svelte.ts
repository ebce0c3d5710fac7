import { systemClock } from '#shared/time/clock'
import { recycle, unmoved, type Recycled } from './recycle'
import type { VirtualRows } from './virtual-rows.svelte'

/** An element that draws a row: its own id, and the row's place. */
export interface RowLine {
  readonly id: number
  readonly at: number
}

/** Milliseconds. To move elements costs more than to draw other rows in them: they take the order of the rows afterwards. */
const untilRest = 150
/** So many rows are made between two frames: those of a whole window would keep the thread ten times as long. */
const slice = 14
/** So many rows are drawn at once where none of them was drawn before: where people end, the others come a frame later. */
const atOnce = 22

/** The elements of the rows in sight: they draw other rows when these are scrolled by. */
export class RecycledRows {
  readonly #virtual: VirtualRows
  readonly #count: () => number
  readonly #columns: () => unknown
  #rested = $state(0)
  #made = $state(slice)
  #recycled: Recycled = { first: 0, ids: [], left: [], made: 0 }
  /** By id, and in the order of the document. */
  #drawn: ReadonlyMap<number, RowLine> = new Map()
  #sorted = -1
  #drawnColumns: unknown

  /** `count` rows there are; `columns` is another object when every row has other cells. */
  constructor(virtual: VirtualRows, count: () => number, columns: () => unknown) {
    this.#virtual = virtual
    this.#count = count
    this.#columns = columns
  }

  /** As long as the component is there that calls it. */
  follow(): void {
    const virtual = this.#virtual
    let movedAt = 0
    let resting: ReturnType<typeof setTimeout> | undefined
    // One timer for a whole way: to set it anew costs each frame.
    const rest = (): void => {
      const still = systemClock.elapsed() - movedAt
      resting = still < untilRest ? setTimeout(rest, untilRest - still) : undefined
      if (resting === undefined) this.#rested++
    }
    $effect(() => {
      void virtual.first
      void virtual.last
      movedAt = systemClock.elapsed()
      resting ??= setTimeout(rest, untilRest)
    })
    $effect(() => () => clearTimeout(resting))
    $effect.pre(() => {
      void this.#columns()
      this.#made = slice
    })
    $effect.pre(() => {
      const { first, last } = virtual
      const { first: before, ids } = this.#recycled
      // Of what is gone by in one frame nobody sees the most.
      if (ids.length > 0 && (first >= before + ids.length || last <= before)) this.#made = atOnce
    })
    $effect(() => {
      if (this.#count() === 0 || this.#made >= virtual.last - virtual.first) return
      const frame = requestAnimationFrame(() => (this.#made += slice))
      return () => cancelAnimationFrame(frame)
    })
  }

  /** What goes on drawing the same row is the same object, and so left alone. */
  readonly lines = $derived.by((): readonly RowLine[] => {
    const { first, last } = this.#virtual
    const end = Math.min(last, first + this.#made, this.#count())
    const columns = this.#columns()
    const anew = columns !== this.#drawnColumns
    this.#drawnColumns = columns
    // Elements with other cells are not worth their while.
    const before = anew ? { ...this.#recycled, left: [] } : this.#recycled
    const now = recycle(before, first, Math.max(first, end))
    const whole = end >= Math.min(last, this.#count())
    this.#recycled = anew || whole ? { ...now, left: [] } : now
    const { ids, left } = this.#recycled
    const lines = new Map<number, RowLine>()
    for (const [index, id] of ids.entries()) {
      const at = first + index
      const before = this.#drawn.get(id)
      lines.set(id, before?.at === at ? before : { id, at })
    }
    for (const id of left) lines.set(id, this.#drawn.get(id)!)
    const shown = [...ids, ...left]
    const order = this.#rested === this.#sorted ? unmoved([...this.#drawn.keys()], shown) : shown
    this.#sorted = this.#rested
    this.#drawn = new Map(order.map((id) => [id, lines.get(id)!]))
    return [...this.#drawn.values()]
  })
}
