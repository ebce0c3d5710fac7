import { followDrag } from '../../ui/drag-session'
import type { Surface } from './layout/drag'
import type { CalendarModel } from './model.svelte'

/** Selects the entries that an area touches, drawn with Shift over free time. Escape restores the selection. */
export function drawLasso(model: CalendarModel, surface: Surface, down: PointerEvent): void {
  const scroller = surface.scroller?.() ?? null
  const scrolled = scroller?.scrollTop ?? 0
  const before = model.picked.map(({ key }) => key)
  followDrag(down, {
    move: ({ clientX, clientY }) => {
      // The corner where it began stays with what was scrolled away.
      const from = { x: down.clientX, y: down.clientY - ((scroller?.scrollTop ?? 0) - scrolled) }
      const [left, top] = [Math.min(from.x, clientX), Math.min(from.y, clientY)]
      const [width, height] = [Math.abs(from.x - clientX), Math.abs(from.y - clientY)]
      model.lasso = { left, top, width, height }
      const touched = [...(model.root?.querySelectorAll<HTMLElement>('.chip') ?? [])]
        .filter((chip) => {
          const box = chip.getBoundingClientRect()
          return box.left < left + width && box.right > left && box.top < top + height && box.bottom > top
        })
        .flatMap((chip) => chip.querySelector<HTMLElement>('[data-key]')?.dataset['key'] ?? [])
      model.picks.set(new Set([...before, ...touched]))
    },
    end: () => (model.lasso = null),
    drop: () => {
      model.tellPicked()
      // For the keys and the menu of the selection.
      const first = model.picked[0]
      if (first) model.elementOf(first.key)?.focus({ preventScroll: true })
    },
    cancel: () => model.picks.set(before),
  })
}
