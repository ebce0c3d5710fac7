import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { deviceOf, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

let service: TestService
let device: Device
afterEach(async () => {
  await device.close()
  await service.stop()
})

it('an audience segment edited again while being sent keeps the ID from the service', async () => {
  service = await startService({ seed: 'demo' })
  const given: (JsonObject | undefined)[] = []
  let whileItTravels: (() => Promise<unknown>) | undefined
  device = await deviceOf(service, {
    fetch: async (address, options) => {
      const again = whileItTravels
      if (options?.method === 'PATCH' && again) {
        whileItTravels = undefined
        await again()
      }
      const answer = await fetch(address, options)
      if (options?.method === 'PATCH') given.push(newSegment((await answer.clone().json()) as JsonObject))
      return answer
    },
  })
  const { replica } = device
  await device.until('the profiles', () => replica.rows('userProfiles').length > 0)
  const parent = replica.rows('userProfiles')[0]!.id
  const download = await replica.download({ parent, what: 'all' })
  await device.until('everything', () => replica.downloads().find(({ key }) => key === download)!.state === 'ready')
  const key = (await replica.table('campaigns')).key(0)
  const { id, value } = (await replica.read(key))!
  const before = (value!['audienceSegmentGroups'] ?? []) as JsonObject[]
  const change = async (allocation: number): Promise<void> => {
    const audienceSegments = [
      { name: 'New segment', allocation },
      { name: 'Rest', allocation: 100 - allocation },
    ]
    const patch = { audienceSegmentGroups: [...before, { name: 'New group', audienceSegments }] }
    await replica.edit([{ kind: 'change', key, patch }], { label: 'Audience' })
    await replica.post()
  }
  whileItTravels = () => change(40)
  await change(20)
  await device.until('all sent', () => replica.outbox().length === 0)
  const { body } = await service.client.call('trafficking.campaigns.get', { profileId: parent, id } as never)
  expect(given.map((segment) => segment?.['allocation'])).toEqual([20, 40])
  expect(newSegment(body as unknown as JsonObject)).toEqual(given[1])
  expect(given[1]!['id']).toBe(given[0]!['id'])
})

const newSegment = ({ audienceSegmentGroups }: JsonObject): JsonObject | undefined =>
  (audienceSegmentGroups as { audienceSegments: JsonObject[] }[])
    .flatMap(({ audienceSegments }) => audienceSegments)
    .find(({ name }) => name === 'New segment')
