import { mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { launchApp, type LaunchOptions, type RunningApp } from '../helpers/app'
import { nothingPending } from '../helpers/page'
import { startProxy, type Proxy } from '../helpers/proxy'
import { drawn } from '../helpers/ring'
import { asking } from '../helpers/sign-in'
import { clientOf } from '../main/sandbox/client'

let sandbox: Sandbox
let network: Proxy
let apps: RunningApp[] = []

beforeEach(async () => {
  sandbox = await startSandbox({ seed: 'empty' })
  network = await startProxy(sandbox.baseUrl)
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.kill().catch(() => undefined)
  await network.close()
  await sandbox.stop()
})

async function open(options: LaunchOptions = {}): Promise<RunningApp> {
  const app = await launchApp({ ...options, service: { baseUrl: network.baseUrl, token: sandbox.token } })
  apps.push(app)
  return app
}

/** Creates an event with quick add. */
async function quickAdd(page: Page, title: string): Promise<void> {
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill(`${title} tomorrow 10:00`)
  await page.keyboard.press('Enter')
  await page.locator('#quick-line').waitFor({ state: 'detached' })
}

/** Titles of the primary calendar's events on the service. */
async function onService(): Promise<string[]> {
  const { body } = await clientOf(sandbox).get('/calendar/v3/calendars/primary/events')
  return (body.items as Array<{ summary: string }>).map(({ summary }) => summary).sort()
}

/** Pulls everything in main, as the sync loop does. */
const pull = (page: Page): Promise<unknown> =>
  asking(page, 'sync/pull', {
    accountId: 'sandbox',
    collection: 'tasklists',
    parent: null,
    cursor: null,
    page: null,
  }).then(
    () => 'answered',
    (error: Error) => error.message,
  )

const portal = (outgoing: ServerResponse): void => {
  outgoing.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'public, max-age=86400' })
  outgoing.end('<html><body>Welcome to our hotel</body></html>')
}
const moved = (outgoing: ServerResponse): void => {
  outgoing.writeHead(301, { location: 'http://127.0.0.1:9/elsewhere', 'cache-control': 'public, max-age=86400' })
  outgoing.end()
}

describe('a response that a network once injected', () => {
  const answers = [
    ['a web page that may be kept for a day', portal],
    ['a redirect for good', moved],
  ] as const
  it.each(drawn(answers, 1))('is no longer used for %s, even after a restart', async (_name, instead) => {
    const first = await open()
    await nothingPending(first.page)
    let replaced = 0
    network.instead = ({ method, url = '' }, outgoing) => {
      if (method !== 'GET' || !url.includes('/users/@me/lists?') || replaced > 0) return false
      replaced++
      instead(outgoing)
      return true
    }
    await pull(first.page)
    expect(replaced).toBe(1)
    expect(await pull(first.page)).toBe('answered')
    await quickAdd(first.page, 'After the hotel')
    await nothingPending(first.page)
    await first.close()
    const second = await open({ userData: first.userData })
    await nothingPending(second.page)
    const before = network.seen.length
    expect(await pull(second.page)).toBe('answered')
    expect(network.seen.length).toBeGreaterThan(before)
    await expect.poll(onService).toEqual(['After the hotel'])
  })

  it("is dropped from an older version's cache, and isn't cached again", async () => {
    const userData = await mkdtemp(join(tmpdir(), 'flightplan-app-'))
    const kept = join(userData, 'Cache', 'Cache_Data')
    await mkdir(kept, { recursive: true })
    await writeFile(join(kept, 'f_000001'), 'an answer of long ago')
    const app = await open({ userData })
    await nothingPending(app.page)
    await app.close()
    await expect(stat(join(userData, 'Cache'))).rejects.toThrow('ENOENT')
  })
})

describe('a response that fetch would reject', () => {
  const answers = [
    ['an impossible status', 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}'],
    ['a status line of other letters', 'HTTP/1.1 200 \u00e4\u0001\r\nContent-Length: 2\r\n\r\n{}'],
    ['a header beyond Latin letters', 'HTTP/1.1 200 OK\r\nX-Box: \u4e2d\u6587\r\nContent-Length: 2\r\n\r\n{}'],
  ] as const
  it.each(drawn(answers, 1))('is handled as an error: %s', async (_name, bytes) => {
    const app = await open()
    await nothingPending(app.page)
    let replaced = 0
    network.instead = ({ method, url = '', socket }) => {
      if (method !== 'GET' || !url.includes('/users/@me/lists?') || replaced > 0) return false
      replaced++
      socket.end(bytes)
      return true
    }
    await pull(app.page)
    expect(replaced).toBe(1)
    expect(await pull(app.page)).toBe('answered')
    await quickAdd(app.page, 'After the odd one')
    await nothingPending(app.page)
    await expect.poll(onService).toEqual(['After the odd one'])
  })
})

/** Simulates memory pressure in main, after which Electron's fetch loses its abort signals. */
const pressed = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(async () => {
    const collect = (globalThis as unknown as { gc: () => void }).gc
    for (let round = 0; round < 10; round++) {
      collect()
      await new Promise((done) => setImmediate(done))
    }
  })

/** Shortens the one-minute timeout, including its extra time for small bodies, to three seconds. */
const impatient = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(() => {
    const wait = globalThis.setTimeout
    const quick = (work: () => void, ms: number, ...more: unknown[]): unknown =>
      wait(work, ms >= 60_000 && ms < 62_000 ? 3_000 : ms, ...more)
    globalThis.setTimeout = Object.assign(quick, wait) as never
  })

describe('a service that accepts requests and never answers', () => {
  const args = ['--js-flags=--expose-gc']

  it('loses nothing: edits made during it arrive exactly once when it recovers', async () => {
    const app = await open({ args })
    await nothingPending(app.page)
    await impatient(app.electron)
    let hung = 0
    network.instead = () => {
      hung++
      return true
    }
    for (const title of ['One', 'Two', 'Three', 'Four']) await quickAdd(app.page, title)
    await expect.poll(() => hung, { timeout: 20_000 }).toBeGreaterThan(0)
    await pressed(app.electron)
    network.instead = undefined
    await nothingPending(app.page)
    await expect.poll(onService).toEqual(['Four', 'One', 'Three', 'Two'])
  })

  it("doesn't use up connections, even when it hangs more often than the host's limit", async () => {
    const app = await open({ args })
    await nothingPending(app.page)
    await impatient(app.electron)
    network.instead = () => true
    const hanging = Array.from({ length: 8 }, () => pull(app.page))
    await pressed(app.electron)
    for (const answer of await Promise.all(hanging)) expect(answer).toMatch(/answerLost/)
    network.instead = undefined
    expect(await pull(app.page)).toBe('answered')
  })

  it('is aborted at once in offline mode, during the headers and the body', async () => {
    const app = await open({ args })
    await nothingPending(app.page)
    for (const begin of [false, true]) {
      let asked!: () => void
      const reached = new Promise<void>((resolve) => (asked = resolve))
      network.instead = (_incoming, outgoing) => {
        if (begin) outgoing.writeHead(200, { 'content-length': '1000' }).write('{"half')
        asked()
        return true
      }
      const answer = pull(app.page)
      await reached
      await pressed(app.electron)
      await asking(app.page, 'network/offline', { offline: true })
      expect(await answer).toMatch(/answerLost|offline/)
      network.instead = undefined
      await asking(app.page, 'network/offline', { offline: false })
      await nothingPending(app.page)
    }
    await quickAdd(app.page, 'After the cut')
    await nothingPending(app.page)
    await expect.poll(onService).toEqual(['After the cut'])
  })
})
