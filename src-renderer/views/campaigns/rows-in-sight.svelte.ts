import { SvelteSet } from 'svelte/reactivity'
import type { Attachment } from 'svelte/attachments'

/** Number of rows drawn at once, and then per frame. A row of many fields takes a millisecond or two. */
const atOnce = 12
const perFrame = 6
/** Distance from the visible part within which rows are drawn, in CSS pixels. */
const margin = 500

/** A list whose rows are drawn as they come into sight. */
export interface DrawnList {
  id: string
  /** Number of its rows. */
  count: number
}

/**
 * Draws the rows of several lists in one scroller as they come near the visible part, a few per frame. An element after
 * the drawn rows of a list keeps the room of the others, and says when it's near.
 */
export class RowsInSight {
  readonly #lists: () => readonly DrawnList[]
  #drawn = $state.raw<ReadonlyMap<string, number>>(new Map())
  readonly #near = new SvelteSet<string>()

  constructor(lists: () => readonly DrawnList[]) {
    this.#lists = lists
    $effect(() => {
      const next = this.#lists().find(({ id, count }) => this.#near.has(id) && this.drawn(id) < count)
      if (!next) return
      const frame = requestAnimationFrame(() => {
        this.#drawn = new Map(this.#drawn).set(next.id, this.drawn(next.id) + perFrame)
      })
      return () => cancelAnimationFrame(frame)
    })
  }

  /** Rows of each list drawn at once: the first ones of the first lists. */
  readonly #first = $derived.by(() => {
    let left = atOnce
    const first = new Map<string, number>()
    for (const { id, count } of this.#lists()) {
      if (left <= 0) break
      first.set(id, Math.min(left, count))
      left -= count
    }
    return first
  })

  /** Number of rows of a list to draw. */
  drawn(id: string): number {
    return Math.max(this.#first.get(id) ?? 0, this.#drawn.get(id) ?? 0)
  }

  /** Watches the element that keeps the room of a list's other rows. */
  room(id: string): Attachment<HTMLElement> {
    return (element) => {
      const watch = ([entry]: IntersectionObserverEntry[]): void => {
        if (entry!.isIntersecting) this.#near.add(id)
        else this.#near.delete(id)
      }
      const observer = new IntersectionObserver((entries) => watch(entries.slice(-1)), {
        root: scrollerOf(element),
        rootMargin: `${margin}px 0px`,
      })
      observer.observe(element)
      return () => {
        observer.disconnect()
        this.#near.delete(id)
      }
    }
  }
}

/** The nearest element around that scrolls vertically. Null: the page. */
function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let around = element.parentElement; around; around = around.parentElement)
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around
  return null
}
