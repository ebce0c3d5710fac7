import { beforeEach, expect, it } from 'vitest'
import { accountForEach, openAccount } from '../helpers/whole-account'
import type { AppContext } from '../../src-renderer/context/context'
import { getRecent } from '../../src-renderer/views/campaigns/recent'

const account = accountForEach(openAccount)
const { service, device } = account
const log = 'trafficking.changeLogs.list'
const messages: string[] = []

const settled = (): Promise<void> =>
  device.until('rest', ({ status }) => status.lanes.every(({ phase }) => phase === 'idle'))

beforeEach(() => {
  messages.length = 0
})

async function ask(): Promise<string> {
  const { replica } = device
  // As views get it: its methods are called without it.
  const bound = new Proxy(replica, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target) as unknown
      return typeof member === 'function' ? (member as () => unknown).bind(target) : member
    },
  })
  const app = {
    replica: bound,
    announce: () => undefined,
    toasts: { show: (text: string) => messages.push(text) },
  } as unknown as AppContext
  await getRecent(app, replica.facts.of('changeLogs'), account.profile, () => undefined)
  return messages.at(-1)!
}

it("recent changes appear despite other read errors, and old errors aren't repeated", async () => {
  await service.order('POST', '/trouble', {
    ...{ operation: 'trafficking.placements.list', count: 1_000, status: 403, reason: 'forbidden' },
  })
  const campaign = { collection: 'campaigns' as const, id: '' }
  await device.replica.download({ parent: account.profile, what: 'index' })
  await device.until('campaigns', () => device.replica.rows('campaigns').length > 0)
  campaign.id = device.replica.rows('campaigns')[0]!.id
  await device.replica.download({ parent: account.profile, what: campaign })
  await device.until(
    'what is refused',
    ({ status }) => status.lanes.some(({ fault }) => fault?.code === 'forbidden'),
    30_000,
  )
  await settled()
  expect(await ask()).toBe('No new changes')

  await service.order('DELETE', '/trouble')
  await service.fail(log, { status: 403, reason: 'forbidden' })
  expect(await ask()).toMatch(/^Couldn’t get recent changes\. .*forbidden\. The downloaded data is unchanged\.$/)
  await service.order('POST', '/trouble', { operation: log, count: 100, status: 429, reason: 'rateLimitExceeded' })
  expect(await ask()).toMatch(
    /^Couldn’t get recent changes yet\. .*rateLimitExceeded\. Flightplan will try again automatically/,
  )
  await service.order('DELETE', '/trouble')
  await settled()
  expect(await ask()).toBe('No new changes')
})
