/** Keeps `data-theme` on the document: as chosen, or as the system says. Answers how to stop. */
export function applyTheme(choice: 'system' | 'light' | 'dark'): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    document.documentElement.dataset['theme'] = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice
  }
  apply()
  dark.addEventListener('change', apply)
  return () => dark.removeEventListener('change', apply)
}
