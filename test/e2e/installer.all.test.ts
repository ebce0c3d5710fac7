// Only in the outer ring: builds three installers, which takes minutes, and installs them on this system as root.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { debianVersion, makeDeb } from '../../scripts/debian.mjs'
import { resolveElectron } from '../../scripts/electron.mjs'
import { folderForFile } from '../helpers/for-file'
import { zone } from '../helpers/moment'
import { nothingPending, workOffline } from '../helpers/page'
import { asking } from '../helpers/sign-in'

const root = resolve(import.meta.dirname, '../..')
const name = 'flightplan-trial'
const user = 'flightplan-tester'
const home = `/home/${user}`
const userData = join(home, '.config/Flightplan Trial')
const folder = folderForFile('flightplan-installer-')
const version = (build: number): string => `0.1.0-trial.${build}`

let app: { process: ChildProcess; browser: Browser; page: Page } | undefined
let output = ''

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const environment = (): string[] =>
  Object.entries({ HOME: home, TZ: zone, DISPLAY: process.env['DISPLAY'], PATH: process.env['PATH'] }).map(
    ([key, value]) => `${key}=${value ?? ''}`,
  )

/** Runs a command as someone without any rights. */
const asUser = (...words: string[]): string => run('runuser', '-u', user, '--', 'env', '-i', ...environment(), ...words)

async function installer(build: number): Promise<string> {
  run(process.execPath, join(root, 'scripts/dist.mjs'), '--trial', '--build', String(build))
  const made = join(root, 'dist/trial', `${name}_${debianVersion(version(build))}_amd64.deb`)
  const kept = join(folder, `${build}.deb`)
  await copyFile(made, kept)
  return kept
}

/** The command of the installed desktop entry, with files or links in the place of `%U`. */
async function entryCommand(...opened: string[]): Promise<string[]> {
  const entry = await readFile(`/usr/share/applications/${name}.desktop`, 'utf8')
  const words = /^Exec=(.*)$/m.exec(entry)![1]!.split(' ')
  return words.flatMap((word) => (word === '%U' ? opened : [word]))
}

async function start(): Promise<Page> {
  const flags = ['--remote-debugging-port=0', '--unattended', '--now', '2026-06-10T08:00:00+02:00', '--seed', 'empty']
  const command = [...(await entryCommand()), ...flags]
  const child = spawn('runuser', ['-u', user, '--', 'env', '-i', ...environment(), ...command], { stdio: 'pipe' })
  output = ''
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/listening on ws:/)
  const [, port] = /listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(output)!
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
  const pages = (): Page[] => browser.contexts().flatMap((context) => context.pages())
  await expect.poll(() => pages().length, { timeout: 60_000 }).toBeGreaterThan(0)
  const page = pages()[0]!
  page.setDefaultTimeout(60_000)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  app = { process: child, browser, page }
  return page
}

async function stop(): Promise<void> {
  if (!app) return
  const { process: child, browser } = app
  app = undefined
  await browser.close()
  const ended = new Promise((done) => child.once('exit', done))
  // `runuser` starts `env`, which becomes the app.
  const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  process.kill(Number(pid), 'SIGTERM')
  await ended
}

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('This test installs a package. Run it as root.')
  run('useradd', '--create-home', user)
})
afterAll(async () => {
  await stop().catch(() => undefined)
  execFileSync('dpkg', ['--purge', name], { stdio: 'ignore' })
  execFileSync('userdel', ['--remove', user], { stdio: 'ignore' })
})

const compressed = async (file: string): Promise<number> => (await stat(file)).size
const installed = (file: string): number => Number(run('dpkg-deb', '--field', file, 'Installed-Size')) * 1024

/** A package of Electron with an app that only opens an empty window. */
async function helloWorld(): Promise<string> {
  const unpacked = join(folder, 'hello')
  const { dist } = await resolveElectron()
  await cp(dist, unpacked, { recursive: true })
  await rm(join(unpacked, 'resources'), { recursive: true })
  await mkdir(join(unpacked, 'resources/app'), { recursive: true })
  await copyFile(join(unpacked, 'electron'), join(unpacked, 'hello'))
  await rm(join(unpacked, 'electron'))
  await chmod(join(unpacked, 'hello'), 0o755)
  await writeFile(join(unpacked, 'resources/app/package.json'), '{"name":"hello","main":"main.js"}')
  await writeFile(
    join(unpacked, 'resources/app/main.js'),
    "const { app, BrowserWindow } = require('electron')\napp.whenReady().then(() => new BrowserWindow())\n",
  )
  return makeDeb({
    ...{ unpacked, dest: folder, name: 'hello', productName: 'Hello', version: '1.0.0', electronVersion: '25.1.1' },
    ...{ about: 'Only a window.', compression: 'gzip' },
  })
}

it('installs, starts from its desktop entry, opens files and links, updates, and keeps every edit', async () => {
  const first = await installer(1)
  run('dpkg', '-i', first)
  expect(run('dpkg-query', '-W', '-f', '${Version}', name)).toBe(debianVersion(version(1)))
  expect(await readFile(`/usr/share/applications/${name}.desktop`, 'utf8')).toContain('Name=Flightplan Trial\n')

  let page = await start()
  await nothingPending(page)
  expect(await asking(page, 'app/info', {})).toMatchObject({ version: version(1), userDataPath: userData })

  // By the associations that the entry offers, as a file manager and a browser would.
  asUser('xdg-mime', 'default', `${name}.desktop`, 'text/calendar', 'x-scheme-handler/flightplan')
  const file = join(home, 'trip.ics')
  await writeFile(
    file,
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', 'BEGIN:VEVENT', 'UID:trip', 'DTSTAMP:20260601T000000Z'],
      ...['SUMMARY:Ferry to Bornholm', 'DTSTART:20260611T100000Z', 'DTEND:20260611T110000Z', 'END:VEVENT'],
      ...['END:VCALENDAR', ''],
    ].join('\r\n'),
  )
  await chmod(file, 0o644)
  await workOffline(page)
  asUser('xdg-open', file)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('trip.ics').first().waitFor()
  await dialog.getByRole('button', { name: /^Import/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: /^Ferry to Bornholm/ })
    .first()
    .waitFor()
  asUser('xdg-open', 'flightplan://date/2026-07-01')
  await page
    .getByRole('heading', { name: /July 2026/ })
    .first()
    .waitFor()

  await page.keyboard.press('q')
  await page.locator('#quick-line').fill('Harbor tour 2 jul 15:00')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /^Harbor tour/ })
    .first()
    .waitFor()
  await stop()

  const second = await installer(2)
  run('dpkg', '-i', second)
  expect(run('dpkg-query', '-W', '-f', '${Version}', name)).toBe(debianVersion(version(2)))
  page = await start()
  expect(await asking(page, 'app/info', {})).toMatchObject({ version: version(2), offline: true })
  const { open } = await asking(page, 'journal/open', {})
  expect(open.map(({ label }) => label).join('\n')).toMatch(/Ferry to Bornholm|Import/)
  expect(JSON.stringify(open)).toContain('Harbor tour')
  await workOffline(page)
  await nothingPending(page)
  await stop()

  run('dpkg', '--purge', name)
  expect(
    [`/usr/bin/${name}`, `/usr/lib/${name}`, `/usr/share/applications/${name}.desktop`].filter(existsSync),
  ).toEqual([])
  expect(existsSync(join(userData, 'journal/outbox.journal'))).toBe(true)
  // As documented.
  asUser('rm', '-r', userData)
  expect(existsSync(userData)).toBe(false)

  const hello = await helloWorld()
  const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
  const sizes = [
    ['compressed', await compressed(second), await compressed(hello)],
    ['installed', installed(second), installed(hello)],
  ] as const
  for (const [what, ours, theirs] of sizes)
    console.log(`${what}: ${mb(ours)}, hello world ${mb(theirs)}, ${(ours / theirs).toFixed(3)} times as large`)
  for (const [, ours, theirs] of sizes) expect(ours / theirs).toBeLessThanOrEqual(1.15)
}, 900_000)
