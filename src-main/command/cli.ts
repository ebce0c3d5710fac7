import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { faultOf } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { embeddedId } from '../accounts/embedded'
import { privateFolder } from '../disk/private'
import { Library } from '../reports/library'
import { createClient } from '../services/client'
import { readArguments, usage, UsageError, type Common, type Order } from './arguments'
import { convertFile, listReports, writeReport, type CommandParts, type ListedReport, type Written } from './report'
import { startSandboxChild, type SandboxChild } from './sandbox-child'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const fonts = join(root, 'node_modules', 'dejavu-fonts-ttf', 'ttf')

/** Where the app keeps everything where nobody says otherwise. */
function usualUserData(): string {
  const base: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'),
  }
  return join(base[process.platform] ?? process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Flightplan')
}

function progressOf({ quiet }: Common): (words: string) => void {
  let last = ''
  return (words) => {
    if (quiet || words === last) return
    last = words
    process.stderr.write(`${words}\n`)
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

function printList(reports: readonly ListedReport[], json: boolean): void {
  if (json) return print(JSON.stringify({ reports }))
  if (reports.length === 0) return print('This account has no reports.')
  for (const { id, name, type, range, newest } of reports)
    print([id, name, type, range, newest ? `${newest.rows} rows, ${newest.finished}` : 'no file here'].join('\t'))
}

function printWritten({ path, rows, bytes, notes }: Written, { json, quiet }: Common): void {
  if (json) return print(JSON.stringify({ path: resolve(path), rows, bytes, ...(notes.length > 0 && { notes }) }))
  if (!quiet) for (const note of notes) process.stderr.write(`${note}\n`)
  print(`${resolve(path)}\t${rows}\t${bytes}`)
}

async function run(order: Exclude<Order, { what: 'help' | 'version' }>, signal: AbortSignal): Promise<void> {
  const tell = progressOf(order)
  const clock = systemClock
  if (order.what === 'file') return printWritten(await convertFile(order, { clock, fonts, signal, tell }), order)
  if (order.account.toLowerCase() !== embeddedId) {
    const message = `The sign-in of ${order.account} is sealed for the app. Only the sandbox can be asked from here.`
    throw new Error(message)
  }
  const userData = order.userData === undefined ? usualUserData() : resolve(order.userData)
  await privateFolder(userData)
  const service = await serviceOf(order, userData, tell)
  try {
    const client = createClient({
      baseUrl: () => service.baseUrl,
      token: () => service.token,
      fetch,
      now: clock.now,
    })
    const library = new Library(join(userData, 'reports'))
    const parts: CommandParts = { client, accountId: embeddedId, library, clock, fonts, signal, tell }
    if (order.what === 'list') printList(await listReports(parts), order.json)
    else printWritten(await writeReport(order, { ...parts, signal: until(order.timeout, signal) }), order)
  } finally {
    await service.stop()
  }
}

function serviceOf({ serviceUrl }: Common, userData: string, tell: (words: string) => void): Promise<SandboxChild> {
  if (serviceUrl !== undefined) {
    const token = process.env['FLIGHTPLAN_SERVICE_TOKEN'] ?? ''
    return Promise.resolve({ baseUrl: serviceUrl, token, stop: () => Promise.resolve() })
  }
  tell('Starting the embedded service')
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const command = ['--import', loader, join(root, 'src-main', 'sandbox', 'cli.ts')]
  return startSandboxChild(command, join(userData, 'sandbox'))
}

const until = (minutes: number, signal: AbortSignal): AbortSignal => {
  const control = new AbortController()
  const stop = (): void => control.abort()
  signal.addEventListener('abort', stop, { once: true })
  setTimeout(stop, Math.min(minutes * 60_000, 2 ** 31 - 1)).unref()
  return control.signal
}

async function main(): Promise<number> {
  let order: Order
  try {
    order = readArguments(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n${usage}\n`)
    return 2
  }
  if (order.what === 'help') print(usage)
  else if (order.what === 'version') print(process.env['npm_package_version'] ?? '')
  else {
    const control = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => control.abort())
    try {
      await run(order, control.signal)
    } catch (error) {
      const { code, message } = faultOf(error)
      const cancelled = 'Stopped. What came so far is kept; the same command goes on with it.'
      process.stderr.write(`${code === 'aborted' ? cancelled : message.replaceAll('\n', ' ')}\n`)
      return 1
    }
  }
  return 0
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  },
)
