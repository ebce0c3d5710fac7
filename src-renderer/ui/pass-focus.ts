const controls = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'
const all = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(controls)]

/** Attached to “Show more”: if pressing it takes it away, what it brought in its place gets the focus. */
export function passFocus(button: HTMLElement): () => void {
  const onclick = (): void => {
    const before = all()
    const last = before[before.indexOf(button) - 1]
    // Once Svelte, which listens at the root, has handled the click.
    setTimeout(() => {
      const now = button.isConnected ? [] : all()
      now[now.findIndex((element) => element === last) + 1]?.focus()
    }, 0)
  }
  button.addEventListener('click', onclick)
  return () => button.removeEventListener('click', onclick)
}

/** For a `focusout` handler: calls `land` if the focus was lost because what had it went away, before the view itself lands. */
export function afterRemoval({ target, relatedTarget }: FocusEvent, land: () => void): void {
  if (relatedTarget !== null || !(target instanceof Node)) return
  requestAnimationFrame(() => {
    if (!target.isConnected && document.activeElement === document.body) land()
  })
}
