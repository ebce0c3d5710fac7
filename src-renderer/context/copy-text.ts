import type { AppContext } from './context'

/**
 * Puts text on the clipboard. Where the system does not take it, that is told. `what`: as `the rows`; `instead`: a sentence on
 * what helps. Whether it was taken.
 */
export async function copyText(
  { toasts }: Pick<AppContext, 'toasts'>,
  text: string,
  { what, instead }: { what: string; instead: string },
): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toasts.show(`The clipboard did not take ${what}. ${instead}`, { level: 'error', goesAlong: true })
    return false
  }
}
