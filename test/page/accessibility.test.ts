import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { decide } from '../helpers/browser'
import { clockFromMoment } from '../helpers/moment'
import { reportScreens, showExport, showAutomaticExport } from '../helpers/report-screens'
import { asking, signInThrough } from '../helpers/sign-in'
import { nothingPending } from '../helpers/page'
import { clientOf } from '../main/sandbox/client'
import { drawn } from '../helpers/ring'

/** The service and the app share one clock. */
const clock = clockFromMoment()
let app: AppPage
let other: Sandbox
let links: string

beforeAll(async () => {
  other = await startSandbox({ seed: 'empty', signIn: true, now: clock.now })
  links = join(await mkdtemp(join(tmpdir(), 'flightplan-links-')), 'links.txt')
  app = await openApp({ clock, args: ['--open-links-to', links], size: { width: 1280, height: 800 } })
  await nothingPending(app.page)
})
afterAll(async () => {
  await app?.close()
  await other?.stop()
})

const view = (keys: string): Promise<void> => app.page.keyboard.press(keys)

type Screen = [name: string, open: () => Promise<unknown>, within?: string]
const modal = '[role=dialog]'
const openMenu = '[role=menu]'

/** Every screen, the keys that open it, and the part of the window it opens, unless that's the whole view. */
const screens: Screen[] = [
  ['calendar, day', async () => (await view('Control+1'), await view('1'))],
  ['calendar, week', () => view('2')],
  ['calendar, month', () => view('3')],
  ['calendar, agenda', () => view('4')],
  [
    'event editor',
    async () => (await view('2'), await view('c'), await app.page.getByRole('textbox', { name: 'Title' }).waitFor()),
    'form.editor',
  ],
  [
    'quick add',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('q'),
      await app.page.locator('#quick-line').fill('Lunch with Mina tomorrow 12-13')
    ),
    modal,
  ],
  [
    'command palette',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('Control+k'),
      await app.page.getByRole('dialog').waitFor()
    ),
    modal,
  ],
  [
    'keyboard shortcuts',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('F1'),
      await app.page.getByRole('dialog').waitFor()
    ),
    modal,
  ],
  ['tasks', async () => (await app.page.keyboard.press('Escape'), await view('Control+2'))],
  ['campaigns', () => view('Control+3')],
  ['sync', () => view('Control+6')],
  ...reportScreens.map(([name, show]): Screen => [name, () => show(app.page)]),
  ['export of results', () => showExport(app.page), modal],
  ['export after each run', () => showAutomaticExport(app.page), modal],
  ['settings', async () => (await app.page.keyboard.press('Escape'), await view('Control+,'))],
]

const menu = async (): Promise<void> => {
  await app.page.getByRole('button', { name: /, accounts/ }).click()
  await app.page.getByRole('menuitem', { name: 'Manage accounts' }).waitFor()
}
const card = (): ReturnType<typeof app.page.getByRole> => app.page.getByRole('article', { name: /Agency/ })

/** The account screens, in the order you reach them. The second account's sign-in is revoked on the way. */
const accountScreens: Screen[] = [
  ['menu of accounts', menu, openMenu],
  [
    'account dialog',
    async () => (
      await app.page.getByRole('menuitem', { name: 'Add an account…' }).click(),
      await app.page.getByRole('button', { name: /^Other/ }).waitFor()
    ),
    modal,
  ],
  [
    'account dialog, provider',
    async () => (
      await app.page.getByRole('button', { name: /^Campaign Manager 360/ }).click(),
      await app.page.getByText('Enter the client ID and secret instead').click()
    ),
    modal,
  ],
  [
    'account dialog, address',
    async () => (
      await app.page.getByRole('button', { name: 'Back' }).click(),
      await app.page.getByRole('button', { name: /^Other/ }).click(),
      await app.page.getByLabel('Service address').waitFor()
    ),
    modal,
  ],
  [
    'account dialog, refused address',
    async () => (
      await app.page.getByLabel('Service address').fill('http://services.example.com'),
      await view('Enter'),
      await app.page.getByRole('alert').filter({ hasText: 'Can’t use this address' }).waitFor()
    ),
    modal,
  ],
  [
    'account dialog, offer',
    async () => (
      await app.page.getByLabel('Service address').fill(other.baseUrl),
      await view('Enter'),
      await app.page.getByLabel('Account name').fill('Agency'),
      await app.page.locator('[role=dialog] summary').click()
    ),
    modal,
  ],
  [
    'account dialog, waiting for the browser',
    async () => (
      await app.page.getByRole('button', { name: 'Add and sign in' }).click(),
      await app.page.getByLabel('Waiting for the browser').waitFor()
    ),
    modal,
  ],
  [
    'account dialog, cancelled',
    async () => (await view('Escape'), await app.page.getByText('Sign-in canceled.').waitFor()),
    modal,
  ],
  [
    'accounts in the settings',
    async () => (
      await view('Escape'),
      await signInThrough(app.page, links, await agency(), (address) =>
        decide(address, { person: 'mina' }).then(fetch),
      ),
      await menu(),
      await app.page.getByRole('menuitem', { name: 'Manage accounts' }).click(),
      await card().getByText('Details', { exact: true }).click()
    ),
  ],
  [
    'removing an account',
    () => card().getByRole('button', { name: 'Remove this account…' }).click(),
    'article:has-text("Agency")',
  ],
  [
    'an expired sign-in, in Sync',
    async () => (
      await view('Control+Alt+2'),
      await clientOf(other).post('/sandbox/v1/revoke-sign-ins'),
      await view('F5'),
      await view('Control+6'),
      await app.page.getByText('Your session has expired').waitFor()
    ),
  ],
  [
    'menu of accounts, one expired',
    async () => (
      await view('Control+Alt+1'),
      await app.page.getByRole('button', { name: /Sample data\s*, accounts/ }).waitFor(),
      await menu()
    ),
    openMenu,
  ],
  [
    'another account that waits, in Sync',
    async () => (await view('Escape'), await app.page.getByRole('region', { name: 'Other accounts' }).waitFor()),
  ],
]

async function agency(): Promise<string> {
  return (await asking(app.page, 'account/list', {})).find(({ label }) => label === 'Agency')!.id
}

describe('axe finds no violations in either theme', () => {
  // Screens of forms have most kinds of controls. The settings are last, without a dialog that would cover the next screens.
  const forms = ['event editor', 'reports, definition', 'settings']
  const isForm = ([name]: Screen): boolean => forms.includes(name)
  const others = drawn(
    screens.filter((screen) => !isForm(screen)),
    6,
  )
  it.each(screens.filter((screen) => isForm(screen) || others.includes(screen)))(
    'on the screen: %s',
    async (_screen, open, within) => {
      await app.page.keyboard.press('Escape')
      await open()
      expect(await violationsByTheme(app.page, { within })).toEqual([])
    },
  )

  it.each(accountScreens)('on the screen: %s', async (_screen, open, within) => {
    await open()
    expect(await violationsByTheme(app.page, { within })).toEqual([])
  })
})
