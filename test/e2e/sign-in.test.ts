import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#shared/ipc/account-questions'
import type { OutboxEntry } from '#shared/mutation/entry'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { launchApp, type RunningApp } from '../helpers/app'
import { contrast, violations } from '../helpers/axe'
import { decide } from '../helpers/browser'
import { openRealBrowser, type RealBrowser } from '../helpers/real-browser'
import { clockFromMoment } from '../helpers/moment'
import { asking, nextLink, openedLinks, signInThrough } from '../helpers/sign-in'
import { nothingPending } from '../helpers/page'
import { someEntry } from '../helpers/some-entry'
import { clientOf } from '../main/sandbox/client'

/** The service and the app share one clock. */
const clock = clockFromMoment()
let sandbox: Sandbox
let app: RunningApp
let browser: RealBrowser
let links: string

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'empty', signIn: true, now: clock.now })
  links = join(await mkdtemp(join(tmpdir(), 'flightplan-links-')), 'links.txt')
  app = await launchApp({ clock, args: ['--seed', 'empty', '--open-links-to', links] })
  browser = await openRealBrowser()
  await nothingPending(app.page)
  await app.page.evaluate(() => {
    const received: unknown[] = ((window as unknown as { received: unknown[] }).received = [])
    window.flightplan.on('account/changed', (payload) => received.push(payload))
  })
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
  await sandbox?.stop()
})

const mina = 'mina.park@flightplan.example'
const add = (label: string): Promise<Account> =>
  asking(app.page, 'account/add', { label, vocabulary: 'neutral', address: sandbox.baseUrl })

/** The latest announced account states. */
const announced = (): Promise<Record<string, string>> =>
  app.page.evaluate(() => {
    const { received } = window as unknown as { received: Array<{ accounts: Account[] }> }
    return Object.fromEntries((received.at(-1)?.accounts ?? []).map(({ label, signIn }) => [label, signIn]))
  })

/** Approves as Mina, with the mouse. */
async function allowAsMina(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('radio', { name: /Mina Park/ }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'You’re signed in' }).waitFor()
}

const pullLists = (accountId: string) =>
  asking(app.page, 'sync/pull', { accountId, collection: 'tasklists', parent: null, cursor: null, page: null })

const entryOf = (accountId: string): OutboxEntry =>
  someEntry({
    id: '00000001',
    accountId,
    parent: mina,
    recordId: 'madeoffline1',
    kind: 'create',
    patch: {
      id: 'madeoffline1',
      summary: 'Made while signed out',
      start: { dateTime: '2026-05-04T09:00:00+02:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-05-04T10:00:00+02:00', timeZone: 'Europe/Berlin' },
    },
    group: 'g1',
    label: 'Add “Made while signed out”',
    madeAt: clock.now(),
  })

describe('signing in with the system browser', () => {
  it('leads from the API listing over the consent page to the first pull', async () => {
    const offer = await asking(app.page, 'account/discover', { address: sandbox.baseUrl, vocabulary: 'neutral' })
    expect(offer.issuer).toBe(sandbox.baseUrl)
    expect(offer.services.map(({ service }) => service)).toEqual(['calendar', 'search', 'tasks', 'trafficking'])
    const added = await add('Work')
    expect(added).toMatchObject({ signIn: 'out', kind: 'service' })
    const account = await signInThrough(app.page, links, added.id, (address) => allowAsMina(browser.page, address))
    expect(account).toMatchObject({ id: added.id, email: mina, signIn: 'in' })
    expect(await announced()).toEqual({ 'Sample data': 'in', Work: 'in' })
    expect((await pullLists(account.id)).records.map(({ value }) => value?.['title'])).toEqual(['My tasks'])
  })

  it('says where the sign-in is stored, and writes nothing to disk without a keyring', async () => {
    const [, work] = await asking(app.page, 'account/list', {})
    const files = await readdir(join(app.userData, 'accounts')).catch(() => [])
    expect([work!.kept, files.length]).toEqual(work!.kept === 'system' ? ['system', 1] : ['memory', 0])
    expect(await readFile(join(app.userData, 'accounts.json'), 'utf8')).toContain(work!.id)
  })

  it('pauses when the sign-in is revoked, keeps pending changes, and resumes after a new sign-in', async () => {
    const [, work] = await asking(app.page, 'account/list', {})
    const accountId = work!.id
    const entry = entryOf(accountId)
    await asking(app.page, 'journal/append', { records: [{ kind: 'entry', entry }] })
    await clientOf(sandbox).post('/sandbox/v1/revoke-sign-ins')
    const frozen = await asking(app.page, 'sync/push', { accountId, entry })
    expect(frozen).toMatchObject({ kind: 'frozen', fault: { code: 'signInExpired' } })
    await expect(pullLists(accountId)).rejects.toThrow('signInExpired')
    expect(await announced()).toEqual({ 'Sample data': 'in', Work: 'expired' })
    await expect(asking(app.page, 'account/remove', { accountId })).rejects.toThrow('Work has 1 pending change')
    expect((await asking(app.page, 'journal/open', {})).open.map(({ label }) => label)).toEqual([entry.label])

    await signInThrough(app.page, links, accountId, (address) => allowAsMina(browser.page, address))
    expect(await announced()).toEqual({ 'Sample data': 'in', Work: 'in' })
    expect(await asking(app.page, 'sync/push', { accountId, entry })).toMatchObject({ kind: 'confirmed' })
    const end = { kind: 'end', entryId: entry.id, accountId, how: 'confirmed' } as const
    await asking(app.page, 'journal/append', { records: [end] })
    const { body } = await clientOf(sandbox).get(`/sandbox/v1/state?person=mina`)
    expect(body.events[mina].madeoffline1.summary).toBe('Made while signed out')
  })

  it('rejects another user, a denial, and a closed browser without changing anything', async () => {
    const [, work] = await asking(app.page, 'account/list', {})
    const accountId = work!.id
    const asJonas = signInThrough(app.page, links, accountId, (address) =>
      decide(address, { person: 'jonas' }).then(fetch),
    )
    await expect(asJonas).rejects.toThrow(`Work belongs to ${mina}`)
    const denied = signInThrough(app.page, links, accountId, async (address) => {
      await browser.page.goto(address)
      await browser.page.getByRole('button', { name: 'Deny' }).click()
      await browser.page.getByRole('heading', { name: 'Sign-in failed' }).waitFor()
    })
    await expect(denied).rejects.toThrow('forbidden: You didn’t give')
    const closed = signInThrough(app.page, links, accountId, () =>
      asking(app.page, 'account/cancel-sign-in', { accountId }),
    )
    await expect(closed).rejects.toThrow('aborted')
    expect((await pullLists(accountId)).records).toHaveLength(1)
  })

  it('rejects a wrong state, a foreign Host, a replayed code, and a second request', async () => {
    const [, work] = await asking(app.page, 'account/list', {})
    const accountId = work!.id
    const hit = (address: string, host?: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const { port, pathname, search, host: own } = new URL(address)
        const headers = { host: host ?? own }
        const call = request({ host: '127.0.0.1', port, path: pathname + search, headers }, (answer) => {
          answer.resume()
          answer.on('end', () => resolve(answer.statusCode ?? 0))
        })
        call.on('error', reject)
        call.end()
      })
    const before = (await openedLinks(links)).length
    const signedIn = asking(app.page, 'account/sign-in', { accountId })
    const good = await decide(await nextLink(links, before), { person: 'mina' })
    const wrong = new URL(good)
    wrong.searchParams.set('state', 'guessed')
    expect(await hit(wrong.href)).toBe(400)
    expect(await hit(good, 'evil.example')).toBe(403)
    expect(await hit(good.replace('/callback', '/other'))).toBe(404)
    expect(await hit(good)).toBe(200)
    expect((await signedIn).signIn).toBe('in')
    await expect(hit(good)).rejects.toThrow(/ECONNREFUSED/)

    // Replay the previous sign-in's code in a new one.
    const again = asking(app.page, 'account/sign-in', { accountId })
    const fresh = new URL(new URL(await nextLink(links, before + 1)).searchParams.get('redirect_uri')!)
    fresh.search = new URL(good).search
    fresh.searchParams.set('state', new URL((await openedLinks(links))[before + 1]!).searchParams.get('state')!)
    expect(await hit(fresh.href)).toBe(200)
    await expect(again).rejects.toThrow('signInExpired')
    // A reused code was stolen, so the sandbox revokes the sign-in.
    await expect(pullLists(accountId)).rejects.toThrow('signInExpired')
  })

  it('signs out and removes the account without leftovers', async () => {
    const [, work] = await asking(app.page, 'account/list', {})
    const accountId = work!.id
    await clientOf(sandbox).post('/sandbox/v1/revoke-sign-ins')
    await signInThrough(app.page, links, accountId, (address) => decide(address, { person: 'mina' }).then(fetch))
    expect((await asking(app.page, 'account/sign-out', { accountId })).signIn).toBe('out')
    await expect(pullLists(accountId)).rejects.toThrow('You’re signed out')
    expect((await clientOf(sandbox).post('/sandbox/v1/revoke-sign-ins')).body).toEqual({ revoked: 0 })
    await asking(app.page, 'account/remove', { accountId })
    expect((await asking(app.page, 'account/list', {})).map(({ id }) => id)).toEqual(['sandbox'])
    expect(await readFile(join(app.userData, 'accounts.json'), 'utf8')).not.toContain(accountId)
  })
})

describe('the consent page', () => {
  const address = (): string =>
    `${sandbox.baseUrl}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: 'Flightplan',
      redirect_uri: 'http://127.0.0.1:49999/callback',
      scope: 'calendar tasks dfatrafficking trafficking ddmconversions search',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    })}`

  it('passes axe in both themes', async () => {
    await browser.page.emulateMedia({ colorScheme: 'light' })
    await browser.page.goto(address())
    expect(await violations(browser.page)).toEqual([])
    await browser.page.emulateMedia({ colorScheme: 'dark' })
    expect(await contrast(browser.page)).toEqual([])
  })

  it('works by keyboard', async () => {
    const { page } = browser
    await page.goto(address())
    // Without a window manager, a new window doesn't get keyboard focus.
    await page.bringToFront()
    await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(true)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('value'))).toBe('you')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.getByRole('radio', { name: /Mina/ }).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(() => page.getByRole('checkbox').first().isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Allow' }).focus()
    const left = page.waitForRequest((sent) => sent.url().startsWith('http://127.0.0.1:49999/callback'))
    await page.keyboard.press('Enter')
    expect(new URL((await left).url()).searchParams.get('code')).toBeTruthy()
  })
})
