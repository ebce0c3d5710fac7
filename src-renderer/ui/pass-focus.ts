const controls = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'
const all = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(controls)]
/** The focus of a removed element is nowhere, or on the dialog around it. */
const isLost = (): boolean => document.activeElement?.matches('body, [role=dialog], [role=alertdialog]') ?? true

/**
 * Attached to a button that its own press takes away, such as “Show more” or “Download”, at once or when its work is done:
 * what came in its place gets the focus.
 */
export function passFocus(button: HTMLElement): () => void {
  let before: HTMLElement[] = []
  function onclick(): void {
    const now = all()
    before = now.slice(0, now.indexOf(button))
  }
  const onfocusout = (event: FocusEvent): void =>
    afterRemoval(event, () => {
      const last = before.filter((one) => one.isConnected).at(-1)
      const now = all()
      now[last ? now.indexOf(last) + 1 : 0]?.focus()
    })
  button.addEventListener('click', onclick)
  button.addEventListener('focusout', onfocusout)
  return () => {
    button.removeEventListener('click', onclick)
    button.removeEventListener('focusout', onfocusout)
  }
}

/** For a `focusout` handler: calls `land` if the focus was lost because what had it went away, before the view itself lands. */
export function afterRemoval({ target, relatedTarget }: FocusEvent, land: () => void): void {
  if (relatedTarget !== null || !(target instanceof Node)) return
  requestAnimationFrame(() => {
    if (!target.isConnected && isLost()) land()
  })
}
