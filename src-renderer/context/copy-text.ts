import type { AppContext } from './context'

/**
 * Copies text to the clipboard and reports a failure.
 * @param what name of the text, such as `the rows`
 * @param instead sentence with an alternative
 * @returns true if the text was copied
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
    toasts.show(`Couldn’t copy ${what}. ${instead}`, { level: 'error', survivesAccountSwitch: true })
    return false
  }
}
