import { untrack } from 'svelte'
import { onPaper } from './on-paper.svelte'

/** Rows that are printed at most, from the first on. */
export const maxPrinted = 5_000

/**
 * Maximum height of the element that contains all rows, in CSS pixels. Engines that count in 1/64 device pixels lose
 * everything below 33 million of those, a third of that in CSS pixels at a scale of 3.
 */
export const maxHeight = 10_000_000

interface Options {
  /** Height of every row, in CSS pixels. */
  rowHeight: () => number
  /** Number of rows to draw above and below the visible ones. */
  spare?: number
  /** Height of the fixed header within the scroller, in CSS pixels. */
  head?: number
  /** Draws all rows for printing, up to `maxPrinted`. */
  printed?: boolean
}

/**
 * Virtualizes rows of one height in a scrolling element. Rows lie in an element of `total` pixels. If all rows would
 * exceed the maximum height of an element, the scroll position is scaled and rows are placed relative to the viewport.
 */
export class VirtualRows {
  readonly #rowHeight: () => number
  readonly #count: () => number
  readonly #spare: number
  readonly #head: number
  readonly #printed: boolean
  /** Height of the rows that `top` is about. */
  #lastHeight: number
  /** `scrollTop` and `clientHeight` of the scroller. */
  top = $state(0)
  height = $state(0)

  constructor(count: () => number, { rowHeight, spare = 8, head = 0, printed = false }: Options) {
    this.#count = count
    this.#rowHeight = rowHeight
    this.#spare = spare
    this.#head = head
    this.#printed = printed
    this.#lastHeight = rowHeight()
  }

  get rowHeight(): number {
    return this.#rowHeight()
  }
  readonly #room = $derived.by(() => Math.max(0, this.height - this.#head))
  readonly #whole = $derived.by(() => this.#count() * this.rowHeight)
  /** Pixels of the element that holds the rows. */
  readonly total = $derived.by(() => Math.min(this.#whole, maxHeight))
  /** Pixels of rows per scrolled pixel. */
  readonly #scale = $derived.by(() =>
    this.#whole <= maxHeight ? 1 : (this.#whole - this.#room) / (maxHeight - this.#room),
  )
  /** Upward offset of the rows from their unscaled positions. Zero unless the scroll position is scaled. */
  readonly #lift = $derived.by(() => (this.#scale === 1 ? 0 : this.top * (this.#scale - 1)))
  readonly #onPaper = $derived.by(() => this.#printed && onPaper.on)
  /** Rows that are printed no more; 0 on the screen. */
  readonly leftOut = $derived.by(() => (this.#onPaper ? Math.max(0, this.#count() - maxPrinted) : 0))
  readonly first = $derived.by(() =>
    this.#onPaper
      ? 0
      : Math.max(0, Math.min(this.#count(), Math.floor((this.top + this.#lift) / this.rowHeight) - this.#spare)),
  )
  /** The row after the last one that is drawn. */
  readonly last = $derived.by(() =>
    this.#onPaper
      ? Math.min(this.#count(), maxPrinted)
      : Math.min(this.#count(), Math.ceil((this.top + this.#lift + this.#room) / this.rowHeight) + this.#spare),
  )
  /** Number of rows that Page Up and Page Down move. */
  readonly page = $derived.by(() => Math.max(1, Math.floor(this.#room / this.rowHeight) - 1))

  /** Pixels from the top of the element to a row. */
  topOf(row: number): number {
    return row * this.rowHeight - this.#lift
  }

  /** The row at a number of pixels from the top of the element. */
  rowAt(pixels: number): number {
    return Math.floor((pixels + this.#lift) / this.rowHeight)
  }

  /** The `scrollTop` that puts a row where another one is now. */
  topInPlaceOf(before: number, after: number): number {
    return this.#scrolled(this.top + this.#lift + (after - before) * this.rowHeight)
  }

  /** The `scrollTop` at which a row is in sight: the nearest, or with the row in the middle. */
  topShowing(row: number, middle = false): number {
    const from = row * this.rowHeight
    const now = this.top + this.#lift
    if (middle) return this.#scrolled(from - (this.#room - this.rowHeight) / 2)
    if (from < now) return this.#scrolled(from)
    if (from + this.rowHeight > now + this.#room) return this.#scrolled(from + this.rowHeight - this.#room)
    return this.top
  }

  /** Scrolls an element to make a row visible, and draws it. */
  show(scroller: HTMLElement | null, row: number, middle = false): void {
    if (!scroller || row < 0) return
    this.top = scroller.scrollTop
    const wanted = this.topShowing(row, middle)
    if (wanted !== this.top) scroller.scrollTop = wanted
    this.top = scroller.scrollTop
  }

  /**
   * Keeps a row where it is on the screen when rows get another height, or the first visible row if it's out of sight. For use
   * in an effect, which runs again when the height changes.
   */
  keepInPlace(scroller: HTMLElement | null, row: () => number): void {
    const height = this.rowHeight
    untrack(() => {
      const before = this.#lastHeight
      this.#lastHeight = height
      // Scaled positions are about the same share of the rows.
      if (!scroller || before === height || this.#scale !== 1) return
      const [at, from] = [row(), row() * before]
      const inSight = from >= this.top && from + before <= this.top + this.#room
      const kept = inSight ? at : this.top / before
      scroller.scrollTop = this.#scrolled(this.top + kept * (height - before))
      this.top = scroller.scrollTop
      if (inSight) this.show(scroller, at)
    })
  }

  /** Returns the row that a key moves to, or undefined for any other key. */
  goal(key: string, at: number): number | undefined {
    const to: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + this.page,
      PageUp: at - this.page,
      Home: 0,
      End: this.#count() - 1,
    }
    const goal = to[key]
    return goal === undefined ? undefined : Math.max(0, Math.min(this.#count() - 1, goal))
  }

  /** Returns the scroll position of an offset in the rows. Scaled positions are rounded to whole pixels. */
  #scrolled(rows: number): number {
    const most = Math.max(0, this.total - this.#room)
    return Math.max(0, Math.min(most, this.#scale === 1 ? rows : Math.round(rows / this.#scale)))
  }
}
