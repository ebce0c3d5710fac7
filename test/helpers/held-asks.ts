import type { Page } from 'playwright-core'

/** Holds what the page asks by this name, as a slow disk or process does. @returns lets all of it go on */
export async function holdAsks(page: Page, name: string): Promise<() => Promise<void>> {
  await page.evaluate((name) => {
    const { ask } = window.flightplan
    const released = new Promise<void>((resolve) => Object.assign(globalThis, { releaseAsks: resolve }))
    const late = async (asked: string, args: unknown): Promise<unknown> => {
      if (asked === name) await released
      return ask(asked as never, args as never)
    }
    Object.assign(window.flightplan, { ask: late })
  }, name)
  return () => page.evaluate('releaseAsks()')
}
