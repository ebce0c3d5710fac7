import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { CampaignsModel } from '../../../../src-renderer/views/campaigns/model.svelte'
import { startOf } from '../../../../src-renderer/views/campaigns/starts'
import { wallOfInstant } from '#shared/time/zones'

const facts = factsOf()
const within = recordKey('campaigns', '7', '1')
const campaign = { id: '1', advertiserId: '2', startDate: '2026-07-01', endDate: '2026-07-31' }

/** The origin of a new record: where and when it's created. */
function startIn(zone: string, now: string): JsonObject {
  const replica = { facts, peek: (key: string) => (key === within ? { value: campaign } : undefined), rows: () => [] }
  const at = Date.parse(now)
  const today = Math.floor(wallOfInstant(at, zone) / 86_400_000) * 86_400_000
  const app = { replica, clock: { now: at } }
  const scope = { profile: '7', within }
  return startOf({
    kind: facts.of('ads'),
    scope,
    app,
    context: { today, zone, hour12: false },
  } as unknown as CampaignsModel)
}
const wall = (text: unknown, zone: string): string =>
  new Date(wallOfInstant(Date.parse(String(text)), zone)).toISOString().slice(0, 16)

describe('a new ad', () => {
  it.each(['America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kolkata', 'UTC'])(
    "runs from the flight's first to its last minute, in %s",
    (zone) => {
      const { startTime, endTime } = startIn(zone, '2026-06-10T08:00:00Z')
      expect(wall(startTime, zone)).toBe('2026-07-01T00:00')
      expect(wall(endTime, zone)).toBe('2026-07-31T23:59')
    },
  )

  it('starts with the next full hour that leaves time to post if the flight has begun, and ends on its last day', () => {
    const { startTime, endTime } = startIn('America/Los_Angeles', '2026-07-31T20:00:00Z')
    expect(startTime).toBe('2026-07-31T21:00:00.000Z')
    expect(wall(endTime, 'America/Los_Angeles')).toBe('2026-07-31T23:59')
    expect(startIn('UTC', '2026-07-31T20:50:01.382Z')['startTime']).toBe('2026-07-31T22:00:00.000Z')
  })
})

/** A new record of a profile with records of these names. */
function startAmong(collection: CollectionName, names: readonly string[] = []): JsonObject {
  const rows = (): unknown[] => names.map((name) => ({ value: { name } }))
  const replica = { facts, peek: () => undefined, rows }
  const app = { replica, clock: { now: 0 } }
  const kind = facts.of(collection)
  const model = { kind, scope: { profile: '7' }, app, context: { today: 0, zone: 'UTC', hour12: false } }
  return startOf(model as unknown as CampaignsModel)
}

it('a new user profile sees nothing until it’s given access, and others start as they’re used most', () => {
  const status = { status: 'NONE' }
  const filters = { advertiserFilter: status, campaignFilter: status, siteFilter: status, userRoleFilter: status }
  expect(startAmong('accountUserProfiles')).toMatchObject({ active: false, locale: 'en', ...filters })
  expect(startAmong('trackingActivities')).toMatchObject({
    ...{ trackingTagType: 'GLOBAL_SITE_TAG', countingMethod: 'STANDARD_COUNTING' },
  })
  expect(startAmong('remarketingLists')).toMatchObject({ lifeSpan: '30' })
})

describe('the name of a new record', () => {
  const nameOf = (collection: CollectionName, ...names: string[]): unknown => startAmong(collection, names)['name']
  it('has only characters that the service accepts', () => {
    expect(nameOf('accountUserProfiles')).toBe('New-user-profile')
    expect(nameOf('campaigns')).toBe('New campaign')
  })
  it('is unused where names must be unique', () => {
    expect(nameOf('userRoles', 'New user role')).toBe('New user role 2')
    expect(nameOf('userRoles', 'New user role 2', 'New user role')).toBe('New user role 3')
    expect(nameOf('accountUserProfiles', 'New-user-profile')).toBe('New-user-profile-2')
  })
})
