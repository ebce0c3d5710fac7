const controls = 'a[href], button:not(:disabled)'
const inMenu = (element: Element): boolean => element.closest('.menu-panel') !== null

/**
 * Attached to a list whose focused entry may go away: the same control of the next entry gets the focus, or of the previous one.
 * With the last one, the focus returns to where it was before.
 */
export function keepFocus(list: HTMLElement): () => void {
  let before: HTMLElement | null = null
  let focused: HTMLElement | null = null
  let [entry, fromEnd] = [-1, 0]
  const entries = (): HTMLElement[] => [...list.querySelectorAll('li')]
  const controlsOf = (one: HTMLElement): HTMLElement[] => [...one.querySelectorAll<HTMLElement>(controls)]
  const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

  function note(): void {
    const own = focused?.closest('li')
    entry = own ? entries().indexOf(own) : -1
    if (own) fromEnd = controlsOf(own).length - controlsOf(own).indexOf(focused!)
  }
  function onfocusin({ target, relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof HTMLElement && !list.contains(relatedTarget) && !inMenu(relatedTarget))
      before = relatedTarget
    focused = target as HTMLElement
    note()
  }
  function onfocusout({ relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Element && !list.contains(relatedTarget) && !inMenu(relatedTarget)) focused = null
  }
  const changes = new MutationObserver(() => {
    if (!focused) return
    if (focused.isConnected) return note()
    if (!isLost()) return
    const next = entry < 0 ? undefined : (entries()[entry] ?? entries().at(-1))
    const [own, first] = next ? [controlsOf(next).at(-fromEnd), controlsOf(next)[0]] : []
    ;(own ?? first ?? before)?.focus()
  })
  changes.observe(list, { childList: true, subtree: true })
  list.addEventListener('focusin', onfocusin)
  list.addEventListener('focusout', onfocusout)
  return () => {
    changes.disconnect()
    list.removeEventListener('focusin', onfocusin)
    list.removeEventListener('focusout', onfocusout)
    // Once it's gone.
    if (focused) requestAnimationFrame(() => isLost() && before?.focus({ preventScroll: true }))
  }
}
