import type { Preferences } from '../../../context/preferences.svelte'
import { dayMs } from '../../../ui/dates'
import { stepsFor, ticksOf, weekendsOf, type TickStyle } from './ticks'
import type { TimeWindow } from './time-window.svelte'

interface Source {
  window: TimeWindow
  preferences: Pick<Preferences, 'weekStart'>
  weekNumbers: () => boolean
  /** The wall of today's midnight. */
  today: () => number
}

/** Days drawn beyond each edge, as a share of those in sight, so that not every scrolled pixel draws others. */
const spare = 0.5

/** The drawn part of the axis: months, weeks, days, and weekends. */
export class Axis {
  readonly window: TimeWindow
  readonly #source: Source

  constructor(source: Source) {
    this.window = source.window
    this.#source = source
  }

  get today(): number {
    return this.#source.today()
  }
  /** Blocks of days, so that scrolling within one draws nothing. */
  readonly #block = $derived.by(() => {
    const { from, to } = this.window
    return Math.max(dayMs, (to - from) * spare)
  })
  readonly #from = $derived.by(() => (Math.floor(this.window.from / this.#block) - 1) * this.#block)
  readonly #to = $derived.by(() => (Math.ceil(this.window.to / this.#block) + 1) * this.#block)
  readonly #style = $derived.by((): TickStyle => {
    const { window, preferences, weekNumbers } = this.#source
    return { weekStart: preferences.weekStart, weekNumbers: weekNumbers(), perDay: window.perDay }
  })
  readonly #steps = $derived.by(() => stepsFor(this.window.perDay))

  readonly upper = $derived.by(() => ticksOf(this.#steps.upper, this.#from, this.#to, this.#style))
  readonly lower = $derived.by(() => ticksOf(this.#steps.lower, this.#from, this.#to, this.#style))
  readonly weekends = $derived.by(() => weekendsOf(this.#from, this.#to, this.window.perDay))
}
