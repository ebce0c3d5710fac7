import type { Page } from 'playwright-core'
import { runCommand } from './page'
import type { TestService } from './service'

const barOf = (page: Page): ReturnType<Page['getByRole']> =>
  page.getByRole('progressbar', { name: 'Download of Everything' })

/** Opens Sync from any view. */
export async function openSync(page: Page): Promise<void> {
  const heading = page.getByRole('heading', { name: 'Campaign data' })
  await page.getByRole('grid').first().or(heading).first().waitFor()
  await page.keyboard.press('Control+6')
  await heading.waitFor()
}

/** Selects all of the first profile in Sync and waits until the download starts. */
export async function startDownload(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose what to download…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
  await dialog.getByText('Everything', { exact: true }).click()
  await dialog.getByRole('button', { name: /^Download/ }).click()
  await barOf(page).waitFor()
}

/** Waits until everything is downloaded. @throws Error after `patience` milliseconds */
export async function untilDownloaded(page: Page, patience: number): Promise<void> {
  await page
    .getByText(/up to date|(updated|synced) .* ago|Downloading everything/i)
    .first()
    .waitFor({ timeout: patience })
  await barOf(page).waitFor({ state: 'detached', timeout: patience })
}

/** Downloads an advertiser by name, or the first, and waits for its records. */
export async function downloadAdvertiser(page: Page, name?: string): Promise<void> {
  await runCommand(page, 'Choose campaign data to download')
  const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
  await (name === undefined ? dialog.getByRole('option').first() : dialog.getByRole('option', { name })).click()
  await dialog.getByRole('button', { name: /^Download 1/ }).click()
  const card = page.getByRole('list', { name: 'Campaign data', exact: true }).locator('> li')
  await card
    .getByText(/^[\d,]+ records, updated/)
    .first()
    .waitFor()
}

/** Name of the first advertiser of the demo account. */
export async function firstAdvertiser({ client }: TestService): Promise<string> {
  const { profileId = '' } = (await client.call('trafficking.userProfiles.list', {})).body.items![0]!
  return (await client.call('trafficking.advertisers.list', { profileId })).body.advertisers![0]!.name!
}
