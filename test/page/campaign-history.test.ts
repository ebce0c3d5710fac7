import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { violationsByTheme } from '../helpers/axe'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
let placement: { id: string; name: string }

beforeAll(async () => {
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, 120_000)
  await runCommand(page, 'Campaigns: placements')
  await rows().first().waitFor()
}, 180_000)

const grid = (): Locator => page.getByRole('grid')
const rows = (): Locator => grid().locator('.body').getByRole('row')
const record = (): Locator => page.getByRole('complementary', { name: 'Record' })
const fresh = (): Locator => page.getByRole('button', { name: /^Placements updated/ })
const lines = (): Locator => record().getByRole('list', { name: 'History' }).getByRole('listitem')

const passesAxe = async (within?: Locator): Promise<void> =>
  expect(await violationsByTheme(page, { within })).toEqual([])

/** Changes the first placement of the list as another user. */
async function asMina(patch: Record<string, string>): Promise<void> {
  const answer = await service.asMina('trafficking.userProfiles.list', {})
  const { items } = (answer['body'] ?? answer) as { items: { profileId: string }[] }
  await service.asMina('trafficking.placements.patch', { profileId: items[0]!.profileId, id: placement.id }, patch)
}

it('shows the age of each record type, by mouse and keyboard', async () => {
  await fresh().click()
  const panel = page.getByRole('dialog', { name: 'Last updated' })
  await panel
    .getByRole('listitem')
    .filter({ hasText: /^Placements\s+[\d,]+\s+updated/ })
    .waitFor()
  await passesAxe(panel)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await runCommand(page, 'Last updated')
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

it('loads changes by others and shows who changed how much', async () => {
  await grid().focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Space')
  const name = (await record().getByRole('heading', { level: 3 }).textContent())!.trim()
  const { body } = await service.client.call('trafficking.userProfiles.list', {})
  const { profileId } = body.items![0]!
  const found = await service.client.call('trafficking.placements.list', {
    profileId: profileId!,
    searchString: name,
  } as never)
  const { placements } = found.body as unknown as { placements: { id: string; name: string }[] }
  placement = placements.find((one) => one.name === name)!
  await asMina({ comment: 'Mina looked at it' })
  await fresh().click()
  await page.getByRole('button', { name: 'Get recent changes' }).click()
  const toast = page.getByText(/1 new change to 1 record by /)
  await toast.first().waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('grid', { name: 'Recent changes' }).waitFor()
  await rows().filter({ hasText: 'Mina looked at it' }).first().waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByRole('grid', { name: 'Placements' }).waitFor()
})

it("shows in a record who changed what, and what's pending", async () => {
  await record().getByText('History', { exact: true }).click()
  await lines().filter({ hasText: 'Mina looked at it' }).waitFor()
  await passesAxe(record())
  await record().getByLabel('Comment', { exact: true }).fill('What I think')
  await page.keyboard.press('Tab')
  await lines().filter({ hasText: 'draft' }).waitFor()
  await asMina({ comment: 'Mina was faster' })
  await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('button', { name: /^Post \d/ })
    .first()
    .click()
  await dialog
    .getByText(/needs? attention/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await record().locator('.actions').getByRole('button', { name: 'Resolve in Sync' }).waitFor()
  await lines().getByRole('button', { name: 'Resolve in Sync' }).click()
  await page.locator('[data-entry]').filter({ hasText: 'faster' }).waitFor()
})
