import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { violationsByTheme } from '../helpers/axe'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { clockFromMoment } from '../helpers/moment'
import { choose } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'empty', now: clock.now })
const { app, page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1280, height: 800 } }))

const field = (): Locator => page.getByRole('searchbox', { name: 'Search events, tasks, and campaigns' })
const list = (): Locator => page.getByRole('listbox', { name: 'Results' })
const titles = (): Promise<string[]> => list().locator('.title').allTextContents()
const said = (): Promise<string> => page.getByRole('main', { name: 'Search' }).getByRole('status').innerText()

beforeAll(async () => {
  const day = (ahead: number): string => new Date(clock.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const calendarId = 'primary'
  for (const [summary, ahead] of [
    ['Budget review', 3],
    ['Budget kick-off', -40],
    ['Café budget', 20],
  ] as const)
    await service.client.call(
      'calendar.events.insert',
      { calendarId },
      { body: { summary, start: { date: day(ahead) }, end: { date: day(ahead + 1) } } },
    )
  const { body: lists } = await service.client.call('tasks.tasklists.list', {})
  const tasklist = lists.items![0]!.id!
  for (const body of [{ title: 'Send budget' }, { title: 'Old budget', status: 'completed' }] as const)
    await service.client.call('tasks.tasks.insert', { tasklist }, { body })
  await app.announce('app/resumed', {})
})

it('lists everything that a search found, by keyboard', async () => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('budget')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('option', { name: 'Show all results for “budget”' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await palette.waitFor({ state: 'detached' })
  await expect.poll(said).toBe('5 results')
  await expect.poll(titles).toContain('Event: Café budget')
  await expect.poll(() => field().inputValue()).toBe('budget')
  // The matching words stand out.
  await expect.poll(() => list().locator('mark').allTextContents()).toContain('Budget')
  expect(await violationsByTheme(page, { within: page.getByRole('main') })).toEqual([])
})

it('narrows them by kind, time, and state, and says what filters hide', async () => {
  await page.getByRole('radiogroup', { name: 'Kind' }).getByRole('radio', { name: 'Events 3' }).check()
  await expect.poll(said).toBe('3 results')
  await choose(page.getByRole('combobox', { name: 'When' }), 'Upcoming')
  await choose(page.getByRole('combobox', { name: 'Sort by' }), 'Newest first')
  await expect.poll(titles).toEqual(['Event: Café budget', 'Event: Budget review'])
  await choose(page.getByRole('combobox', { name: 'When' }), 'Past')
  await expect.poll(titles).toEqual(['Event: Budget kick-off'])
  await page.getByRole('radiogroup', { name: 'Kind' }).getByRole('radio', { name: /^All/ }).check()
  await choose(page.getByRole('combobox', { name: 'When' }), 'Any time')
  await page.getByRole('checkbox', { name: 'Hide completed and archived' }).check()
  await expect.poll(said).toBe('4 results')
  await field().fill('old')
  await page.getByText('No results with these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(titles).toEqual(['Task: Old budget'])
  await field().fill('nothing like it')
  await page.getByText('No results for “nothing like it”').waitFor()
})

it('opens a result, and comes back to it', async () => {
  await field().fill('budget')
  await field().press('ArrowDown')
  await expect.poll(() => list().evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('End')
  const current = (): Promise<string | null> => list().locator('[aria-selected=true] .title').textContent()
  const last = (await titles()).at(-1)!
  await expect.poll(current).toBe(last)
  await page.keyboard.press('Enter')
  await page.getByRole('main', { name: 'Search' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+BracketLeft')
  await page.getByRole('main', { name: 'Search' }).waitFor()
  await expect.poll(current).toBe(last)
  await expect.poll(() => list().evaluate((one) => one === document.activeElement)).toBe(true)
})

it('has the commands of a result in its menu', async () => {
  await list().getByRole('option', { name: 'Event: Budget review' }).click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'Budget review' })
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('main', { name: 'Calendar' }).waitFor()
  await page.getByText('“Budget review” deleted', { exact: true }).waitFor()
  await page.keyboard.press('Control+BracketLeft')
  await expect.poll(titles).not.toContain('Event: Budget review')
})

it('starts over for another text, and keeps its row when others appear', async () => {
  const current = (): Promise<string | null> => list().locator('[aria-selected=true] .title').textContent()
  await field().fill('bu')
  await field().press('Enter')
  await expect.poll(() => list().evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('End')
  await expect.poll(current).toBe((await titles()).at(-1)!)
  await field().fill('budget')
  await expect.poll(current).toBe((await titles())[0]!)

  await choose(page.getByRole('combobox', { name: 'Sort by' }), 'By title')
  await field().press('Enter')
  await expect.poll(() => list().evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('End')
  await expect.poll(current).toBe('Task: Send budget')
  const before = (await titles()).length
  const [day, next] = [0, 1].map((ahead) => new Date(clock.now() + ahead * 86_400_000).toISOString().slice(0, 10))
  await service.client.call(
    'calendar.events.insert',
    { calendarId: 'primary' },
    { body: { summary: 'Annual budget', start: { date: day! }, end: { date: next! } } },
  )
  await app.announce('app/resumed', {})
  await expect.poll(async () => (await titles()).length).toBe(before + 1)
  await expect.poll(titles).toContain('Event: Annual budget')
  await expect.poll(current).toBe('Task: Send budget')
})

it('comes back to a result whose menu led elsewhere', async () => {
  await list().getByRole('option', { name: 'Task: Send budget' }).click({ button: 'right' })
  await page.getByRole('menu', { name: 'Send budget' }).getByRole('menuitem', { name: 'Complete' }).click()
  await page.getByRole('main', { name: 'Tasks' }).waitFor()
  await page.keyboard.press('Control+BracketLeft')
  await expect.poll(() => list().locator('[aria-selected=true] .title').textContent()).toBe('Task: Send budget')
  await expect.poll(() => list().evaluate((one) => one === document.activeElement)).toBe(true)
})
