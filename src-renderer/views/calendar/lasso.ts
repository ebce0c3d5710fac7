import type { Surface } from './layout/drag'
import type { CalendarModel } from './model.svelte'
import { swallowClick } from './swallow-click'

/** Selects the entries that an area touches, drawn with Shift over free time. Escape restores the selection. */
export function drawLasso(model: CalendarModel, surface: Surface, down: PointerEvent): void {
  const scroller = surface.scroller?.() ?? null
  const scrolled = scroller?.scrollTop ?? 0
  const before = model.picked.map(({ key }) => key)
  let started = false
  const move = (event: PointerEvent): void => {
    if (!started && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4) return
    started = true
    event.preventDefault()
    // The corner where it began stays with what was scrolled away.
    const from = { x: down.clientX, y: down.clientY - ((scroller?.scrollTop ?? 0) - scrolled) }
    const [left, top] = [Math.min(from.x, event.clientX), Math.min(from.y, event.clientY)]
    const [width, height] = [Math.abs(from.x - event.clientX), Math.abs(from.y - event.clientY)]
    model.lasso = { left, top, width, height }
    const touched = [...(model.root?.querySelectorAll<HTMLElement>('.chip') ?? [])]
      .filter((chip) => {
        const box = chip.getBoundingClientRect()
        return box.left < left + width && box.right > left && box.top < top + height && box.bottom > top
      })
      .flatMap((chip) => chip.querySelector<HTMLElement>('[data-key]')?.dataset['key'] ?? [])
    model.picks.set(new Set([...before, ...touched]))
  }
  const stop = (): void => {
    model.lasso = null
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', up)
    window.removeEventListener('pointercancel', cancel)
    window.removeEventListener('keydown', key, true)
  }
  const cancel = (): void => {
    stop()
    model.picks.set(before)
  }
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    cancel()
  }
  const up = (): void => {
    stop()
    if (!started) return
    swallowClick()
    model.tellPicked()
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', up)
  window.addEventListener('pointercancel', cancel)
  window.addEventListener('keydown', key, true)
}
