import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, readdir, readlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchApp, startAlone } from '../helpers/app'
import { violationsByTheme } from '../helpers/axe'

const profile = join(import.meta.dirname, '../fixtures/version-1/profile')

it('a profile written by the first release opens with its events, queue, and undo steps', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-app-'))
  await cp(profile, userData, { recursive: true })
  // No service answers there, so everything visible comes from disk.
  const service = { baseUrl: 'http://127.0.0.1:9', token: 'none' }
  const app = await launchApp({ userData, service })
  const chip = (title: string) => app.page.locator('main [data-key]', { hasText: title })
  await chip('Made offline').first().waitFor()
  await chip('Stand-up, moved').first().waitFor()
  await chip('Plain event 10').first().waitFor()
  await expect.poll(() => chip('Plain event 9').count()).toBe(0)
  const version = await app.page.evaluate(
    async () => (await indexedDB.databases()).find(({ name }) => name === 'flightplan-sandbox')!.version,
  )
  expect(version).toBe(20)
  await app.page.getByText('2 pending changes').first().waitFor()
  await app.page.keyboard.press('Control+z')
  await chip('Plain event 9').first().waitFor()
  await app.close()
})

/** Every file of a folder with a hash of its content. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (entry.isSymbolicLink()) found[path] = await readlink(path)
    else if (entry.isFile())
      found[path] = createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
  }
  return found
}

it('a profile of a newer version opens read-only: its changes can be exported, and nothing in it is written', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-app-'))
  await cp(profile, userData, { recursive: true })
  await writeFile(join(userData, 'version.json'), JSON.stringify({ version: '9.2.0' }))
  const before = await filesOf(userData)
  const exports = await mkdtemp(join(tmpdir(), 'flightplan-exports-'))
  const app = await launchApp({ userData, args: ['--save-to', exports] })
  const { page } = app
  await page.getByRole('heading', { name: 'Your data needs Flightplan 9.2.0 or newer' }).waitFor()
  await page.getByRole('heading', { name: '2 pending changes' }).waitFor()
  const list = page.getByRole('region', { name: 'Pending changes' })
  await list.getByText('Made offline').waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  expect(await violationsByTheme(page)).toEqual([])
  // Nothing else is answered, so nothing can be sent or stored.
  for (const name of ['account/list', 'journal/append', 'sync/push'] as const)
    expect(await page.evaluate((name) => window.flightplan.ask(name, {} as never), name)).toMatchObject({ ok: false })
  await page.getByRole('button', { name: 'Export pending changes…' }).click()
  await page.getByText(/^Saved 2 pending changes to/).waitFor()
  const file = JSON.parse(await readFile(join(exports, 'Flightplan pending changes.json'), 'utf8')) as {
    changes: unknown
  }
  expect(file.changes).toMatchObject([{ kind: 'create' }, { kind: 'delete' }])
  // The page says what it is even if it can’t list them.
  await app.electron.evaluate(({ ipcMain }) => {
    const channel = 'flightplan:request'
    type Handler = (event: unknown, name: string, args: unknown) => unknown
    const own = (ipcMain as unknown as { _invokeHandlers: Map<string, Handler> })._invokeHandlers.get(channel)!
    const fault = { code: 'storage', message: 'The journal can’t be read.' }
    ipcMain.removeHandler(channel)
    ipcMain.handle(channel, (event, name: string, args: unknown) =>
      name === 'pending/list' ? { ok: false, fault } : own(event, name, args),
    )
  })
  await page.reload()
  await page.getByRole('heading', { name: 'Your data needs a newer version of Flightplan' }).waitFor()
  await page.getByText('Couldn’t list the pending changes').waitFor()
  const exited = new Promise((done) => app.electron.process().once('exit', done))
  // The page may be gone before the click has returned.
  await page
    .getByRole('button', { name: 'Quit' })
    .click()
    .catch(() => undefined)
  await exited
  expect(await filesOf(userData)).toEqual(before)
  const { code, said } = await startAlone(userData, ['--list'])
  expect([code, said.includes('This data needs Flightplan 9.2.0 or newer.')]).toEqual([1, true])
  expect(await filesOf(userData)).toEqual(before)
})
