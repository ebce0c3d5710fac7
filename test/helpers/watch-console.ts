import type { Page } from 'playwright-core'

export interface WatchedConsole {
  log: string[]
  /** Errors and warnings the test didn't expect. */
  complaints: string[]
  /** @throws Error if there were complaints */
  check(): void
}

/** Collects a page's console output. @param expected errors and warnings that the test provokes */
export function watchConsole(page: Page, expected?: RegExp, log: string[] = []): WatchedConsole {
  const complaints: string[] = []
  const note = (line: string, complaint: boolean): void => {
    log.push(line)
    if (complaint && !expected?.test(line)) complaints.push(line)
  }
  page.on('console', (message) =>
    note(`${message.type()}: ${message.text()}`, /^(error|warning)$/.test(message.type())),
  )
  page.on('pageerror', (error) => note(`pageerror: ${error.message}`, true))
  return {
    log,
    complaints,
    check: () => {
      if (complaints.length > 0) throw new Error(`The page complained:\n${[...new Set(complaints)].join('\n')}`)
    },
  }
}
