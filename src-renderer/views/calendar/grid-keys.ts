import { dayMs, startOfWeek } from '../../ui/dates'
import { nearest, stopAt, type Stop } from './layout/stops'
import type { CalendarModel } from './model.svelte'

export interface GridKeyOptions {
  /** In a month, the next row is the same weekday a week later. */
  rows: 'times' | 'weeks'
  onopen: (stop: Stop) => void
}

/** Listener for `keydown` on a grid: arrows walk cells, free times and entries; Enter opens. */
export function gridKeys(model: CalendarModel, options: GridKeyOptions): (event: KeyboardEvent) => void {
  let goal: number | null = null

  const vertical = (step: 1 | -1): Stop => {
    const { stop } = model
    goal = null
    const stops = model.stopsOf(stop.day)
    const next = stops[nearest(stops, stop) + step]
    if (next) return next
    if (options.rows === 'times') return stop
    const day = stop.day + step * 7 * dayMs
    return step > 0
      ? { kind: 'cell', day, minute: -1 }
      : (model.stopsOf(day).at(-1) ?? { kind: 'cell', day, minute: -1 })
  }
  const sideways = (step: 1 | -1): Stop => {
    const { stop } = model
    let day = stop.day + step * dayMs
    while (model.isLeftOut(day)) day += step * dayMs
    goal ??= stop.minute
    const stops = model.stopsOf(day)
    if (options.rows === 'weeks' || stop.minute < 0)
      return stops[nearest(stops, { ...stop, kind: 'cell', day } as Stop)] ?? { kind: 'cell', day, minute: goal }
    return stops.length > 0 ? stopAt(stops, goal, (key) => endOn(day, key)) : { kind: 'slot', day, minute: goal }
  }
  const endOn = (day: number, key: string): number => ((model.byKey.get(key)?.end ?? day) - day) / 60_000

  /** The nearest entry in a direction, on the same day or on one further on. */
  const nextEntry = (way: 'up' | 'down' | 'left' | 'right'): Stop | undefined => {
    const { stop } = model
    const step = way === 'up' || way === 'left' ? -1 : 1
    const entriesOf = (day: number): readonly Stop[] => model.stopsOf(day).filter(({ kind }) => kind === 'entry')
    if ((way === 'up' || way === 'down') && options.rows === 'times') {
      const stops = model.stopsOf(stop.day)
      const at = nearest(stops, stop)
      const rest = step > 0 ? stops.slice(at + 1) : stops.slice(0, at).reverse()
      return rest.find(({ kind }) => kind === 'entry')
    }
    const { days } = model.stretch
    const far = way === 'up' || way === 'down' ? 7 : 1
    for (let at = days.indexOf(stop.day) + step * far; at >= 0 && at < days.length; at += step * far) {
      const stops = entriesOf(days[at]!)
      if (stops.length > 0) return stops[nearest(stops, { ...stop, day: days[at]! } as Stop)]
    }
    return undefined
  }
  /** Adds the entry with the focus and the next one to the selection. */
  function extend(event: KeyboardEvent): boolean {
    const way = ({ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const)[event.key]
    if (way === undefined) return false
    const next = nextEntry(way)
    const { stop } = model
    if (next?.kind === 'entry') {
      const keys = model.picked.map(({ key }) => key)
      // Going back gives up the last one.
      const back = stop.kind === 'entry' && model.isPicked(next.key)
      if (back) model.picks.set(keys.filter((key) => key !== stop.key))
      else model.picks.set(new Set([...keys, ...(stop.kind === 'entry' ? [stop.key] : []), next.key]))
      model.tellPicked()
      void model.moveTo(next)
    }
    return true
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (
      !(event.target instanceof Element) ||
      !event.target.closest('[data-key], [data-cell], [data-slot], [data-more]')
    )
      return
    if (event.shiftKey) {
      if (!extend(event)) return
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const { stop } = model
    let next: Stop | undefined
    switch (event.key) {
      case 'ArrowDown':
        next = vertical(1)
        break
      case 'ArrowUp':
        next = vertical(-1)
        break
      case 'ArrowRight':
        next = sideways(1)
        break
      case 'ArrowLeft':
        next = sideways(-1)
        break
      case 'Home':
        next = {
          ...stop,
          kind: 'cell',
          minute: -2,
          day: startOfWeek(stop.day, model.app.preferences.weekStart),
        } as Stop
        break
      case 'End':
        next = {
          ...stop,
          kind: 'cell',
          minute: -2,
          day: startOfWeek(stop.day, model.app.preferences.weekStart) + 6 * dayMs,
        } as Stop
        break
      case 'PageDown':
      case 'PageUp':
        event.preventDefault()
        model.turn(event.key === 'PageDown' ? 1 : -1)
        void model.moveTo({ kind: 'cell', day: model.day, minute: -2 })
        return
      case 'Enter':
      case ' ':
        if (stop.kind === 'entry' || stop.kind === 'more') return
        event.preventDefault()
        options.onopen(stop)
        return
      default:
        return
    }
    event.preventDefault()
    event.stopPropagation()
    model.picks.clear()
    const { first, last } = model.stretch
    if (next.day < first || next.day > last) model.go(next.day)
    void model.moveTo(next)
  }
}
