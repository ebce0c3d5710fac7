import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { violations } from '../helpers/axe'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { app, page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true })
const dialog = (): Locator => page.getByRole('dialog')
const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('role') ?? null)

beforeAll(async () => {
  await downloadAdvertiser(page)
})

/** Types into a column of the first rows of a list. */
async function typeInto(kind: string, name: string, head: string, count: number, text: string): Promise<void> {
  await runCommand(page, `Campaigns: ${kind}`)
  await grid(name).locator('.body').getByRole('row').first().waitFor()
  const column = grid(name).getByRole('columnheader', { name: head, exact: true })
  await grid(name).focus()
  await press('Control+Home')
  const at = Number(await column.getAttribute('aria-colindex'))
  for (let column = 2; column < at; column++) await press('ArrowRight')
  for (let row = 1; row < count; row++) await press('Shift+ArrowDown')
  await page.keyboard.type(text)
  await press('Enter')
}
const writes = async (): Promise<string[]> =>
  (await service.requests()).flatMap(({ operation, method }) => (method === 'GET' ? [] : operation))

it('lists what would be rejected, with the way to each cell, and changes nothing', async () => {
  await typeInto('placements', 'Placements', 'Plan line', 3, 'PL 1')
  // Nothing on this computer keeps three campaigns of an advertiser from the same name.
  await runCommand(page, 'Campaigns: campaigns')
  const owners = grid('Campaigns').getByRole('columnheader', { name: /^Advertiser/ })
  await owners.getByRole('button').first().click()
  await expect.poll(() => owners.getAttribute('aria-sort')).toBe('ascending')
  await typeInto('campaigns', 'Campaigns', 'Name', 3, 'Same name')
  const before = await writes()
  await press('Control+Shift+R')
  const result = dialog()
  await result.getByText('4 changes would be accepted, 2 would be rejected.').waitFor()
  expect(await violations(page, { within: result })).toEqual([])
  const rejected = result.getByRole('region', { name: '2 changes rejected' })
  await rejected.getByText('“name must be unique within the advertiser: Same name” (error', { exact: false }).waitFor()
  await expect.poll(() => rejected.getByText(/, formerly “.+”$/).count()).toBe(2)
  expect(await writes()).toEqual(before)
  // By keyboard alone, past the closing cross.
  await press('Tab', 'Tab', 'Enter')
  await result.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('grid')
  await expect.poll(() => grid('Campaigns').getAttribute('aria-activedescendant')).not.toBe(null)
})

it('stops with the view, such as when the tray opens another', async () => {
  const running = (): Promise<string[]> => readdir(join(app.userData, 'rehearsals'))
  const said = async (): Promise<string> => (await page.getByTestId('announcements').textContent()) ?? ''
  await runCommand(page, 'Post drafts')
  await dialog().getByRole('button', { name: 'Rehearse', exact: true }).click()
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
  await dialog().getByRole('button', { name: 'Rehearse', exact: true }).click()
  await dialog().getByText('4 changes would be accepted, 2 would be rejected.').waitFor()
  await dialog().getByRole('button', { name: 'Back', exact: true }).click()
  await dialog().getByText('Ready to post 6 changes', { exact: false }).waitFor()
  await dialog().getByRole('button', { name: 'Rehearse', exact: true }).click()
  await dialog().getByRole('button', { name: 'Post 6 changes', exact: true }).click()
  await dialog().getByRole('region', { name: '2 changes failed' }).waitFor()
  await dialog().getByText('4 of 6 sent, 2 need attention.').waitFor()
})
