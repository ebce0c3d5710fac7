import type { Upon } from '../../../replica/api'
import { dayMs } from '../../../ui/dates'
import { followDrag } from '../../../ui/drag-session'
import { collectionOf } from '#shared/domain/collections'
import type { CampaignsModel } from '../model.svelte'
import { shiftFlights, type Grip } from '../shifting'
import { barOf, movedBar, type Bar } from './bars'

/** Distance from the edges within which dragging scrolls, and the fastest step per frame, in CSS pixels. */
const edge = 32
const maxStep = 20

interface Axis {
  scroller: () => HTMLElement | null
  /** Pixels at the left that don't scroll. */
  fixed: () => number
  /** The wall at a point: pixels from where the axis begins. */
  wallAt: (pixels: number) => number
}

/** Flights being moved by the pointer, and until that is saved. */
export class FlightDrag {
  /** Bars at the start of the drag, and the values that were seen. Null without a drag. */
  #grabbed = $state.raw<ReadonlyMap<string, { bar: Bar; seen: Upon }> | null>(null)
  grip = $state<Grip>('move')
  days = $state(0)
  /** Key of the record whose bar is under the pointer. */
  key = $state<string | null>(null)

  constructor(
    private readonly model: CampaignsModel,
    private readonly axis: Axis,
  ) {}

  get active(): boolean {
    return this.#grabbed !== null
  }

  /** The bar of a record while it's moved. Undefined for all others. */
  barOf(key: string): Bar | undefined {
    const grabbed = this.#grabbed?.get(key)
    return grabbed && movedBar(grabbed.bar, this.grip, this.days)
  }

  /**
   * Follows the pointer from where it was pressed on a bar. Moves all selected flights.
   * @param onclick called if it was released without a drag
   */
  start(down: PointerEvent, key: string, grip: Grip, onclick: () => void): void {
    const { model, axis } = this
    // Not a distance in pixels, because the axis may be zoomed and begin on another day while it's dragged.
    const wallOf = (clientX: number): number => {
      const scroller = axis.scroller()
      const begin = scroller ? scroller.getBoundingClientRect().left + axis.fixed() - scroller.scrollLeft : 0
      return axis.wallAt(clientX - begin)
    }
    const startWall = wallOf(down.clientX)
    let pointer = down.clientX
    let frame = 0
    let began = false
    const look = (): void => {
      this.days = Math.round((wallOf(pointer) - startWall) / dayMs)
    }
    const scroll = (): void => {
      frame = requestAnimationFrame(scroll)
      const scroller = axis.scroller()
      if (!scroller || !began) return
      const { left, right } = scroller.getBoundingClientRect()
      const step = (past: number): number => Math.max(0, Math.min(maxStep, (past + edge) / 2))
      const by = step(pointer - right) - step(left + axis.fixed() - pointer)
      if (by === 0) return
      scroller.scrollLeft += by
      look()
    }
    const grab = (): boolean => {
      const grabbed = new Map<string, { bar: Bar; seen: Upon }>()
      for (const one of model.selectedKeys()) {
        const found = this.#grab(one)
        if (found) grabbed.set(one, found)
      }
      this.#grabbed = grabbed
      this.grip = grip
      this.key = key
      this.days = 0
      began = grabbed.size > 0
      frame = requestAnimationFrame(scroll)
      return began
    }
    followDrag(down, {
      begin: grab,
      move: ({ clientX }) => {
        pointer = clientX
        document.body.style.cursor = grip === 'move' ? 'grabbing' : 'ew-resize'
        look()
      },
      end: () => {
        cancelAnimationFrame(frame)
        document.body.style.cursor = ''
        if (!began) onclick()
      },
      cancel: (asked) => {
        this.#end()
        if (asked) model.app.announce('Canceled. Nothing changed')
      },
      drop: () => void this.#drop(),
    })
  }

  #grab(key: string): { bar: Bar; seen: Upon } | undefined {
    const { rows, kind, app } = this.model
    const row = rows?.find(key) ?? -1
    if (row < 0 || !kind.flight || collectionOf(key) !== kind.name) return undefined
    const cell = this.model.cell(row)
    const { start, end } = kind.flight
    const bar = barOf(kind.flight, cell, this.model.zone)
    const values = { [start]: cell(start) ?? null, [end]: cell(end) ?? null }
    return bar && { bar, seen: { seq: app.replica.remoteSeq(key), values } }
  }

  /** Shows the moved bars until they're saved, so that none jumps back. */
  async #drop(): Promise<void> {
    const grabbed = this.#grabbed
    if (!grabbed || this.days === 0) return this.#end()
    const seen = new Map([...grabbed].map(([key, one]) => [key, one.seen]))
    await shiftFlights(this.model, [...grabbed.keys()], this.grip, this.days, seen)
    if (this.#grabbed === grabbed) this.#end()
  }

  #end(): void {
    this.#grabbed = null
    this.key = null
    this.days = 0
  }
}
