import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { providerIssuer, providers } from '#shared/wire/providers'
import type { Fetch } from '../../src-main/http/send'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { openApp, type AppPage } from '../helpers/app-page'
import { violations, violationsByTheme } from '../helpers/axe'
import { decide } from '../helpers/browser'
import { choose, nothingPending, runCommand } from '../helpers/page'
import { asking, nextLink } from '../helpers/sign-in'

let app: AppPage
let cloud: Sandbox
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightplan-first-run-'))
  cloud = await startSandbox({ seed: 'empty', signIn: true, words: 'public' })
})
afterAll(async () => {
  await app?.close()
  await cloud?.stop()
})

const heading = (name: string): Locator => app.page.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp): Locator => app.page.getByRole('button', { name })
const rail = (): Locator => app.page.getByRole('navigation', { name: 'Views' })

/** Sends what's meant for the public services to a sandbox, in which the tasks are turned off while `tasksOff`. */
function publicServices(state: { tasksOff: boolean }): Fetch {
  const origins = [providerIssuer, ...Object.values(providers).flatMap(({ services }) => Object.values(services))]
  return async (url, init) => {
    const origin = origins.find((one) => url.startsWith(`${one}/`))
    if (!origin) return fetch(url, init)
    const path = url.slice(origin.length)
    if (state.tasksOff && path.startsWith('/tasks/'))
      return Response.json({ error: { code: 403, message: 'The Tasks API is turned off.' } }, { status: 403 })
    const answer = await fetch(`${cloud.baseUrl}${path}`, init)
    if (!path.startsWith('/.well-known/')) return answer
    return Response.json(JSON.parse((await answer.text()).replaceAll(cloud.baseUrl, providerIssuer)))
  }
}

it('leads a new computer to sample data in three steps, and back after it was removed', async () => {
  app = await openApp({ firstRun: true })
  const { page } = app
  await heading('Welcome to Flightplan').waitFor()
  expect(await violationsByTheme(page)).toEqual([])
  await button('Sample data').press('Enter')
  await heading('Make it yours').waitFor()
  expect(await violationsByTheme(page)).toEqual([])
  await choose(page.getByRole('combobox', { name: 'Week starts on' }), 'Sunday')
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.getByRole('switch', { name: 'Notifications' }).click()
  await button('Continue').click()
  await heading('Five shortcuts worth knowing').waitFor()
  await expect.poll(() => page.getByRole('definition').count()).toBe(5)
  // The chosen theme no longer follows the system's.
  expect(await violations(page)).toEqual([])
  await button('Start').click()
  await nothingPending(page)
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  expect(await asking(page, 'notifications/settings', {})).toMatchObject({ on: false })
  await page.keyboard.press('Control+3')
  await page.getByRole('grid', { name: 'Campaigns' }).getByRole('row').nth(1).waitFor()
  await page.keyboard.press('Control+4')
  await page.getByRole('region', { name: 'Anomalies', exact: true }).waitFor()
  await page.keyboard.press('Control+5')
  await page.getByRole('cell', { name: 'Lindqvist Outdoor engine account', exact: true }).waitFor()

  await runCommand(page, 'Manage accounts')
  await expect.poll(() => page.getByRole('combobox', { name: 'Week starts on' }).inputValue()).toBe('Sunday')
  await button('Remove sample data…').click()
  await button('Remove sample data').click()
  await heading('Add an account').waitFor()
  expect(await asking(page, 'account/list', {})).toEqual([])
  await button('Sample data').click()
  await rail().waitFor()
  expect(await asking(page, 'account/list', {})).toMatchObject([{ id: 'sandbox' }])
})

it('connects a provider with a client file, and says which service doesn’t respond', async () => {
  const links = join(folder, 'links.txt')
  const state = { tasksOff: true }
  await app.close()
  app = await openApp({ firstRun: true, args: ['--open-links-to', links], fetch: publicServices(state) })
  const { page } = app
  await button('Google Calendar and Tasks').click()
  const dialog = page.getByRole('dialog', { name: 'Google Calendar and Tasks' })
  const go = dialog.getByRole('button', { name: 'Continue in browser' })
  await expect.poll(() => go.isDisabled()).toBe(true)
  expect(await violationsByTheme(page)).toEqual([])

  const file = async (content: unknown): Promise<void> => {
    const path = join(folder, 'client.json')
    await writeFile(path, JSON.stringify(content))
    await dialog.locator('input[type=file]').setInputFiles(path)
  }
  await file({ web: {} })
  await dialog.getByText('This client is for web apps.').waitFor()
  await expect.poll(() => go.isDisabled()).toBe(true)
  await file({ installed: { client_id: 'my-client' } })
  await dialog.getByText('Read client.json').waitFor()
  await go.click()
  const address = new URL(await nextLink(links, 0))
  expect(address.origin).toBe(providerIssuer)
  expect(address.searchParams.get('client_id')).toBe('my-client')
  const answer = await decide(address.href.replace(address.origin, cloud.baseUrl), { person: 'mina' })
  await fetch(answer.replace(encodeURIComponent(cloud.baseUrl), encodeURIComponent(providerIssuer)))

  const done = page.getByRole('dialog', { name: 'Signed in to Google Calendar and Tasks' })
  const checks = done.getByRole('list', { name: 'Connection test' }).getByRole('listitem')
  await checks.first().waitFor()
  await expect
    .poll(() => checks.allInnerTexts())
    .toEqual([
      expect.stringMatching(/Calendar\s+Connected/),
      expect.stringMatching(/Tasks\s+The Tasks API is turned off\./),
    ])
  expect(await violationsByTheme(page)).toEqual([])
  state.tasksOff = false
  await done.getByRole('button', { name: 'Test again' }).click()
  await expect.poll(() => checks.nth(1).innerText()).toMatch(/Tasks\s+Connected/)
  await done.getByRole('button', { name: 'Done' }).click()
  await heading('Make it yours').waitFor()
  await button('Skip').click()
  await button('Start').click()
  await rail().waitFor()
  expect(await asking(page, 'account/list', {})).toMatchObject([
    { label: 'Google Calendar and Tasks', email: 'mina.park@flightplan.example', signIn: 'in' },
  ])
})
