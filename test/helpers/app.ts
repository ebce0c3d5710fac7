import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { systemClock, type Clock } from '#shared/time/clock'
import { resolveElectron } from '../../scripts/electron.mjs'
import { note } from './measures'
import { clockOf, zone } from './moment'
import { trackPage } from './open-pages'
import { watchConsole } from './watch-console'

const root = resolve(import.meta.dirname, '../..')

export interface RunningApp {
  electron: ElectronApplication
  page: Page
  /** Everything the app keeps; give it to the next launch to go on. */
  userData: string
  /** The clock that main, window and embedded service go by: times of a test are counted from it. */
  clock: Clock
  /** What pages and main wrote to the console, for leaks and errors. */
  log: string[]
  /** Of these, the errors and warnings of the page that nobody expected so far: they fail the test when the app ends. */
  complaints: readonly string[]
  close(): Promise<void>
  /** SIGKILL of the whole tree: no chance to save anything. */
  kill(): Promise<void>
}

export interface LaunchOptions {
  userData?: string
  /** A clock to go by; where absent, one that starts at the moment and goes on over later starts on the same `userData`. */
  clock?: Clock
  /** Another app to start than the one that was built, for example a packaged one. */
  executable?: string
  args?: string[]
  /** A sandbox that runs elsewhere, in place of the embedded one. */
  service?: { baseUrl: string; token: string }
  size?: { width: number; height: number }
  /** Somebody is there to answer questions: the test itself. */
  attended?: boolean
  /** Errors and warnings of the page's console that the test brings about. Any other fails it when the app ends. */
  complains?: RegExp
}

/** Starts the real app in real Electron and waits for its window. */
export async function launchApp(options: LaunchOptions = {}): Promise<RunningApp> {
  const userData = options.userData ?? (await mkdtemp(join(tmpdir(), 'flightplan-app-')))
  const clock = options.clock ?? clockOf(userData)
  const packaged = options.executable !== undefined
  const began = systemClock.elapsed()
  const electron = await _electron.launch({
    executablePath: options.executable ?? (await resolveElectron()).path,
    args: [
      // One process less, and no copies of pictures between two.
      ...(packaged ? [] : [root, '--in-process-gpu']),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--user-data',
      userData,
      '--now',
      new Date(clock.now()).toISOString(),
      ...(options.attended ? [] : ['--unattended']),
      ...(options.service ? ['--service-url', options.service.baseUrl] : []),
      ...(options.args ?? []),
    ],
    env: {
      ...process.env,
      TZ: zone,
      ...(options.service ? { FLIGHTPLAN_SERVICE_TOKEN: options.service.token } : {}),
    } as Record<string, string>,
  })
  const log: string[] = []
  electron.process().stdout?.on('data', (data: Buffer) => log.push(data.toString()))
  electron.process().stderr?.on('data', (data: Buffer) => log.push(data.toString()))
  const page = await electron.firstWindow({ timeout: 120_000 })
  trackPage(page)
  note({ kind: 'launch', ms: systemClock.elapsed() - began })
  // Limits are for what never comes, however busy the machine.
  page.setDefaultTimeout(60_000)
  const { complaints, check } = watchConsole(page, options.complains, log)
  // The loader that runs scripts names functions through a helper, which functions handed to the page then ask for.
  await page.evaluate('globalThis.__name ??= (named) => named')
  if (options.size) await resize(electron, options.size)
  const exited = new Promise<void>((done) => electron.process().once('exit', () => done()))
  return {
    electron,
    page,
    userData,
    clock,
    log,
    complaints,
    close: async () => {
      await electron.evaluate(({ app }) => app.quit()).catch(() => undefined)
      await exited
      check()
    },
    kill: async () => {
      killTree(electron.process().pid!)
      await exited
      check()
    },
  }
}

/**
 * Starts the app without a driver, for starts that are to end by themselves: one that goes while a driver
 * still introduces itself leaves a promise rejected that nobody holds.
 * @returns its exit code and what it wrote to stderr
 */
export async function startAlone(
  userData: string,
  args: string[] = [],
): Promise<{ code: number | null; said: string }> {
  const noSandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn((await resolveElectron()).path, [
    ...[root, ...noSandbox, '--user-data', userData, '--unattended'],
    ...args,
  ])
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  child.stdout.resume()
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, said }
}

/** Sets the size of the window's content in CSS pixels. */
export async function resize(electron: ElectronApplication, size: { width: number; height: number }): Promise<void> {
  await electron.evaluate(({ BrowserWindow }, { width, height }) => {
    const [window] = BrowserWindow.getAllWindows()
    window!.setContentSize(width, height)
  }, size)
}

/** Every process below one, and the one itself, at once. */
function killTree(pid: number): void {
  for (const child of childrenOf(pid)) killTree(child)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is already gone.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}
