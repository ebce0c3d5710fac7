import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { atRest, dismissMessages, messages, pressing, runCommand } from '../helpers/page'
import { minasProfile } from '../helpers/whole-account'
import { recordGrid } from '../helpers/record-grid'

const clock = clockFromMoment()
const size = { width: 1440, height: 900 }
let app: AppPage
const service = serviceForFile({ seed: 'demo', now: clock.now })
let page: Page
let profileId = ''
let minas = ''

beforeAll(async () => {
  const profiles = await service.client.call('trafficking.userProfiles.list', {})
  profileId = profiles.body.items![0]!.profileId!
  minas = await minasProfile(service)
  const { advertisers } = (await service.client.call('trafficking.advertisers.list', { profileId })).body
  await launch()
  await downloadAdvertiser(page, advertisers![0]!.name!)
})
afterAll(() => app?.close())

async function launch(userData?: string): Promise<void> {
  app = await openApp({ clock, service: service.sandbox, size, ...(userData && { userData }) })
  page = app.page
  await page.getByRole('contentinfo').waitFor()
}
const press = pressing(() => page)
const type = (text: string): Promise<void> => page.keyboard.type(text)
const { grid, cell, columnOf } = recordGrid(() => page)
const editor = (): Locator => grid().locator('.editor input')
const note = (): Locator => grid().locator('.editor .note')
const rowcount = async (): Promise<number> => Number(await grid().getAttribute('aria-rowcount'))
const isFocusedAt = (row: number, column: number): Promise<void> =>
  expect
    .poll(() =>
      grid().evaluate((one) => {
        const cell = document.getElementById(one.getAttribute('aria-activedescendant') ?? '')
        return [cell?.closest('[role=row]')?.getAttribute('aria-rowindex'), cell?.getAttribute('aria-colindex')]
      }),
    )
    .toEqual([String(row), String(column)])
/** Focuses a cell by keyboard. */
async function focusCell(head: string, row = 2): Promise<number> {
  await grid().focus()
  await press('Control+Home')
  const column = await columnOf(head)
  for (let at = 2; at < row; at++) await press('ArrowDown')
  for (let at = 2; at < column; at++) await press('ArrowRight')
  await isFocusedAt(row, column)
  return column
}
const inEditor = (): Promise<unknown> => page.waitForFunction(() => document.activeElement?.closest('.editor') !== null)
const inGrid = (): Promise<unknown> => page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
const idOf = async (row: number): Promise<string> => (await cell(row, await columnOf('ID')).textContent())!.trim()
/** Like the menu, which doesn't move the focus. */
const command = (command: string): Promise<void> => app.announce('app/command', { command })
const asMina = (id: string, patch: JsonObject): Promise<JsonObject> =>
  service.asMina('trafficking.placements.patch', { profileId: minas, id }, patch)
async function showState(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter by status' }).click()
  await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
}

beforeEach(async () => {
  await press('Escape', 'Escape')
  await runCommand(page, 'Campaigns: placements')
  await grid().getByRole('gridcell').first().waitFor()
  await dismissMessages(page)
})

describe('the cell editor', () => {
  it('navigates like a spreadsheet', async () => {
    const column = await focusCell('Plan line')
    await press('F2', 'Control+a')
    await type('one')
    await press('Enter')
    await isFocusedAt(3, column)
    await type('two')
    await press('Shift+Enter')
    await isFocusedAt(2, column)
    await cell(3, column).filter({ hasText: /^two$/ }).waitFor()
    await press('F2')
    await type('+')
    await press('Alt+Enter')
    await inEditor()
    await press('Tab')
    await isFocusedAt(2, column + 1)
    await cell(2, column)
      .filter({ hasText: /^one\+$/ })
      .waitFor()
    await press('ArrowLeft', 'Enter')
    await type('+')
    await press('Shift+Tab')
    await isFocusedAt(2, column - 1)
    await cell(2, column)
      .filter({ hasText: /^one\+\+$/ })
      .waitFor()
    await press('ArrowRight')
    await type('never')
    await press('Escape')
    await inGrid()
    await isFocusedAt(2, column)
    await expect.poll(() => cell(2, column).textContent()).toBe('one++')
  })

  it('commits a list choice on Enter and Tab and keeps text without a match', async () => {
    const column = await focusCell('Pricing type')
    await type('cpc')
    await page.getByRole('option', { name: 'CPC' }).first().waitFor()
    await press('Enter')
    await isFocusedAt(3, column)
    await cell(2, column).filter({ hasText: 'CPC' }).waitFor()
    await type('flat')
    await page.getByRole('option').first().waitFor()
    await press('Tab')
    await isFocusedAt(3, column + 1)
    await inGrid()
    await cell(3, column).filter({ hasText: /flat/i }).waitFor()
    await press('ArrowLeft')
    await type('xyz')
    await press('Tab')
    await expect.poll(() => editor().inputValue()).toBe('xyz')
    await page.getByRole('searchbox', { name: 'Search in placements' }).click()
    await messages(page)
      .getByText(/Couldn’t save “xyz” as the pricing type of .+\. Choose one of the options\./)
      .waitFor()
  })

  it('keeps editing keys to itself and passes app shortcuts on', async () => {
    const column = await focusCell('Plan line', 4)
    await type('/')
    await inEditor()
    await expect.poll(() => editor().inputValue()).toBe('/')
    await type('abc def')
    await press('Control+ArrowLeft')
    await inEditor()
    expect(await editor().evaluate((one: HTMLInputElement) => one.selectionStart)).toBe(5)
    await press('Control+z')
    await expect.poll(() => editor().inputValue()).not.toBe('/abc def')
    await editor().fill('keys')
    await press('Control+k')
    const palette = page.getByRole('combobox', { name: 'Search and commands' })
    await palette.waitFor()
    await press('Escape')
    await palette.waitFor({ state: 'detached' })
    await inGrid()
    await cell(4, column)
      .filter({ hasText: /^keys$/ })
      .waitFor()
    await press('F2', 'F1')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.waitFor()
    await expect
      .poll(() => sheet.locator('dl > div').filter({ hasText: 'Search this list' }).locator('kbd').allTextContents())
      .not.toContain('/')
    await press('Escape')
    await sheet.waitFor({ state: 'detached' })
  })

  it('saves on an outside click but keeps invalid text open', async () => {
    const column = await focusCell('Plan line', 5)
    await type('clicked')
    await cell(3, 3).click()
    await isFocusedAt(3, 3)
    await cell(5, column)
      .filter({ hasText: /^clicked$/ })
      .waitFor()
    const dates = await focusCell('End date', 5)
    const before = await cell(5, dates).textContent()
    await type('31 Febr')
    await cell(3, 3).click()
    await note().waitFor()
    await inEditor()
    await expect.poll(() => editor().inputValue()).toBe('31 Febr')
    await page.getByRole('searchbox', { name: 'Search in placements' }).click()
    await expect.poll(() => editor().inputValue()).toBe('31 Febr')
    // Sorting the list doesn't lose it, either.
    await grid().getByRole('columnheader', { name: 'Site' }).getByRole('button').click()
    await expect.poll(() => editor().inputValue()).toBe('31 Febr')
    await grid().getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await grid().focus()
    await inEditor()
    await press('Escape')
    await inGrid()
    await expect.poll(() => cell(5, dates).textContent()).toBe(before)
  })

  it('survives rows inserted above and scrolling out of view', async () => {
    const column = await focusCell('Plan line', 6)
    const id = await idOf(6)
    const {
      id: _id,
      idDimensionValue: _value,
      createInfo: _info,
      ...body
    } = (await service.client.call('trafficking.placements.get', { profileId, id })).body
    const [before, name] = [await rowcount(), await cell(6, 2).textContent()]
    await type('typing')
    await editor().evaluate((one) => (one.dataset['mine'] = 'yes'))
    const { y } = (await editor().boundingBox())!
    await service.asMina('trafficking.placements.insert', { profileId: minas }, { ...body, name: '!! First' } as never)
    await command('sync.now')
    await expect.poll(rowcount, { timeout: 60_000 }).toBe(before + 1)
    await cell(7, 2).filter({ hasText: name! }).waitFor()
    await type(' on')
    expect(await editor().evaluate((one: HTMLInputElement) => [one.dataset['mine'], one.value])).toEqual([
      'yes',
      'typing on',
    ])
    expect(Math.abs((await editor().boundingBox())!.y - y)).toBeLessThan(2)
    await grid().evaluate((one) => (one.scrollTop = one.scrollHeight))
    await expect.poll(() => cell(7, 2).count()).toBe(0)
    await expect.poll(() => editor().inputValue()).toBe('typing on')
    await press('Enter')
    await isFocusedAt(8, column)
    await cell(7, column)
      .filter({ hasText: /^typing on$/ })
      .waitFor()
    expect(await idOf(7)).toBe(id)
  })

  it('keeps its text and its place when the density changes', async () => {
    await app.resize({ ...size, height: 480 })
    await page.waitForFunction(() => innerHeight === 480)
    await focusCell('Plan line')
    await press('Control+ArrowDown')
    const row = await rowcount()
    await isFocusedAt(row, await columnOf('Plan line'))
    await type('typing')
    await inEditor()
    const yOf = async (): Promise<number> => (await editor().boundingBox())!.y
    const heightOf = async (): Promise<number> => Math.round((await cell(row, 2).boundingBox())!.height)
    const y = await yOf()
    const [comfortable, top] = [await heightOf(), await grid().evaluate((one) => one.scrollTop)]
    expect(top).toBeGreaterThan(0)
    await command('app.density.compact')
    await expect.poll(heightOf).toBeLessThan(comfortable)
    await expect.poll(async () => Math.abs((await yOf()) - y)).toBeLessThan(8)
    await command('app.density.comfortable')
    await expect.poll(heightOf).toBe(comfortable)
    await expect.poll(async () => Math.abs((await yOf()) - y)).toBeLessThan(2)
    await expect.poll(() => editor().inputValue()).toBe('typing')
    await press('Escape')
    await app.resize(size)
    await page.waitForFunction(() => innerHeight === 900)
  })

  it('says when its row left the list and still saves to it', async () => {
    await focusCell('Plan line', 8)
    const [id, before] = [await idOf(8), await rowcount()]
    await type('archived one')
    await asMina(id, { archived: true })
    await command('sync.now')
    await expect.poll(rowcount, { timeout: 60_000 }).toBe(before - 1)
    await note().getByText('This record is no longer in the list').waitFor()
    await expect.poll(() => editor().inputValue()).toBe('archived one')
    await press('Enter')
    await editor().waitFor({ state: 'detached' })
    await expect.poll(() => messages(page).getByRole('alert').allTextContents()).toEqual([])
    await showState('Archived')
    const search = page.getByRole('searchbox', { name: 'Search in placements' })
    await search.fill('archived one')
    // It may be visible before the search applies.
    await grid().getByRole('gridcell', { name: 'archived one' }).waitFor()
    await expect.poll(() => idOf(2)).toBe(id)
    await search.fill('')
    await showState('Not archived')
    await expect.poll(rowcount).toBe(before - 1)
  })

  it('keeps its text and focus when the list becomes empty', async () => {
    const search = page.getByRole('searchbox', { name: 'Search in placements' })
    const id = await idOf(14)
    await asMina(id, { externalId: 'the only one' })
    await command('sync.now')
    await grid().getByRole('gridcell', { name: 'the only one' }).waitFor({ timeout: 60_000 })
    await search.fill('the only one')
    await expect.poll(rowcount).toBe(2)
    await focusCell('Name')
    await press('F2', 'End')
    await type(' and')
    await asMina(id, { externalId: 'another' })
    await command('sync.now')
    await note().getByText('This record is no longer in the list').waitFor({ timeout: 60_000 })
    await type(' more')
    await expect.poll(() => editor().inputValue()).toMatch(/ and more$/)
    await inEditor()
    await press('Enter')
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    await page.waitForFunction(() => document.activeElement !== document.body)
    await search.fill('and more')
    await grid()
      .getByRole('gridcell', { name: / and more$/ })
      .waitFor()
    await expect.poll(() => idOf(2)).toBe(id)
    await search.fill('')
    await expect.poll(rowcount).toBeGreaterThan(2)
  })

  it('asks before it replaces a value that someone else changed during the edit', async () => {
    const column = await focusCell('Plan line', 9)
    const id = await idOf(9)
    await type('mine')
    await asMina(id, { externalId: 'Mina was here' })
    await command('sync.now')
    await cell(9, column).filter({ hasText: 'Mina was here' }).waitFor({ timeout: 60_000 })
    await press('Enter')
    await note()
      .getByText('Changed to “Mina was here” while you were editing. Press Enter again to replace it')
      .waitFor()
    await expect.poll(() => editor().inputValue()).toBe('mine')
    await press('Escape')
    await inGrid()
    await expect.poll(() => cell(9, column).textContent()).toBe('Mina was here')
    await type('mine')
    await press('Enter')
    await cell(9, column)
      .filter({ hasText: /^mine$/ })
      .waitFor()
    // Your own edits are visible, however fast you type.
    await press('ArrowUp')
    for (const text of ['a', 'b', 'c']) {
      await type(text)
      await press('Enter', 'ArrowUp')
    }
    await cell(9, column).filter({ hasText: /^c$/ }).waitFor()
    await expect.poll(() => messages(page).getByRole('alert').count()).toBe(0)
  })

  it('detects changes to any of the selected cells', async () => {
    const column = await focusCell('Plan line', 10)
    const id = await idOf(11)
    await press('Shift+ArrowDown', 'Shift+ArrowDown')
    await type('all three')
    await note().getByText('Changes all 3 selected cells').waitFor()
    await asMina(id, { externalId: 'Not this one' })
    await command('sync.now')
    await cell(11, column).filter({ hasText: 'Not this one' }).waitFor({ timeout: 60_000 })
    await press('Enter')
    await note()
      .getByText(
        '1 of 3 records changed while you were editing. One is now “Not this one”. Press Enter again to replace it',
      )
      .waitFor()
    await press('Enter')
    for (const row of [10, 11, 12])
      await cell(row, column)
        .filter({ hasText: /^all three$/ })
        .waitFor()
  })

  it('shows its note on the other side than the choices of its list', async () => {
    for (const keys of [['Shift+ArrowDown'], ['Control+ArrowDown', 'Shift+ArrowUp']]) {
      await focusCell('Pricing type')
      await press(...keys, 'F2')
      await note().getByText('Changes all 2 selected cells').waitFor()
      await expect
        .poll(async () => {
          const [own, list, field] = await Promise.all(
            [note(), grid().locator('.editor .panel'), editor()].map((one) => one.boundingBox()),
          )
          const overlaps = (other: typeof own): boolean =>
            own!.y < other!.y + other!.height && other!.y < own!.y + own!.height
          return overlaps(list!) || overlaps(field!)
        })
        .toBe(false)
      await press('Escape')
      await inGrid()
    }
  })

  it('keeps typed text when you switch views', async () => {
    const column = await focusCell('Plan line', 3)
    await type('left alone')
    await press('Control+1')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await press('Control+3')
    await cell(3, column)
      .filter({ hasText: /^left alone$/ })
      .waitFor()
    await focusCell('End date', 3)
    await type('30 Febr')
    await press('Control+1')
    await messages(page)
      .getByText(/Couldn’t save “30 Febr” as the end date of .+/)
      .waitFor()
    await messages(page).getByRole('button', { name: 'Open record' }).click()
    await page.getByRole('complementary', { name: 'Record' }).waitFor()
    await press('Escape')
  })

  it('shows its note inside the window at every edge, without axe violations', async () => {
    await app.resize({ width: 800, height: 600 })
    await page.waitForFunction(() => innerWidth === 800)
    for (const at of ['Control+Home', 'Control+ArrowDown']) {
      await grid().focus()
      await press('Control+Home', at)
      // The last step moves the column to the right edge.
      for (let step = 2; step < (await columnOf('End date')); step++) await press('ArrowRight')
      await type('nonsense')
      await press('Enter')
      await note().waitFor()
      await atRest(page)
      const box = (await note().boundingBox())!
      expect([box.x >= 0, box.y >= 0, box.x + box.width <= 800, box.y + box.height <= 600]).toEqual([
        ...[true, true, true, true],
      ])
      const cellBox = (await editor().boundingBox())!
      expect(box.y >= cellBox.y + cellBox.height || box.y + box.height <= cellBox.y).toBe(true)
      for (const within of [editor(), note()]) expect(await violationsByTheme(page, { within })).toEqual([])
      await press('Escape')
      await inGrid()
    }
    await app.resize(size)
    await page.waitForFunction(() => innerWidth === 1440)
  })
})

describe('a window crash', () => {
  it('keeps every edit shown as saved, no matter how fast you typed', async () => {
    const column = await focusCell('Plan line', 3)
    for (const text of ['k1', 'k2', 'k3', 'k4', 'k5']) {
      await type(text)
      await press('Enter')
    }
    await cell(7, column).filter({ hasText: /^k5$/ }).waitFor()
    await expect.poll(() => grid().getByText('Saving…').count(), { interval: 5 }).toBe(0)
    await app.kill()
    await launch(app.userData)
    await runCommand(page, 'Campaigns: placements')
    for (const [at, text] of ['k1', 'k2', 'k3', 'k4', 'k5'].entries())
      await cell(3 + at, column)
        .filter({ hasText: text })
        .waitFor()
  })
})

describe('quitting', () => {
  it('saves the open cell, and shows invalid text at the next start', async () => {
    const column = await focusCell('Plan line', 4)
    await type('last words')
    await app.close()
    await launch(app.userData)
    await runCommand(page, 'Campaigns: placements')
    await cell(4, column)
      .filter({ hasText: /^last words$/ })
      .waitFor()
    await focusCell('End date', 4)
    await type('the end')
    await app.close()
    await launch(app.userData)
    await runCommand(page, 'Campaigns: placements')
    await messages(page)
      .getByText(/Couldn’t save “the end” as the end date of .+/)
      .waitFor()
  })
})
