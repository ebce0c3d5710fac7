import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { usualClock } from '../helpers/moment'
import { atRest, runCommand } from '../helpers/page'
import { helpPages } from '../../src-renderer/app/help/pages'

let app: AppPage
const dialog = () => app.page.getByRole('dialog', { name: 'Help' })
const article = () => dialog().getByRole('article')
const title = () => article().getByRole('heading', { level: 3 })

beforeAll(async () => {
  app = await openApp({ clock: usualClock(), args: ['--seed', 'empty'] })
  await app.page.getByRole('navigation', { name: 'Views' }).waitFor()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

it('opens by its key, shows every page, and follows links between them', async () => {
  const { page } = app
  await page.keyboard.press('Shift+F1')
  const nav = dialog().getByRole('navigation', { name: 'Help pages' })
  for (const { title: name } of helpPages) {
    await nav.getByRole('button', { name, exact: true }).press('Enter')
    expect(await title().innerText()).toBe(name)
    expect((await article().innerText()).length).toBeGreaterThan(200)
  }
  await nav.getByRole('button', { name: 'Getting started' }).click()
  await article().getByRole('button', { name: 'Sync' }).click()
  expect(await title().innerText()).toBe('Sync and working offline')
  expect(await nav.locator('[aria-current=page]').innerText()).toBe('Sync and working offline')
})

it('opens at a page from the palette, and from the settings', async () => {
  const { page } = app
  await runCommand(page, 'Help: What you can rely on')
  expect(await title().innerText()).toBe('What you can rely on')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+,')
  await page.getByRole('button', { name: 'This computer' }).click()
  await page.getByRole('button', { name: 'Open help' }).click()
  await dialog().waitFor()
})

it('fits a small window, and is accessible in both themes', async () => {
  const { page } = app
  await app.resize({ width: 640, height: 480 })
  await runCommand(page, 'Help: The report command')
  await atRest(page)
  const overflow = await dialog().evaluate((box) => {
    const { right, bottom } = box.getBoundingClientRect()
    return { right: right <= innerWidth, bottom: bottom <= innerHeight }
  })
  expect(overflow).toEqual({ right: true, bottom: true })
  expect((await article().boundingBox())!.height).toBeGreaterThan(150)
  expect(await violationsByTheme(page)).toEqual([])
})
