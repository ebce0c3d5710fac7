import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { launchApp, type RunningApp } from '../helpers/app'
import { decide } from '../helpers/browser'
import { clockFromMoment } from '../helpers/moment'
import { asking, openedLinks, signInThrough } from '../helpers/sign-in'
import { recordTraffic, trafficOf, type Traffic } from '../helpers/traffic'
import { clientOf } from '../main/sandbox/client'
import { folderForFile } from '../helpers/for-file'

const clientSecret = 'the-client-secret-of-this-test'

/** The service and the app share one clock. */
const clock = clockFromMoment()
let sandbox: Sandbox
let app: RunningApp
let links: string
const dataDir = folderForFile('flightplan-sandbox-')
let traffic: Traffic
let html = ''
let secrets: string[]

/** A day with the app: sign-in, edits, errors, expired and revoked sign-ins, a service restart, and signing out. */
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'empty', signIn: true, dataDir, now: clock.now })
  const admin = clientOf(sandbox)
  links = join(await mkdtemp(join(tmpdir(), 'flightplan-links-')), 'links.txt')
  app = await launchApp({ clock, args: ['--seed', 'empty', '--open-links-to', links] })
  const { page, electron } = app
  const idle = page.getByText(/No pending changes/).first()
  await idle.waitFor()
  await recordTraffic(electron)
  // Record everything from here on. The page reloads so that its first requests are included.
  await page.reload()
  await page.evaluate('globalThis.__name ??= (named) => named')
  await idle.waitFor()

  const add = {
    label: 'Work',
    vocabulary: 'neutral',
    address: sandbox.baseUrl,
    clientId: 'Flightplan',
    clientSecret,
  } as const
  const { id: accountId } = await asking(page, 'account/add', add)
  const browse = (address: string): Promise<unknown> => decide(address, { person: 'mina' }).then(fetch)
  await signInThrough(page, links, accountId, browse)
  const pull = () =>
    asking(page, 'sync/pull', { accountId, collection: 'tasklists', parent: null, cursor: null, page: null })
  await pull()
  // The app syncs the account on its own, too, which may meet the first of them.
  await admin.post('/sandbox/v1/trouble', { operation: 'tasks.tasklists.list', status: 500, count: 1_000 })
  await expect(pull()).rejects.toThrow()
  await admin.del('/sandbox/v1/trouble')
  // Mina's next access token expires within the minute of early renewal.
  const renewed = (await trafficOf(electron)).secrets['access_token']!.length
  await admin.post('/sandbox/v1/sign-in', { accessSeconds: 1 })
  await signInThrough(page, links, accountId, browse)
  await pull()
  expect((await trafficOf(electron)).secrets['access_token']!.length).toBeGreaterThanOrEqual(renewed + 2)
  await asking(page, 'account/sign-in', { accountId: 'sandbox' })
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill('Review with the studio today 15:00')
  await page.keyboard.press('Enter')
  await page.locator('#quick-line').waitFor({ state: 'detached' })
  await idle.waitFor()
  await asking(page, 'sandbox/expire', { what: 'sign-in' })
  await expect(
    asking(page, 'sync/read', { accountId: 'sandbox', collection: 'calendarList', parent: null, id: 'primary' }),
  ).rejects.toThrow('signInExpired')
  await asking(page, 'account/sign-in', { accountId: 'sandbox' })
  await asking(page, 'sandbox/run', { running: false })
  await asking(page, 'sandbox/run', { running: true })
  await idle.waitFor()
  await admin.post('/sandbox/v1/revoke-sign-ins')
  await expect(pull()).rejects.toThrow('signInExpired')
  await signInThrough(page, links, accountId, browse)
  await pull()

  html = await page.evaluate(() => document.documentElement.outerHTML + JSON.stringify({ ...localStorage }))
  traffic = await trafficOf(electron)
  const { body } = await admin.get('/sandbox/v1/people')
  const people = (body.people as Array<{ token: string }>).map(({ token }) => token)
  secrets = [...new Set([...Object.values(traffic.secrets).flat(), ...people, clientSecret])]
  await app.close()
  await sandbox.stop()
})
afterAll(async () => {
  await app?.close().catch(() => undefined)
  await sandbox?.stop()
})

/** A secret as it might appear in a file: as text, as Chromium stores text, or as base64. */
const forms = (secret: string): Buffer[] => [
  Buffer.from(secret),
  Buffer.from(secret, 'utf16le'),
  Buffer.from(Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1)),
]

async function leaksIn(folder: string): Promise<{ files: number; leaks: string[] }> {
  const leaks: string[] = []
  let files = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const bytes = await readFile(path)
    files++
    for (const secret of secrets)
      if (forms(secret).some((form) => bytes.includes(form)))
        leaks.push(`${relative(folder, path)}: ${secret.slice(0, 4)}…`)
  }
  return { files, leaks }
}

const leaksInText = (text: string): string[] =>
  secrets
    .filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
    .map((secret) => `${secret.slice(0, 4)}…`)

describe('after a run with sign-ins, edits and errors', () => {
  it('finds secrets of every type to look for', () => {
    const counts = Object.fromEntries(Object.entries(traffic.secrets).map(([kind, list]) => [kind, list.length]))
    expect(counts).toMatchObject({ client_secret: 1, code: 3, code_verifier: 3 })
    expect(counts['access_token']).toBeGreaterThanOrEqual(4)
    expect(counts['refresh_token']).toBeGreaterThanOrEqual(3)
    // The sandbox has one token at its start, two after renewals, and one after its restart.
    expect(counts['bearer']).toBeGreaterThanOrEqual(7)
    expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThanOrEqual(30)
  })

  it("none is in the user data folder or the sandbox's files", async () => {
    const kept = await leaksIn(app.userData)
    expect(kept.files).toBeGreaterThan(10)
    expect(kept.leaks).toEqual([])
    expect(await leaksIn(dataDir)).toMatchObject({ leaks: [] })
  })

  it('none is in the log', () => {
    expect(leaksInText(app.log.join(''))).toEqual([])
  })

  it('none went over IPC except the client secret you typed, and none is in the page', () => {
    expect(traffic.messages.length).toBeGreaterThan(30)
    expect(traffic.messages.filter((message) => message.includes('"signIn":"in"')).length).toBeGreaterThan(0)
    const answers = traffic.messages.filter((message) => /^(\{"result":)?\{"ok":/.test(message))
    expect(answers.length).toBeGreaterThan(15)
    const fromMain = traffic.messages.filter((message) => !message.startsWith('["account/add"'))
    expect(traffic.messages.length - fromMain.length).toBe(1)
    expect(leaksInText(fromMain.join('\n'))).toEqual([])
    expect(leaksInText(html)).toEqual([])
  })

  it('none is in a URL opened in the browser', async () => {
    const opened = await openedLinks(links)
    expect(opened).toHaveLength(3)
    expect(leaksInText(opened.join('\n'))).toEqual([])
  })
})
