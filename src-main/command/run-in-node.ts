import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FaultError } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { embeddedId } from '../accounts/embedded'
import { privateFolder } from '../disk/private'
import { createClient } from '../services/client'
import { carryOut, type Surroundings } from './carry-out'
import { startSandboxChild, type SandboxChild } from './sandbox-child'
import { runCommandLine, type Speaking } from './run-command-line'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const clock = systemClock

export interface NodeSurroundings extends Speaking {
  env: NodeJS.ProcessEnv
  /** Stops the command when aborted. */
  signal: AbortSignal
}

/** Default profile folder of the app. */
function usualUserData(env: NodeJS.ProcessEnv): string {
  const base: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(homedir(), 'Library', 'Application Support'),
    win32: env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'),
  }
  return join(base[process.platform] ?? env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'Flightplan')
}

const connectIn =
  (userData: string, { env, signal }: Pick<NodeSurroundings, 'env' | 'signal'>): Surroundings['connect'] =>
  async (accountId, order, tell) => {
    if (accountId !== embeddedId)
      throw new FaultError({
        code: 'invalid',
        message: `Only the installed app can use the sign-in of ${order.account}. Run the command there, or use --latest to export downloaded files.`,
      })
    await privateFolder(userData)
    const service =
      order.serviceUrl === undefined
        ? await embeddedService(userData, signal, tell)
        : { baseUrl: order.serviceUrl, token: env['FLIGHTPLAN_SERVICE_TOKEN'] ?? '', stop: () => Promise.resolve() }
    const client = createClient({ baseUrl: () => service.baseUrl, token: () => service.token, fetch, now: clock.now })
    return { client, close: () => service.stop() }
  }

function embeddedService(userData: string, signal: AbortSignal, tell: (words: string) => void): Promise<SandboxChild> {
  tell('Starting the sandbox')
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const command = ['--import', loader, join(root, 'src-main', 'sandbox', 'cli.ts')]
  return startSandboxChild(command, join(userData, 'sandbox'), signal)
}

/** Runs the report command in a process of Node. @returns its exit code */
export const runInNode = (argv: readonly string[], { env, signal, ...speaking }: NodeSurroundings): Promise<number> =>
  runCommandLine(argv, speaking, (order) => {
    const userData = order.userData === undefined ? usualUserData(env) : resolve(order.userData)
    return carryOut(order, {
      ...speaking,
      userData,
      clock,
      fonts: join(root, 'node_modules', 'dejavu-fonts-ttf', 'ttf'),
      signal,
      connect: connectIn(userData, { env, signal }),
    })
  })
