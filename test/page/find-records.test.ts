import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { pressing, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { app } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1280, height: 800 } }))

beforeAll(async () => {
  await runCommand(app.page, 'Choose campaign data to download')
  const dialog = app.page.getByRole('dialog', { name: 'Choose what to download' })
  const search = dialog.getByLabel('Search in advertisers')
  await dialog.getByRole('option').first().waitFor()
  for (let steps = 0; steps < 20 && !(await search.evaluate((one) => one === document.activeElement)); steps++)
    await press('Tab')
  await app.page.keyboard.type('kessel')
  await dialog.getByText('1 advertiser found').waitFor()
  await press('ArrowDown', 'Space', 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await app.page.getByText(/^[\d,]+ records, updated (a moment ago|\d+ min ago)$/).waitFor({ timeout: 120_000 })
})

const press = pressing(() => app.page)
const options = (): Locator => app.page.getByRole('listbox', { name: 'Results' }).getByRole('option')
const grid = (): Locator => app.page.getByRole('grid', { name: 'Placements' })
/** The grid's current row, once it's rendered and visible. */
const standing = async (): Promise<string> => {
  const cell = grid().locator('.row [role=gridcell].title.here')
  await cell.waitFor()
  const box = (await cell.boundingBox())!
  expect(box.y).toBeGreaterThan(0)
  expect(box.y + box.height).toBeLessThan(800)
  return (await cell.textContent())!.trim()
}
async function search(text: string): Promise<void> {
  await press('Control+k')
  await app.page.keyboard.type(text)
}

interface Placement {
  id: string
  name: string
  campaignId: string
}
async function placements(): Promise<Placement[]> {
  const { body } = await service.client.call('trafficking.advertisers.list', {
    profileId: service.sandbox.ids['profileId']!,
    searchString: 'Kessel*',
  })
  const { body: found } = await service.client.call('trafficking.placements.list', {
    profileId: service.sandbox.ids['profileId']!,
    advertiserIds: body.advertisers!.map(({ id }) => id!),
  })
  return found.placements!.filter(({ archived }) => !archived) as Placement[]
}

describe('finding records in the palette, by keyboard', () => {
  it('matches names, shows where they belong, and opens them in their list', async () => {
    const all = await placements()
    const wanted = all.at(-1)!
    const words = wanted.name.split(/[\s_]+/)
    await search([...words].reverse().join(' '))
    const option = options().filter({ hasText: `Placement #${wanted.id}` })
    await option.waitFor()
    await expect.poll(() => option.textContent()).toContain(wanted.name)
    while ((await option.getAttribute('aria-selected')) !== 'true') await press('ArrowDown')
    await press('Enter')
    await app.page.getByRole('complementary', { name: 'Record' }).waitFor()
    expect(await standing()).toBe(wanted.name)
    const beside = all.filter(({ campaignId }) => campaignId === wanted.campaignId)
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(beside.length + 1))
  })

  it('ranks an ID match first and moves the grid to it', async () => {
    const wanted = (await placements())[0]!
    await search(wanted.id)
    await options()
      .first()
      .filter({ hasText: `Placement #${wanted.id}` })
      .waitFor()
    await app.page.getByText(/^\d+ results?$/).waitFor({ state: 'attached' })
    await press('Enter')
    await expect.poll(standing).toBe(wanted.name)
    await press('ArrowDown')
    await expect.poll(standing).not.toBe(wanted.name)
    await press('ArrowUp')
    await expect.poll(standing).toBe(wanted.name)
  })

  it("opens a record that the list's filters hide", async () => {
    const [wanted] = await placements()
    await press('Control+f')
    await app.page.keyboard.type('nothing has this name')
    await app.page.getByRole('heading', { name: 'No matches' }).waitFor()
    await search(wanted!.id)
    await options()
      .first()
      .filter({ hasText: `Placement #${wanted!.id}` })
      .waitFor()
    await press('Enter')
    await expect.poll(standing).toBe(wanted!.name)
  })

  it('shows a task that arrives during the search, and keeps the entry that was moved to', async () => {
    await search('paint the fence')
    await app.page.getByText(/^No results for “paint the fence”/).waitFor()
    await press('ArrowDown')
    const selected = options().and(app.page.locator('[aria-selected=true]'))
    await expect.poll(() => selected.textContent()).toContain('New task')
    await service.client.call('tasks.tasks.insert', { tasklist: '@default' }, { body: { title: 'Paint the fence' } })
    await app.announce('app/resumed', {})
    await options()
      .filter({ hasText: 'Paint the fence' })
      .filter({ hasNotText: /^(New event “|New task “|Show all)/ })
      .waitFor()
    await expect.poll(() => selected.textContent()).toContain('New task')
    await press('Escape')
  })
})
