import type { Locator } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser, firstAdvertiser } from '../helpers/campaign-download'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { dismissMessages, messages, pressing, runCommand } from '../helpers/page'
import { recordGrid } from '../helpers/record-grid'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
beforeAll(async () => downloadAdvertiser(page, await firstAdvertiser(service)), 180_000)

const press = pressing(() => page)
const { grid, cell } = recordGrid(() => page)
const dialog = (): Locator => page.getByRole('dialog')
const formula = (): Locator => dialog().getByLabel('Formula')
const counts = (): Locator => dialog().getByRole('status')

beforeEach(async () => {
  await press('Escape', 'Escape')
  await runCommand(page, 'Campaigns: placements')
  await grid().getByRole('gridcell').first().waitFor()
  await dismissMessages(page)
  await grid().focus()
  await press('Control+Home')
})

it('fills the names of selected rows by keys, in one step, and remembers the formula', async () => {
  const names = [await cell(2, 2).textContent(), await cell(3, 2).textContent()]
  await press('Shift+ArrowDown', 'Control+Shift+H')
  await expect.poll(() => formula().inputValue()).toBe('{name}')
  await expect.poll(() => counts().textContent()).toBe('No changes · 2 unchanged')
  // Typing replaces it.
  await page.keyboard.type('{sight}')
  await expect.poll(() => formula().inputValue()).toBe('{sight}')
  await dialog().getByText('No field {sight}. Use {name}', { exact: false }).waitFor()
  await formula().fill('{n:2}-{name}')
  await expect.poll(() => counts().textContent()).toBe('Changes 2 placements')
  await expect
    .poll(() => dialog().getByRole('region', { name: 'Preview' }).getByRole('row').last().textContent())
    .toBe(`${names[1]}02-${names[1]}`)
  expect(await violationsByTheme(page)).toEqual([])
  await press('Enter')
  await cell(3, 2)
    .filter({ hasText: `02-${names[1]}` })
    .waitFor()
  await expect.poll(() => cell(2, 2).textContent()).toBe(`01-${names[0]}`)
  await messages(page).getByText('2 cells changed').waitFor()
  await page.waitForFunction(() => document.activeElement?.matches('[role=grid]'))
  await press('Control+z')
  await cell(3, 2).filter({ hasText: names[1]! }).waitFor()
  await expect.poll(() => cell(2, 2).textContent()).toBe(names[0])
  await press('Control+Shift+H')
  await expect.poll(() => formula().inputValue()).toBe('{n:2}-{name}')
})

it('is built by pointer from the context menu', async () => {
  const column = Number(
    await grid().getByRole('columnheader', { name: 'Plan line', exact: true }).getAttribute('aria-colindex'),
  )
  const name = (await cell(2, 2).textContent())!
  await cell(2, column).click()
  await cell(4, column).click({ modifiers: ['Shift'] })
  await cell(3, column).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Fill with a formula' }).click()
  await expect.poll(() => dialog().getByRole('combobox', { name: 'Column' }).inputValue()).toBe('Plan line')
  await formula().fill('')
  for (const field of ['Name', 'Row number']) {
    await dialog().getByRole('button', { name: 'Insert field' }).click()
    await page.getByRole('menuitem', { name: field, exact: true }).click()
  }
  await expect.poll(() => formula().inputValue()).toBe('{name}{n}')
  await dialog().getByLabel('First number').fill('7')
  await press('Tab')
  await dialog().getByRole('button', { name: 'Fill 3' }).click()
  await cell(2, column)
    .filter({ hasText: `${name}7` })
    .waitFor()
  await press('Control+z')
  await expect.poll(() => cell(2, column).textContent()).not.toContain(name)
})
