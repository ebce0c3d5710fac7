import { tick } from 'svelte'
import { dayMs } from '../../../ui/dates'
import type { Bar } from './bars'
import { clampedDay, fitOf, narrowestDay, wallAt, widthOf, xOf, extentOf, type Scale } from './scale'

interface Source {
  scroller: () => HTMLElement | null
  /** Pixels at the left that don't scroll. */
  fixed: () => number
  /** The wall of today's midnight. */
  today: () => number
  /** The stretch of all flights. */
  flights: () => Bar | undefined
}

/** Zoom and horizontal position of the axis. */
export class TimeWindow {
  /** Width of a day, in CSS pixels. */
  perDay = $state(12)
  /** `scrollLeft` and `clientWidth` of the scroller. */
  left = $state(0)
  clientWidth = $state(0)
  readonly #source: Source

  constructor(source: Source) {
    this.#source = source
  }

  /** Visible pixels of the axis. */
  readonly width = $derived.by(() => Math.max(0, this.clientWidth - this.#source.fixed()))
  readonly #extent = $derived.by(() =>
    extentOf(this.#source.flights(), this.#source.today(), Math.ceil(this.clientWidth / narrowestDay)),
  )
  readonly #first = $derived(this.#extent.first)
  readonly #last = $derived(this.#extent.last)
  readonly scale = $derived.by((): Scale => ({ first: this.#first, last: this.#last, perDay: this.perDay }))
  readonly total = $derived.by(() => widthOf(this.scale))
  /** Walls at the edges of what is visible. */
  readonly from = $derived.by(() => wallAt(this.scale, this.left))
  readonly to = $derived.by(() => wallAt(this.scale, this.left + this.width))

  /** Keeps the visible days when the axis begins on another one. For use in an effect. */
  keepInPlace = (): void => {
    const { first } = this.scale
    const before = this.#before
    this.#before = first
    if (before !== undefined && before !== first) this.#scroll(this.left + ((before - first) / dayMs) * this.perDay)
  }
  #before: number | undefined

  #scroll(left: number): void {
    const scroller = this.#source.scroller()
    if (!scroller) return
    scroller.scrollLeft = left
    this.left = scroller.scrollLeft
  }

  /** Zooms by a factor, and keeps the time at a point of the axis where it is: pixels from its left edge, or the middle. */
  async zoom(factor: number, at = this.width / 2): Promise<void> {
    const next = clampedDay(this.perDay * factor)
    if (next === this.perDay) return
    await this.#zoomTo(next, wallAt(this.scale, this.left + at), at)
  }

  /** Shows bars and today as large as they fit. */
  async fit(bars: Iterable<Bar>): Promise<void> {
    const { perDay, from } = fitOf(bars, this.#source.today(), this.width)
    await this.#zoomTo(clampedDay(perDay), from, 0)
  }

  /** Changes the width of days, with a wall at a point of the axis. Draws once, although the element scrolls only afterward. */
  async #zoomTo(perDay: number, wall: number, at: number): Promise<void> {
    this.perDay = perDay
    const left = Math.max(0, xOf(this.scale, wall) - at)
    this.left = left
    await tick()
    this.#scroll(left)
  }

  /** Moves today to the first third. */
  showToday(): void {
    this.#scroll(xOf(this.scale, this.#source.today()) - this.width / 3)
  }

  /** Moves a bar into sight: its start, if it doesn't fit. */
  show({ start, end }: Bar): void {
    const [left, right] = [xOf(this.scale, start), xOf(this.scale, end)]
    const margin = Math.min(40, this.width / 8)
    if (left >= this.left && right <= this.left + this.width) return
    const isLong = right - left > this.width - 2 * margin
    this.#scroll(left < this.left || isLong ? left - margin : right - this.width + margin)
  }

  /** Scrolls by a share of what is visible. */
  scrollBy(share: number): void {
    this.#scroll(this.left + Math.round(this.width * share))
  }

  /** True if a bar is out of sight, and on which side. */
  beyond({ start, end }: Bar): 'left' | 'right' | undefined {
    return end <= this.from ? 'left' : start >= this.to ? 'right' : undefined
  }
}
