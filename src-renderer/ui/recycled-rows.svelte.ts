import { systemClock } from '#shared/time/clock'
import { recycle, unmoved, type Recycled } from './recycle'
import type { VirtualRows } from './virtual-rows.svelte'

/** An element that draws a row: its own ID, and the row's place. */
export interface RowLine {
  readonly id: number
  readonly at: number
}

/**
 * Delay before elements are reordered, in milliseconds. Moving elements costs more than redrawing them, so they get the
 * order of their rows only after scrolling stops.
 */
const untilRest = 150
/** Number of rows created per frame. Creating a whole window of rows would block the thread ten times as long. */
const slice = 14
/** Number of new rows drawn at once after a jump. The others follow a frame later. */
const atOnce = 22

/** The elements of the rows in sight: they draw other rows when these are scrolled by. */
export class RecycledRows {
  readonly #virtual: VirtualRows
  readonly #count: () => number
  readonly #columns: () => unknown
  #rested = $state(0)
  #made = $state(slice)
  #recycled: Recycled = { first: 0, ids: [], left: [], made: 0 }
  /** Drawn rows by ID, in document order. */
  #drawn: ReadonlyMap<number, RowLine> = new Map()
  #sorted = -1
  #drawnColumns: unknown

  /** @param columns returns a new object if the cells of every row have changed */
  constructor(virtual: VirtualRows, count: () => number, columns: () => unknown) {
    this.#virtual = virtual
    this.#count = count
    this.#columns = columns
  }

  /** Draws rows until the calling component unmounts. */
  follow(): void {
    const virtual = this.#virtual
    let movedAt = 0
    let resting: ReturnType<typeof setTimeout> | undefined
    // One timer for a whole scroll, because resetting it would cost each frame.
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
      // Rows that scroll past within one frame are hardly visible.
      if (ids.length > 0 && (first >= before + ids.length || last <= before)) this.#made = atOnce
    })
    $effect(() => {
      if (this.#count() === 0 || this.#made >= virtual.last - virtual.first) return
      const frame = requestAnimationFrame(() => (this.#made += slice))
      return () => cancelAnimationFrame(frame)
    })
  }

  /** A line that keeps its row keeps its object, so it isn't rendered again. */
  readonly lines = $derived.by((): readonly RowLine[] => {
    const { first, last } = this.#virtual
    const end = Math.min(last, first + this.#made, this.#count())
    const columns = this.#columns()
    const isNewLayout = columns !== this.#drawnColumns
    this.#drawnColumns = columns
    // Elements with other cells aren't worth reusing.
    const before = isNewLayout ? { ...this.#recycled, left: [] } : this.#recycled
    const now = recycle(before, first, Math.max(first, end))
    const whole = end >= Math.min(last, this.#count())
    this.#recycled = isNewLayout || whole ? { ...now, left: [] } : now
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
