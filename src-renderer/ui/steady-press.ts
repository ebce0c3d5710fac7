/** Pixels that the pointer may move in a press. */
const still = 3

/**
 * Presses the button that the pointer went down on, even if the button moved away before the pointer went up: a field that
 * loses focus may show why its text is invalid, which moves what’s below.
 * @returns a function that ends it
 */
export function steadyPress(page: Pick<Document, 'addEventListener' | 'removeEventListener'>): () => void {
  let pressed: { button: HTMLButtonElement; top: number; left: number; x: number; y: number } | undefined
  const down = ({ target, button, isPrimary, clientX: x, clientY: y }: PointerEvent): void => {
    const under = button === 0 && isPrimary && target instanceof Element ? target.closest('button') : null
    pressed = undefined
    if (!under) return
    const { top, left } = under.getBoundingClientRect()
    pressed = { button: under, top, left, x, y }
  }
  const up = ({ target, clientX, clientY }: PointerEvent): void => {
    if (!pressed) return
    const { button, top, left, x, y } = pressed
    pressed = undefined
    if (Math.abs(clientX - x) > still || Math.abs(clientY - y) > still) return
    if (!button.isConnected || (target instanceof Node && button.contains(target))) return
    // Something may also have opened over it, which the press was for.
    const now = button.getBoundingClientRect()
    if (now.top !== top || now.left !== left) button.click()
  }
  page.addEventListener('pointerdown', down, { capture: true })
  page.addEventListener('pointerup', up, { capture: true })
  return () => {
    page.removeEventListener('pointerdown', down, { capture: true })
    page.removeEventListener('pointerup', up, { capture: true })
  }
}
