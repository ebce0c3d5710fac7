import { deviceOf, type Device } from './device'
import { startService, type TestService } from './service'

export interface WholeAccount {
  service: TestService
  device: Device
  /** Id of the first profile, all of which is on the device. */
  profile: string
  close(): Promise<void>
}

/** A service of the demo and one computer that everything of a profile was downloaded to. */
export async function openWholeAccount(): Promise<WholeAccount> {
  const service = await startService({ seed: 'demo' })
  const device = await deviceOf(service)
  await device.until('the first look', ({ status }) => status.phase === 'idle' && status.lastPull !== null, 30_000)
  const { replica } = device
  const profile = replica.rows('userProfiles')[0]!.id
  const key = await replica.download({ parent: profile, what: 'all' })
  const state = (): string => replica.downloads().find((one) => one.key === key)!.state
  await device.until('everything', () => state() === 'ready', 60_000)
  return {
    service,
    device,
    profile,
    close: async () => {
      await device.close()
      await service.stop()
    },
  }
}
