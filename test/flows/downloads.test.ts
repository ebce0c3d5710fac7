import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DownloadStatus } from '../../src-renderer/replica/api'
import { openDevice, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

let service: TestService
let device: Device

beforeEach(async () => {
  service = await startService({ seed: 'demo' })
  const { sandbox } = service
  device = await openDevice({ baseUrl: () => sandbox.baseUrl, token: () => sandbox.token })
  await device.until('the first look', ({ status }) => status.phase === 'idle' && status.lastPull !== null, 30_000)
})
afterEach(async () => {
  await device.close()
  await service.stop()
})

const profile = (): string => device.replica.rows('userProfiles')[0]!.id
const download = (key: string): DownloadStatus => device.replica.downloads().find((one) => one.key === key)!
const ready = (key: string): Promise<void> =>
  device.until(`${key} is ready`, () => download(key).state === 'ready', 60_000)

describe('a part of the campaigns', () => {
  it('comes with all that belongs to one advertiser, and what all of it refers to', async () => {
    expect(device.replica.rows('advertisers')).toEqual([])
    await device.replica.download({ parent: profile(), what: 'index' })
    await device.until('advertisers', ({ rows }) => rows.call(device.replica, 'advertisers').length > 0)
    await device.until('campaigns', ({ rows }) => rows.call(device.replica, 'campaigns').length > 0)
    const [advertiser] = device.replica.rows('advertisers')
    const key = await device.replica.download({
      parent: profile(),
      what: { collection: 'advertisers', id: advertiser!.id },
    })
    await ready(key)
    console.log(JSON.stringify(download(key), null, 1))
    console.log(device.replica.status)
  }, 120_000)
})
