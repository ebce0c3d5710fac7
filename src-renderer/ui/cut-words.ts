/** Number of ancestors of the pointer's target to check for truncated text. */
const nearest = 4

function isCut(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  if (textOverflow === 'ellipsis') return element.scrollWidth > element.clientWidth
  return /^\d/.test(webkitLineClamp) && element.scrollHeight > element.clientHeight
}
const wordsOf = (element: HTMLElement): string =>
  (element instanceof HTMLInputElement ? element.value : element.innerText).trim()

/** Returns the closest element with truncated text that isn't shown elsewhere. */
function cutAt(place: Element): HTMLElement | undefined {
  let at: Element | null = place
  for (let tried = 0; at && tried < nearest; tried++, at = at.parentElement) {
    if (!(at instanceof HTMLElement) || !isCut(at)) continue
    const words = wordsOf(at)
    const titled = at.closest<HTMLElement>('[title]')
    return words === '' || titled?.title.includes(words) ? undefined : at
  }
  return undefined
}

/**
 * Shows truncated text in full while the pointer is over it.
 * @returns a function that stops
 */
export function showCutWords(document: Document): () => void {
  let shown: HTMLElement | undefined
  /** The text of the same element may change, as in a recycled row. */
  const others = new MutationObserver(() => hide())
  function hide(): void {
    others.disconnect()
    shown?.removeAttribute('title')
    shown = undefined
  }
  function onpointerover({ target }: PointerEvent): void {
    hide()
    shown = target instanceof Element ? cutAt(target) : undefined
    if (!shown) return
    shown.title = wordsOf(shown)
    others.observe(shown, { characterData: true, childList: true, subtree: true })
  }
  document.addEventListener('pointerover', onpointerover, { passive: true })
  return () => {
    document.removeEventListener('pointerover', onpointerover)
    hide()
  }
}
