import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { deviceOf, type Device, type DeviceOptions } from './device'
import { lazily } from './for-file'
import { startService, type TestService } from './service'

export interface OpenAccount {
  service: TestService
  device: Device
  /** ID of the first profile. */
  profile: string
  close(): Promise<void>
}

/** A demo service and one computer that has synced once. */
export async function openAccount({
  campaignScale = 1,
  ...options
}: { campaignScale?: number } & Pick<DeviceOptions, 'store' | 'fetch'> = {}): Promise<OpenAccount> {
  const service = await startService({ seed: 'demo', campaignScale })
  const device = await deviceOf(service, options)
  await device.until('the first look', ({ status }) => status.phase === 'idle' && status.lastPull !== null)
  return {
    service,
    device,
    profile: device.replica.rows('userProfiles')[0]!.id,
    close: async () => {
      await device.close()
      await service.stop()
    },
  }
}

/** The same with the whole profile downloaded. */
export async function openWholeAccount(): Promise<OpenAccount> {
  const account = await openAccount()
  await downloadAll(account)
  return account
}

/** An account for all tests of a file. Use it in hooks and tests only. */
export const accountForFile = (open: () => Promise<OpenAccount> = openWholeAccount): OpenAccount =>
  accountFor(beforeAll, afterAll, open)

/** A new account for each test. */
export const accountForEach = (open: () => Promise<OpenAccount> = openWholeAccount): OpenAccount =>
  accountFor(beforeEach, afterEach, open)

type Hook = (run: () => Promise<void>) => void

function accountFor(before: Hook, after: Hook, open: () => Promise<OpenAccount>): OpenAccount {
  let account: OpenAccount | undefined
  before(async () => {
    account = await open()
  })
  after(async () => account?.close())
  return {
    service: lazily(() => account!.service),
    device: lazily(() => account!.device),
    get profile() {
      return account!.profile
    },
    close: () => account!.close(),
  }
}

export async function downloadAll({ device, profile }: Pick<OpenAccount, 'device' | 'profile'>): Promise<void> {
  const { replica } = device
  const key = await replica.download({ parent: profile, what: 'all' })
  const state = (): string => replica.downloads().find((one) => one.key === key)!.state
  await device.until('everything', () => state() === 'ready')
}

/** ID of the profile that Mina, another user, edits with. */
export async function minasProfile(service: TestService): Promise<string> {
  const answer = await service.asMina('trafficking.userProfiles.list', {})
  return ((answer['body'] ?? answer) as { items: { profileId: string }[] }).items[0]!.profileId
}
