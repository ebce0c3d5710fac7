import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedRule } from '#shared/checks/rules-file'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser, openSync } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { choose, dismissMessages, messages, pressing, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let app: AppPage
let page: Page
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightplan-rules-'))
  app = await openApp({ clock, service: service.sandbox, size: { width: 1280, height: 800 } })
  page = app.page
  await openSync(page)
  await downloadAdvertiser(page)
  await runCommand(page, 'Campaigns: placements')
  await grid().locator('.body').getByRole('row').first().waitFor()
})
afterAll(() => app?.close())

const press = pressing(() => page)
const grid = (): Locator => page.getByRole('grid')
const dialog = (): Locator => page.getByRole('dialog')
const button = (name: string | RegExp): Locator => dialog().getByRole('button', { name, exact: true })
const test = (): Locator => dialog().getByRole('status')
const list = (): Locator => dialog().getByRole('list', { name: 'Rules' }).getByRole('listitem')
const findings = (words: string): Locator => page.getByRole('list', { name: words, exact: true })
const group = (count: string, words: string): Locator =>
  page.locator('p', { hasText: count }).filter({ hasText: words })
const here = (title: string): Locator => page.locator(`[role=gridcell].here[title*="${title}"]`)
const passesAxe = async (): Promise<void> => expect(await violationsByTheme(page, { within: dialog() })).toEqual([])
const close = async (): Promise<void> => {
  await press('Escape')
  await dialog().waitFor({ state: 'detached' })
}
/** Number of findings that the form announces. */
async function counted(): Promise<number> {
  const words = /^Finds (none|[\d,]+) of /
  await expect.poll(() => test().textContent()).toMatch(words)
  const [, count] = words.exec((await test().textContent())!)!
  return count === 'none' ? 0 : Number(count!.replaceAll(',', ''))
}

async function leave(): Promise<void> {
  await press('Control+6')
  await page.getByRole('main', { name: 'Sync' }).waitFor()
}
async function comeBack(): Promise<void> {
  await press('Control+3')
  await grid().locator('.body').getByRole('row').first().waitFor()
  // The panel is still open.
  await page.getByText(/^Everything checked /).waitFor()
}
/** Turns all rules on or off, as another window does. */
const turnElsewhere = (on: boolean): Promise<void> =>
  page.evaluate((on) => {
    const key = 'flightplan.settings'
    const stored = localStorage.getItem(key)!
    localStorage.setItem(key, stored.replace(/"on":(?:true|false)/g, `"on":${on}`))
    dispatchEvent(new StorageEvent('storage', { key, storageArea: localStorage }))
  }, on)

it('a check of everything goes on when the view is left', async () => {
  await grid().focus()
  await press('F7')
  await leave()
  await comeBack()
  await press('Control+j')
})

describe('a rule', () => {
  it('is explained with an example to start from, and tested before it’s saved', async () => {
    await runCommand(page, 'Custom rules')
    await button('Start from an example').waitFor()
    await passesAxe()
    await button('Start from an example').click()
    await expect.poll(() => dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Landing pages use https')
    await expect.poll(() => test().textContent()).toMatch(/^Finds .* of \d+ landing pages on this computer$/)
    await button('Cancel').click()
    await button('Start from an example').waitFor()
    await close()
  })

  it('is written by keyboard, tested while typing, and marks what it finds', async () => {
    await grid().focus()
    await press('F7')
    await page.getByRole('region', { name: 'Findings' }).getByRole('button', { name: 'Rules…' }).focus()
    await press('Enter')
    await button('New rule').focus()
    await press('Enter')
    await expect.poll(() => test().textContent()).toBe('Not tested yet: Enter a value')
    const saving = await button('Save rule').boundingBox()
    await page.keyboard.type('Names with an early letter')
    await dialog().getByLabel('Value').focus()
    await page.keyboard.type('a')
    const many = await counted()
    expect(many).toBeGreaterThan(0)
    await choose(dialog().getByRole('combobox', { name: 'Condition' }), 'matches pattern')
    await dialog().getByLabel('Value').fill('(')
    await expect.poll(() => test().textContent()).toMatch(/^Not tested yet: Invalid expression/)
    await dialog().getByLabel('Value').press('Enter')
    await dialog().locator('p.error', { hasText: 'Invalid expression' }).waitFor()
    await passesAxe()
    await dialog().getByLabel('Value').fill('^[A-M].*a')
    await expect.poll(() => test().textContent()).toMatch(/^Finds \d/)
    const few = await counted()
    expect(few).toBeLessThan(many)
    const first = dialog().getByRole('list', { name: 'First findings' }).getByRole('listitem')
    await expect.poll(() => first.count()).toBe(5)
    await expect.poll(() => first.first().textContent()).toMatch(/^[A-M].*a/)
    await expect.poll(() => button('Save rule').boundingBox(), { message: 'results move no button' }).toEqual(saving)
    await dialog().getByLabel('Finding', { exact: true }).fill('Rename this')
    await press('Enter')
    await list().filter({ hasText: 'Names with an early letter' }).waitFor()
    await passesAxe()
    await close()
    await group(`${few} placements`, 'Rename this').waitFor()
    await findings('Rename this').getByRole('button').first().click()
    await here('Warning: Rename this').waitFor()
    await grid().focus()
    await press('F8', 'Shift+F8')
    await here('Warning: Rename this').waitFor()
  })

  it('is edited from its findings, turned off, and deleted, which can be undone', async () => {
    await page.getByRole('button', { name: 'Edit rule Names with an early letter' }).click()
    await dialog().getByRole('radio', { name: 'Hint' }).click()
    await button('Save rule').click()
    await list().first().waitFor()
    await close()
    await page
      .getByRole('status')
      .filter({ hasText: /\d+ hints$/ })
      .waitFor()
    await here('Hint: Rename this').waitFor()
    await runCommand(page, 'Custom rules')
    await dialog().getByRole('switch', { name: 'Run Names with an early letter' }).click()
    await findings('Rename this').waitFor({ state: 'detached' })
    await dialog().getByRole('switch', { name: 'Run Names with an early letter' }).click()
    await button('Delete Names with an early letter').click()
    await button('Start from an example').waitFor()
    await close()
    await messages(page).getByText('Deleted rule “Names with an early letter”').waitFor()
    await expect.poll(() => findings('Rename this').count()).toBe(0)
    await messages(page).getByRole('button', { name: 'Undo' }).last().click()
    await findings('Rename this').waitFor()
    await dismissMessages(page)
  })

  it('that another window turns off while the view is closed marks nothing when it’s opened again', async () => {
    await leave()
    await turnElsewhere(false)
    await comeBack()
    await expect.poll(() => findings('Rename this').count()).toBe(0)
    await leave()
    await turnElsewhere(true)
    await comeBack()
    await findings('Rename this').waitFor()
  })

  it('keeps what was typed when the dialog closes by accident', async () => {
    await runCommand(page, 'Custom rules')
    await button('New rule').click()
    await dialog().getByLabel('Name', { exact: true }).fill('Half a rule')
    await close()
    await runCommand(page, 'Custom rules')
    await expect.poll(() => dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Half a rule')
    await dialog().getByLabel('Value').fill('a')
    expect(await counted()).toBeGreaterThan(0)
    await close()
    await page.getByRole('button', { name: 'Edit rule Names with an early letter' }).click()
    await expect
      .poll(() => dialog().getByLabel('Name', { exact: true }).inputValue())
      .toBe('Names with an early letter')
    await button('Cancel').click()
    await button('New rule').click()
    await expect.poll(() => dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Half a rule')
    // What the test finds moves the buttons.
    await counted()
    await button('Cancel').click()
    await button('Export…').waitFor()
    // One that isn't begun doesn't come back.
    await button('New rule').click()
    await close()
    await runCommand(page, 'Custom rules')
    await button('Export…').waitFor()
    await close()
  })
})

describe('a file of rules', () => {
  it('is exported, and shows what’s new, changed, and wrong before it’s imported in one step', async () => {
    const path = join(folder, 'rules.json')
    app.shell.answers = { save: path, open: path }
    await runCommand(page, 'Custom rules')
    await button('Export…').click()
    await messages(page).getByText('Saved 1 rule to').waitFor()
    await dismissMessages(page)
    const file = JSON.parse(await readFile(path, 'utf8')) as { rules: SharedRule[] }
    const [rule] = file.rules as [SharedRule]
    expect(rule).toMatchObject({ kind: 'placements', when: [{ column: 'name', matches: '^[A-M].*a' }] })
    file.rules = [
      { ...rule, severity: 'error' },
      { ...rule, name: 'Another', when: [{ column: 'fx.cost', above: '1000000000' }], words: 'Costs something' },
      { ...rule, name: 'Broken', when: [{ column: 'color', empty: true }] },
    ]
    await writeFile(path, JSON.stringify(file))
    await button('Import…').click()
    await dialog().getByText('rules.json: 1 new rule, 1 changed, 0 unchanged').waitFor()
    await dialog().getByText('Rule 3, “Broken”: Placements have no column “color”').waitFor()
    await passesAxe()
    await button('Import 2 rules').click()
    await expect.poll(() => list().count()).toBe(2)
    await dialog().getByText('Imported 2 rules').waitFor()
    const many = Array.from({ length: 99 }, (_unused, at) => ({ ...rule, name: `Rule ${at}` }))
    await writeFile(path, JSON.stringify({ ...file, rules: many }))
    await button('Import…').click()
    await dialog().getByRole('alert').getByText('You can have up to 100 rules').waitFor()
    await expect.poll(() => button('Import').isDisabled()).toBe(true)
    await passesAxe()
    await button('Cancel').click()
    await writeFile(path, JSON.stringify(file))
    await button('Undo').click()
    await expect.poll(() => list().count()).toBe(1)
    await button('Import…').click()
    await button('Import 2 rules').click()
    await writeFile(path, '{\n  "rules": [\n  oops')
    await button('Import…').click()
    await dialog().getByText('Line 3: This isn’t valid JSON').waitFor()
    await expect.poll(() => button('Import').isDisabled()).toBe(true)
    await button('Cancel').click()
    await writeFile(path, new Uint8Array([0xff, 0xfe, 0]))
    await button('Import…').click()
    await messages(page).getByText('Couldn’t read the file. It isn’t a text file.').waitFor()
    await close()
    await dismissMessages(page)
  })
})

it('errors of own rules are confirmed once before a post', async () => {
  await findings('Rename this').getByRole('button').first().click()
  await here('Error: Rename this').waitFor()
  await grid().focus()
  await page.keyboard.type('A banana')
  await press('Enter')
  await page.getByText('1 draft', { exact: true }).waitFor()
  await press('Control+Shift+Enter')
  const section = dialog().getByRole('region', { name: 'Found by your rules' })
  await section.getByRole('button', { name: 'A banana' }).first().waitFor()
  await passesAxe()
  await expect.poll(() => button('Post 1 draft').isDisabled()).toBe(true)
  await section.getByRole('checkbox', { name: 'Post with these errors' }).click()
  await button('Post 1 draft').click()
  await dialog().getByText('1 of 1 sent.').waitFor()
  await button('Done').click()
  await dialog().waitFor({ state: 'detached' })
})
