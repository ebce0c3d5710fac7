import type { Locator } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { anotherClient } from '../helpers/another-client'
import { violationsByTheme } from '../helpers/axe'
import { appForFile } from '../helpers/for-file'
import { atRest, choose, messages, nothingPending, runCommand } from '../helpers/page'

const { app, page } = appForFile(() => ({ size: { width: 1280, height: 800 } }))

const rows = (grid: string): Locator => page.getByRole('treegrid', { name: grid }).getByRole('row')
const heading = (name: string | RegExp): Locator => page.getByRole('heading', { name, level: 2 })
const field = (): Locator => page.getByRole('textbox', { name: 'New task' })
const announced = (text: string): Promise<void> =>
  page.getByTestId('announcements').filter({ hasText: text }).waitFor({ state: 'attached' })

beforeEach(async () => {
  for (const key of ['Escape', 'Escape', 'Control+2']) await page.keyboard.press(key)
  await atRest(page)
})

describe('Today', () => {
  it('reschedules everything overdue to today as one step', async () => {
    await page.keyboard.press('t')
    await heading('Overdue').waitFor()
    const late = await rows('Overdue').count()
    expect(late).toBeGreaterThan(1)
    const due = await rows('Today').count()
    await page.getByRole('button', { name: 'Reschedule all to today' }).click()
    await heading('Overdue').waitFor({ state: 'detached' })
    await expect.poll(() => rows('Today').count()).toBe(due + late)
    await messages(page).getByText(`${late} tasks rescheduled to today`).waitFor()
    await page.keyboard.press('Control+z')
    await heading('Overdue').waitFor()
    await expect.poll(() => Promise.all([rows('Overdue').count(), rows('Today').count()])).toEqual([late, due])
  })

  it('keeps what was done today below what is left', async () => {
    await page.keyboard.press('t')
    await field().fill('Water the plants')
    await field().press('Enter')
    const row = page.getByRole('row', { name: /^Water the plants/ })
    await row.getByRole('checkbox').click()
    await page.keyboard.press('h')
    const done = page.getByRole('treegrid', { name: 'Done today' })
    await done.getByRole('row', { name: /^Water the plants, completed/ }).waitFor()
    await page.keyboard.press('3')
    await page.getByRole('heading', { name: 'Completed', level: 1 }).waitFor()
    await rows('Today').filter({ hasText: 'Water the plants' }).waitFor()
    await page.keyboard.press('t')
    await page.keyboard.press('h')
  })
})

describe('Completed', () => {
  it('reopens selected tasks, the one whose details are open among them', async () => {
    await page.keyboard.press('3')
    const all = page.locator('[data-task]')
    await all.nth(0).click()
    await page.getByRole('complementary', { name: 'Task', exact: true }).waitFor()
    await all.nth(1).click({ modifiers: ['Control'] })
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Reopen', exact: true }).click()
    await announced('2 tasks reopened')
    await page.keyboard.press('Control+z')
    await announced('Undid')
  })
})

describe('Upcoming', () => {
  it('shows days with their events, and adds a task to the day chosen', async () => {
    await page.keyboard.press('u')
    await heading('Tomorrow').waitFor()
    await expect.poll(() => page.locator('.section h2').count()).toBeGreaterThanOrEqual(14)
    await page.getByRole('button', { name: /^Open Tomorrow in the calendar/ }).waitFor()
    await page.getByRole('button', { name: 'Add a task on Friday 12 June' }).click()
    await field().fill('Pack the samples')
    await field().press('Enter')
    await rows('Friday 12 June').filter({ hasText: 'Pack the samples' }).waitFor()
  })

  it('moves a task to the day it is dropped on', async () => {
    await page.keyboard.press('u')
    await field().fill('Order paper')
    await field().press('Enter')
    const row = rows('Tomorrow').filter({ hasText: 'Order paper' })
    await row.dragTo(heading('Friday 12 June'))
    await announced('“Order paper” due Friday 12 June')
    await rows('Friday 12 June').filter({ hasText: 'Order paper' }).waitFor()
  })

  it('opens a day in the calendar', async () => {
    await page.keyboard.press('u')
    await page.getByRole('button', { name: /^Open Tomorrow in the calendar/ }).click()
    await page.getByRole('grid', { name: /^Day, Thursday 11 June/ }).waitFor()
  })

  it('meets the rules of accessibility in both themes', async () => {
    await page.keyboard.press('u')
    await heading('Tomorrow').waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    await page.keyboard.press('t')
    expect(await violationsByTheme(page)).toEqual([])
  })
})

describe('the tasks beside the calendar', () => {
  const pane = (): Locator => page.getByRole('complementary', { name: 'Tasks to plan' })
  const task = (title: string): Locator => pane().getByRole('button', { name: new RegExp(`^${title}`) })
  const block = (title: string): Locator =>
    page.locator('.block .hit').and(page.getByRole('button', { name: new RegExp(`^Time block[^,]*, ${title}`) }))
  /** A point of the week: days from Monday, and hours. */
  async function place(day: number, hour: number): Promise<{ x: number; y: number }> {
    const box = (await page.locator('.column').nth(day).boundingBox())!
    return { x: box.x + box.width / 2, y: box.y + (hour / 24) * box.height }
  }
  async function addTask(title: string): Promise<void> {
    await page.keyboard.press('Control+2')
    await page.keyboard.press('t')
    await field().fill(title)
    await field().press('Enter')
    await page.getByRole('row', { name: new RegExp(`^${title}`) }).waitFor()
    // Its row is drawn again once it has its ID.
    await nothingPending(page)
  }
  async function openPane(): Promise<void> {
    for (const key of ['Control+1', '2', 't']) await page.keyboard.press(key)
    const closed = page.getByRole('button', { name: 'Tasks to plan', pressed: false })
    await pane().or(closed).first().waitFor()
    if ((await closed.count()) > 0) await page.keyboard.press('Control+.')
    await pane().waitFor()
  }

  it('opens by key, and plans a task where it is dropped', async () => {
    await addTask('Draft the outline')
    await openPane()
    const from = (await task('Draft the outline').boundingBox())!
    const to = await place(3, 13.1)
    await page.mouse.move(from.x + 20, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await page.mouse.up()
    await announced('“Draft the outline” planned for Thursday 11 June 13:00 to')
    await block('Draft the outline').waitFor()
    await task('Draft the outline, .*planned for Thu 13:00').waitFor()
    await page.keyboard.press('Control+z')
    await block('Draft the outline').waitFor({ state: 'detached' })
  })

  it('plans by key in one of the next free times, and moves the block of a task that has one', async () => {
    await addTask('Sort the invoices')
    await openPane()
    await task('Sort the invoices').focus()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Plan “Sort the invoices”' })
    await expect.poll(() => dialog.getByRole('group', { name: 'Next free times' }).getByRole('button').count()).toBe(3)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await block('Sort the invoices').waitFor()
    await task('Sort the invoices').focus()
    await page.keyboard.press('b')
    await dialog.getByRole('textbox', { name: 'Time' }).fill('17:00')
    await page.keyboard.press('Enter')
    await announced('“Sort the invoices” planned for')
    await page.getByRole('button', { name: /^Time block, Sort the invoices, .*17:00 to/ }).waitFor()
    await expect.poll(() => block('Sort the invoices').count()).toBe(1)
  })

  it('completes the task from its block, and keeps the task when the block is deleted', async () => {
    await openPane()
    await block('Sort the invoices').focus()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: /^Time block of a completed task, Sort the invoices/ }).waitFor()
    await task('Sort the invoices').waitFor({ state: 'detached' })
    await page.keyboard.press('x')
    await task('Sort the invoices').waitFor()
    await block('Sort the invoices').focus()
    await page.keyboard.press('Delete')
    await messages(page).getByText('Time block of “Sort the invoices” deleted. The task is unchanged').waitFor()
    await task('Sort the invoices').waitFor()
    await page.keyboard.press('Control+z')
    await block('Sort the invoices').waitFor()
  })

  it('deletes the block along with its task, and says so', async () => {
    await openPane()
    await task('Sort the invoices').focus()
    await page.keyboard.press('Delete')
    await messages(page).getByText('“Sort the invoices” deleted, with 1 time block').waitFor()
    await block('Sort the invoices').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await block('Sort the invoices').waitFor()
    await task('Sort the invoices').waitFor()
  })

  it('keeps the focus on a task that planning moves to another group', async () => {
    await openPane()
    const late = pane().getByRole('region', { name: 'Overdue' }).locator('[data-pane-task]').first()
    await late.focus()
    const key = await late.getAttribute('data-pane-task')
    await page.keyboard.press('b')
    await page.getByRole('dialog', { name: /^Plan “/ }).waitFor()
    await page.keyboard.press('Enter')
    const focused = (): Promise<string[]> =>
      page.evaluate(() => {
        const { activeElement } = document
        const group = activeElement?.closest('section')?.getAttribute('aria-label') ?? ''
        return [(activeElement as HTMLElement).dataset['paneTask'] ?? '', group === 'Overdue' ? 'Overdue' : 'planned']
      })
    await expect.poll(focused).toEqual([key, 'planned'])
    await page.keyboard.press('Control+z')
    await expect.poll(focused).toEqual([key, 'Overdue'])
  })

  it('finds tasks due later by the filter', async () => {
    await page.keyboard.press('Control+2')
    await page.keyboard.press('u')
    await field().fill('Pay the deposit in 20 days')
    await field().press('Enter')
    await nothingPending(page)
    await openPane()
    const later = pane().getByRole('region', { name: 'Later' })
    await expect.poll(() => later.count()).toBe(0)
    await pane().getByRole('textbox', { name: 'Filter tasks' }).fill('deposit')
    await later.getByRole('button', { name: /^Pay the deposit/ }).waitFor()
    await page.keyboard.press('Escape')
    await later.waitFor({ state: 'detached' })
  })

  it('plans a task from the all-day row, which becomes a block', async () => {
    await openPane()
    const chip = page.getByRole('button', { name: /^Task, Draft the outline/ })
    await chip.dragTo(page.locator('.column').nth(4), {
      targetPosition: { x: 30, y: (await place(4, 15.1)).y - (await place(4, 0)).y },
    })
    await announced('“Draft the outline” planned for Friday 12 June 15:00 to')
    await block('Draft the outline').waitFor()
  })

  it('meets the rules of accessibility in both themes', async () => {
    await openPane()
    expect(await violationsByTheme(page)).toEqual([])
    await task('Draft the outline').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: /^Plan another time/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+.')
    await pane().waitFor({ state: 'detached' })
  })
})

describe('a task in Tasks', () => {
  const details = (): Locator => page.getByRole('complementary', { name: 'Task', exact: true })
  const isFocused = (name: RegExp): Promise<void> =>
    page.locator(':focus').and(page.getByRole('row', { name })).waitFor()

  it('opens with its details when it was found by the search', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill('plan the summer holiday')
    await page.getByRole('option', { selected: true }).filter({ hasText: 'Plan the summer holiday' }).waitFor()
    await page.keyboard.press('Enter')
    await details().waitFor()
    await expect
      .poll(() => details().getByRole('textbox', { name: 'Title' }).inputValue())
      .toBe('Plan the summer holiday')
    await isFocused(/^Plan the summer holiday/)
  })

  it('has the focus again after its planning is canceled, and its block once it is planned', async () => {
    await page.keyboard.press('t')
    await rows('Overdue').first().click()
    const title = await rows('Overdue').first().locator('.title .text').textContent()
    await page.keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: `Plan “${title}”` })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await heading('Overdue').waitFor()
    await isFocused(new RegExp(`^${title}`))
    await page.keyboard.press('b')
    await dialog.waitFor()
    await page.keyboard.press('Enter')
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: new RegExp(`^Time block, ${title}`) }))
      .waitFor()
    await page.keyboard.press('Control+z')
  })
})

it('a list stays where it is when it no longer fits the window', async () => {
  await page.keyboard.press('t')
  const column = page.locator('main .column')
  const left = (height: string): Promise<number> =>
    column.evaluate((one, height) => {
      Object.assign(one.style, { height, overflow: height && 'hidden' })
      return one.getBoundingClientRect().left
    }, height)
  const short = await left('100px')
  expect(await left('5000px')).toBe(short)
  await left('')
})

describe('a title that is edited in its row', () => {
  it('is saved by a shortcut of the app, and keeps shortcuts of its task from it', async () => {
    await page.keyboard.press('t')
    await field().fill('Order toner')
    await field().press('Enter')
    // Its row is drawn again once it has its ID.
    await nothingPending(page)
    const row = page.getByRole('row', { name: /^Order toner/ })
    await row.click()
    await page.keyboard.press('F2')
    const title = row.getByRole('textbox', { name: 'Title' })
    await title.fill('Order toner and paper')
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('F1')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /^Order toner and paper/, selected: false }).waitFor()
    await nothingPending(page)
  })
})

// Last, because the window would end.
describe('a window that closes', () => {
  it('saves the title that is being typed in a row', async () => {
    await page.keyboard.press('Control+2')
    await page.keyboard.press('t')
    await field().fill('Order ink')
    await field().press('Enter')
    await page.getByRole('row', { name: /^Order ink/ }).click()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Title' }).first().fill('Order black ink')
    await app.announce('app/closing', {})
    await page.getByRole('row', { name: /^Order black ink/ }).waitFor()
    await nothingPending(page)
  })
})

describe('Recently deleted', () => {
  it('restores a task by keys, and the history of the task says so', async () => {
    await page.keyboard.press('t')
    await field().fill('Return the samples')
    await field().press('Enter')
    const row = rows('Today').filter({ hasText: 'Return the samples' })
    await row.click()
    await page.keyboard.press('Delete')
    await row.waitFor({ state: 'detached' })
    await messages(page).getByRole('button', { name: 'Recently deleted' }).click()
    const dialog = page.getByRole('dialog', { name: 'Recently deleted' })
    const restore = dialog.getByRole('button', { name: 'Restore “Return the samples”' })
    await restore.waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    await page.keyboard.type('samples due')
    await dialog.getByText('Due Wed 10 Jun').waitFor()
    await restore.press('Enter')
    await announced('“Return the samples” restored')
    await dialog.getByText('Nothing deleted').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await row.click()
    await page.keyboard.press('e')
    // A task gets its ID when it's sent, and its details stay open.
    await nothingPending(page)
    await page.getByRole('complementary', { name: 'Task' }).getByText('History').click()
    await page.getByRole('list', { name: 'History' }).getByText('Add task “Return the samples”').waitFor()
    await page.keyboard.press('Control+z')
    await row.waitFor({ state: 'detached' })
  })
})

describe('repeating tasks', () => {
  it('are set by keys, say when the next one is due, and continue when completed', async () => {
    await page.keyboard.press('t')
    await field().fill('Water the ferns')
    await field().press('Enter')
    const row = page.getByRole('row', { name: /^Water the ferns/ })
    await row.waitFor()
    // Its row is drawn again once it has its ID.
    await nothingPending(page)
    await row.click()
    await page.keyboard.press('!')
    await page.getByRole('row', { name: /^Water the ferns, due .*, important/ }).waitFor()
    await page.keyboard.press('e')
    const panel = page.getByRole('complementary', { name: 'Task', exact: true })
    await choose(panel.getByRole('combobox', { name: 'Repeat' }), 'Every week on Wed')
    await panel.getByText('When you complete this task, the next one is due Wednesday 17 June.').waitFor()
    await expect.poll(() => panel.getByRole('textbox', { name: 'Notes' }).inputValue()).toBe('')
    expect(await violationsByTheme(page)).toEqual([])
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await row.getByRole('checkbox').click()
    await announced('“Water the ferns” completed, next task added')
    await page.keyboard.press('u')
    await rows('Wednesday 17 June').filter({ hasText: 'Water the ferns' }).waitFor()
    await page.keyboard.press('Control+z')
    await rows('Wednesday 17 June').filter({ hasText: 'Water the ferns' }).waitFor({ state: 'detached' })
    await page.keyboard.press('t')
    await page.getByRole('row', { name: /^Water the ferns, due .*, important, repeats every week on Wed/ }).waitFor()
  })
})

describe('Tags and times', () => {
  it('are read from the line of a new task, shown in lists, and found in the sidebar and the palette', async () => {
    await page.keyboard.press('t')
    await field().fill('Call Jo #errand at 17:30')
    await page.getByText('Due Wednesday 10 June, 17:30 · #errand').waitFor()
    await field().press('Enter')
    await field().fill('Pick up prints #errand today at 9:30')
    await field().press('Enter')
    const named = (name: RegExp): Locator => rows('Today').filter({ has: page.getByText(name) })
    await named(/^Pick up prints$/).waitFor()
    const titles = await rows('Today').locator('.title .text').allTextContents()
    expect(titles.slice(0, 2)).toEqual(['Pick up prints', 'Call Jo'])
    await page.getByRole('row', { name: /^Call Jo, due .* at 17:30, tags #errand/ }).waitFor()
    await page
      .getByRole('list', { name: 'Tags' })
      .getByRole('button', { name: /errand/ })
      .click()
    await page.getByRole('heading', { name: '#errand', level: 1 }).waitFor()
    await expect.poll(() => rows('#errand').count()).toBe(2)
    await page.keyboard.press('t')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Search/ }).fill('#err')
    await page.getByRole('option', { name: /#errand/ }).click()
    await page.getByRole('heading', { name: '#errand', level: 1 }).waitFor()
    // A task that’s added here gets the tag.
    await field().fill('Buy stamps')
    await field().press('Enter')
    await page.getByRole('row', { name: /^Buy stamps, tags #errand/ }).waitFor()
  })

  it('are set in the details, and undone in one step', async () => {
    await page.keyboard.press('t')
    await page.getByRole('row', { name: /^Call Jo/ }).click()
    await page.keyboard.press('e')
    const details = page.getByRole('complementary', { name: 'Task', exact: true })
    await details.getByLabel('Time').fill('8:15')
    await details.getByLabel('Tags').fill('errand phone')
    await details.getByLabel('Tags').press('Tab')
    await page.getByRole('row', { name: /^Call Jo, due .* at 08:15, tags #errand, #phone/ }).waitFor()
    await details.getByLabel('Time').fill('25:00')
    await details.locator('[aria-invalid="true"]').waitFor()
    await details.getByLabel('Time').fill('')
    await details.getByLabel('Time').press('Tab')
    await page.getByRole('row', { name: /^Call Jo, due [^,]*, tags #errand, #phone/ }).waitFor()
    expect(await violationsByTheme(page)).toEqual([])
  })
})

describe('Lists', () => {
  it('can be deleted, except for the default one', async () => {
    const menuOf = async (list: string): Promise<Locator> => {
      const item = page.getByRole('complementary').getByRole('listitem').filter({ hasText: list })
      await item.hover()
      await item.getByRole('button', { name: `Actions for ${list}` }).click()
      return page.getByRole('menu')
    }
    const menu = await menuOf('My tasks')
    const kept = menu.getByRole('menuitem', { name: 'Can’t delete the default list' })
    await kept.waitFor()
    await expect.poll(() => kept.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    const other = await menuOf('Reading and ideas')
    await other.getByRole('menuitem', { name: 'Delete list' }).click()
    await messages(page)
      .getByText(/^List “Reading and ideas” deleted/)
      .waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Actions for Reading and ideas' }).waitFor({ state: 'attached' })
  })

  it('begin at the top, draw completed tasks as they come into sight, and count only selected tasks that are shown', async () => {
    const another = anotherClient(page)
    const { id: tasklist } = await another('tasks.tasklists.insert', {}, { title: 'Archive' })
    for (const status of [...Array.from({ length: 300 }, () => 'completed'), 'needsAction', 'needsAction'])
      await another('tasks.tasks.insert', { tasklist: tasklist! }, { title: 'Old task', status })
    await runCommand(page, 'Sync now')
    const sidebar = page.getByRole('complementary')
    await sidebar.getByRole('button', { name: /^Archive/ }).click()
    await page.getByRole('button', { name: 'Completed (300)' }).click()
    const completed = rows('Completed')
    await page.getByText(/^\d+ more$/).waitFor()
    await rows('Archive').first().focus()
    await page.keyboard.press('End')
    await expect.poll(() => completed.last().evaluate((row) => row === document.activeElement)).toBe(true)
    await expect.poll(() => completed.count()).toBe(300)
    await sidebar.getByRole('button', { name: /^My tasks/ }).click()
    await page.getByRole('heading', { name: 'My tasks', level: 1 }).waitFor()
    await expect.poll(() => field().evaluate((line) => line.getBoundingClientRect().top > 0)).toBe(true)
    await page.keyboard.press('h')

    await sidebar.getByRole('button', { name: /^Archive/ }).click()
    await rows('Archive').first().focus()
    await page.keyboard.press('Control+a')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Completed (302)' }).waitFor()
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reopen', exact: true }).waitFor({ state: 'detached' })
  })
})
