import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { tableOf, versionsOf } from '#shared/wire/services'
import { connect } from '../client'
import { now, traffic } from './world'

describe("the demo's campaigns", () => {
  it('have the configured number, lie around today, and include grouped advertisers', async () => {
    const world = await traffic('v3.4', { seed: 'demo' })
    const counts: Record<string, [low: number, high: number]> = {
      advertisers: [6, 6],
      advertiserGroups: [2, 2],
      campaigns: [25, 25],
      placements: [380, 420],
      placementGroups: [60, 110],
      creatives: [230, 270],
      ads: [480, 560],
      sites: [18, 24],
      projects: [6, 6],
      eventTags: [8, 30],
      changeLogs: [20, 60],
    }
    for (const [collection, [low, high]] of Object.entries(counts)) {
      const { length } = (await world.list(collection)).body[collection]
      expect(length, collection).toBeGreaterThanOrEqual(low)
      expect(length, collection).toBeLessThanOrEqual(high)
    }
    const today = new Date(now).toISOString().slice(0, 10)
    const { campaigns } = (await world.list('campaigns')).body as {
      campaigns: Array<{ startDate: string; endDate: string }>
    }
    const over = campaigns.filter(({ endDate }) => endDate < today).length
    const planned = campaigns.filter(({ startDate }) => startDate > today).length
    for (const count of [over, planned, campaigns.length - over - planned]) expect(count).toBeGreaterThan(3)
    const { body: first } = await world.get('campaigns', world.ids.campaignId!)
    expect(first).toMatchObject({ advertiserId: world.ids.advertiserId })
    expect(first.startDate < today && first.endDate > today).toBe(true)
    expect((await world.get('sites', world.ids.siteId!)).status).toBe(200)
  })

  it('are deterministic for the clock and grow with the scale', async () => {
    const dump = async (scale: number): Promise<JsonObject> => {
      const client = await connect({ seed: 'demo', now: () => now, scale })
      return (await client.get('/sandbox/v1/state')).body
    }
    const [first, second] = [await dump(1), await dump(1)]
    expect(second.trafficking).toEqual(first.trafficking)
    const more = (await dump(2)).trafficking as Record<string, JsonObject>
    expect(Object.keys(more.campaigns!)).toHaveLength(50)
  })

  it.each(versionsOf('trafficking'))('accept their own records in %s', async (version) => {
    const world = await traffic(version, { seed: 'demo' })
    const { methods } = tableOf('trafficking', version)
    const updates = methods.filter(({ id }) => /\.update$/.test(id) && !/reports|Shares|creativeFieldValues/.test(id))
    for (const { id } of updates) {
      const collection = id.split('.')[1]!
      const list = methods.find((method) => method.id === `trafficking.${collection}.list`)!
      const narrowed = /^(remarketingLists|trackingActivities)$/.test(collection)
        ? { advertiserId: world.ids.advertiserId }
        : {}
      const all = (await world.list(collection, narrowed)).body[list.items!] as JsonObject[]
      expect(all.length, collection).toBeGreaterThan(0)
      // An unmapped site lacks what a new one needs.
      for (const object of all.filter((one) => collection !== 'sites' || one.directorySiteId).slice(0, 60)) {
        const reply = await world.update(collection, object)
        expect(reply.status, `${collection} ${JSON.stringify(reply.body)}`).toBe(200)
        const { lastModifiedInfo: _modified, version: _version, ...rest } = reply.body
        const { lastModifiedInfo: _before, version: _number, ...was } = object
        expect(rest).toEqual(was)
      }
    }
  })

  it('reduce to a few objects in the empty seed', async () => {
    const world = await traffic()
    const state = (await world.client.get('/sandbox/v1/state')).body.trafficking as Record<string, JsonObject>
    const counts = Object.fromEntries(Object.entries(state).map(([name, list]) => [name, Object.keys(list).length]))
    expect(counts).toEqual({
      accountUserProfiles: 3,
      accounts: 1,
      advertisers: 1,
      campaigns: 1,
      sites: 1,
      subaccounts: 1,
      trackingConfigurations: 1,
      userRoles: 3,
    })
    for (const [name, collection] of [
      ['accountId', 'accounts'],
      ['advertiserId', 'advertisers'],
      ['campaignId', 'campaigns'],
      ['siteId', 'sites'],
    ] as const)
      expect((await world.get(collection, world.ids[name]!)).status, name).toBe(200)
    expect((await world.client.get('/trafficking/v3.4/userprofiles')).body.items).toHaveLength(1)
  })
})
