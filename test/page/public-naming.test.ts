import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { openApp, type AppPage } from '../helpers/app-page'
import { signInWith } from '../helpers/browser'
import { clockFromMoment } from '../helpers/moment'
import { quickAdd, runCommand, workOffline } from '../helpers/page'
import { asking, nextLink } from '../helpers/sign-in'
import { clientOf } from '../main/sandbox/client'
import { folderForFile } from '../helpers/for-file'

const mina = 'mina.park@flightplan.example'
const clock = clockFromMoment()

let sandbox: Sandbox
let app: AppPage
let links: string
const saved = folderForFile('flightplan-saved-')

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'empty', signIn: true, words: 'public', now: clock.now })
  links = join(await mkdtemp(join(tmpdir(), 'flightplan-links-')), 'links.txt')
  app = await openApp({
    clock,
    args: ['--seed', 'empty', '--open-links-to', links, '--save-to', saved],
    size: { width: 1280, height: 800 },
  })
})
afterAll(async () => {
  await app?.close()
  await sandbox?.stop()
})

const press = (keys: string): Promise<void> => app.page.keyboard.press(keys)
const footer = (): Locator => app.page.getByRole('contentinfo')
const event = (title: string): Locator => app.page.getByRole('button', { name: new RegExp(title) }).first()
const sent = (): Promise<void> =>
  footer()
    .getByText(/No pending changes/)
    .waitFor()
const setOffline = (): Promise<void> => workOffline(app.page)

interface Stored {
  summary?: string
  location?: string
  videoLink?: string
}

/** Mina's events on the service. */
async function onService(): Promise<Record<string, Stored>> {
  const { body } = await clientOf(sandbox).get('/sandbox/v1/state?person=mina')
  return body.events[mina] as Record<string, Stored>
}
const titles = async (): Promise<unknown[]> => Object.values(await onService()).map(({ summary }) => summary)

async function addInCalendar(line: string): Promise<void> {
  await press('Control+1')
  await quickAdd(app.page, line)
}

async function rename(title: string, to: string): Promise<void> {
  await press('Control+1')
  await event(title).focus()
  await press('e')
  const field = app.page.getByRole('textbox', { name: 'Title', exact: true })
  await field.fill(to)
  await press('Control+Enter')
  await field.waitFor({ state: 'detached' })
}

/** Runs an export in one of its formats and returns the file's text. */
async function exported(words: string, ending: string, form?: string): Promise<string> {
  await runCommand(app.page, words)
  const dialog = app.page.getByRole('dialog')
  if (form !== undefined) {
    await dialog.getByRole('combobox', { name: 'Format' }).fill(form)
    await app.page.keyboard.press('Enter')
  }
  await dialog.getByRole('button', { name: /^(export|save…)/i }).click()
  const find = async (): Promise<string | undefined> => (await readdir(saved)).find((name) => name.endsWith(ending))
  await expect.poll(find, { timeout: 60_000 }).toBeDefined()
  await dialog.waitFor({ state: 'detached' })
  return readFile(join(saved, (await find())!), 'utf8')
}

it('a service with public API naming signs in, edits offline, resolves a conflict, sends, and exports', async () => {
  const { page } = app
  await sent()
  await runCommand(page, 'Add an account')
  await page.getByRole('button', { name: /^Other/ }).click()
  await page.getByLabel('Service address').fill(sandbox.baseUrl)
  await press('Enter')
  await page.getByLabel('Account name').fill('Agency')
  await press('Enter')
  expect((await signInWith(await nextLink(links, 0), { person: 'mina' })).status).toBe(200)
  await page.getByRole('button', { name: /Agency.*accounts/s }).waitFor()
  await sent()
  const accounts = await asking(page, 'account/list', {})
  expect(accounts.map(({ label, vocabulary }) => [label, vocabulary])).toEqual([
    ['Sample data', 'neutral'],
    ['Agency', 'public'],
  ])

  await addInCalendar('Shoot tomorrow 10:00')
  await expect.poll(titles, { timeout: 60_000 }).toEqual(['Shoot'])
  await sent()
  const [[id]] = Object.entries(await onService()) as [[string, Stored]]

  await setOffline()
  await rename('Shoot', 'Shoot in Hall 1')
  await addInCalendar('Wrap party tomorrow 19:00')
  await press('Control+2')
  await press('n')
  await page.keyboard.type('Book the hall')
  await press('Enter')
  await press('Escape')
  const call = {
    summary: 'Shoot in Hall 2',
    conferenceData: { createRequest: { requestId: 'once', conferenceSolutionKey: { type: 'videoMeet' } } },
  }
  const params = { calendarId: 'primary', eventId: id, conferenceDataVersion: 1 }
  expect((await clientOf(sandbox).as('mina', 'calendar.events.patch', params, call)).status).toBe(200)
  expect(await titles()).toEqual(['Shoot in Hall 2'])

  await setOffline()
  await footer().getByText('1 change needs attention').waitFor()
  await expect.poll(async () => (await titles()).sort()).toEqual(['Shoot in Hall 2', 'Wrap party'])
  await press('Control+6')
  await page.getByRole('radio').first().focus()
  await press('m')
  await page.getByRole('button', { name: /^Save and send/ }).click()
  await sent()

  const state = await onService()
  expect((await titles()).sort()).toEqual(['Shoot in Hall 1', 'Wrap party'])
  expect(state[id]?.videoLink, 'what the other one added is still there').toMatch(/^https:/)
  const read = { accountId: accounts[1]!.id, collection: 'events', parent: mina, id } as const
  expect((await asking(page, 'sync/read', read)).value, 'and is known here by our word').toHaveProperty('videoLink')
  const { body } = await clientOf(sandbox).as('mina', 'tasks.tasks.list', { tasklist: '@default' })
  expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['Book the hall'])

  const ics = await exported('Export calendar', '.ics')
  expect(
    ics
      .match(/^SUMMARY:.*/gm)
      ?.map((line) => line.trim())
      .sort(),
  ).toEqual(['SUMMARY:Shoot in Hall 1', 'SUMMARY:Wrap party'])
  expect(await exported('Export tasks', '.csv', 'CSV (plain)')).toContain('Book the hall')
})
