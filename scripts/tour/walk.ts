import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { resize } from '../../test/helpers/app'
import { signInWith } from '../../test/helpers/browser'
import { startSandbox } from '../../src-main/sandbox/start'
import { clockFromMoment } from '../../test/helpers/moment'
import { nextLink } from '../../test/helpers/sign-in'
import { atRest, runCommand, workOffline } from '../../test/helpers/page'
import { audit, dumpReplica } from './audit'
import { firstRun } from './first-run'
import { launchWatched } from './launch'
import { reports } from './reports'

const folder = process.argv[2]!
const flags = process.argv.slice(3)
const idle = /No pending changes/
const primary = 'alex.morgan@flightplan.example'

// Outside the tour's folder: sign-in addresses don't belong next to the pictures.
const links = join(await mkdtemp(join(tmpdir(), 'flightplan-tour-')), 'links.txt')
let pictures = 0
const keep = async (page: Page, name: string): Promise<void> => {
  await page.screenshot({ path: join(folder, `${String(++pictures).padStart(2, '0')}-${name}.png`) })
  console.log(`picture: ${name}`)
}

await firstRun(keep)
const app = await launchWatched({
  args: ['--save-to', folder, '--open-links-to', links, ...flags],
  size: { width: 1280, height: 800 },
})
const { page } = app
page.setDefaultTimeout(60_000)
async function picture(name: string): Promise<void> {
  await atRest(page)
  await keep(page, name)
}

async function quickAdd(line: string): Promise<void> {
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill(line)
  await page.keyboard.press('Enter')
  await page.locator('#quick-line').waitFor({ state: 'detached' })
}

const command = (words: string): Promise<void> => runCommand(page, words)

/** Looks again and again until it is so. */
async function until(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await page.waitForTimeout(50)
}

const item = (title: RegExp): ReturnType<Page['getByRole']> => page.getByRole('button', { name: title }).first()
const allSent = (): Promise<void> => page.getByText(idle).first().waitFor()

/** Opens the editor of an event, writes into one of its fields and saves. */
async function editEvent(title: RegExp, field: string, text: string): Promise<void> {
  await item(title).focus()
  await page.keyboard.press('e')
  const input = page.getByRole('textbox', { name: field, exact: true })
  await input.fill(text)
  await page.keyboard.press('Control+Enter')
  await input.waitFor({ state: 'detached' })
}

/** Changes events through the service, as someone else would. */
async function elsewhere(titles: Record<string, Record<string, unknown>>): Promise<void> {
  const dump = await dumpReplica(page)
  for (const [title, body] of Object.entries(titles)) {
    const row = dump.rows.find(({ collection, base }) => collection === 'events' && base['summary'] === title)
    if (!row) throw new Error(`No event called ${title}`)
    const answer = await page.evaluate(
      ([calendarId, eventId, changes]) =>
        window.flightplan.ask('sandbox/as', {
          person: 'you',
          operation: 'calendar.events.patch',
          params: { calendarId, eventId },
          body: changes,
        }),
      [primary, row.id, body] as const,
    )
    if (!answer.ok) throw new Error(answer.fault.message)
  }
}

async function walk(): Promise<void> {
  await allSent()
  await page.keyboard.press('Control+1')
  await page.keyboard.press('2')
  await picture('calendar-week')
  await page.keyboard.press('3')
  await picture('calendar-month')
  await page.keyboard.press('4')
  await picture('agenda')
  await page.keyboard.press('2')

  await quickAdd('Client workshop today 9:00-10:00')
  await quickAdd('Media plan review today 11:00-12:00')
  await allSent()
  await item(/Client workshop/).focus()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
  await picture('event-editor')
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+2')
  await picture('tasks')

  await page.keyboard.press('Control+1')
  await workOffline(page)
  await quickAdd('Creative hand-over today 13:00-13:30')
  await quickAdd('Call the printer today 14:00 for 15 min')
  await editEvent(/Client workshop/, 'Title', 'Client workshop, moved upstairs')
  await editEvent(/Media plan review/, 'Location', 'Room Elbe')
  await item(/Creative hand-over/).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Control+2')
  await addTask('Book the photo studio')
  await addTask('Check the tags on the landing page')
  await page.keyboard.press('Control+1')
  await picture('offline-edits')
  await page.keyboard.press('Control+6')
  await picture('queue')
  const waiting = (await dumpReplica(page)).outbox
  const edits = new Set(waiting.map(({ id }) => id))

  await elsewhere({
    'Client workshop': { summary: 'Client workshop, now in Hall 2' },
    'Media plan review': { colorId: '11' },
  })
  await workOffline(page)
  await page
    .getByText(/needs attention/i)
    .first()
    .waitFor()
  await until(async () => (await dumpReplica(page)).outbox.every(({ state }) => state === 'needsYou'))
  await picture('conflict')
  const conflicts = (await dumpReplica(page)).outbox.filter(({ state }) => state === 'needsYou').length
  await decide()
  await allSent()
  await picture('after-the-replay')

  await page.keyboard.press('Control+1')
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture('dark-week')
  await page.keyboard.press('3')
  await picture('dark-month')
  await page.keyboard.press('Control+2')
  await picture('dark-tasks')
  await page.emulateMedia({ colorScheme: 'light' })
  await resize(app.electron, { width: 1600, height: 1000 })
  await page.keyboard.press('Control+1')
  await page.keyboard.press('2')
  await picture('large-week')
  await exportFiles()
  await campaigns()
  await reports({ page, folder, picture })
  await page.keyboard.press('Control+,')
  await picture('settings')

  const titles = [
    'Client workshop, moved upstairs',
    'Media plan review',
    'Creative hand-over',
    'Call the printer',
    'Book the photo studio',
    'Check the tags on the landing page',
  ]
  const { lost, duplicated, different } = await audit(page, edits, titles)
  const { history } = await dumpReplica(page)
  const ended = (how: string): number =>
    history.filter((ended) => edits.has(ended.entry.id) && ended.how === how).length
  const endings = ['.ics', '.csv', '.xlsx', '.json', '.pdf']
  const files = (await readdir(folder)).filter((name) => endings.some((ending) => name.endsWith(ending)))
  const unwritten = endings.filter((ending) => !files.some((name) => name.endsWith(ending)))
  const summary = {
    electron: await app.electron.evaluate(() => process.versions['electron']),
    edits: edits.size,
    confirmed: ended('confirmed'),
    merged: ended('merged'),
    conflicts,
    lost: lost.length,
    duplicated: duplicated.length,
    different: different.length,
    files: await Promise.all(files.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size }))),
  }
  await writeFile(join(folder, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`)
  console.log(JSON.stringify(summary))
  if (lost.length + duplicated.length + different.length + unwritten.length > 0 || edits.size === 0) {
    throw new Error(`The tour failed: ${JSON.stringify({ lost, duplicated, different, unwritten })}`)
  }
  await secondAccount()
}

/** Signs in to another service as a different user, with calendars of its own. */
async function secondAccount(): Promise<void> {
  const { now } = clockFromMoment()
  const service = await startSandbox({ seed: 'demo', signIn: true, now })
  await command('Add an account')
  await picture('add-an-account')
  await page.getByRole('button', { name: /^Other/ }).click()
  await page.getByLabel('Service address').fill(service.baseUrl)
  await page.keyboard.press('Enter')
  await page.getByLabel('Account name').fill('Mina at the agency')
  await page.keyboard.press('Enter')
  await signInWith(await nextLink(links, 0), { person: 'mina' })
  // The settings list the account before it's signed in and shown.
  await page.locator('.account-button', { hasText: 'Mina at the agency' }).waitFor()
  await allSent()
  await command('Manage accounts')
  await picture('accounts')
  await service.stop()
}

/** Downloads one advertiser's records, renames placements offline, and posts the changes. */
async function campaigns(): Promise<void> {
  await command('Choose campaign data to download')
  const dialog = page.getByRole('dialog', { name: 'Choose what to download' })
  await dialog.getByRole('listbox', { name: 'advertisers' }).getByRole('option').first().click()
  await picture('choose-campaign-data')
  await dialog.getByRole('button', { name: /^Download/ }).click()
  await page.keyboard.press('Control+6')
  await page.getByText(/records, updated (a moment ago|\d+ min ago)/).waitFor()
  await picture('campaign-data')
  await command('Campaigns: placements')
  const grid = page.getByRole('grid', { name: 'Placements' })
  await grid.locator('.body').getByRole('row').first().waitFor()
  await workOffline(page)
  await grid.focus()
  for (const name of ['Home page, top of the fold', 'Home page, below the fold']) {
    await page.keyboard.press('F2')
    await page.waitForFunction(() => document.activeElement?.matches('input.cell'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await grid.getByRole('gridcell', { name, exact: true }).waitFor()
  }
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Space')
  await page.locator('.inspector .state').waitFor()
  await picture('campaigns')
  await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }).click()
  const post = page.getByRole('dialog', { name: 'Post drafts' })
  const go = post.getByRole('button', { name: /^Post \d/ })
  await go.waitFor()
  await picture('post-drafts')
  await go.click()
  await page
    .getByRole('dialog', { name: 'Posting' })
    .getByText(/0 of 2/)
    .waitFor()
  await picture('posting')
  await page.keyboard.press('Escape')
  await workOffline(page)
  await allSent()
}

async function addTask(title: string): Promise<void> {
  await page.keyboard.press('n')
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
}

async function decide(): Promise<void> {
  await page.getByRole('radio').first().focus()
  await page.keyboard.press('m')
  await page.getByRole('button', { name: /^Save and send/ }).click()
}

async function exportFiles(): Promise<void> {
  for (const [words, ending] of [
    ['Export calendar', '.ics'],
    ['Export tasks', '.xlsx'],
  ] as const) {
    await command(words)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^(Export|Save)…?$/ }).click()
    // Files get their names when they are complete.
    await until(async () => (await readdir(folder)).some((name) => name.endsWith(ending)))
    await dialog.waitFor({ state: 'detached' })
  }
}

try {
  await walk()
} catch (error) {
  await page.screenshot({ path: join(folder, 'failed.png') }).catch(() => undefined)
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await app.close()
}
process.exit()
