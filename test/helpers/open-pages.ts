import type { Page } from 'playwright-core'

const pages = new Set<Page>()

export const trackPage = (page: Page): void => void pages.add(page)

/** Returns the tracked pages that are still open. */
export function openPages(): Page[] {
  for (const page of pages) if (page.isClosed()) pages.delete(page)
  return [...pages]
}
