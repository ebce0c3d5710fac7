import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { launchApp, type RunningApp } from '../helpers/app'
import { signInWith } from '../helpers/browser'
import { clockFromMoment } from '../helpers/moment'
import { choose, nothingPending, quickAdd, runCommand, workOffline } from '../helpers/page'
import { answerQuestions, questions } from '../helpers/questions'
import { asking, nextLink, openedLinks } from '../helpers/sign-in'
import { clientOf } from '../main/sandbox/client'

const mina = 'mina.park@flightplan.example'
const idle = /No pending changes/
/** The service and the app share one clock. */
const clock = clockFromMoment()
/** The demo users live in Berlin, and the app shows their day, whatever this computer's time zone. */
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(clock.now())

let sandbox: Sandbox
let app: RunningApp
let links: string
let agency: string
/** Number of the last call before this start of the app. */
let beforeStart = 0

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'empty', signIn: true, now: clock.now })
  links = join(await mkdtemp(join(tmpdir(), 'flightplan-links-')), 'links.txt')
  await meanwhile('Agency breakfast', 9)
  await launch()
  await nothingPending(app.page)
})
afterAll(async () => {
  await app?.close()
  await sandbox?.stop()
})

async function launch(): Promise<void> {
  beforeStart = await lastCall()
  app = await launchApp({
    userData: app?.userData,
    clock,
    args: ['--seed', 'empty', '--open-links-to', links],
    size: { width: 1280, height: 800 },
    attended: true,
  })
  await answerQuestions(app, 0)
}

const press = (keys: string): Promise<void> => app.page.keyboard.press(keys)
const footer = (): Locator => app.page.getByRole('contentinfo')
const event = (title: string): Locator => app.page.getByRole('button', { name: new RegExp(title) }).first()
const card = (name: RegExp): Locator => app.page.getByRole('article', { name })
const accountButton = (): Locator => app.page.getByRole('button', { name: /, accounts/ })
const announced = (): Promise<string> => app.page.getByTestId('announcements').innerText()
const until = (test: () => Promise<boolean>): Promise<void> => expect.poll(test, { timeout: 60_000 }).toBe(true)
const focused = (): Promise<string> => app.page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

async function addInCalendar(line: string): Promise<void> {
  await press('Control+1')
  await quickAdd(app.page, line)
}

const command = (words: string): Promise<void> => runCommand(app.page, words)

async function show(name: RegExp): Promise<void> {
  await accountButton().click()
  await app.page.getByRole('menuitemradio', { name }).click()
  await until(async () => name.test(await accountButton().innerText()))
}

async function settings(): Promise<void> {
  await press('Control+,')
  await app.page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
}

/** Creates an event in Mina's calendar from another device. */
async function meanwhile(summary: string, hour: number): Promise<void> {
  const at = (hour: number): object => ({
    dateTime: `${today}T${String(hour).padStart(2, '0')}:00:00`,
    timeZone: 'Europe/Berlin',
  })
  const body = { summary, start: at(hour), end: at(hour + 1) }
  const { status } = await clientOf(sandbox).as('mina', 'calendar.events.insert', { calendarId: 'primary' }, body)
  expect(status).toBe(200)
}

interface LogEntry {
  number: number
  operation?: string
  status: number
}
const log = async (): Promise<LogEntry[]> => (await clientOf(sandbox).get('/sandbox/v1/log')).body.entries
const called = async (operation: string, after = 0): Promise<number> =>
  (await log()).filter((entry) => entry.number > after && entry.operation === operation && entry.status < 300).length
const lastCall = async (): Promise<number> => (await log()).at(-1)?.number ?? 0

/** Titles of Mina's events on the service. */
async function onService(): Promise<string[]> {
  const { body } = await clientOf(sandbox).get('/sandbox/v1/state?person=mina')
  return Object.values(body.events[mina] as Record<string, { summary: string }>).map(({ summary }) => summary)
}

/** Starts a sign-in and approves it as Mina. */
async function signIn(start: () => Promise<unknown>): Promise<void> {
  const before = (await openedLinks(links)).length
  await start()
  expect((await signInWith(await nextLink(links, before), { person: 'mina' })).status).toBe(200)
}

const setOffline = async (offline: boolean): Promise<void> => {
  const isOffline = async (): Promise<boolean> => /Offline/.test(await footer().innerText())
  if ((await isOffline()) !== offline) await workOffline(app.page)
  // A read that is still running ends first.
  await until(async () => (await isOffline()) === offline)
}

describe('several accounts', () => {
  it('adds one by keyboard, from address to browser sign-in, and shows its calendar', async () => {
    await command('Add an account')
    await app.page.getByRole('button', { name: /^Other/ }).press('Enter')
    await app.page.getByLabel('Service address').waitFor()
    await app.page.keyboard.type('http://services.example.com')
    await press('Enter')
    await app.page.getByText('Can’t use this address').waitFor()
    await press('Control+a')
    await app.page.keyboard.type(new URL(sandbox.baseUrl).host)
    await press('Enter')
    await app.page.getByLabel('Account name').waitFor()
    await press('Control+a')
    await app.page.keyboard.type('Agency')
    await signIn(() => press('Enter'))
    await event('Agency breakfast').waitFor()
    await expect.poll(() => accountButton().innerText()).toContain('Agency')
    await until(async () => (await announced()).includes('Signed in to Agency'))
    await until(async () => /Agency.*accounts/s.test(await focused()))
    const accounts = await asking(app.page, 'account/list', {})
    expect(accounts.map(({ label, email, vocabulary }) => [label, email, vocabulary])).toEqual([
      ['Sample data', 'alex.morgan@flightplan.example', 'neutral'],
      ['Agency', mina, 'neutral'],
    ])
    agency = accounts[1]!.id
  })

  it("doesn't mistake a new account for one with a lost database", async () => {
    await expect.poll(() => app.page.getByText('Your data is downloading again').count()).toBe(0)
  })

  it("shows each account's own calendars and keeps focus on the switcher", async () => {
    await show(/Sample data/)
    await event('Agency breakfast').waitFor({ state: 'detached' })
    await until(async () => (await focused()).includes('Sample data'))
    await until(async () => (await announced()).includes('Showing Sample data'))
    await press('Control+Alt+2')
    await event('Agency breakfast').waitFor()
  })

  it('sends edits of an account in the background, applies offline mode to all, and keeps undo separate', async () => {
    await setOffline(true)
    await addInCalendar('Hand-over to the studio today 11:00')
    await footer().getByText('1 pending change').waitFor()
    await press('Control+Alt+1')
    await event('Hand-over').waitFor({ state: 'detached' })
    await until(async () => (await footer().innerText()).includes('Offline'))
    await press('Control+z')
    await until(async () => (await announced()).includes('Nothing to undo'))
    await addInCalendar('Dentist today 15:00')
    await footer().getByText('1 pending change').waitFor()
    expect(await onService()).toEqual(['Agency breakfast'])
    await setOffline(false)
    await until(async () => (await onService()).includes('Hand-over to the studio'))
    expect((await onService()).sort()).toEqual(['Agency breakfast', 'Hand-over to the studio'])
    await footer().getByText(idle).waitFor()
  })

  it('counts pending changes of all accounts, on the badge and before quitting', async () => {
    await app.electron.evaluate(({ app }) => {
      const counts: number[] = ((globalThis as unknown as { counts: number[] }).counts = [])
      app.setBadgeCount = (count) => (counts.push(count ?? 0), true)
    })
    const badge = (): Promise<number | undefined> =>
      app.electron.evaluate(() => (globalThis as unknown as { counts: number[] }).counts.at(-1))
    await setOffline(false)
    await footer().getByText(idle).waitFor()
    await show(/Sample data/)
    await setOffline(true)
    await addInCalendar('Barber today 16:00')
    await show(/Agency/)
    await addInCalendar('Tag review today 12:00')
    await until(async () => (await badge()) === 2)
    // The question counts the journal's entries, which trail the visible ones.
    await until(async () => (await asking(app.page, 'journal/open', {})).open.length === 2)
    await answerQuestions(app, 1)
    await app.electron.evaluate(({ app }) => app.quit())
    await until(
      async () => (await questions(app)).map(({ message }) => message).join() === '2 changes haven’t been sent yet.',
    )
    await answerQuestions(app, 0)
    await setOffline(false)
    await until(async () => (await badge()) === 0)
  })

  it('names the account that needs attention from anywhere', async () => {
    const trouble = { operation: 'calendar.events.insert', status: 400, reason: 'invalid', count: 1 }
    await clientOf(sandbox).post('/sandbox/v1/trouble', trouble)
    await addInCalendar('Refused today 13:00')
    await footer().getByText('1 change needs attention').waitFor()
    await show(/Sample data/)
    const sync = app.page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: /Sync/ })
    await until(async () => (await sync.innerText()).includes('1'))
    await expect.poll(() => accountButton().getAttribute('title')).toContain('Sample data')
    await sync.click()
    const others = app.page.getByRole('region', { name: 'Other accounts' })
    await others.getByText('1 change needs attention').waitFor()
    await others.getByRole('button', { name: 'Show Agency' }).click()
    await app.page.getByRole('heading', { name: /Needs attention/ }).waitFor()
    await press('j')
    await press('Delete')
    await footer().getByText(idle).waitFor()
    await until(async () => !(await sync.innerText()).includes('1'))
  })
})

describe('a change by someone else', () => {
  it('appears without a keypress, long before the next poll, also after being offline', async () => {
    await show(/Agency/)
    await press('Control+1')
    await until(async () => (await called('calendar.events.watch')) > 0)
    await footer().getByText(idle).waitFor()
    await meanwhile('From the telephone', 14)
    await event('From the telephone').waitFor({ timeout: 60_000 })
    await setOffline(true)
    await app.page.evaluate(() => {
      const marks = window as unknown as { heard: boolean }
      window.flightplan.on('sync/changed', () => (marks.heard = true))
    })
    const before = await lastCall()
    await meanwhile('While away', 15)
    // The notification still arrives, but triggers no read.
    await app.page.waitForFunction(() => (window as unknown as { heard?: boolean }).heard === true)
    expect(await called('calendar.events.list', before)).toBe(0)
    await expect.poll(() => event('While away').count()).toBe(0)
    await setOffline(false)
    await event('While away').waitFor()
    await footer().getByText(idle).waitFor()
    await meanwhile('And after', 16)
    await event('And after').waitFor({ timeout: 60_000 })
  })
})

describe('signing out', () => {
  it('keeps unsent changes, sends nothing, and sends them once after you sign in again', async () => {
    await command('Pause or resume sending')
    await addInCalendar('Media plan today 17:00')
    await footer().getByText('1 pending change').waitFor()
    await settings()
    const before = await lastCall()
    await card(/Agency/)
      .getByRole('button', { name: 'Sign out' })
      .click()
    await card(/Agency/)
      .getByText('Signed out · 1 pending change. Sign in again to send it')
      .waitFor()
    await until(async () => (await focused()) === 'Sign in')
    await until(async () => /Signed out\. 1 pending change\./.test(await announced()))
    await command('Pause or resume sending')
    await footer().getByText('Signed out').waitFor()
    await expect.poll(() => called('calendar.channels.stop')).toBeGreaterThan(0)
    // Another account completes a pull in the meantime, and this one sends nothing.
    await show(/Sample data/)
    await press('F5')
    await footer().getByText(idle).waitFor()
    await show(/Agency/)
    expect(await called('calendar.events.insert', before)).toBe(0)

    await signIn(() => footer().getByRole('button', { name: 'Sign in' }).click())
    await footer().getByText(idle).waitFor()
    expect((await onService()).filter((title) => title === 'Media plan')).toHaveLength(1)
    expect(await called('calendar.events.insert', before)).toBe(1)
  })

  it('a revoked sign-in pauses the queue, and every screen shows it', async () => {
    await clientOf(sandbox).post('/sandbox/v1/revoke-sign-ins')
    await addInCalendar('While it had expired today 18:00')
    await footer().getByText('Session expired').waitFor()
    await footer().getByText('1 pending change').waitFor()
    await press('Control+6')
    await app.page.getByText('Your session has expired').waitFor()
    await app.page.locator('[data-entry]').getByText('Session expired').waitFor()
    await accountButton().click()
    await app.page
      .getByRole('menuitemradio', { name: /Agency/ })
      .getByText('Session expired · 1 pending change')
      .waitFor()
    await press('Escape')
    await show(/Sample data/)
    await app.page.getByRole('button', { name: /another account needs attention/ }).waitFor()
    await settings()
    await card(/Agency/)
      .getByText('Session expired · 1 pending change. Sign in again to send it')
      .waitFor()
  })

  it("an account with unsent changes can't be removed", async () => {
    const own = card(/Agency/)
    await own.getByText('Details', { exact: true }).click()
    await own.getByRole('button', { name: 'Remove this account…' }).click()
    await own.getByText('1 change would be lost. Send or discard it first.').waitFor()
    await expect.poll(() => own.getByRole('button', { name: 'Remove account' }).count()).toBe(0)
    await own.getByRole('button', { name: 'Cancel' }).click()
    await until(async () => (await focused()) === 'Remove this account…')
    await expect(asking(app.page, 'account/remove', { accountId: agency })).rejects.toThrow(
      'Agency has 1 pending change',
    )
  })

  it("edits name and version on the account's card", async () => {
    const own = card(/Agency/)
    await own.getByLabel('Name').fill('North')
    await press('Enter')
    await choose(card(/North/).getByRole('combobox', { name: 'Version of Campaigns' }), 'v3.3')
    await until(async () => (await asking(app.page, 'account/list', {}))[1]!.versions.trafficking === 'v3.3')
    await card(/North/).getByRole('button', { name: /Show/ }).click()
    await until(async () => (await accountButton().innerText()).includes('North'))
    await until(async () => (await focused()).startsWith('North'))
  })
})

describe('restarting', () => {
  it('restores the accounts, the last one open, and unsent changes', async () => {
    await app.close()
    await launch()
    await app.page
      .getByRole('button', { name: /North, accounts/ })
      .or(app.page.locator('.account-button', { hasText: 'North' }))
      .first()
      .waitFor()
    await footer()
      .getByText(/Signed out|Session expired/)
      .waitFor()
    await footer().getByText('1 pending change').waitFor()
    const [, north] = await asking(app.page, 'account/list', {})
    expect(north).toMatchObject({ id: agency, label: 'North', versions: { trafficking: 'v3.3' } })
    await expect.poll(() => app.page.getByText('Your data is downloading again').count()).toBe(0)
    await signIn(() => footer().getByRole('button', { name: 'Sign in' }).click())
    await footer().getByText(idle).waitFor()
    expect((await onService()).filter((title) => title === 'While it had expired')).toHaveLength(1)
  })

  it('stops watch channels when quitting', async () => {
    const watchedNow = (): Promise<number[]> =>
      Promise.all(
        ['events', 'calendarList', 'acl', 'settings'].map((name) => called(`calendar.${name}.watch`, beforeStart)),
      )
    await until(async () => (await watchedNow()).every((count) => count > 0))
    await app.close()
    const watched = await watchedNow()
    expect(await called('calendar.channels.stop', beforeStart)).toBe(watched.reduce((sum, count) => sum + count, 0))
  })

  it('reports a wiped database in its own account', async () => {
    await rm(join(app.userData, 'IndexedDB'), { recursive: true })
    await launch()
    await app.page.getByText('Your data is downloading again').first().waitFor()
    await expect.poll(() => accountButton().innerText()).toContain('North')
    await footer().getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(() => footer().getByRole('button', { name: 'Sign in' }).click())
    await press('Control+1')
    await event('Agency breakfast').waitFor()
  })

  it("keeps the other accounts usable when one database can't open", async () => {
    await app.page.evaluate((name) => localStorage.setItem('broken', name), `flightplan-${agency}`)
    await app.page.addInitScript(() => {
      const open = IDBFactory.prototype.open
      IDBFactory.prototype.open = function (name, version) {
        if (name === localStorage.getItem('broken')) throw new DOMException('No room is left', 'QuotaExceededError')
        return open.call(this, name, version)
      }
    })
    await app.page.reload()
    await app.page.getByText('Couldn’t open the database of North').waitFor()
    await app.page.getByRole('button', { name: 'Show Sample data' }).click()
    await press('Control+1')
    await event('Dentist').waitFor()
    await settings()
    await card(/North/).getByText('Couldn’t open the database of this account').waitFor()
    await app.page.evaluate(() => localStorage.removeItem('broken'))
    await card(/North/).getByRole('button', { name: 'Show North' }).click()
    await until(async () => (await accountButton().innerText()).includes('North'))
    await press('Control+1')
    await addInCalendar('Written after all today 19:00')
    await until(async () => (await onService()).includes('Written after all'))
  })
})

describe('removing an account', () => {
  it('deletes its data on this computer and nothing on the service', async () => {
    await footer().getByText(idle).waitFor()
    const stored = await onService()
    await settings()
    const own = card(/North/)
    await own.getByText('Details', { exact: true }).click()
    await own.getByRole('button', { name: 'Remove this account…' }).press('Enter')
    await until(async () => (await focused()) === 'Remove account')
    await press('Enter')
    await until(async () => (await accountButton().innerText()).includes('Sample data'))
    await until(async () => (await focused()) === 'Accounts')
    await until(async () => (await announced()).includes('North was removed'))
    await until(async () => {
      const names = await app.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))
      return names.join() === 'flightplan-sandbox'
    })
    expect((await asking(app.page, 'account/list', {})).map(({ id }) => id)).toEqual(['sandbox'])
    expect(await onService()).toEqual(stored)
    await press('Control+1')
    await event('Dentist').waitFor()
  })
})
