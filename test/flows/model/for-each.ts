import { beforeEach } from 'vitest'
import type { Replica } from '../../../src-renderer/replica/api'
import { lazily } from '../../helpers/for-file'
import { seeded, VirtualClock } from './clock'
import { Device } from './device'
import { ModelService } from './service'

/**
 * A new service and a device that has synced for `passed` ms, for each test. `arrange` runs before the device starts.
 * Use them in hooks and tests only.
 */
export function modelForEach(
  passed: number,
  arrange?: () => unknown,
): { clock: VirtualClock; service: ModelService; device: Device; replica: Replica } {
  let clock: VirtualClock
  let service: ModelService
  let device: Device
  beforeEach(async () => {
    clock = new VirtualClock()
    service = new ModelService(() => clock.time)
    device = new Device('one', service, clock, seeded(1))
    await arrange?.()
    await device.start()
    await clock.pass(passed)
  })
  return {
    clock: lazily(() => clock),
    service: lazily(() => service),
    device: lazily(() => device),
    replica: lazily(() => device.replica),
  }
}

/** The trafficking profile of the device. Ada has 81, in the same account. */
export const profile = '71'

export const addProfiles = (service: ModelService): unknown =>
  service.trafficking.profiles.push(
    { id: profile, account: '1', name: 'Mine', mine: true },
    { id: '81', account: '1', name: 'Ada', mine: false },
  )
