import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { Reminder } from '#shared/ipc/reminder-questions'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { dismissMessages, messages, nothingPending, runCommand } from '../helpers/page'
import { tripFile } from '../helpers/calendar-feed'

// Cards of reminders, the settings of notifications, and files that are dropped on the window.

let app: AppPage
const minute = 60_000

beforeAll(async () => {
  app = await openApp({ args: ['--seed', 'empty'] })
  await nothingPending(app.page)
})
afterAll(() => app?.close())

const card = () => app.page.getByRole('region', { name: 'Reminders' })
const button = (name: string) => card().getByRole('button', { name })

const focusedName = (): Promise<string | null | undefined> =>
  app.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

/** Hands main reminders that are due now, as the window does with its own. */
async function ring(...wanted: (Partial<Reminder> & { title: string })[]): Promise<void> {
  const now = app.clock.now()
  const reminders = wanted.map((about) => ({
    ...{ key: `${about.title}\n1`, kind: 'event', at: now + 50, start: now + 5 * minute, end: now + 35 * minute },
    ...{
      allDay: false,
      when: '08:05 to 08:35',
      within: 'Team',
      record: 'events\nteam\nx',
      item: 'x',
      day: 0,
      calendar: 'team',
    },
    ...about,
  }))
  const coming = { from: now - 1, until: now + 1, agenda: [], reminders }
  await app.backend.answering('reminders/set', { accountId: await accountId(), ...coming })
}

/** IDs of the service’s records. */
async function pulled(collection: 'tasklists' | 'tasks', parent: string | null): Promise<string[]> {
  const asked = { accountId: await accountId(), collection, parent, cursor: null, page: null }
  const answer = await app.backend.answering('sync/pull', asked)
  expect(answer).toMatchObject({ ok: true })
  const { records } = JSON.parse((answer as { value: string }).value) as { records: { id: string }[] }
  return records.map(({ id }) => id)
}

async function accountId(): Promise<string> {
  const { value } = (await app.backend.answering('account/list', {})) as { value: { id: string }[] }
  return value[0]!.id
}

describe('the card of a reminder', () => {
  it('joins the call', async () => {
    await ring({ title: 'Stand-up', join: 'https://meet.example/1', location: 'Room Fjord' })
    await card().getByText('08:05 to 08:35 · Team · Room Fjord').waitFor()
    await expect
      .poll(() => app.shell.notes.at(-1))
      .toMatchObject({ title: 'Stand-up · in 5 min', actions: ['Join', 'Snooze 5 min'] })
    expect(await violationsByTheme(app.page)).toEqual([])
    await button('Join Stand-up').click()
    await card().waitFor({ state: 'detached' })
    await expect.poll(() => app.shell.links).toEqual(['https://meet.example/1'])
  })

  it('lists several, the newest first, and dismisses all', async () => {
    await ring(...['One', 'Two', 'Three', 'Four'].map((title) => ({ title })))
    await card().getByText('4 reminders', { exact: true }).waitFor()
    await expect.poll(() => card().getByRole('listitem').count()).toBe(3)
    await button('Show 1 more').click()
    await expect.poll(() => card().getByRole('listitem').count()).toBe(4)
    await button('Dismiss all').click()
    await card().waitFor({ state: 'detached' })
  })

  it('leaves buttons in its corner within reach', async () => {
    const apart = async (other: Locator): Promise<number> => {
      const [above, below] = await Promise.all([card().boundingBox(), other.boundingBox()])
      return below!.y - (above!.y + above!.height)
    }
    await ring({ title: 'Eight' })
    await card().waitFor()
    await app.page.keyboard.press('Control+3')
    await expect.poll(() => apart(app.page.getByRole('region', { name: 'Drafts' }))).toBeGreaterThan(0)
    await app.page.keyboard.press('Control+1')
    await app.page.keyboard.press('c')
    await app.page.getByRole('button', { name: 'More options' }).click()
    const create = app.page.getByRole('button', { name: 'Create', exact: true })
    await expect.poll(() => apart(create)).toBeGreaterThan(0)
    await create.click({ trial: true })
    await app.page.keyboard.press('Escape')
    await button('Dismiss Eight').click()
  })

  it('passes the keyboard on to the next card, and back when there’s none', async () => {
    await ring(...['Five', 'Six', 'Seven'].map((title) => ({ title })))
    await card().getByText('3 reminders', { exact: true }).waitFor()
    const before = app.page.getByRole('main')
    await before.focus()
    await button('Dismiss Six').focus()
    await app.page.keyboard.press('Enter')
    await expect.poll(() => focusedName()).toBe('Dismiss Five')
    await app.page.keyboard.press('Enter')
    await expect.poll(() => focusedName()).toBe('Dismiss Seven')
    await button('Snooze Seven').focus()
    await app.page.keyboard.press('Enter')
    await app.page.getByRole('menuitem', { name: '5 minutes' }).press('Enter')
    await card().waitFor({ state: 'detached' })
    await expect.poll(() => before.evaluate((main) => main === document.activeElement)).toBe(true)
  })

  it('completes a task, which can be undone', async () => {
    await app.page.keyboard.press('Control+2')
    await app.page.getByRole('textbox', { name: 'New task' }).fill('Call the printer')
    await app.page.keyboard.press('Enter')
    const [list] = await pulled('tasklists', null)
    await expect.poll(() => pulled('tasks', list!)).toHaveLength(1)
    const [task] = await pulled('tasks', list!)
    await ring({ title: 'Call the printer', kind: 'task', calendar: '', record: recordKey('tasks', list!, task!) })
    await button('Complete Call the printer').click()
    await messages(app.page).getByText('“Call the printer” completed').waitFor()
    await card().waitFor({ state: 'detached' })
    await messages(app.page).getByRole('button', { name: 'Undo', exact: true }).click()
    await messages(app.page).getByText('Undid: Complete “Call the printer”').waitFor()
    await dismissMessages(app.page)

    // From the notification. What can't be saved rings on, and says why.
    const before = app.shell.notes.length
    const record = recordKey('tasks', list!, task!)
    await ring({ title: 'Call the printer', key: 'again', kind: 'task', calendar: '', record })
    await expect.poll(() => app.shell.notes.length).toBe(before + 1)
    const note = () => app.shell.notes.at(-1)!
    expect(note()).toMatchObject({ title: 'Call the printer · due today', actions: ['Complete', 'Snooze 5 min'] })
    const isFull = (full: boolean): Promise<void> =>
      app.page.evaluate((full) => {
        const { prototype } = IDBObjectStore
        const own = ((globalThis as unknown as { put?: IDBObjectStore['put'] }).put ??= prototype.put)
        prototype.put = function (...args) {
          if (full) throw new DOMException('No room is left', 'QuotaExceededError')
          return own.apply(this, args)
        }
      }, full)
    await isFull(true)
    note().onaction(0)
    await expect.poll(note).toMatchObject({ title: 'Couldn’t complete “Call the printer”' })
    expect(note().body).toContain('disk is full')
    await messages(app.page)
      .getByText(/^Couldn’t complete “Call the printer”\. /)
      .waitFor()
    await card().waitFor()
    await isFull(false)
    await nothingPending(app.page)
    note().onaction(0)
    await card().waitFor({ state: 'detached' })
    await messages(app.page).getByText('“Call the printer” completed').waitFor()
    await dismissMessages(app.page)
  })
})

describe('settings of notifications', () => {
  it('mute a calendar, and a test says what blocks notifications', async () => {
    await app.page.keyboard.press('Control+,')
    await runCommand(app.page, 'Settings: Notifications')
    const mute = app.page.getByRole('switch', { name: /^Reminders from alex/ })
    await mute.click()
    await expect.poll(() => mute.getAttribute('aria-checked')).toBe('false')
    const muted = async (): Promise<number> => {
      const { value } = (await app.backend.answering('notifications/settings', {})) as { value: { muted: string[] } }
      return value.muted.length
    }
    await expect.poll(muted).toBe(1)
    app.shell.blocked = 'No service for notifications runs.'
    await app.page.getByRole('button', { name: 'Send a test notification' }).click()
    await app.page
      .getByText(
        'Couldn’t show a notification. No service for notifications runs. Reminders still appear as cards in this window.',
      )
      .first()
      .waitFor()
    app.shell.blocked = ''
  })

  it('say if another app has the keys of quick add', async () => {
    app.shell.shortcutProblem = 'Another app uses these keys, or the system reserves them.'
    await app.page.getByRole('button', { name: /^Quick add shortcut/ }).click()
    await app.page.keyboard.press('Control+Alt+KeyK')
    await app.page.getByText(app.shell.shortcutProblem).first().waitFor()
    await expect.poll(() => app.shell.shortcut).toBe('Control+Alt+K')
    await app.page.getByRole('switch', { name: 'Start at login' }).click()
    await expect.poll(() => app.shell.login).toEqual({ start: true, hidden: true })
  })
})

describe('a file that is dropped on the window', () => {
  const drop = (name: string, text: string): Promise<void> =>
    app.page.evaluate(
      ({ name, text }) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], name))
        for (const type of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      },
      { name, text },
    )

  it('is read if it’s a calendar file', async () => {
    await drop('trip.ics', tripFile)
    // Not the dialog of its reading, which Escape would cancel with a message.
    const dialog = app.page.getByRole('dialog', { name: 'Import trip.ics' })
    await dialog.waitFor()
    await app.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    // An event that's already here names what differs.
    await drop('trip.ics', tripFile)
    await dialog.getByRole('button', { name: 'Import 1 event' }).click()
    await messages(app.page).getByText('1 event imported from trip.ics').waitFor()
    await drop('trip.ics', tripFile.replace('Hamburg', 'Bremen'))
    await dialog
      .getByRole('listitem')
      .filter({ hasText: 'Train to Bremen' })
      .getByText('Title', { exact: true })
      .waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'No events selected' }).isDisabled()).toBe(true)
    await app.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('is read even if the app is only just starting', async () => {
    await app.page.addInitScript(() => {
      if (sessionStorage.getItem('dropped')) return
      sessionStorage.setItem('dropped', 'yes')
      addEventListener('DOMContentLoaded', () => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'], 'early.ics'))
        for (const type of ['dragover', 'drop'])
          document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      })
    })
    await app.page.reload()
    const dialog = app.page.getByRole('dialog', { name: 'Import early.ics' })
    await dialog.waitFor()
    await app.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('is refused otherwise', async () => {
    await drop('notes.txt', 'Hello')
    await messages(app.page)
      .getByText('Can’t open “notes.txt”. Only calendar files (.ics) can be dropped here.')
      .waitFor()
  })
})
