import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Bridge } from '#shared/ipc/contract'
import { folderForFile } from '../helpers/for-file'

const root = resolve(import.meta.dirname, '../..')
const executable = join(root, 'dist/linux-unpacked/flightplan')

let app: ChildProcess
const userData = folderForFile('flightplan-packaged-')
let output = ''

/** Polls until there's a result. @throws Error with the app's output after a timeout */
async function eventually<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let waited = 0; waited < 60_000; waited += 200) {
    const found = await Promise.resolve(look()).catch(() => undefined)
    if (found !== undefined) return found
    if (app.exitCode !== null) throw new Error(`The app ended with ${app.exitCode}: ${output}`)
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`Never seen: ${what}. The app printed: ${output}`)
}

const debuggingPort = (): Promise<string> =>
  eventually('the debugging port', () => /listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1])

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'scripts/dist.mjs'), '--dir'], { stdio: 'pipe' })
  const report = join(userData, 'report.csv')
  await writeFile(report, 'Site,Clicks\r\nNice – ÄÖÜ,5\r\n')
  const flags = [
    '--no-sandbox',
    '--remote-debugging-port=0',
    '--user-data',
    userData,
    '--unattended',
    '--seed',
    'empty',
    '--open-file',
    report,
    '--save-to',
    userData,
  ]
  app = spawn(executable, flags, { stdio: 'pipe' })
  app.stdout?.resume()
  app.stderr?.on('data', (data: Buffer) => (output += data.toString()))
})

// Its helper processes write to the folder until they have ended, too; they hold the same pipes.
afterAll(async () => {
  if (!app) return
  const closed = once(app, 'close')
  app.kill('SIGKILL')
  await closed
})

describe('the packaged app', () => {
  it('opens its window and starts its sandbox, which keeps its data', async () => {
    const port = await debuggingPort()
    const page = await eventually('the window', async () => {
      const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Array<{
        url: string
        title: string
      }>
      return pages.find(({ url, title }) => url === 'app://flightplan/' && title === 'Flightplan')
    })
    expect(page.title).toBe('Flightplan')
    const accounts = await eventually('the account', () => readFile(join(userData, 'accounts.json'), 'utf8'))
    expect(JSON.parse(accounts)).toMatchObject([{ id: 'sandbox', email: 'alex.morgan@flightplan.example' }])
    const databases = await eventually('IndexedDB', async () => {
      const names = await readdir(join(userData, 'IndexedDB'))
      return names.length > 0 ? names : undefined
    })
    expect(databases.some((name) => name.startsWith('app_flightplan_'))).toBe(true)
    expect(await readFile(join(userData, 'journal/outbox.journal'), 'utf8')).toContain('"kind":"journal"')
  })

  it('writes a document with bundled fonts', async () => {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await debuggingPort()}`, { noDefaults: true })
    const page = browser.contexts().flatMap((context) => context.pages())[0]!
    const written = await page.evaluate(async () => {
      const { flightplan } = globalThis as unknown as { flightplan: Bridge }
      const shape = { filters: [], group: [], sort: [] }
      const opened = await flightplan.ask('results/choose', {})
      if (!opened.ok) return opened
      const shaped = await flightplan.ask('results/shape', { table: opened.value!.table, shape })
      if (!shaped.ok) return shaped
      return flightplan.ask('results/export', { view: shaped.value.view, suggestedName: 'Report', format: 'pdf' })
    })
    expect(written).toMatchObject({ ok: true, value: { rows: 1, notes: [] } })
    expect((await readFile(join(userData, 'Report.pdf'))).subarray(0, 5).toString()).toBe('%PDF-')
    await browser.close()
  })

  it("doesn't run as Node, whatever the environment", () => {
    const attempt = (): string =>
      execFileSync(
        executable,
        ['-e', 'console.log("ran " + "as node")', '--no-sandbox', '--user-data', userData, '--unattended', '--hidden'],
        {
          env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require /nonexistent' },
          timeout: 6_000,
          stdio: 'pipe',
        },
      ).toString()
    let printed = ''
    try {
      printed = attempt()
    } catch (error) {
      printed = String((error as { stdout?: Buffer }).stdout)
    }
    expect(printed).not.toContain('ran as node')
  })

  it('has the fuses that its configuration sets', async () => {
    const { FuseV1Options, getCurrentFuseWire } = await import('@electron/fuses')
    const { electronFuses: wanted } = JSON.parse(await readFile(join(root, 'electron-builder.json'), 'utf8')) as {
      electronFuses: Record<string, boolean>
    }
    const wire = await getCurrentFuseWire(executable)
    const stateOf = (name: string): unknown =>
      wire[FuseV1Options[(name[0]!.toUpperCase() + name.slice(1)) as keyof typeof FuseV1Options]]
    const found = Object.keys(wanted).flatMap((name) => {
      const state = stateOf(name)
      // Each is a digit. Older versions of Electron lack some.
      return state === undefined ? [] : [[name, state === '1'.charCodeAt(0)]]
    })
    expect(found.length).toBeGreaterThan(5)
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(found.map(([name]) => [name, wanted[String(name)]])))
  })

  it('opens no debugger, whatever the arguments', async () => {
    const folder = join(userData, 'inspected')
    const flags = ['--inspect=0', '--inspect-brk=0', '--no-sandbox', '--user-data', folder, '--unattended', '--hidden']
    const child = spawn(executable, flags, { stdio: 'pipe' })
    const closed = once(child, 'close')
    let said = ''
    child.stdout.resume()
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    // It ran on, and didn't wait for a debugger.
    await eventually('its journal', () => readFile(join(folder, 'journal/outbox.journal')))
    child.kill('SIGKILL')
    await closed
    expect(said).not.toMatch(/debugger/i)
  })

  it('contains only what it needs', async () => {
    const { listPackage } = await import('@electron/asar')
    const files = listPackage(join(root, 'dist/linux-unpacked/resources/app.asar'), { isPack: false })
    expect(files).toContain('/out/main/main.cjs')
    expect(files.filter((name) => /^\/(src-|test|scripts|\.)/.test(name))).toEqual([])
    expect(files.filter((name) => /^\/node_modules\/[^/]+$/.test(name))).toEqual(['/node_modules/node-sqlite3-wasm'])
  })
})
