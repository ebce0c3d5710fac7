import { afterEach } from 'vitest'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#shared/time/clock'
import type { AuthorizeRequest } from '../../../src-main/auth/grants'
import { SignIn, type SignInOptions, type SignInState } from '../../../src-main/auth/sign-in'
import { openVault, type Seal } from '../../../src-main/auth/vault'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/start'
import { signInWith, type Choice } from '../../helpers/browser'
import { clientOf, type Client } from '../sandbox/client'

const open: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.stop()
})

/** A minimal keyring for the vault: its output is unreadable without it. */
export const keyring: Seal = {
  encrypt: (text) => Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a)),
  decrypt: (bytes) => Buffer.from([...bytes].map((byte) => byte ^ 0x5a)).toString(),
}

export interface Person {
  sandbox: Sandbox
  /** The sandbox with its own token, for simulations. */
  admin: Client
  signIn: SignIn
  states: SignInState[]
  folder: string
  /** What the browser showed after each answer. */
  shown: Array<{ status: number; html: string }>
  request: AuthorizeRequest
  /** Signs in with this choice on the consent page. */
  enter(choice?: Choice): Promise<void>
  /** The response status of a call with the current token. */
  status(token: string): Promise<number>
}

/** A user with a browser and an app with one sandbox account. */
export async function startPerson(
  options: Partial<SignInOptions> & { sandbox?: Partial<SandboxOptions>; seal?: Seal | 'none' } = {},
): Promise<Person> {
  const sandbox = await startSandbox({ seed: 'empty', signIn: true, ...options.sandbox })
  open.push(sandbox)
  const folder = join(await mkdtemp(join(tmpdir(), 'flightplan-auth-')), 'accounts')
  const states: SignInState[] = []
  const shown: Person['shown'] = []
  let choice: Choice | undefined
  const signIn = await SignIn.open(
    {
      accountId: 'a1',
      vault: openVault(folder, options.seal === 'none' ? undefined : (options.seal ?? keyring)),
      fetch,
      now: options.sandbox?.now ?? systemClock.now,
      openBrowser: (address) => {
        void signInWith(address, choice).then((page) => shown.push(page))
        return Promise.resolve()
      },
      changed: (state) => states.push(state),
      ...options,
    },
    false,
  )
  const request: AuthorizeRequest = {
    issuer: sandbox.baseUrl,
    clientId: 'Flightplan',
    scopes: ['calendar', 'tasks'],
    vocabulary: 'neutral',
    audience: [sandbox.baseUrl],
  }
  return {
    sandbox,
    admin: clientOf(sandbox),
    signIn,
    states,
    folder,
    shown,
    request,
    enter: async (wanted) => {
      choice = wanted
      await signIn.ask(request, () => Promise.resolve())
    },
    status: async (token) =>
      (await fetch(`${sandbox.baseUrl}/tasks/v1/users/@me/lists`, { headers: { authorization: `Bearer ${token}` } }))
        .status,
  }
}

/** Number of sandbox requests to a path. */
export const asked = async (admin: Client, path: string): Promise<number> =>
  (await admin.get('/sandbox/v1/log')).body.entries.filter((entry: { path: string }) => entry.path === path).length
