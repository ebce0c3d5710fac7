import { clock } from '../../clock'
import type { CalendarModel } from './model.svelte'

/** Pixels along the left and right edge of the days. */
const zone = 24
/** Milliseconds at an edge before the page turns, and between two turns. */
const rest = 700

/** Turns the page while a dragged entry rests at the left or right edge of the days. */
export class EdgeTurn {
  #since = 0

  constructor(private readonly model: CalendarModel) {}

  /** Called again and again with where the pointer is. @returns true if the page turned */
  at({ x, y }: { x: number; y: number }): boolean {
    const side = this.#sideOf(x, y)
    if (side !== this.model.edge) {
      this.model.edge = side
      this.#since = clock.elapsed()
      return false
    }
    if (side === null || clock.elapsed() - this.#since < rest) return false
    this.#since = clock.elapsed()
    this.model.turn(side)
    return true
  }

  #sideOf(x: number, y: number): -1 | 1 | null {
    const box = this.model.root?.getBoundingClientRect()
    if (!box || y < box.top || y > box.bottom) return null
    if (x >= box.left - zone && x < box.left + zone) return -1
    return x <= box.right + zone && x > box.right - zone ? 1 : null
  }

  end(): void {
    this.model.edge = null
  }
}
