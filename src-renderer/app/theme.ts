/**
 * Sets `data-theme` on the document to the chosen theme or the system's. Returns a function that stops following it.
 */
export function applyTheme(choice: 'system' | 'light' | 'dark'): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    document.documentElement.dataset['theme'] = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
  }
  apply()
  dark.addEventListener('change', apply)
  return () => dark.removeEventListener('change', apply)
}
