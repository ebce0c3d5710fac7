import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { pressing, runCommand } from '../helpers/page'
import { recordGrid } from '../helpers/record-grid'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))

beforeAll(async () => {
  await downloadAdvertiser(page)
})

const press = pressing(() => page)
const { grid, rows } = recordGrid(() => page)
const filters = (): Locator => page.getByRole('group', { name: 'Filters' })
const dialog = (): Locator => page.getByRole('dialog')
const isInGrid = (): Promise<boolean> => page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid')

async function openList(kind: string, name: string): Promise<void> {
  await runCommand(page, `Campaigns: ${kind}`)
  await rows(name).first().waitFor()
}
/** Types into a column of the given number of rows, from the row at `from`. */
async function typeInto(name: string, head: string, from: number, count: number, text: string): Promise<void> {
  await grid(name).focus()
  await press('Control+Home')
  const column = await grid(name).getByRole('columnheader', { name: head, exact: true }).getAttribute('aria-colindex')
  for (let at = 2; at < Number(column); at++) await press('ArrowRight')
  for (let at = 0; at < from; at++) await press('ArrowDown')
  for (let at = 1; at < count; at++) await press('Shift+ArrowDown')
  await page.keyboard.type(text)
  await press('Enter')
}
async function postRejected(count: number, reason: string): Promise<void> {
  for (const method of ['patch', 'update'])
    await service.order('POST', '/trouble', {
      ...{ operation: `trafficking.placements.${method}`, count, status: 400, reason },
    })
  await runCommand(page, 'Post drafts')
  await dialog()
    .getByRole('button', { name: `Post ${count} drafts`, exact: true })
    .click()
  await dialog()
    .getByRole('region', { name: `${count} changes failed` })
    .waitFor()
  await service.order('DELETE', '/trouble')
}
const names = (): Promise<string[]> => rows().locator('[aria-colindex="2"]').allTextContents()

it('changes of drafts are listed in Sync without opening each', async () => {
  await openList('placements', 'Placements')
  await typeInto('Placements', 'Plan line', 0, 2, 'PL A')
  await press('Control+6')
  const drafts = page.locator('[data-entry]')
  await expect.poll(() => drafts.filter({ hasText: /Plan line\s*Before:.*After:\s*PL A/ }).count()).toBe(2)
})

it('rejected records of one reason are listed alone, from the result of a post', async () => {
  await postRejected(2, 'invalid')
  await dialog().getByRole('button', { name: 'Show in list' }).click()
  await filters().getByRole('button', { name: '2 rejected placements' }).waitFor()
  await expect.poll(() => rows().count()).toBe(2)
  await expect.poll(isInGrid).toBe(true)
  await press('Control+i')
  const form = page.getByRole('complementary', { name: 'Record' })
  await form.getByText('The server rejected this change. Simulated error: invalid.').waitFor()
  await press('Escape')
  await form.waitFor({ state: 'detached' })
  await filters().getByRole('button', { name: '2 rejected placements' }).click()
  await filters().waitFor({ state: 'detached' })
  await expect.poll(() => rows().count()).toBeGreaterThan(2)
})

it('and from Sync, where they stay while they are edited and posted', async () => {
  await typeInto('Placements', 'Plan line', 4, 3, 'PL B')
  await postRejected(3, 'required')
  await press('Escape')
  await press('Control+6')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Simulated error: required' })
    .getByRole('button', { name: 'Edit in Campaigns' })
    .focus()
  await press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Retry all 3' }).waitFor()
  await page.getByRole('menuitem', { name: 'Edit in Campaigns' }).click()
  await filters().getByRole('button', { name: '3 rejected placements' }).waitFor()
  await expect.poll(() => rows().count()).toBe(3)
  await expect.poll(isInGrid).toBe(true)
  const before = await names()
  await typeInto('Placements', 'Plan line', 0, 3, 'PL C')
  await runCommand(page, 'Post drafts')
  await dialog().getByRole('button', { name: 'Post 3 drafts', exact: true }).click()
  await dialog().getByText('3 of 3 sent', { exact: false }).waitFor()
  await press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(names).toEqual(before)
  await filters().getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => rows().count()).toBeGreaterThan(3)
})

it('and what a longer campaign leaves behind, in the list of its kind', async () => {
  await openList('campaigns', 'Campaigns')
  await grid('Campaigns').focus()
  // Campaigns that are not over.
  await press('Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Alt+Shift+D')
  await grid('Campaigns').locator('[role=columnheader][aria-sort=descending]').filter({ hasText: 'End date' }).waitFor()
  await typeInto('Campaigns', 'End date', 0, 3, '+7d')
  await runCommand(page, 'Post drafts')
  const left = dialog()
    .getByRole('list', { name: 'Not moved with the flight' })
    .getByRole('listitem')
    .filter({ hasText: 'placements' })
  const words = (await left.first().textContent()) ?? ''
  await left.first().getByRole('button', { name: 'Show in list' }).click()
  await dialog().waitFor({ state: 'detached' })
  const count = Number(/^\d+/.exec(words)?.[0])
  expect(count).toBeGreaterThan(1)
  await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(count + 1))
})

it('entries of lists have names in the form of several records', async () => {
  await openList('ads', 'Ads')
  await grid('Ads').focus()
  await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+i')
  const names = page.getByRole('article').getByRole('list', { name: 'Placements' }).locator('.name')
  await expect.poll(() => names.count()).toBeGreaterThan(0)
  await expect.poll(async () => (await names.allTextContents()).filter((name) => name.startsWith('#'))).toEqual([])
})
