import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { launchApp, type RunningApp } from '../helpers/app'
import { clockFromMoment } from '../helpers/moment'
import { runCommand, workOffline } from '../helpers/page'
import { drawn } from '../helpers/ring'
import { startService, type TestService } from '../helpers/service'

/** How the work is done: by mouse where possible, or by keyboard only. */
interface Hands {
  name: string
  goTo(cell: Locator, row: number, column: number): Promise<void>
  pick(option: Locator, words: string): Promise<void>
  press(button: Locator, command: string | RegExp): Promise<void>
}

const clock = clockFromMoment()

describe.each(drawn(['pointer', 'keys'] as const, 1))('a week of campaign work offline, by %s', (name) => {
  let app: RunningApp
  let service: TestService
  let page: Page
  let campaign: { id: string; name: string; advertiserId: string; advertiser: string }
  let profileId = ''
  /** A field of the record that someone else changes, too. */
  let contested = ''

  beforeAll(async () => {
    service = await startService({ seed: 'demo', now: clock.now })
    const profiles = await service.client.call('trafficking.userProfiles.list', {})
    profileId = profiles.body.items![0]!.profileId!
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    const { campaigns } = (await service.client.call('trafficking.campaigns.list', { profileId, archived: false })).body
    const next = campaigns!.filter(({ startDate }) => String(startDate) > today)[0]!
    const { body } = await service.client.call('trafficking.advertisers.get', { profileId, id: next.advertiserId! })
    campaign = { id: next.id!, name: next.name!, advertiserId: next.advertiserId!, advertiser: body.name! }
    app = await launchApp({ clock, service: service.sandbox, size: { width: 1440, height: 900 } })
    page = app.page
    await page.getByRole('grid').first().waitFor()
  })
  afterAll(async () => {
    await app?.close()
    await service?.stop()
  })

  const hands: Hands =
    name === 'pointer'
      ? {
          name,
          goTo: async (cell) => cell.click(),
          pick: async (option) => option.click(),
          press: async (button) => button.click(),
        }
      : {
          name,
          goTo: async (_cell, row, column) => {
            await grid().focus()
            await page.keyboard.press('Control+Home')
            for (let down = 0; down < row; down++) await page.keyboard.press('ArrowDown')
            for (let right = 0; right < column; right++) await page.keyboard.press('ArrowRight')
          },
          pick: async (option) => {
            await option.waitFor()
            await page.keyboard.press('Enter')
          },
          press: async (button, command) => {
            if (typeof command !== 'string') return runCommand(page, command.source)
            // Before the dialog opens, keys go to the view below.
            await button.click({ trial: true })
            await page.keyboard.press(command)
          },
        }

  const grid = (): Locator => page.getByRole('grid')
  const cell = (row: number, column: number): Locator =>
    page.locator(`[role=row][aria-rowindex="${row + 2}"] > [role=gridcell][aria-colindex="${column + 2}"]`)
  const columnCalled = async (head: string): Promise<number> =>
    Number(await grid().getByRole('columnheader', { name: head, exact: true }).getAttribute('aria-colindex')) - 2
  /** Types into a cell and waits until it shows the text. */
  async function fill(row: number, head: string, text: string, shown: string): Promise<void> {
    const column = await columnCalled(head)
    await hands.goTo(cell(row, column), row, column)
    await page.keyboard.press('F2')
    const input = grid().locator('.editor input')
    await input.waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await input.waitFor({ state: 'detached' })
    await cell(row, column).filter({ hasText: shown }).waitFor()
  }
  /** Selects an entry in a cell by its label. */
  async function choose(row: number, head: string, words: string): Promise<void> {
    const column = await columnCalled(head)
    await hands.goTo(cell(row, column), row, column)
    await page.keyboard.press('F2')
    await grid().locator('.editor input').waitFor()
    await page.keyboard.type(words)
    await hands.pick(page.getByRole('option', { name: words }).first(), words)
    await grid().locator('.editor').waitFor({ state: 'detached' })
    await cell(row, column).filter({ hasText: words }).waitFor()
  }
  async function show(kind: string): Promise<void> {
    await runCommand(page, `Campaigns: ${kind}`)
    await grid()
      .and(page.getByLabel(kind, { exact: false }))
      .waitFor()
    // Commands for the list apply once it has rows.
    await grid().locator('.body').getByRole('row').first().waitFor()
  }
  async function inTree(title: string): Promise<void> {
    await page.keyboard.press('Control+3')
    const find = page.getByRole('searchbox', { name: 'Find in the tree' })
    await find.fill(title)
    const node = page.getByRole('tree').getByRole('treeitem', { name: title, exact: true })
    if (name === 'pointer') await node.click()
    else {
      await node.waitFor()
      await find.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await find.fill('')
    await cell(0, 0).waitFor()
  }
  const drafts = async (): Promise<number> =>
    Number(
      /([\d,]+) (?:unposted )?drafts?/.exec(
        (await page.locator('footer:has-text("draft")').first().textContent())?.trim() ?? '',
      )?.[1] ?? 0,
    )
  it('downloads one advertiser', async () => {
    await runCommand(page, 'Choose campaign data to download')
    const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
    const option = dialog.getByRole('option', { name: campaign.advertiser })
    await option.waitFor()
    if (name === 'pointer') {
      await option.click()
      await dialog.getByRole('button', { name: /^Download 1/ }).click()
    } else {
      await dialog.getByRole('searchbox').focus()
      await page.keyboard.type(campaign.advertiser)
      await dialog.getByText('1 advertiser found').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.keyboard.press('Control+Enter')
    }
    const card = page.getByRole('list', { name: 'Campaign data', exact: true }).locator('> li')
    await card
      .filter({ hasText: campaign.advertiser })
      .getByText(/^[\d,]+ records, updated/)
      .waitFor()
    await workOffline(page)
  })

  it('edits thirty cells of ten types in the grid, and complex fields in the form', async () => {
    await inTree(campaign.name)
    contested = (await cell(0, await columnCalled('ID')).textContent())!.trim()
    for (const row of [0, 1, 2]) {
      await fill(row, 'Units', `${12_000 + row}`, `12,00${row}`)
      await fill(row, 'Rate/cost', '7.25', '7.25')
      await fill(row, 'Plan line', `PL-${row}`, `PL-${row}`)
      await fill(row, 'Size', '336x280', '336 × 280')
      await choose(row, 'Pricing type', 'CPC')
      await choose(row, 'Content category', 'Finance')
    }
    for (const row of [0, 1, 2]) {
      const column = await columnCalled('End date')
      await hands.goTo(cell(row, column), row, column)
      await fill(row, 'End date', await dayBeforeEnd(), '')
    }
    await show('ads')
    for (const row of [0, 1, 2]) {
      await choose(row, 'Active', 'No')
      await fill(row, 'Name', `Ad ${row} of the journey`, 'of the journey')
    }
    await expect.poll(drafts).toBeGreaterThanOrEqual(6)
  })
  /** The day before the campaign ends. */
  async function dayBeforeEnd(): Promise<string> {
    const { body } = await service.client.call('trafficking.campaigns.get', { profileId, id: campaign.id })
    return new Date(Date.parse(`${body.endDate}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
  }

  it('creates a placement and a landing page, duplicates the campaign with contents, archives, undoes, and redoes', async () => {
    const before = await drafts()
    await show('landing pages')
    await hands.press(page.getByRole('button', { name: 'New', exact: true }), 'Control+n')
    const panel = page.getByRole('complementary', { name: 'Record' })
    await panel.getByRole('heading', { name: 'New landing page' }).waitFor()
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Journey page')
    await page.keyboard.press('Enter')
    await panel.getByLabel('URL', { exact: true }).fill('https://journey.example/start')
    await page.keyboard.press('Enter')
    await panel.getByRole('heading', { name: 'Journey page' }).waitFor()
    await page.keyboard.press('Escape')
    await show('placements')
    await hands.press(page.getByRole('button', { name: 'New', exact: true }), 'Control+n')
    await panel.getByRole('heading', { name: 'New placement' }).waitFor()
    await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Journey placement')
    await page.keyboard.press('Enter')
    await panel.getByRole('heading', { name: 'Journey placement' }).waitFor()
    await expect.poll(() => panel.getByText('Required before posting').count()).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(drafts).toBe(before + 2)

    await inTree(campaign.advertiser)
    await page.keyboard.press('Control+f')
    await page.keyboard.type(campaign.name)
    await cell(0, 0).filter({ hasText: campaign.name }).waitFor()
    await grid().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Shift+D')
    const copying = page.getByRole('dialog', { name: `Duplicate “${campaign.name}”` })
    await hands.press(copying.getByRole('button', { name: 'Duplicate', exact: true }), 'Enter')
    await panel.getByRole('heading', { name: `${campaign.name} (copy)` }).waitFor()
    await expect.poll(drafts).toBeGreaterThan(before + 10)
    const copied = await drafts()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect.poll(drafts, { timeout: 30_000 }).toBe(before + 2)
    await page.keyboard.press('Control+y')
    await expect.poll(drafts, { timeout: 30_000 }).toBeGreaterThanOrEqual(copied)
    // A message confirms that it's saved.
    await page
      .getByText(/^Redid: Duplicate/)
      .first()
      .waitFor()

    await inTree(campaign.name)
    const rows = Number(await grid().getAttribute('aria-rowcount'))
    await grid().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Control+Delete')
    await expect
      .poll(async () => Number(await grid().getAttribute('aria-rowcount')), { timeout: 30_000 })
      .toBe(rows - 1)
    await page.keyboard.press('Control+z')
    await expect.poll(async () => Number(await grid().getAttribute('aria-rowcount')), { timeout: 30_000 }).toBe(rows)
    await page.keyboard.press('Control+y')
    await expect
      .poll(async () => Number(await grid().getAttribute('aria-rowcount')), { timeout: 30_000 })
      .toBe(rows - 1)
    await page
      .getByText(/^Redid: Archive/)
      .first()
      .waitFor()
  })

  it('survives a kill, posts when online, and asks about one conflict', async () => {
    const waiting = await drafts()
    const answer = await service.asMina('trafficking.userProfiles.list', {})
    const { items: theirs } = (answer['body'] ?? answer) as { items: { profileId: string }[] }
    await service.asMina(
      'trafficking.placements.patch',
      { profileId: theirs[0]!.profileId, id: contested },
      { externalId: 'Mina was here' },
    )
    await app.kill()
    app = await launchApp({
      clock,
      service: service.sandbox,
      userData: app.userData,
      size: { width: 1440, height: 900 },
    })
    page = app.page
    await page.getByRole('contentinfo').waitFor()
    await inTree(campaign.name)
    await expect.poll(drafts).toBe(waiting)
    await page.getByRole('contentinfo').getByText('Offline').first().waitFor()
    await workOffline(page)
    await page.getByRole('contentinfo').getByText('Online').first().waitFor()
    await hands.press(
      page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }),
      'Control+Shift+Enter',
    )
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Post [\d,]+ drafts?$/ }).waitFor()
    await dialog.getByRole('button', { name: 'Simulate', exact: true }).press('Enter')
    await dialog.getByText(/drafts? would be accepted/).waitFor({ timeout: 120_000 })
    await dialog.getByRole('button', { name: 'Back', exact: true }).press('Enter')
    // Two amounts of the week are unusual, which is asked about once.
    await dialog.getByRole('checkbox', { name: /(is|are) correct$/ }).press('Space')
    await dialog.getByRole('button', { name: /^Post [\d,]+ drafts?$/ }).press('Enter')
    await dialog.getByRole('button', { name: 'Done' }).waitFor({ timeout: 240_000 })
    await dialog
      .getByRole('region', { name: '1 change failed' })
      .getByText(/Someone else changed this, too/)
      .waitFor()
    await expect.poll(() => dialog.getByRole('status').textContent()).toMatch(/1 needs? attention/)
    await dialog.getByRole('button', { name: 'Resolve in Sync' }).press('Enter')
    const conflict = page.locator('[data-entry]').filter({ hasText: 'Mina was here' })
    await conflict.first().waitFor()
    await conflict.first().focus()
    if (name === 'pointer')
      await conflict
        .first()
        .getByRole('button', { name: /^All mine/ })
        .click()
    else await page.keyboard.press('Shift+M')
    if (name === 'pointer')
      await conflict
        .first()
        .getByRole('button', { name: /^Save and send/ })
        .click()
    else await page.keyboard.press('Control+Enter')
    await page.locator('[data-entry]').first().waitFor({ state: 'detached', timeout: 60_000 })

    const found = async (operation: 'placements' | 'advertiserLandingPages' | 'campaigns', searchString: string) => {
      const { body } = await service.client.call(`trafficking.${operation}.list`, { profileId, searchString } as never)
      return (
        (body as unknown as Record<string, JsonObject[]>)[
          operation === 'advertiserLandingPages' ? 'landingPages' : operation
        ] ?? []
      )
    }
    expect(await found('placements', 'Journey placement')).toHaveLength(2)
    expect(await found('advertiserLandingPages', 'Journey page')).toHaveLength(1)
    const copies = await found('campaigns', `${campaign.name} (copy)`)
    expect(copies).toHaveLength(1)
    const inCampaign = async (campaignId: string): Promise<number> =>
      (
        await service.client.call('trafficking.placements.list', {
          profileId,
          campaignIds: [campaignId],
          archived: false,
        })
      ).body.placements!.length
    // One was archived after it had been copied.
    expect(await inCampaign(String(copies[0]!['id']))).toBe((await inCampaign(campaign.id)) + 1)
    const { body } = await service.client.call('trafficking.placements.get', { profileId, id: contested })
    expect(body.externalId).toBe('PL-0')
  })
})
