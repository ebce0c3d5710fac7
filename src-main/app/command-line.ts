import { join } from 'node:path'
import { app, net, safeStorage } from 'electron'
import type { Clock } from '#shared/time/clock'
import { Accounts } from '../accounts/accounts'
import type { EmbeddedService } from '../accounts/embedded'
import { openVault } from '../auth/vault'
import { carryOut, type Surroundings } from '../command/carry-out'
import { runCommandLine, speakingTo } from '../command/run-command-line'
import { FaultError } from '#shared/fault'
import { embeddedId } from '../accounts/embedded'
import { privateFolder } from '../disk/private'
import type { Flags } from './flags'
import { SandboxAdmin } from './sandbox-admin'
import { systemSeal } from './seal'
import { ServiceProcess } from './service-process'
import { systemFetch } from './system-fetch'

export interface CommandSurroundings {
  flags: Flags
  clock: Clock
  clockOffset: number
  userData: string
  /** The folder of the built scripts. */
  built: string
}

/**
 * Runs the installed app's report command, without a window.
 * @returns the exit code
 */
export function runCommand(argv: readonly string[], about: CommandSurroundings): Promise<number> {
  const { clock, userData, built } = about
  const speaking = speakingTo(process, app.getVersion())
  const control = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => control.abort())
  return runCommandLine(argv, speaking, (order) =>
    carryOut(order, {
      ...speaking,
      userData,
      clock,
      fonts: join(built, 'fonts'),
      signal: control.signal,
      connect: (accountId, _order, tell) => connect(accountId, tell, about),
    }),
  )
}

async function connect(
  accountId: string,
  tell: (words: string) => void,
  about: CommandSurroundings,
): ReturnType<Surroundings['connect']> {
  const { userData, clock } = about
  await privateFolder(userData)
  const fetch = systemFetch((options) => net.request(options))
  const service = accountId === embeddedId ? await embeddedOf(about, tell) : undefined
  const address = service?.address ?? { baseUrl: '', token: '' }
  const admin = new SandboxAdmin(fetch, () => address, clock.now)
  const embedded: EmbeddedService = {
    address,
    started: Promise.resolve(),
    renewToken: async () => {
      const renewed = await admin.order('POST', '/renew-bearer')
      if (typeof renewed['token'] === 'string') address.token = renewed['token']
    },
  }
  const accounts = await Accounts.open({
    folder: userData,
    vault: openVault(join(userData, 'accounts'), systemSeal(safeStorage, process.platform)),
    fetch,
    clock,
    openBrowser: () => Promise.reject(signInFirst()),
    embedded,
    sample: accountId === embeddedId,
    unsent: () => 0,
    changed: () => undefined,
  })
  const close = async (): Promise<void> => {
    await accounts.close()
    await service?.stop()
  }
  const open = accounts.get(accountId)
  if (open.account().signIn === 'in') return { client: open.client, close }
  await close()
  throw signInFirst(open.account().label)
}

const signInFirst = (name = 'the account'): FaultError =>
  new FaultError({ code: 'signInExpired', message: `Open Flightplan and sign in to ${name} first.` })

async function embeddedOf(
  { flags, clock, clockOffset, userData, built }: CommandSurroundings,
  tell: (words: string) => void,
): Promise<{ address: { baseUrl: string; token: string }; stop: () => Promise<void> }> {
  if (flags.serviceUrl !== undefined)
    return {
      address: { baseUrl: flags.serviceUrl, token: flags.serviceToken ?? '' },
      stop: () => Promise.resolve(),
    }
  tell('Starting the sandbox')
  const service = new ServiceProcess({
    script: join(built, 'sandbox.cjs'),
    dataDir: join(userData, 'sandbox'),
    seed: flags.seed,
    scale: flags.scale,
    clockOffset,
    elapsed: clock.elapsed,
    changed: () => undefined,
    failed: () => undefined,
  })
  await service.start()
  return { address: { ...service.address }, stop: () => service.stop() }
}
