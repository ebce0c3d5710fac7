import type { Locator } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser, firstAdvertiser } from '../helpers/campaign-download'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { dismissMessages, messages, pressing, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
beforeAll(async () => {
  const { profileId = '' } = (await service.client.call('trafficking.userProfiles.list', {})).body.items![0]!
  const empty = { name: 'Empty shelf', status: 'APPROVED' as const }
  await service.client.call('trafficking.advertisers.insert', { profileId }, { body: empty })
})
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
beforeAll(async () => downloadAdvertiser(page, await firstAdvertiser(service)), 180_000)

const press = pressing(() => page)
const grid = (name: string): Locator => page.getByRole('grid', { name })
const dialog = (): Locator => page.getByRole('dialog')
const count = async (name: string): Promise<number> => Number(await grid(name).getAttribute('aria-rowcount')) - 1
const duplicate = (): Locator => dialog().getByRole('button', { name: 'Duplicate', exact: true })
async function open(list: string): Promise<void> {
  await runCommand(page, `Campaigns: ${list.toLowerCase()}`)
  await grid(list).getByRole('gridcell').first().waitFor()
  await dismissMessages(page)
  await grid(list).focus()
  await press('Control+Home')
}

beforeEach(() => press('Escape', 'Escape'))

it('copies placements to another campaign by keys, and undoes that in one step', async () => {
  await open('Placements')
  const before = await count('Placements')
  await press('Shift+ArrowDown', 'Control+Alt+d')
  await page.getByRole('dialog', { name: 'Duplicate 2 placements', exact: true }).waitFor()
  await expect.poll(() => duplicate().isDisabled()).toBe(true)
  await dialog().getByRole('combobox', { name: 'Campaign' }).focus()
  await press('ArrowDown', 'ArrowDown', 'Enter')
  await expect.poll(() => duplicate().isDisabled()).toBe(false)
  await duplicate().press('Enter')
  await messages(page)
    .getByText(/^Duplicated 2 placements to /)
    .waitFor()
  await expect.poll(() => count('Placements')).toBe(before + 2)
  await press('Control+z')
  await expect.poll(() => count('Placements')).toBe(before)
})

it('copies a campaign to another advertiser and lists what it refers to there', async () => {
  await open('Campaigns')
  const before = await count('Campaigns')
  await grid('Campaigns').getByRole('gridcell').nth(1).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Duplicate to another campaign or advertiser' }).click()
  const to = dialog().getByRole('combobox', { name: 'Advertiser' })
  await to.click()
  const first = page.getByRole('option').first()
  await first.waitFor()
  const other = (await first.textContent())!.trim()
  await first.click()
  await expect.poll(() => to.inputValue()).toBe(other)
  await dialog().getByRole('heading', { name: 'Replace references' }).waitFor()
  const pages = dialog().getByRole('combobox', { name: /^Landing page / })
  await expect.poll(() => pages.count()).toBeGreaterThan(0)
  await pages.first().click()
  await page.getByRole('option', { name: 'Leave empty' }).waitFor()
  await press('Escape')
  expect(await violationsByTheme(page)).toEqual([])
  await duplicate().click()
  await messages(page).getByText(`to “${other}”`, { exact: false }).waitFor()
  await expect.poll(() => count('Campaigns')).toBe(before + 1)
  await press('Control+z')
  await expect.poll(() => count('Campaigns')).toBe(before)
})

it('isn’t possible without a replacement for what a record needs', async () => {
  await open('Tracking activities')
  await press('Control+Alt+d')
  await dialog().getByRole('combobox', { name: 'Advertiser' }).click()
  await page.getByRole('option', { name: 'Empty shelf' }).click()
  await dialog().getByText('Required, but there’s no tracking activity group to choose from').waitFor()
  await expect.poll(() => duplicate().isDisabled()).toBe(true)
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
})
