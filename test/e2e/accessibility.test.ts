import { AxeBuilder } from '@axe-core/playwright'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { launchApp, type RunningApp } from '../helpers/app'
import { decide } from '../helpers/browser'
import { clockFromMoment } from '../helpers/moment'
import { atRest } from '../helpers/page'
import { reportScreens, showExport, showExportRule } from '../helpers/report-screens'
import { asking, signInThrough } from '../helpers/sign-in'
import { clientOf } from '../main/sandbox/client'

/** Service and app go by one clock. */
const clock = clockFromMoment()
let app: RunningApp
let other: Sandbox
let links: string

beforeAll(async () => {
  other = await startSandbox({ seed: 'empty', now: clock.now })
  links = join(await mkdtemp(join(tmpdir(), 'flightplan-links-')), 'links.txt')
  app = await launchApp({ clock, args: ['--open-links-to', links], size: { width: 1280, height: 800 } })
  await app.page
    .getByText(/Nothing waits to be sent/)
    .first()
    .waitFor()
})
afterAll(async () => {
  await app?.close()
  await other?.stop()
})

/** What axe finds, one line each: the rule and where. */
async function violations(): Promise<string[]> {
  // Colours that are still fading would be measured half way.
  await atRest(app.page)
  const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')}: ${(failureSummary ?? '').replace(/\s+/g, ' ').slice(0, 160)}`,
    ),
  )
}

const theme = (name: 'light' | 'dark'): Promise<void> => app.page.emulateMedia({ colorScheme: name })
const view = (keys: string): Promise<void> => app.page.keyboard.press(keys)

/** Every screen that people can be on, and the keys that lead there. */
const screens: Array<[string, () => Promise<unknown>]> = [
  ['calendar, day', async () => (await view('Control+1'), await view('1'))],
  ['calendar, week', () => view('2')],
  ['calendar, month', () => view('3')],
  ['calendar, agenda', () => view('4')],
  [
    'event editor',
    async () => (await view('2'), await view('c'), await app.page.getByRole('textbox', { name: 'Title' }).waitFor()),
  ],
  [
    'quick add',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('q'),
      await app.page.locator('#quick-line').fill('Lunch with Mina tomorrow 12-13')
    ),
  ],
  [
    'command palette',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('Control+k'),
      await app.page.getByRole('dialog').waitFor()
    ),
  ],
  [
    'keyboard shortcuts',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('F1'),
      await app.page.getByRole('dialog').waitFor()
    ),
  ],
  ['tasks', async () => (await app.page.keyboard.press('Escape'), await view('Control+2'))],
  ['campaigns', () => view('Control+3')],
  ['sync', () => view('Control+4')],
  ...reportScreens.map(([name, show]): [string, () => Promise<unknown>] => [name, () => show(app.page)]),
  ['export of figures', () => showExport(app.page)],
  ['export after each run', () => showExportRule(app.page)],
  ['settings', async () => (await app.page.keyboard.press('Escape'), await view('Control+,'))],
]

const menu = async (): Promise<void> => {
  await app.page.getByRole('button', { name: /, accounts/ }).click()
  await app.page.getByRole('menuitem', { name: 'Manage accounts' }).waitFor()
}
const card = (): ReturnType<typeof app.page.getByRole> => app.page.getByRole('article', { name: /Agency/ })

/** The screens of accounts, in the order in which people come by; the second account's sign-in is taken back on the way. */
const accountScreens: Array<[string, () => Promise<unknown>]> = [
  ['menu of accounts', menu],
  [
    'account dialog',
    async () => (
      await app.page.getByRole('menuitem', { name: 'Add an account …' }).click(),
      await app.page.getByLabel('Address of the services').waitFor()
    ),
  ],
  [
    'account dialog, refused address',
    async () => (
      await app.page.getByLabel('Address of the services').fill('http://services.example.com'),
      await view('Enter'),
      await app.page.getByRole('alert').filter({ hasText: 'cannot be used' }).waitFor()
    ),
  ],
  [
    'account dialog, offer',
    async () => (
      await app.page.getByLabel('Address of the services').fill(other.baseUrl),
      await view('Enter'),
      await app.page.getByLabel('Name of this account').fill('Agency'),
      await app.page.locator('[role=dialog] summary').click()
    ),
  ],
  [
    'account dialog, waiting for the browser',
    async () => (
      await app.page.getByRole('button', { name: 'Add and sign in' }).click(),
      await app.page.getByLabel('Waiting for the browser').waitFor()
    ),
  ],
  [
    'account dialog, cancelled',
    async () => (await view('Escape'), await app.page.getByText('The sign-in was cancelled.').waitFor()),
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
  ['removing an account', () => card().getByRole('button', { name: 'Remove this account …' }).click()],
  [
    'an expired sign-in, in Sync',
    async () => (
      await view('Control+Alt+2'),
      await clientOf(other).post('/sandbox/v1/revoke-sign-ins'),
      await view('F5'),
      await view('Control+4'),
      await app.page.getByText('Your sign-in has expired').waitFor()
    ),
  ],
  [
    'menu of accounts, one expired',
    async () => (
      await view('Control+Alt+1'),
      await app.page.getByRole('button', { name: /Sandbox\s*, accounts/ }).waitFor(),
      await menu()
    ),
  ],
  [
    'another account that waits, in Sync',
    async () => (
      await view('Escape'),
      await app.page.getByRole('region', { name: 'In your other accounts' }).waitFor()
    ),
  ],
]

async function agency(): Promise<string> {
  return (await asking(app.page, 'account/list', {})).find(({ label }) => label === 'Agency')!.id
}

describe.each(['light', 'dark'] as const)('axe finds nothing in %s', (name) => {
  it.each(screens)('on the screen: %s', async (_screen, open) => {
    await theme(name)
    await open()
    expect(await violations()).toEqual([])
  })

  it.each(accountScreens)('on the screen: %s', async (_screen, open) => {
    await theme(name)
    await open()
    expect(await violations()).toEqual([])
  })

  it('and the account is removed for the next round', async () => {
    await asking(app.page, 'account/remove', { accountId: await agency() })
    await app.page.reload()
    await app.page
      .getByText(/Nothing waits to be sent/)
      .first()
      .waitFor()
  })
})
