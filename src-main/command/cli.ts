import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FaultError } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { embeddedId } from '../accounts/embedded'
import { privateFolder } from '../disk/private'
import { createClient } from '../services/client'
import type { Common } from './arguments'
import { carryOut, type Surroundings } from './carry-out'
import { startSandboxChild, type SandboxChild } from './sandbox-child'
import { settle, speakingTo } from './settle'

// `npm run -s report`: the command of the app in a process of Node.

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const clock = systemClock

/** Where the app keeps everything where nobody says otherwise. */
function usualUserData(): string {
  const base: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'),
  }
  return join(base[process.platform] ?? process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Flightplan')
}

const connectIn =
  (userData: string): Surroundings['connect'] =>
  async (accountId, order, tell) => {
    if (accountId !== embeddedId)
      throw new FaultError({
        code: 'invalid',
        message: `The sign-in of ${order.account} is sealed for the app: give the same command to the installed one. Files that are kept here are written with --latest.`,
      })
    await privateFolder(userData)
    const service = await serviceOf(order, userData, tell)
    const client = createClient({ baseUrl: () => service.baseUrl, token: () => service.token, fetch, now: clock.now })
    return { client, close: () => service.stop() }
  }

function serviceOf({ serviceUrl }: Common, userData: string, tell: (words: string) => void): Promise<SandboxChild> {
  if (serviceUrl !== undefined) {
    const token = process.env['FLIGHTPLAN_SERVICE_TOKEN'] ?? ''
    return Promise.resolve({ baseUrl: serviceUrl, token, stop: () => Promise.resolve() })
  }
  tell('Starting the embedded service')
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const command = ['--import', loader, join(root, 'src-main', 'sandbox', 'cli.ts')]
  return startSandboxChild(command, join(userData, 'sandbox'), control.signal)
}

const speaking = speakingTo(process, process.env['npm_package_version'] ?? '')
const control = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => control.abort())

settle(process.argv.slice(2), speaking, (order) => {
  const userData = order.userData === undefined ? usualUserData() : resolve(order.userData)
  return carryOut(order, {
    ...speaking,
    userData,
    clock,
    fonts: join(root, 'node_modules', 'dejavu-fonts-ttf', 'ttf'),
    signal: control.signal,
    connect: connectIn(userData),
  })
}).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    speaking.err(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  },
)
