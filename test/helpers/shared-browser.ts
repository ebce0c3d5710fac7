import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, chromium, type BrowserContext, type ElectronApplication, type Page } from 'playwright-core'
import { resolveElectron } from '../../scripts/electron.mjs'
import { zone } from './moment'

/** A window of the worker's browser. */
export interface BrowserWindow {
  page: Page
  /** Sets the content size in CSS pixels. */
  resize(size: { width: number; height: number }): Promise<void>
  /** Zooms the page as the menu does; 1 is 100%. */
  zoom(factor: number): Promise<void>
  /** Copies or pastes as the menu does. */
  edit(what: 'copy' | 'paste'): Promise<void>
  readClipboard(): Promise<string>
  writeClipboard(text: string): Promise<void>
  /** Denies the page every permission, such as writing to the clipboard. */
  refusePermissions(): Promise<void>
  pdf(options: { pageSize: 'A4' | 'Letter'; landscape: boolean }): Promise<Uint8Array>
  close(): Promise<void>
}

/** One browser per worker, for the worker's lifetime. */
export interface SharedBrowser {
  /** @param profile windows of one profile share storage; a new profile starts empty */
  open(profile: string, size: { width: number; height: number }): Promise<BrowserWindow>
}

// Quits with the process that started it, however that ends. It owns the clipboard of its display from the start: reading one
// that nobody owns waits for the X server in a loop within the call, while what a page copies may arrive.
const program = `
const { app, clipboard } = require('electron')
app.setPath('userData', process.env.BROWSER_DATA)
app.whenReady().then(() => clipboard.writeText(' '))
app.on('window-all-closed', () => undefined)
const worker = Number(process.env.BROWSER_OWNER)
setInterval(() => { try { process.kill(worker, 0) } catch { app.exit() } }, 1_000)
`

let shared: Promise<SharedBrowser> | undefined

/** Electron as a plain browser, or the Chromium in `FLIGHTPLAN_BROWSER`. */
export const sharedBrowser = (): Promise<SharedBrowser> =>
  (shared ??= process.env['FLIGHTPLAN_BROWSER'] ? openChromium(process.env['FLIGHTPLAN_BROWSER']) : openElectron())

async function openElectron(): Promise<SharedBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-browser-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'browser', version: '1.0.0', main: 'main.js' }))
  await writeFile(join(folder, 'main.js'), program)
  const electron = await _electron.launch({
    executablePath: (await resolveElectron()).path,
    args: [
      folder,
      // Saves a process, and copying images between two.
      '--in-process-gpu',
      // No page runs for long enough to win back what optimizing its code costs: a tenth of all processor time.
      '--js-flags=--no-turbofan',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    env: {
      ...process.env,
      TZ: zone,
      // about:blank has no policy, but the pages under test do.
      ELECTRON_DISABLE_SECURITY_WARNINGS: 'true',
      BROWSER_DATA: join(folder, 'data'),
      BROWSER_OWNER: String(process.pid),
    } as Record<string, string>,
  })
  return { open: (profile, size) => openElectronWindow(electron, profile, size) }
}

async function openElectronWindow(
  electron: ElectronApplication,
  profile: string,
  size: { width: number; height: number },
): Promise<BrowserWindow> {
  const opened = electron.waitForEvent('window')
  const id = await electron.evaluate(
    ({ BrowserWindow }, { profile, size }) => {
      const window = new BrowserWindow({
        ...size,
        useContentSize: true,
        webPreferences: {
          partition: profile,
          sandbox: true,
          contextIsolation: true,
          spellcheck: false,
          backgroundThrottling: false,
        },
      })
      void window.loadURL('about:blank')
      return window.id
    },
    { profile, size },
  )
  const page = await opened
  return {
    page,
    resize: (size) =>
      electron.evaluate(
        ({ BrowserWindow }, { id, size }) => BrowserWindow.fromId(id)!.setContentSize(size.width, size.height),
        { id, size },
      ),
    zoom: (factor) =>
      electron.evaluate(
        ({ BrowserWindow }, { id, factor }) => BrowserWindow.fromId(id)!.webContents.setZoomFactor(factor),
        { id, factor },
      ),
    edit: (what) =>
      electron.evaluate(({ BrowserWindow }, { id, what }) => BrowserWindow.fromId(id)!.webContents[what](), {
        id,
        what,
      }),
    readClipboard: () => electron.evaluate(({ clipboard }) => clipboard.readText()),
    writeClipboard: (text) => electron.evaluate(({ clipboard }, text) => clipboard.writeText(text), text),
    refusePermissions: () =>
      electron.evaluate(({ session }, profile) => {
        const refusing = session.fromPartition(profile)
        refusing.setPermissionCheckHandler(() => false)
        refusing.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
      }, profile),
    pdf: async (options) => {
      const text = await electron.evaluate(
        async ({ BrowserWindow }, { id, options }) => {
          const pdf = await BrowserWindow.fromId(id)!.webContents.printToPDF({ ...options, printBackground: true })
          return pdf.toString('base64')
        },
        { id, options },
      )
      return Buffer.from(text, 'base64')
    },
    close: async () => {
      await electron.evaluate(({ BrowserWindow }, id) => BrowserWindow.fromId(id)?.destroy(), id)
    },
  }
}

async function openChromium(executablePath: string): Promise<SharedBrowser> {
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, TZ: zone } as Record<string, string>,
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
  const contexts = new Map<string, BrowserContext>()
  return {
    open: async (profile, size) => {
      const context =
        contexts.get(profile) ??
        (await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], timezoneId: zone }))
      contexts.set(profile, context)
      const page = await context.newPage()
      await page.setViewportSize(size)
      return {
        page,
        resize: (size) => page.setViewportSize(size),
        zoom: async (factor) => {
          const { width, height } = page.viewportSize()!
          const zoomed = { width: Math.round(width / factor), height: Math.round(height / factor) }
          const session = await context.newCDPSession(page)
          await session.send('Emulation.setDeviceMetricsOverride', {
            ...zoomed,
            deviceScaleFactor: factor,
            mobile: false,
          })
        },
        edit: (what) => page.keyboard.press(what === 'copy' ? 'Control+c' : 'Control+v'),
        readClipboard: () => page.evaluate(() => navigator.clipboard.readText()),
        writeClipboard: (text) => page.evaluate((text) => navigator.clipboard.writeText(text), text),
        // Chromium allows writing after a click, whatever its permissions are.
        refusePermissions: () =>
          page.evaluate(() => {
            navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not allowed', 'NotAllowedError'))
          }),
        pdf: ({ pageSize, landscape }) => page.pdf({ format: pageSize, landscape, printBackground: true }),
        close: () => page.close(),
      }
    },
  }
}
