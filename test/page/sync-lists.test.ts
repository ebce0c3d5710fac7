import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { anotherClient } from '../helpers/another-client'
import { violations } from '../helpers/axe'
import { messages, nothingPending, workOffline } from '../helpers/page'
import { appForFile } from '../helpers/for-file'

const primary = 'alex.morgan@flightplan.example'
const { app, page } = appForFile(() => ({ args: ['--seed', 'empty'], size: { width: 1280, height: 900 } }))

const elsewhere = anotherClient(page)
const trouble = (order: JsonObject | null): Promise<unknown> =>
  app.page.evaluate(
    (text) => window.flightplan.ask('sandbox/trouble', { trouble: JSON.parse(text) as never }),
    JSON.stringify(order),
  )
const offline = (): Promise<void> => workOffline(app.page)
const done = (): Locator => app.page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
async function add(line: string): Promise<void> {
  await app.page.keyboard.press('q')
  await app.page.locator('#quick-line').fill(line)
  await app.page.keyboard.press('Enter')
  await app.page.locator('#quick-line').waitFor({ state: 'detached' })
}

describe('Sync, while you have it open', () => {
  it('lists everything sent', async () => {
    await app.page.keyboard.press('Control+6')
    await offline()
    await app.page.keyboard.press('Control+1')
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) await add(`${name} tomorrow 10:00`)
    await app.page.keyboard.press('Control+6')
    await app.page.getByText('Pending changes 4').first().waitFor()
    await offline()
    await nothingPending(app.page)
    await expect.poll(() => done().count()).toBe(4)
    expect((await done().allTextContents()).map((text) => /Sent\s*Create (\w+)/.exec(text)?.[1]).sort()).toEqual([
      'Alpha',
      'Beta',
      'Delta',
      'Gamma',
    ])
  })

  it('undoes a discarded change before the steps that came before it', async () => {
    const { page } = app
    await offline()
    await page.keyboard.press('Control+1')
    for (const name of ['Epsilon', 'Zeta']) await add(`${name} tomorrow 10:00`)
    await page.keyboard.press('Control+6')
    const pending = page.getByRole('list', { name: 'Pending changes' }).getByRole('listitem')
    await expect.poll(() => pending.count()).toBe(2)
    const current = (): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await pending.first().focus()
    await page.keyboard.press('End')
    await expect.poll(current).toBe('2. Create Zeta')
    await page.keyboard.press('Home')
    await expect.poll(current).toBe('1. Create Epsilon')
    await page.keyboard.press('Delete')
    await expect.poll(() => pending.count()).toBe(1)
    await expect.poll(current).toBe('1. Create Zeta')
    await page.keyboard.press('Control+z')
    await expect.poll(() => pending.count()).toBe(2)
    await expect.poll(() => messages(page).getByText('Discarded').count()).toBe(0)
    for (const text of ['Epsilon', 'Zeta', 'Epsilon']) {
      await page.keyboard.press('Control+z')
      await messages(page).getByText(`Undid: Create “${text}”`).waitFor()
    }
    await expect.poll(() => pending.count()).toBe(0)
    await offline()
    await nothingPending(page)
  })

  it('says how a conflict was resolved', async () => {
    const made = (await elsewhere('calendar.events.list', { calendarId: primary }))['items'] as JsonObject[]
    const id = (name: string): string => String(made.find(({ summary }) => summary === name)!['id'])
    await offline()
    await app.page.keyboard.press('Control+1')
    // Tomorrow may be on the next page.
    await app.page.keyboard.press('4')
    for (const name of ['Alpha', 'Beta']) {
      await app.page
        .getByRole('button', { name: new RegExp(name) })
        .first()
        .click()
      await app.page.keyboard.press('e')
      const title = app.page.getByRole('textbox', { name: 'Title', exact: true })
      await title.fill(`${name}, mine`)
      await app.page.keyboard.press('Control+Enter')
      await title.waitFor({ state: 'detached' })
      await elsewhere(
        'calendar.events.patch',
        { calendarId: primary, eventId: id(name) },
        { summary: `${name}, theirs` },
      )
    }
    await app.page.keyboard.press('Control+6')
    await offline()
    await app.page.getByText('Needs attention 2').first().waitFor()
    const decide = async (name: string, side: 'mine' | 'theirs'): Promise<void> => {
      const card = app.page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ hasText: `Change ${name}` })
        .first()
      await card.getByRole('radio', { name: `Title: ${side}` }).check()
      await card.getByRole('button', { name: /^Save and send/ }).click()
    }
    await decide('Alpha', 'theirs')
    await decide('Beta', 'mine')
    await nothingPending(app.page)
    const row = (name: string): Locator => done().filter({ hasText: `Change ${name}` })
    await row('Alpha').getByText('Kept theirs', { exact: true }).waitFor()
    await row('Beta').getByText('Sent', { exact: true }).waitFor()
    await expect.poll(() => row('Alpha').getByText('Merged').count()).toBe(0)
  })

  it('asks about a title that someone else changed, and that was read, while another one was typed', async () => {
    const made = (await elsewhere('calendar.events.list', { calendarId: primary }))['items'] as JsonObject[]
    const id = String(made.find(({ summary }) => summary === 'Gamma')!['id'])
    const { page } = app
    const event = page.getByRole('button', { name: /Gamma/ }).first()
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    const patch = (body: JsonObject): Promise<JsonObject> =>
      elsewhere('calendar.events.patch', { calendarId: primary, eventId: id }, body)
    await page.keyboard.press('Control+1')
    await page.keyboard.press('4')
    await event.click()
    await page.keyboard.press('e')
    await title.fill('Mine')
    // What's read is shown in fields that weren't touched.
    await patch({ summary: 'Gamma, theirs', location: 'Room 5' })
    await page.keyboard.press('F5')
    await expect.poll(() => page.getByLabel('Location', { exact: true }).inputValue()).toBe('Room 5')
    await page.keyboard.press('Control+Enter')
    await title.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+6')
    await page.getByText('Needs attention 1').first().waitFor()
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Change Gamma' }).first()
    await card.getByRole('radio', { name: 'Title: theirs' }).check()
    await card.getByRole('button', { name: /^Save and send/ }).click()
    await nothingPending(page)
    const { summary } = await elsewhere('calendar.events.get', { calendarId: primary, eventId: id })
    expect(summary).toBe('Gamma, theirs')
  })

  it('asks before it deletes a task with a subtask from someone else, and one key keeps both', async () => {
    const lists = (await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[]
    const tasklist = String(lists[0]!['id'])
    const { id } = await elsewhere('tasks.tasks.insert', { tasklist }, { title: 'Trip' })
    await app.page.keyboard.press('Control+2')
    await app.page.keyboard.press('F5')
    const row = app.page.getByRole('main').getByText('Trip', { exact: true }).first()
    await row.waitFor()
    await app.page.keyboard.press('Control+6')
    await offline()
    await app.page.keyboard.press('Control+2')
    await row.click()
    await app.page.keyboard.press('Delete')
    await row.waitFor({ state: 'detached' })
    for (const title of ['Tickets', 'Passport'])
      await elsewhere('tasks.tasks.insert', { tasklist, parent: String(id) }, { title, notes: 'From Mina' })
    await app.page.keyboard.press('Control+6')
    await offline()
    const card = app.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Delete' }).first()
    await card.getByText('They’d be deleted with the task').waitFor()
    await expect
      .poll(async () => (await card.getByRole('listitem').allTextContents()).sort())
      .toEqual(['Passport', 'Tickets'])
    await card.click()
    await app.page.keyboard.press('t')
    await nothingPending(app.page)
    const { items } = (await elsewhere('tasks.tasks.list', { tasklist })) as { items: JsonObject[] }
    expect(items.map(({ title }) => title)).toEqual(expect.arrayContaining(['Trip', 'Tickets', 'Passport']))
  })

  it('asks whether a task is the one whose response was lost, and one key links it', async () => {
    const lists = (await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[]
    const tasklist = String(lists[0]!['id'])
    // Its list can't be read again until someone has renamed the task.
    await trouble({ operation: 'tasks.tasks.insert', drop: 'after', count: 1 })
    await trouble({ operation: 'tasks.tasks.list', status: 503, count: 50 })
    await app.page.keyboard.press('Control+2')
    await app.page.keyboard.press('n')
    await app.page.keyboard.type('Call Mina')
    await app.page.keyboard.press('Enter')
    await app.page.keyboard.press('Control+6')
    await app.page.getByText('outcome unknown').first().waitFor()
    await offline()
    await trouble(null)
    const tasks = async (): Promise<JsonObject[]> =>
      (await elsewhere('tasks.tasks.list', { tasklist }))['items'] as JsonObject[]
    const { id } = (await tasks()).find(({ title }) => title === 'Call Mina')!
    await elsewhere('tasks.tasks.patch', { tasklist, task: id! }, { title: 'Call Mina back' })
    await offline()
    const card = app.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Is this the same task?' }).first()
    await card.waitFor()
    await card.getByRole('row', { name: /Title.*Call Mina.*Call Mina back/ }).waitFor()
    await card.click()
    await app.page.keyboard.press('t')
    await nothingPending(app.page)
    const calls = (await tasks()).map(({ title }) => String(title)).filter((title) => title.startsWith('Call'))
    expect(calls).toEqual(['Call Mina back'])
  })

  it('asks before it deletes a task whose subtasks couldn’t be checked for ten minutes', async () => {
    const lists = (await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[]
    const tasklist = String(lists[0]!['id'])
    await elsewhere('tasks.tasks.insert', { tasklist }, { title: 'Move' })
    await app.page.addInitScript(() => {
      const { now } = Performance.prototype
      let skipped = 0
      Performance.prototype.now = function (this: Performance) {
        return now.call(this) + skipped
      }
      Object.assign(window, { skip: (time: number) => (skipped += time) })
    })
    await app.page.reload()
    await app.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Tasks' }).click()
    await app.page.keyboard.press('F5')
    const row = app.page.getByRole('main').getByText('Move', { exact: true }).first()
    await row.waitFor()
    await trouble({ operation: 'tasks.tasks.list', status: 412, count: 1_000 })
    await row.click()
    await app.page.keyboard.press('Delete')
    await row.waitFor({ state: 'detached' })
    await app.page.keyboard.press('Control+6')
    const card = app.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Delete' }).first()
    await card.waitFor()
    const asked = card.getByText('Couldn’t check what else would be deleted with the task “Move”.')
    const skip = (): Promise<void> =>
      app.page.evaluate(() => (window as unknown as { skip(time: number): void }).skip(700_000))
    // Time counts from when the deletion was first to be sent.
    const retried = async (): Promise<number> => {
      await skip()
      await app.page.keyboard.press('F5')
      return asked.count()
    }
    await expect.poll(retried, { interval: 500 }).toBe(1)
    expect(await violations(app.page, { within: card })).toEqual([])
    await card.click()
    await app.page.keyboard.press('t')
    await trouble(null)
    await nothingPending(app.page)
    await app.page.keyboard.press('Control+2')
    await row.waitFor()
  })

  it('keeps a title that is typed in a list while the task is read, and asks if someone else changed it', async () => {
    const { page } = app
    const tasklist = String(((await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[])[0]!['id'])
    const { items } = (await elsewhere('tasks.tasks.list', { tasklist })) as { items: JsonObject[] }
    const { id } = items.find(({ title }) => title === 'Move')!
    await page.getByRole('row').filter({ hasText: 'Move' }).click()
    await page.keyboard.press('F2')
    const typed = page.getByRole('gridcell').getByRole('textbox', { name: 'Title' })
    await typed.fill('Mine')
    await elsewhere('tasks.tasks.patch', { tasklist, task: id! }, { title: 'Theirs' })
    await elsewhere('tasks.tasks.insert', { tasklist }, { title: 'Read with it' })
    // The field keeps keys to itself.
    await page.locator('body').dispatchEvent('keydown', { key: 'F5' })
    await page.getByRole('row').filter({ hasText: 'Read with it' }).waitFor()
    await expect.poll(() => typed.inputValue()).toBe('Mine')
    await typed.press('Enter')
    await page.keyboard.press('Control+6')
    await page.getByText('Needs attention 1').first().waitFor()
    const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Mine' }).first()
    await card.getByText('Theirs').first().waitFor()
  })
})

describe('menus in Sync', () => {
  const menu = (): Locator => page.getByRole('menu').first()
  const item = (name: string | RegExp): Locator => page.getByRole('menuitem', { name })
  const entry = (name: string): Locator => page.locator('[data-entry]').filter({ hasText: name }).first()
  const isFocused = (place: Locator): Promise<boolean> => place.evaluate((one) => one === document.activeElement)
  async function openByKey(place: Locator): Promise<void> {
    await place.focus()
    await page.keyboard.press('Shift+F10')
    await menu().waitFor()
  }
  async function leave(place: Locator): Promise<void> {
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(place)).toBe(true)
  }

  it('resolve a conflict', async () => {
    const card = entry('Theirs')
    await openByKey(card)
    await menu().getByText('1 field to resolve').waitFor()
    await expect.poll(() => item(/^Save and send/).getAttribute('aria-disabled')).toBe('true')
    expect(await violations(page, { within: '[role="menu"]' })).toEqual([])
    await leave(card)
    await card.getByText('Needs attention').click({ button: 'right' })
    await item(/^All theirs/).click()
    await expect.poll(() => card.getByRole('radio', { name: 'Title: theirs' }).isChecked()).toBe(true)
    await openByKey(card)
    await item(/^Save and send/).click()
    await nothingPending(page)
  })

  it('act on an entry, and on what was sent', async () => {
    // The resolved change may come up above it at any moment.
    const sent = done().filter({ hasText: 'Create Delta' }).first()
    await openByKey(sent)
    await item('Revert').waitFor()
    await leave(sent)
    await offline()
    await page.keyboard.press('Control+1')
    for (const name of ['Epsilon', 'Zeta']) await add(`${name} tomorrow 10:00`)
    await page.keyboard.press('Control+6')
    const card = entry('Epsilon')
    await openByKey(card)
    await expect.poll(() => menu().getAttribute('aria-label')).toContain('Epsilon')
    expect(await violations(page, { within: '[role="menu"]' })).toEqual([])
    await leave(card)
    await entry('Zeta').locator('.label').click({ button: 'right' })
    await expect.poll(() => menu().getAttribute('aria-label')).toContain('Zeta')
    await item(/^Discard/).click()
    await entry('Zeta').waitFor({ state: 'detached' })
    await done().filter({ hasText: 'Zeta' }).first().click({ button: 'right' })
    await menu().getByText('There’s nothing to revert.').waitFor()
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
  })

  it('leave selected text to the menu of the system', async () => {
    const label = entry('Epsilon').locator('.label')
    const listen = (): Promise<void> =>
      page.evaluate(() => {
        const prevented = new Promise((resolve) => {
          addEventListener('contextmenu', (event) => resolve(event.defaultPrevented), { once: true })
        })
        Object.assign(window, { prevented })
      })
    await listen()
    await label.selectText()
    await label.click({ button: 'right', position: { x: 12, y: 8 } })
    const isPrevented = (): Promise<boolean> =>
      page.evaluate(() => (window as unknown as { prevented: Promise<boolean> }).prevented)
    expect(await isPrevented()).toBe(false)
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await listen()
    await label.click({ button: 'right', position: { x: 12, y: 8 } })
    expect(await isPrevented()).toBe(true)
    await page.keyboard.press('Escape')
    await menu().waitFor({ state: 'detached' })
    await offline()
    await nothingPending(page)
  })

  it('act on a step with many changes', async () => {
    const tasklist = String(((await elsewhere('tasks.tasklists.list', {}))['items'] as JsonObject[])[0]!['id'])
    for (const at of [1, 2, 3, 4, 5, 6]) await elsewhere('tasks.tasks.insert', { tasklist }, { title: `Pack ${at}` })
    await page.keyboard.press('Control+2')
    await page.keyboard.press('F5')
    const rows = page.locator('[data-task]').filter({ hasText: 'Pack' })
    await expect.poll(() => rows.count()).toBe(6)
    await page.keyboard.press('Control+6')
    await offline()
    await page.keyboard.press('Control+2')
    await rows.first().click()
    await rows.last().click({ modifiers: ['Shift'] })
    await rows.first().click({ button: 'right' })
    await item('Due tomorrow').click()
    await page.keyboard.press('Control+6')
    const step = page.getByRole('list', { name: 'Pending changes' }).locator('.step')
    const fold = step.getByRole('button', { expanded: false })
    // The arrow keys go through closed cards, too.
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => fold.evaluate((one) => one === document.activeElement)).toBe(true)
    await openByKey(fold)
    expect(await violations(page, { within: '[role="menu"]' })).toEqual([])
    await leave(fold)
    await fold.click({ button: 'right' })
    await item('Show changes').click()
    await expect.poll(() => step.locator('[data-entry]').count()).toBe(6)
    await openByKey(step)
    await item('Discard all').click()
    await step.waitFor({ state: 'detached' })
    await offline()
    await nothingPending(page)
  })
})
