import type { Page } from 'playwright-core'

const pages = new Set<Page>()

export const showPage = (page: Page): void => void pages.add(page)

/** Pages that tests of this file have open. */
export function shownPages(): Page[] {
  for (const page of pages) if (page.isClosed()) pages.delete(page)
  return [...pages]
}
