import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { violations } from '../helpers/axe'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { pasteText, pressing, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { app, page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
const press = pressing(() => page)
const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true })
const dialog = (): Locator => page.getByRole('dialog')
const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('role') ?? null)

beforeAll(async () => {
  await downloadAdvertiser(page)
})

/** Goes to the first row of a list. @returns its cell in a column */
async function goToFirst(kind: string, name: string, head: string): Promise<Locator> {
  await runCommand(page, `Campaigns: ${kind}`)
  await grid(name).locator('.body').getByRole('row').first().waitFor()
  const column = grid(name).getByRole('columnheader', { name: head, exact: true })
  await grid(name).focus()
  await press('Control+Home')
  const at = Number(await column.getAttribute('aria-colindex'))
  for (let column = 2; column < at; column++) await press('ArrowRight')
  return grid(name).locator(`.body [role=row][aria-rowindex="2"] [aria-colindex="${at}"]`)
}
/** Types into a column of the first rows of a list. */
async function typeInto(kind: string, name: string, head: string, count: number, text: string): Promise<void> {
  await goToFirst(kind, name, head)
  for (let row = 1; row < count; row++) await press('Shift+ArrowDown')
  await page.keyboard.type(text)
  await press('Enter')
}
const writes = async (): Promise<string[]> =>
  (await service.requests()).flatMap(({ operation, method }) => (method === 'GET' ? [] : operation))

it('lists what would be accepted, with the way to each row, holds back an exchange, and changes nothing', async () => {
  await typeInto('placements', 'Placements', 'Plan line', 3, 'PL 1')
  // On this computer, two campaigns can swap their names. The service gets one after the other, so none is sent.
  await runCommand(page, 'Campaigns: campaigns')
  const owners = grid('Campaigns').getByRole('columnheader', { name: /^Advertiser/ })
  await owners.getByRole('button').first().click()
  await expect.poll(() => owners.getAttribute('aria-sort')).toBe('ascending')
  const cell = await goToFirst('campaigns', 'Campaigns', 'Name')
  const first = await cell.innerText()
  const second = await cell
    .locator('xpath=ancestor::*[@role="row"]/following-sibling::*[@role="row"][1]')
    .locator(`[aria-colindex="${await cell.getAttribute('aria-colindex')}"]`)
    .innerText()
  await pasteText(page, `${second}\n${first}`)
  const before = await writes()
  await press('Control+Shift+R')
  const result = dialog()
  await result.getByText('3 drafts would be accepted.').waitFor()
  expect(await violations(page, { within: result })).toEqual([])
  expect(await writes()).toEqual(before)
  await result.getByRole('list', { name: 'Simulated drafts' }).getByRole('button').first().press('Enter')
  await result.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('grid')
  await expect.poll(() => grid('Placements').getAttribute('aria-activedescendant')).not.toBe(null)
})

it('stops with the view, such as when the tray opens another', async () => {
  const running = (): Promise<string[]> => readdir(join(app.userData, 'rehearsals'))
  const said = async (): Promise<string> => (await page.getByTestId('announcements').textContent()) ?? ''
  await runCommand(page, 'Post drafts')
  await dialog().getByRole('button', { name: 'Simulate', exact: true }).click()
  await expect.poll(running).toHaveLength(1)
  await expect.poll(said).toContain('Press Escape to stop.')
  await app.announce('app/command', { command: 'go.sync' })
  await page.getByRole('main', { name: 'Sync' }).waitFor()
  await expect.poll(running).toEqual([])
  await runCommand(page, 'Campaigns: campaigns')
  expect((await said()).split('Press Escape to stop.').at(-1)).not.toContain('would be accepted')
})

it('posts after a rehearsal, or goes back to the drafts', async () => {
  await runCommand(page, 'Post drafts')
  await dialog().getByRole('button', { name: 'Simulate', exact: true }).click()
  await dialog().getByText('3 drafts would be accepted.').waitFor()
  await dialog().getByRole('button', { name: 'Back', exact: true }).click()
  await dialog().getByText('Ready to post 3 drafts', { exact: false }).waitFor()
  await dialog().getByRole('button', { name: 'Simulate', exact: true }).click()
  await dialog().getByRole('button', { name: 'Post 3 drafts', exact: true }).click()
  await dialog().getByText('3 of 3 sent', { exact: false }).waitFor()
})

it('says what would be rejected, and leads to a deleted record, whose deletion can be discarded', async () => {
  await press('Escape')
  await dialog().waitFor({ state: 'detached' })
  const cell = await goToFirst('content categories', 'Content categories', 'Name')
  const name = await cell.innerText()
  // The service keeps what others use. Nothing on this computer knows all that do.
  await press('Shift+Space', 'Delete')
  await expect.poll(() => cell.innerText()).not.toBe(name)
  await press('Control+Shift+R')
  await dialog().getByText('1 draft would be rejected.').waitFor()
  const rejected = dialog().getByRole('region', { name: '1 change rejected' })
  await rejected.getByText('is in use by', { exact: false }).waitFor()
  await rejected.getByRole('button', { name: `Go to cell: ${name}` }).press('Enter')
  await page.getByText('You deleted this record.').waitFor()
  await expect.poll(() => cell.innerText()).not.toBe(name)
  await page.getByRole('button', { name: 'Discard deletion' }).press('Enter')
  await expect.poll(() => cell.innerText()).toBe(name)
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
})
