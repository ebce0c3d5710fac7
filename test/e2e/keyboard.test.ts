import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { dateOfWall, wallOfInstant } from '#shared/time/zones'
import { launchApp, type RunningApp } from '../helpers/app'
import { nothingPending, pressing, runCommand } from '../helpers/page'
import { asking } from '../helpers/sign-in'
import { folderForFile } from '../helpers/for-file'
import { savedText } from '../helpers/saved-file'

let app: RunningApp
const saved = folderForFile('flightplan-saved-')

beforeAll(async () => {
  app = await launchApp({ args: ['--seed', 'empty', '--save-to', saved] })
  await nothingPending(app.page)
})
afterAll(() => app.close())

const press = pressing(() => app.page)
const type = (text: string): Promise<void> => app.page.keyboard.type(text)
const focused = (): Promise<string> =>
  app.page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  )
const announced = (): Promise<string> => app.page.getByTestId('announcements').innerText()
const until = (test: () => Promise<boolean>): Promise<void> => expect.poll(test, { timeout: 60_000 }).toBe(true)

const command = (words: string): Promise<void> => runCommand(app.page, words)

/** Runs an operation on the service as another client of the same user, unaffected by offline mode. */
async function elsewhere(operation: string, params: JsonObject, body?: JsonObject): Promise<JsonObject> {
  const order = JSON.stringify({ person: 'you', operation, params: { calendarId: 'primary', ...params }, body })
  const answer = await app.page.evaluate(
    (text) => window.flightplan.ask('sandbox/as', JSON.parse(text) as never),
    order,
  )
  if (!answer.ok) throw new Error(answer.fault.message)
  return answer.value
}

describe('the main workflow by keyboard', () => {
  /** The day of the next full hour, which has the first event. Later ones must be on the same page. */
  let day: number

  it('creates, finds, moves, and announces an event', async () => {
    const hour = 3_600_000
    day = Math.ceil(wallOfInstant(app.clock.now(), 'Europe/Berlin') / hour) * hour
    await press('Control+1', '2', 'c')
    await app.page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
    await type('Planning round')
    await press('Control+Enter')
    await until(async () => (await focused()).includes('Planning round'))
    const before = await focused()
    await press('Alt+ArrowDown')
    await until(async () => (await announced()).includes('Planning round'))
    await until(async () => (await focused()) !== before && (await focused()).includes('Planning round'))
    await nothingPending(app.page)
  })

  it('creates, completes, and reopens a task', async () => {
    await press('Control+2', 'c')
    await type('Write the brief')
    await press('Enter', 'Escape')
    const row = app.page.getByRole('checkbox', { name: /Write the brief/ }).first()
    await row.waitFor()
    await press('ArrowDown')
    await until(async () => (await focused()).includes('Write the brief'))
    await press('Space')
    // Completed tasks move below a collapsed heading.
    await row.waitFor({ state: 'detached' })
    await press('Control+z')
    await row.waitFor()
    await expect.poll(() => row.isChecked()).toBe(false)
    await nothingPending(app.page)
  })

  it('edits offline, meets a conflict, resolves it, and sends', async () => {
    await press('Control+1', '2')
    await command('offline')
    await app.page
      .getByText(/Edits are saved on this computer/)
      .first()
      .waitFor()
    await press('q')
    await type(`Studio visit ${dateOfWall(day)} 10:00`)
    await press('Enter')
    await app.page.getByText(/1 pending change/).waitFor()
    await app.page
      .getByRole('button', { name: /Planning round/ })
      .first()
      .focus()
    await press('e')
    await app.page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
    await press('Control+a')
    await type('Planning round, mine')
    await press('Control+Enter')
    await app.page.getByText(/2 pending changes/).waitFor()
    const found = await elsewhere('calendar.events.list', { q: 'Planning round' })
    const [event] = ((found['body'] ?? found) as { items: Array<{ id: string }> }).items
    await elsewhere('calendar.events.patch', { eventId: event!.id }, { summary: 'Planning round, theirs' })
    await command('offline')
    await app.page
      .getByText(/1 change needs attention/)
      .first()
      .waitFor()
    await press('Control+6')
    const mine = app.page.getByRole('radio').first()
    await mine.waitFor()
    await press('n')
    await until(() =>
      app.page.evaluate(() => {
        const radio = document.querySelector('[type="radio"]')
        for (let at = document.activeElement; at && at !== document.body; at = at.parentElement)
          if (at.contains(radio)) return at.tagName !== 'MAIN'
        return false
      }),
    )
    await press('Shift+M')
    await until(() => mine.isChecked())
    await press('Control+Enter')
    await nothingPending(app.page)
    await press('Control+1', '2')
    await app.page
      .getByRole('button', { name: /Planning round, mine/ })
      .first()
      .waitFor()
  })

  it('saves a calendar as a file', async () => {
    await press('Control+e')
    await app.page
      .getByRole('dialog', { name: 'Export events as .ics' })
      .getByRole('button', { name: 'Save…' })
      .press('Enter')
    expect(await savedText(saved, '.ics')).toContain('SUMMARY:Planning round\\, mine')
  })

  it('adds, shows, and leaves an account, and focus returns each time', async () => {
    const services = { tasks: 'http://127.0.0.1:9' }
    await asking(app.page, 'account/add', { label: 'Second', vocabulary: 'neutral', services })
    const button = app.page.getByRole('button', { name: /, accounts/ })
    // The button and the menu item have the same name, so match by role, too.
    const item = (name: RegExp): Promise<void> =>
      until(async () => {
        const role = await app.page.evaluate(() => document.activeElement?.getAttribute('role'))
        return role === 'menuitemradio' && name.test(await focused())
      })
    await button.focus()
    await press('Enter')
    await item(/Sample data/)
    await press('Escape')
    await until(async () => /Sample data\s*, accounts/.test(await focused()))
    await press('Enter')
    await item(/Sample data/)
    await press('ArrowDown')
    await item(/Second/)
    await press('Enter')
    await until(async () => /Second\s*, accounts/.test(await focused()))
    await app.page.getByText('Signed out').first().waitFor()
    await press('Control+Alt+1')
    await until(async () => (await announced()).includes('Showing Sample data'))
    await until(async () => /Sample data\s*, accounts/.test(await focused()))
    await command('Manage accounts')
    await until(async () => (await focused()) === 'Accounts')
    await command('Add an account')
    await app.page.getByRole('button', { name: /^Other/ }).press('Enter')
    await app.page.getByRole('textbox', { name: 'Service address' }).waitFor()
    await press('Escape')
    await app.page.getByRole('dialog').waitFor({ state: 'detached' })
    await until(async () => (await focused()) !== '')
  })
})
