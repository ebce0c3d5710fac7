import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { resolveElectron } from '../../scripts/electron.mjs'

/** Electron with one empty window, as the lower bound. */
export async function launchEmpty(): Promise<{ electron: ElectronApplication; page: Page }> {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-empty-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'empty', version: '0.0.0', main: 'main.cjs' }))
  await writeFile(join(folder, 'empty.html'), '<main>empty</main>')
  await writeFile(
    join(folder, 'main.cjs'),
    `const { app, BrowserWindow } = require('electron')
app.setPath('userData', ${JSON.stringify(join(folder, 'data'))})
app.whenReady().then(() => new BrowserWindow().loadFile('empty.html'))`,
  )
  const electron = await _electron.launch({
    executablePath: (await resolveElectron()).path,
    args: [folder, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  const page = await electron.firstWindow()
  await page.locator('main').waitFor()
  return { electron, page }
}
