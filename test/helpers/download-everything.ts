import { systemClock } from '#shared/time/clock'
import type { Page } from 'playwright-core'

const barOf = (page: Page): ReturnType<Page['getByRole']> =>
  page.getByRole('progressbar', { name: 'Download of Everything' })

/** Goes to Sync, from wherever the window is. */
export async function openSync(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: 'Campaign data' })
  await page.getByRole('grid').first().or(heading).first().waitFor()
  if (!(await heading.isVisible())) await page.keyboard.press('Control+4')
  await heading.waitFor()
}

/** Chooses all of the first profile, in Sync, and waits until the download is under way. */
export async function startDownload(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose what to download…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
  await dialog.getByText('Everything', { exact: true }).click()
  await dialog.getByRole('button', { name: /^Download/ }).click()
  await barOf(page).waitFor()
}

/** @param patience milliseconds @throws Error where it is not whole by then */
export async function untilDownloaded(page: Page, patience: number): Promise<void> {
  const until = systemClock.elapsed() + patience
  await page
    .getByText(/up to date|read .* ago|kept here/i)
    .first()
    .waitFor({ timeout: patience })
  while ((await barOf(page).count()) > 0) {
    if (systemClock.elapsed() > until) throw new Error(`The download is not whole after ${patience} ms`)
    await page.waitForTimeout(500)
  }
}
