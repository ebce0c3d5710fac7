import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type Page } from 'playwright-core'
import { resolveElectron } from '../../scripts/electron.mjs'

export interface RealBrowser {
  page: Page
  close(): Promise<void>
}

const program = `
const { app, BrowserWindow } = require('electron')
app.setPath('userData', process.env.BROWSER_DATA)
app.on('window-all-closed', () => app.quit())
app.whenReady().then(() => new BrowserWindow({ width: 900, height: 820, webPreferences: { sandbox: true } }).loadURL('about:blank'))
`

/** Opens a web page in a separate process with its own profile: the user's browser. */
export async function openRealBrowser(): Promise<RealBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-browser-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'browser', version: '1.0.0', main: 'main.js' }))
  await writeFile(join(folder, 'main.js'), program)
  const electron = await _electron.launch({
    executablePath: (await resolveElectron()).path,
    args: [folder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, BROWSER_DATA: join(folder, 'data') } as Record<string, string>,
  })
  const page = await electron.firstWindow()
  return { page, close: () => electron.close() }
}
