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

/** Folder of this process's apps instead of the user's own. */
const systemSettings = join(tmpdir(), `flightplan-config-${process.pid}`)

const root = resolve(import.meta.dirname, '../..')

export interface RunningApp {
  electron: ElectronApplication
  page: Page
  /** All app data. Pass it to the next launch to restart. */
  userData: string
  /** The clock of main, the window, and the sandbox. Tests compute their times from it. */
  clock: Clock
  /** Console output of pages and main, to find leaks and errors. */
  log: string[]
  /** The page's unexpected errors and warnings so far, which fail the test when the app closes. */
  complaints: readonly string[]
  close(): Promise<void>
  /** Kills the whole process tree with SIGKILL, so nothing can be saved. */
  kill(): Promise<void>
}

export interface LaunchOptions {
  userData?: string
  /** Defaults to a clock that starts at the run's time and continues over restarts with the same `userData`. */
  clock?: Clock
  /** Another app instead of the built one, such as a packaged one. */
  executable?: string
  args?: string[]
  /** Opens an empty profile without sample data, as on a new computer. */
  firstRun?: boolean
  /** An external sandbox instead of the app's own. */
  service?: { baseUrl: string; token: string }
  size?: { width: number; height: number }
  /** True if the test answers dialogs. */
  attended?: boolean
  /** Additional environment variables. */
  env?: Record<string, string>
  /** Console errors and warnings the test provokes. Any other fails it when the app closes. */
  complains?: RegExp
}

/** Starts the real app in Electron and waits for its window. */
export async function launchApp(options: LaunchOptions = {}): Promise<RunningApp> {
  const userData = options.userData ?? (await mkdtemp(join(tmpdir(), 'flightplan-app-')))
  const clock = options.clock ?? clockOf(userData)
  const packaged = options.executable !== undefined
  const began = systemClock.elapsed()
  const electron = await _electron.launch({
    executablePath: options.executable ?? (await resolveElectron()).path,
    args: [
      // Saves a process, and copying images between two.
      ...(packaged ? [] : [root, '--in-process-gpu']),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--user-data',
      userData,
      '--now',
      new Date(clock.now()).toISOString(),
      ...(options.attended ? [] : ['--unattended']),
      ...(options.service ? ['--service-url', options.service.baseUrl] : []),
      ...(options.firstRun || options.args?.includes('--seed') ? [] : ['--seed', 'demo']),
      ...(options.args ?? []),
    ],
    env: {
      ...process.env,
      TZ: zone,
      // Settings of the system, such as what starts at login.
      XDG_CONFIG_HOME: systemSettings,
      ...options.env,
      ...(options.service ? { FLIGHTPLAN_SERVICE_TOKEN: options.service.token } : {}),
    } as Record<string, string>,
  })
  const log: string[] = []
  electron.process().stdout?.on('data', (data: Buffer) => log.push(data.toString()))
  electron.process().stderr?.on('data', (data: Buffer) => log.push(data.toString()))
  const page = await electron.firstWindow({ timeout: 120_000 })
  trackPage(page)
  note({ kind: 'launch', ms: systemClock.elapsed() - began })
  // Timeouts for what never arrives, however busy the machine is.
  page.setDefaultTimeout(60_000)
  const { complaints, check } = watchConsole(page, options.complains, log)
  // The script loader names functions through a helper, which functions passed to the page need.
  await page.evaluate('globalThis.__name ??= (named) => named')
  if (options.size) await resize(electron, options.size)
  // The driver no longer knows it once it has ended.
  const child = electron.process()
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
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
      if (child.exitCode === null && child.signalCode === null) killTree(child.pid!)
      await exited
      check()
    },
  }
}

/**
 * Starts the app without a driver, for starts that must exit on their own. If the app exited while a driver connects, an
 * unhandled promise rejection would remain.
 * @returns its exit code and its stderr output
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

/** Sets the window's content size in CSS pixels. */
export async function resize(electron: ElectronApplication, size: { width: number; height: number }): Promise<void> {
  await electron.evaluate(({ BrowserWindow }, { width, height }) => {
    const [window] = BrowserWindow.getAllWindows()
    window!.setContentSize(width, height)
  }, size)
}

/** Kills a process and all its descendants at once. */
function killTree(pid: number): void {
  for (const child of childrenOf(pid)) killTree(child)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}
