/** Pixels that the pointer must move before it drags. */
const threshold = 4

export interface Drag {
  /** Called with every move, even before the drag begins. */
  follow?(event: PointerEvent): void
  /** Called once the pointer has moved far enough. False cancels the drag. */
  begin?(): boolean
  move(event: PointerEvent): void
  /** Called once the pointer is clearly outside the window, where the drag ends. Without it, the drag continues. */
  leave?(): void
  drop(event: PointerEvent): void
  /** @param asked true if it was canceled with Escape */
  cancel(asked: boolean): void
  /** Called first when the drag ends, whether it began or not. */
  end?(): void
  /** Receives other keys when they're pressed and released. */
  key?(event: KeyboardEvent): void
}

/** Follows the pointer from where it was pressed until it's released. Escape cancels. */
export function followDrag(down: PointerEvent, drag: Drag): void {
  let began = false
  const listening = new AbortController()
  const { signal } = listening
  const end = (): void => {
    listening.abort()
    drag.end?.()
  }
  const cancel = (asked: boolean): void => {
    end()
    drag.cancel(asked)
  }
  const move = (event: PointerEvent): void => {
    drag.follow?.(event)
    if (!began) {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < threshold) return
      if (drag.begin?.() === false) return cancel(false)
      began = true
    }
    event.preventDefault()
    if (drag.leave && isOutside(event)) {
      end()
      return drag.leave()
    }
    drag.move(event)
  }
  const up = (event: PointerEvent): void => {
    end()
    if (!began) return
    swallowClick()
    drag.drop(event)
  }
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return drag.key?.(event)
    if (event.type !== 'keydown' || !began) return
    event.preventDefault()
    event.stopPropagation()
    cancel(true)
  }
  window.addEventListener('pointermove', move, { signal })
  window.addEventListener('pointerup', up, { signal })
  window.addEventListener('pointercancel', () => cancel(false), { signal })
  window.addEventListener('keydown', key, { capture: true, signal })
  window.addEventListener('keyup', key, { capture: true, signal })
}

/** Pixels around the window that still count as its edge. */
const edge = 16
const isOutside = ({ clientX, clientY }: PointerEvent): boolean =>
  clientX < -edge || clientY < -edge || clientX > window.innerWidth + edge || clientY > window.innerHeight + edge

/** The click that ends a drag mustn’t open what was dragged. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 50)
}
