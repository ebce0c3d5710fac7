import { fork as forkNode } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import type { Announcements } from '#shared/ipc/contract'
import type { Clock } from '#shared/time/clock'
import { systemClock } from '#shared/time/clock'
import { openBackend, type Backend } from '../../src-main/app/backend'
import { readFlags } from '../../src-main/app/flags'
import { OutsideService } from '../../src-main/app/outside-service'
import { restrictFiles } from '../../src-main/app/private-files'
import type { Feed } from '../../src-main/app/update-feed'
import type { Fetch } from '../../src-main/http/send'
import type { ChildProcess } from '../../src-main/ipc/child-process'
import { saveTimeout } from '../../src-main/app/page-edits'
import { LocalLog } from '../../src-main/diagnostics/local-log'
import { Journal } from '../../src-main/journal/journal'
import { helperProcess } from './helper-process'
import { clockOf, zone } from './moment'
import { rendererOrigin } from './renderer-server'
import { SandboxService } from './sandbox-service'
import { sharedBrowser, type BrowserWindow } from './shared-browser'
import { trackPage } from './open-pages'
import { TestShell } from './test-shell'
import { watchConsole } from './watch-console'

// The handlers run in this process and use the window's time zone.
process.env['TZ'] = zone

const built = resolve(import.meta.dirname, '../../out/main')

export interface AppPage extends Omit<BrowserWindow, 'close'> {
  page: Page
  /** All app data. Pass it to the next `openApp` to restart. */
  userData: string
  /** The clock of the window, the handlers, and the service. */
  clock: Clock
  /** The page's console output. */
  log: string[]
  /** Its unexpected errors and warnings, which fail the test when the app closes. */
  complaints: readonly string[]
  /** The shell the handlers use: records what it should open or show, and answers dialogs. */
  shell: TestShell
  backend: Backend
  /** Announces an event to the page, as main does. */
  announce<N extends keyof Announcements>(name: N, payload: Announcements[N]): Promise<void>
  /** Quits like the app: saves open input first. */
  close(): Promise<void>
  /** Crashes: the page is gone before anything else ends. */
  kill(): Promise<void>
}

export interface OpenOptions {
  userData?: string
  /** Defaults to a clock that starts at the run's time and continues over restarts with the same `userData`. */
  clock?: Clock
  /** Flags of the app, such as `--save-to`. */
  args?: string[]
  /** Opens an empty profile without sample data, as on a new computer. */
  firstRun?: boolean
  /** Reaches the services instead of the network. */
  fetch?: Fetch
  /** File of a built-in OAuth client. */
  clientFile?: string
  /** Where updates come from. */
  feed?: Feed
  /** A sandbox started by the test, instead of the app's own. */
  service?: { baseUrl: string; token: string }
  size?: { width: number; height: number }
  /** Console errors and warnings the test provokes. Any other fails it when the app closes. */
  complains?: RegExp
}

/**
 * Opens the built renderer in the worker's browser, with the app's real backend in this process and a real sandbox. Only
 * Electron is missing: its shell is a `TestShell`.
 */
export async function openApp(options: OpenOptions = {}): Promise<AppPage> {
  const userData = options.userData ?? (await mkdtemp(join(tmpdir(), 'flightplan-page-')))
  const clock = options.clock ?? clockOf(userData)
  const flags = { ...readFlags(options.args ?? []), sample: options.firstRun !== true }
  const browser = await sharedBrowser()
  const window = await browser.open(userData, options.size ?? { width: 1280, height: 800 })
  const { page } = window
  page.setDefaultTimeout(60_000)
  trackPage(page)
  const console = watchConsole(page, options.complains)
  const shell = new TestShell(window)

  await restrictFiles(userData)
  const journal = await Journal.open(join(userData, 'journal', 'outbox.journal'), clock.now)
  const announce: AppPage['announce'] = (name, payload) =>
    page.evaluate(({ name, payload }) => globalThis.flightplanHear?.(name, payload), { name, payload })
  const backend = await openBackend({
    shell,
    flags,
    log: new LocalLog({ userData, now: clock.now }),
    clock,
    userData,
    built,
    journal,
    service: () =>
      options.service
        ? new OutsideService(options.service.baseUrl, options.service.token)
        : new SandboxService({ dataDir: join(userData, 'sandbox'), clock, seed: flags.seed, scale: flags.scale }),
    rehearsalService: (dataDir) => new SandboxService({ dataDir, clock, seed: 'empty', scale: 1 }),
    fetch: options.fetch ?? fetch,
    usesProxy: () => Promise.resolve(false),
    clientFile: options.clientFile,
    feed: options.feed,
    fork: forkScript,
    seal: undefined,
    // A reloading page gets no announcements, as in the app.
    announce: (name, payload) => void announce(name, payload).catch(() => undefined),
    reloaded: () => undefined,
  })

  let asked = 0
  await page.exposeFunction('flightplanAsk', async (name: string, args: string) => {
    asked++
    try {
      return write(await backend.answering(name, read(args)))
    } finally {
      asked--
    }
  })
  await page.addInitScript(exposeBridge, {
    clockOffset: clock.now() - systemClock.now(),
    safeMode: flags.safeMode,
    follows: false,
  })
  let loaded = false
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    if (loaded) backend.pageGone()
    loaded = true
  })
  await page.goto(await rendererOrigin(), { waitUntil: 'commit' })

  return {
    ...window,
    userData,
    clock,
    log: console.log,
    complaints: console.complaints,
    shell,
    backend,
    announce,
    close: async () => {
      await backend.saveTyped()
      // Its last answers arrive first, but a stuck one mustn't keep it open.
      const latest = systemClock.elapsed() + saveTimeout
      while (asked > 0 && systemClock.elapsed() < latest) await new Promise((done) => setTimeout(done, 5))
      await backend.close()
      await window.close()
      console.check()
    },
    kill: async () => {
      await window.close()
      await backend.close()
      console.check()
    },
  }
}

declare global {
  // Added to the page by `exposeBridge`.
  var flightplanHear: ((name: string, payload: unknown) => void) | undefined
}

/** Implements the preload API with a function of the page. Runs in the page, so it can't use outer variables. */
function exposeBridge(about: { clockOffset: number; safeMode: boolean; follows: boolean }): void {
  type Listener = (payload: unknown) => void
  const { flightplanAsk } = globalThis as unknown as {
    flightplanAsk: (name: string, args: string) => Promise<string>
  }
  const bytes = (_key: string, value: unknown): unknown =>
    value instanceof Uint8Array
      ? { $bytes: btoa(Array.from(value, (one) => String.fromCharCode(one)).join('')) }
      : value
  const numbers = { Float64Array, Int32Array, Uint32Array }
  const arrays = (_key: string, value: { $array?: keyof typeof numbers; of: number[] } | null): unknown =>
    value?.$array === undefined ? value : new numbers[value.$array](value.of)
  const listeners = new Map<string, Set<Listener>>()
  globalThis.flightplanHear = (name, payload) => {
    for (const listener of listeners.get(name) ?? []) listener(payload)
  }
  Object.assign(globalThis, {
    // The test transpiler names functions through a helper.
    __name: (named: unknown) => named,
    flightplan: {
      ...about,
      // Cloned as between processes, so that uncloneable values fail here, too.
      ask: async (name: string, args: unknown) =>
        JSON.parse(await flightplanAsk(name, JSON.stringify(structuredClone(args), bytes)), arrays) as unknown,
      on: (name: string, listener: Listener) => {
        listeners.set(name, (listeners.get(name) ?? new Set()).add(listener))
        return () => void listeners.get(name)?.delete(listener)
      },
    },
  })
}

/** Typed arrays keep their type, as between processes. */
const write = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) =>
    one instanceof Float64Array || one instanceof Int32Array || one instanceof Uint32Array
      ? { $array: one.constructor.name, of: [...one] }
      : one,
  )

const read = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$bytes' in value
      ? new Uint8Array(Buffer.from(value.$bytes as string, 'base64'))
      : value,
  )

/** Runs the built script in a Node process, as Electron does. */
const forkScript = (script: string): ChildProcess =>
  helperProcess(forkNode(script, { serialization: 'advanced', stdio: 'ignore' }))
