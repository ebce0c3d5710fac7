import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import type { Account } from '#shared/ipc/account-questions'
import { systemClock } from '#shared/time/clock'
import { Accounts, type AccountsOptions } from '../../../src-main/accounts/accounts'
import { discover } from '../../../src-main/accounts/discover'
import { systemSeal } from '../../../src-main/app/seal'
import { openVault, type Seal } from '../../../src-main/auth/vault'
import type { Fetch } from '../../../src-main/http/send'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/start'
import { signInWith, type Choice } from '../../helpers/browser'
import { keyring } from '../auth/person'
import { clientOf } from '../sandbox/client'

const sandboxes: Sandbox[] = []
afterEach(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.stop()
})

async function sandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const started = await startSandbox({ seed: 'empty', signIn: true, ...options })
  sandboxes.push(started)
  return started
}

interface Desk {
  accounts: Accounts
  folder: string
  /** Announced account lists, latest last. */
  announced: Account[][]
  unsent: Map<string, number>
  choice: Choice
  sent: Array<{ url: string; authorization: string | null }>
  /** Closes the app and reopens it on the same folder. */
  restart(): Promise<void>
}

const asking = { fetch, now: systemClock.now }

async function openDesk(
  embedded: Sandbox,
  options: { seal?: Seal; folder?: string; more?: Partial<AccountsOptions> } = { seal: keyring },
): Promise<Desk> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'flightplan-accounts-')))
  const desk: Desk = { folder, announced: [], unsent: new Map(), choice: {}, sent: [] } as unknown as Desk
  const watched: Fetch = (url, init) => {
    desk.sent.push({ url, authorization: new Headers(init.headers).get('authorization') })
    return fetch(url, init)
  }
  const open = async (): Promise<void> => {
    const address = { baseUrl: embedded.baseUrl, token: embedded.token }
    desk.accounts = await Accounts.open({
      folder,
      vault: openVault(join(folder, 'accounts'), options.seal),
      fetch: watched,
      clock: systemClock,
      openBrowser: async (page) => void (await signInWith(page, desk.choice)),
      embedded: {
        address,
        started: Promise.resolve(),
        renewToken: async () => {
          address.token = (
            await clientOf({ ...embedded, token: address.token }).post('/sandbox/v1/renew-bearer')
          ).body.token
        },
      },
      sample: true,
      unsent: (id) => desk.unsent.get(id) ?? 0,
      changed: (accounts) => desk.announced.push(accounts),
      ...options.more,
    })
  }
  desk.restart = async () => {
    await desk.accounts.close()
    await open()
  }
  await open()
  return desk
}

const signIn = async (desk: Desk, id: string, choice: Choice = {}): Promise<Account> => {
  desk.choice = choice
  const open = desk.accounts.get(id)
  await open.signIn()
  return open.account()
}

const fault = (attempt: Promise<unknown> | (() => unknown)): Promise<{ code: string; message: string }> =>
  Promise.resolve()
    .then(() => (typeof attempt === 'function' ? attempt() : attempt))
    .then(
      () => ({ code: 'none', message: '' }),
      (error: unknown) => faultOf(error),
    )

const emailBy = async (desk: Desk, id: string): Promise<string | undefined> =>
  (await desk.accounts.get(id).client.call('calendar.calendars.get', { calendarId: 'primary' })).body.id

describe('the API listing of an address', () => {
  it("describes the server's services, versions, addresses, and sign-in", async () => {
    for (const words of ['neutral', 'public'] as const) {
      const { baseUrl } = await sandbox({ words })
      const offer = await discover(asking, `${baseUrl}/`, words)
      expect(offer).toEqual({
        services: [
          { service: 'calendar', baseUrl, versions: ['v3'] },
          { service: 'search', baseUrl, versions: ['v2'] },
          { service: 'tasks', baseUrl, versions: ['v1'] },
          { service: 'trafficking', baseUrl, versions: ['v3.4', 'v3.3'] },
        ],
        others: 0,
        issuer: baseUrl,
      })
    }
  })

  it('is requested over TLS or from this computer only', async () => {
    expect((await fault(discover(asking, 'http://service.example', 'neutral'))).code).toBe('invalid')
    expect((await fault(discover(asking, 'nonsense', 'neutral'))).message).toContain('valid address')
    expect((await fault(discover(asking, 'http://127.0.0.1:9', 'neutral'))).code).toBe('unreachable')
  })
})

describe('accounts', () => {
  it("start with sample data if asked to, which is signed in and can't be signed out", async () => {
    const embedded = await sandbox()
    const desk = await openDesk(embedded)
    expect(desk.accounts.list()).toMatchObject([
      { id: 'sandbox', kind: 'sandbox', email: 'alex.morgan@flightplan.example', signIn: 'in', kept: 'embedded' },
    ])
    expect(desk.accounts.list()[0]!.services.calendar).toBe(embedded.baseUrl)
    expect((await fault(desk.accounts.get('sandbox').signOut())).code).toBe('invalid')
    expect((await fault(() => desk.accounts.get('nobody'))).message).toBe('Unknown account nobody.')
    await desk.restart()
    expect(desk.accounts.list()[0]!.email).toBe('alex.morgan@flightplan.example')
  })

  it('start without any, and add and remove sample data', async () => {
    const embedded = await sandbox()
    const done: string[] = []
    const sampleData = {
      begin: () => Promise.resolve(void done.push('begin')),
      remove: () => Promise.resolve(void done.push('remove')),
    }
    const desk = await openDesk(embedded, { more: { sample: false, sampleData } })
    expect(desk.accounts.list()).toEqual([])
    expect((await fault(() => desk.accounts.get('sandbox'))).message).toBe('Unknown account sandbox.')
    const added = await desk.accounts.addSample()
    expect(added).toMatchObject({ label: 'Sample data', email: 'alex.morgan@flightplan.example', signIn: 'in' })
    expect(await desk.accounts.addSample()).toEqual(added)
    await desk.restart()
    expect(desk.accounts.list().map(({ label }) => label)).toEqual(['Sample data'])
    desk.unsent.set('sandbox', 1)
    expect((await fault(desk.accounts.remove('sandbox'))).message).toContain('Sample data has 1 pending change.')
    desk.unsent.clear()
    await desk.accounts.remove('sandbox')
    expect([desk.accounts.list(), desk.announced.at(-1)]).toEqual([[], []])
    await desk.restart()
    expect(desk.accounts.list()).toEqual([])
    expect(done).toEqual(['begin', 'remove'])
  })

  it('keep the name that an earlier version gave to sample data up to date', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-accounts-'))
    const record = { id: 'sandbox', email: 'alex.morgan@flightplan.example', label: 'Sandbox', opened: true }
    await writeFile(join(folder, 'accounts.json'), JSON.stringify([record]))
    const desk = await openDesk(await sandbox(), { seal: keyring, folder, more: { sample: false } })
    expect(desk.accounts.list()).toMatchObject([{ label: 'Sample data', opened: true }])
  })

  it('of a provider need a client, unless one is built in', async () => {
    const desk = await openDesk(await sandbox())
    const wanted = { label: 'Google', vocabulary: 'public', provider: 'calendar' } as const
    expect(await fault(desk.accounts.add(wanted))).toEqual({
      code: 'invalid',
      message: 'Enter a client ID.',
      location: 'clientId',
    })
    expect(desk.accounts.hasBuiltInClient).toBe(false)
    const added = await desk.accounts.add({ ...wanted, clientId: 'mine' })
    expect(added).toMatchObject({
      vocabulary: 'public',
      services: { calendar: 'https://www.googleapis.com', tasks: 'https://tasks.googleapis.com' },
    })
    const secret = 'built-in-secret'
    const company = await openDesk(await sandbox(), {
      seal: keyring,
      more: { builtInClient: { clientId: 'company', clientSecret: secret } },
    })
    await company.accounts.add({ ...wanted, provider: 'search-ads' })
    await company.accounts.add({ ...wanted, clientId: 'mine' })
    const stored = await readFile(join(company.folder, 'accounts.json'), 'utf8')
    expect(JSON.parse(stored)).toMatchObject([{}, { clientId: 'company' }, { clientId: 'mine' }])
    expect(stored).not.toContain(secret)
  })

  it('report which of their services answer', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const services = { calendar: service.baseUrl, tasks: 'http://127.0.0.1:9', search: service.baseUrl }
    const { id } = await desk.accounts.add({
      ...{ label: 'Work', vocabulary: 'neutral' },
      ...{ services, issuer: service.baseUrl },
    })
    expect((await desk.accounts.check(id)).map(({ message }) => message)).toEqual(Array(3).fill('You’re signed out.'))
    await signIn(desk, id)
    const checks = await desk.accounts.check(id)
    expect(checks.map(({ service, ok }) => [service, ok])).toEqual([
      ['calendar', true],
      ['search', true],
      ['tasks', false],
    ])
    expect(checks[2]!.message).toBe('Can’t reach 127.0.0.1:9.')
  })

  it('are added signed out with the listed services, and sign in with the browser', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const added = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
    expect(added).toMatchObject({ label: 'Work', email: '', signIn: 'out', signedIn: false, kept: 'system' })
    expect(added.versions).toEqual({ trafficking: 'v3.4' })
    expect((await fault(emailBy(desk, added.id))).code).toBe('signInExpired')
    expect(await signIn(desk, added.id, { person: 'mina' })).toMatchObject({
      email: 'mina.park@flightplan.example',
      signIn: 'in',
    })
    expect(desk.announced.at(-1)!.map(({ label, signIn }) => [label, signIn])).toEqual([
      ['Sample data', 'in'],
      ['Work', 'in'],
    ])
    expect(await emailBy(desk, added.id)).toBe('mina.park@flightplan.example')
    expect(await emailBy(desk, 'sandbox')).toBe('alex.morgan@flightplan.example')
  })

  it('of two people at one service stay separate', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const add = (label: string) => desk.accounts.add({ label, vocabulary: 'neutral', address: service.baseUrl })
    const [mina, jonas] = [await add('Mina'), await add('Jonas')]
    await signIn(desk, mina.id, { person: 'mina' })
    await signIn(desk, jonas.id, { person: 'jonas' })
    expect([await emailBy(desk, mina.id), await emailBy(desk, jonas.id)]).toEqual([
      'mina.park@flightplan.example',
      'jonas.weber@flightplan.example',
    ])
    await desk.accounts.get(mina.id).signOut()
    expect((await fault(emailBy(desk, mina.id))).code).toBe('signInExpired')
    expect(await emailBy(desk, jonas.id)).toBe('jonas.weber@flightplan.example')
  })

  it('use public naming if the service does, in the chosen version', async () => {
    const service = await sandbox({ words: 'public' })
    const desk = await openDesk(await sandbox())
    const added = await desk.accounts.add({
      label: 'Public',
      vocabulary: 'public',
      address: service.baseUrl,
      versions: { trafficking: 'v3.3' },
    })
    expect(added.versions).toEqual({ trafficking: 'v3.3' })
    await signIn(desk, added.id)
    expect(await emailBy(desk, added.id)).toBe('alex.morgan@flightplan.example')
    const profiles = (): Promise<unknown> =>
      desk.accounts
        .get(added.id)
        .client.call('trafficking.userProfiles.list', {})
        .catch(() => undefined)
    await profiles()
    expect(new URL(desk.sent.at(-1)!.url).pathname).toBe('/dfareporting/v3.3/userprofiles')
    await desk.accounts.change({ accountId: added.id, versions: { trafficking: 'v3.4' }, label: 'Renamed' })
    await profiles()
    expect(new URL(desk.sent.at(-1)!.url).pathname).toBe('/dfareporting/v3.4/userprofiles')
    expect(desk.accounts.list()[1]).toMatchObject({ label: 'Renamed', signIn: 'in' })
  })

  it('stay with one user: another sign-in is rejected and revoked', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const { id } = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
    await signIn(desk, id, { person: 'mina' })
    const { code, message } = await fault(signIn(desk, id, { person: 'jonas' }))
    expect([code, message]).toEqual(['forbidden', expect.stringContaining('belongs to mina.park@flightplan.example')])
    expect(await emailBy(desk, id)).toBe('mina.park@flightplan.example')
    const unseen = await fault(signIn(desk, id, { person: 'mina', scopes: ['tasks'] }))
    expect([unseen.code, unseen.message]).toEqual(['forbidden', expect.stringContaining('check who signed in')])
    const { body } = await clientOf(service).post('/sandbox/v1/revoke-sign-ins')
    expect(body).toEqual({ revoked: 1 })
  })

  it('report an expired session after a revocation, and work after a new sign-in', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const { id } = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
    await signIn(desk, id, { person: 'mina' })
    await clientOf(service).post('/sandbox/v1/revoke-sign-ins')
    const calls = await Promise.all(Array.from({ length: 10 }, () => fault(emailBy(desk, id))))
    expect(calls.map(({ code }) => code)).toEqual(Array(10).fill('signInExpired'))
    expect(desk.announced.at(-1)![1]).toMatchObject({ signIn: 'expired', signedIn: false })
    await desk.restart()
    expect(desk.accounts.list()[1]).toMatchObject({ signIn: 'expired', email: 'mina.park@flightplan.example' })
    await signIn(desk, id, { person: 'mina' })
    expect(await emailBy(desk, id)).toBe('mina.park@flightplan.example')
  })

  it('renew an expired token once for ten calls', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const { id } = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
    await signIn(desk, id)
    await clientOf(service).post('/sandbox/v1/expire-bearer')
    desk.sent.length = 0
    const emails = await Promise.all(Array.from({ length: 10 }, () => emailBy(desk, id)))
    expect(emails).toEqual(Array(10).fill('alex.morgan@flightplan.example'))
    expect(desk.sent.filter(({ url }) => url.endsWith('/oauth/token'))).toHaveLength(1)
    expect(desk.sent).toHaveLength(21)
  })

  it('end the sign-in when a service moves to another host, and send no token there', async () => {
    const [service, other] = [await sandbox(), await sandbox()]
    const desk = await openDesk(await sandbox())
    const { id, services } = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
    await signIn(desk, id)
    desk.sent.length = 0
    const moved = await desk.accounts.change({ accountId: id, services: { ...services, tasks: other.baseUrl } })
    expect(moved.signIn).toBe('out')
    expect((await fault(desk.accounts.get(id).client.call('tasks.tasklists.list', {}))).code).toBe('signInExpired')
    expect(desk.sent.filter(({ url }) => url.startsWith(other.baseUrl))).toEqual([])
  })

  it('send no token to an address edited into the file', async () => {
    const [service, other] = [await sandbox(), await sandbox()]
    const desk = await openDesk(await sandbox())
    const { id } = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
    await signIn(desk, id)
    await desk.accounts.close()
    const path = join(desk.folder, 'accounts.json')
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(service.baseUrl, other.baseUrl))
    await desk.restart()
    expect(desk.accounts.list()[1]!.signIn).toBe('out')
    expect((await fault(emailBy(desk, id))).code).toBe('signInExpired')
    expect(desk.sent.filter(({ url, authorization }) => authorization && url.startsWith(other.baseUrl))).toEqual([])
  })

  it("can't be removed with pending changes, and removal leaves nothing", async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const { id } = await desk.accounts.add({
      label: 'Work',
      vocabulary: 'neutral',
      address: service.baseUrl,
      clientSecret: 'shh',
    })
    await signIn(desk, id)
    desk.unsent.set(id, 2)
    expect((await fault(desk.accounts.remove(id))).message).toBe(
      'Work has 2 pending changes. Send or discard them first.',
    )
    desk.unsent.set(id, 1)
    expect((await fault(desk.accounts.remove(id))).code).toBe('invalid')
    expect(desk.accounts.list()).toHaveLength(2)
    desk.unsent.delete(id)
    await desk.accounts.remove(id)
    expect(desk.accounts.list().map((account) => account.id)).toEqual(['sandbox'])
    expect(desk.announced.at(-1)).toHaveLength(1)
    expect(await readdir(join(desk.folder, 'accounts'))).toEqual([])
    expect((await clientOf(service).post('/sandbox/v1/revoke-sign-ins')).body).toEqual({ revoked: 0 })
    await desk.restart()
    expect(desk.accounts.list()).toHaveLength(1)
  })

  it('return after a restart, signed in with a keyring and signed out without one', async () => {
    for (const seal of [keyring, undefined]) {
      const service = await sandbox()
      const desk = await openDesk(await sandbox(), { seal })
      const { id, kept } = await desk.accounts.add({ label: 'Work', vocabulary: 'neutral', address: service.baseUrl })
      await signIn(desk, id, { person: 'mina' })
      await desk.restart()
      const [, account] = desk.accounts.list()
      expect([kept, account!.signIn, account!.email]).toEqual(
        seal ? ['system', 'in', 'mina.park@flightplan.example'] : ['memory', 'out', 'mina.park@flightplan.example'],
      )
      if (!seal) await expect(readdir(join(desk.folder, 'accounts'))).rejects.toThrow(/ENOENT/)
    }
  })

  it('store no secret in their file', async () => {
    const service = await sandbox()
    const desk = await openDesk(await sandbox())
    const secret = 'client-secret-7'
    await desk.accounts.add({
      label: 'Work',
      vocabulary: 'neutral',
      address: service.baseUrl,
      clientSecret: secret,
      clientId: 'c7',
    })
    const text = await readFile(join(desk.folder, 'accounts.json'), 'utf8')
    expect([text.includes('c7'), text.includes(secret), JSON.stringify(desk.announced).includes(secret)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('with invalid input are rejected with the field at fault', async () => {
    const { baseUrl } = await sandbox()
    const desk = await openDesk(await sandbox())
    const add = (more: object) => fault(desk.accounts.add({ label: 'x', vocabulary: 'neutral', ...more }))
    expect((await add({})).code).toBe('invalid')
    expect((await add({ services: { moon: baseUrl } })).message).toContain('moon')
    expect((await add({ services: { calendar: 'http://service.example' } })).code).toBe('invalid')
    expect((await add({ services: { calendar: baseUrl }, versions: { trafficking: 'v9' } })).message).toContain('v9')
    expect((await add({ services: { calendar: baseUrl }, issuer: 'ftp://x' })).code).toBe('invalid')
    expect(desk.accounts.list()).toHaveLength(1)
  })
})

describe('the accounts file', () => {
  it('of an earlier version loads, and a damaged one is set aside', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-accounts-'))
    const embedded = await sandbox()
    await writeFile(
      join(folder, 'accounts.json'),
      JSON.stringify([{ id: 'sandbox', email: 'old@example.com', label: 'Mine' }]),
    )
    const desk = await openDesk(embedded, { seal: keyring, folder })
    expect(desk.accounts.list()).toMatchObject([{ email: 'old@example.com', label: 'Mine', signIn: 'in' }])
    for (const text of ['{"not":"a list"}', '[{"id":"../../evil","email":"","label":"x"}]', 'no json']) {
      await writeFile(join(folder, 'accounts.json'), text)
      await desk.restart()
      expect(desk.accounts.list().map(({ id }) => id)).toEqual(['sandbox'])
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('accounts.json.damaged'))).toHaveLength(3)
    await mkdir(join(folder, 'accounts'))
    for (const [text, left] of [
      ['no json', ['a1.sealed']],
      ['[]', []],
    ] as const) {
      await writeFile(join(folder, 'accounts', 'a1.sealed'), 'secrets of an account that cannot be read')
      await writeFile(join(folder, 'accounts.json'), text)
      await desk.restart()
      expect(await readdir(join(folder, 'accounts'))).toEqual(left)
    }
  })
})

describe('the system keyring', () => {
  const storage = (available: boolean, backend: string) => ({
    isEncryptionAvailable: () => available,
    getSelectedStorageBackend: () => backend as 'basic_text',
    encryptString: keyring.encrypt,
    decryptString: keyring.decrypt,
  })

  it.each([
    ['linux', true, 'gnome_libsecret', true],
    ['linux', true, 'kwallet5', true],
    ['linux', true, 'basic_text', false],
    ['linux', true, 'unknown', false],
    ['linux', false, 'gnome_libsecret', false],
    ['darwin', true, 'unknown', true],
    ['win32', true, 'unknown', true],
    ['win32', false, 'unknown', false],
  ])('on %s, available: %s, backend: %s is usable: %s', (platform, available, backend, isOne) => {
    const seal = systemSeal(storage(available, backend), platform)
    expect(seal !== undefined).toBe(isOne)
    if (seal) expect(seal.decrypt(seal.encrypt('ü secret'))).toBe('ü secret')
  })
})
