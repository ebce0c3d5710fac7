import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FaultCode } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { recordKey } from '#shared/domain/collections'
import { cases } from '../helpers/ring'
import { seeded, VirtualClock } from './model/clock'
import { Device } from './model/device'
import { ModelService } from './model/service'

const profile = '71'
const pricingSchedule = { pricingType: 'PRICING_TYPE_CPM', startDate: '2026-03-02', endDate: '2026-04-30' }

it.each([
  ['before', 'all'],
  ['after', 'all'],
  ['before', 'index'],
  ['after', 'index'],
] as const)(
  'a new placement with an existing name is its own record when the response is lost %s its creation (downloaded: %s)',
  async (when, what) => {
    const { clock, service, device, replica, wanted, older } = await deviceInCampaign(what, 'Left')
    expect(await device.stored('placements', profile)).toHaveLength(what === 'all' ? 1 : 0)
    let lost = false
    service.trouble = ({ id }, moment) => {
      if (lost || id !== 'trafficking.placements.insert' || moment !== when) return undefined
      lost = true
      return 'answerLost'
    }
    const value = { ...wanted, comment: 'Ours' }
    const { keys } = await replica.edit([{ kind: 'create', collection: 'placements', parent: profile, value }], {
      label: 'New *Left*',
    })
    await replica.post()
    await clock.pass(180_000)
    expect([lost, replica.outbox()]).toEqual([true, []])
    const there = service.trafficking.living('placements', '1')
    expect(there.map(({ comment }) => comment)).toEqual([undefined, 'Ours'])
    const row = replica.peek(keys[0]!) ?? (await replica.read(keys[0]!))
    expect(row?.key).toBe(recordKey('placements', profile, String(there[1]!.id)))
    expect(row?.id).not.toBe(older!.id)
    expect(replica.realKey(keys[0]!)).toBe(row?.key)
  },
)

/** A device in a campaign that can get new placements. `named`: one with this name already exists. */
async function deviceInCampaign(what: 'all' | 'index' = 'all', named?: string) {
  const clock = new VirtualClock()
  const service = new ModelService(() => clock.time)
  service.trafficking.profiles.push({ id: profile, account: '1', name: 'Mine', mine: true })
  const make = (collection: string, body: JsonObject): JsonObject =>
    service.callAs('x', `trafficking.${collection}.insert`, { profileId: profile }, body)!
  const advertiser = make('advertisers', { name: 'Nordic' })
  const dates = { startDate: '2026-03-01', endDate: '2026-05-01' }
  const campaign = make('campaigns', { name: 'Spring', advertiserId: advertiser.id!, ...dates })
  const wanted: JsonObject = {
    name: named ?? 'Left (copy)',
    advertiserId: advertiser.id!,
    campaignId: campaign.id!,
    compatibility: 'DISPLAY',
    paymentSource: 'PLACEMENT_AGENCY_PAID',
    size: { width: 300, height: 250 },
    tagFormats: ['PLACEMENT_TAG_STANDARD'],
    pricingSchedule,
  }
  const older = named === undefined ? undefined : make('placements', wanted)
  const device = new Device('d0', service, clock, seeded(1))
  const replica = await device.start()
  await clock.pass(2_000)
  await replica.download({ parent: profile, what })
  await clock.pass(5_000)
  return { clock, service, device, replica, wanted, older }
}

it('several new placements with one name are all created as typed, whatever happens to their requests', async () => {
  const trouble = fc.constantFrom(undefined, 'unavailable', 'answerLost', 'badAnswer')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      // The fifth failure of one request needs attention.
      fc
        .array(fc.tuple(fc.constantFrom('before', 'after'), trouble), { maxLength: 6 })
        .filter((troubles) => troubles.filter(([, code]) => code !== undefined).length < 5),
      async (count, troubles) => {
        const { clock, service, replica, wanted } = await deviceInCampaign()
        let call = 0
        service.trouble = ({ id }, moment) => {
          if (id !== 'trafficking.placements.insert') return undefined
          const [when, code] = troubles[call] ?? []
          if (when === moment || (moment === 'after' && code === undefined)) call++
          return when === moment ? (code as FaultCode | undefined) : undefined
        }
        const typed = Array.from({ length: count }, (_unused, at) => `typed ${at}`)
        for (const comment of typed)
          await replica.edit(
            [{ kind: 'create', collection: 'placements', parent: profile, value: { ...wanted, comment } }],
            { label: 'Copy' },
          )
        await replica.post()
        for (let minutes = 0; minutes < 30 && replica.outbox().length > 0; minutes++) await clock.pass(60_000)
        expect(replica.outbox()).toEqual([])
        const there = service.trafficking.living('placements', '1')
        expect(there.map(({ comment }) => comment).sort()).toEqual(typed)
      },
    ),
    { numRuns: cases(60, 600) },
  )
})

it("a new placement with a lost response isn't matched to an older draft of its name posted since", async () => {
  const { clock, service, replica, wanted } = await deviceInCampaign()
  for (const comment of ['older', 'newer']) {
    const value = { ...wanted, comment }
    await replica.edit([{ kind: 'create', collection: 'placements', parent: profile, value }], { label: 'Copy' })
  }
  const [older, newer] = replica.outbox().map(({ id }) => id)
  let lost = false
  service.trouble = ({ id }, moment) => {
    if (lost || id !== 'trafficking.placements.insert' || moment !== 'before') return undefined
    lost = true
    return 'answerLost'
  }
  await replica.post([newer!])
  for (let tenths = 0; tenths < 100 && !lost; tenths++) await clock.pass(100)
  expect(lost).toBe(true)
  await replica.post([older!])
  await clock.pass(180_000)
  expect(replica.outbox()).toEqual([])
  const there = service.trafficking.living('placements', '1')
  expect(there.map(({ comment }) => comment).sort()).toEqual(['newer', 'older'])
})

describe('a new record with a lost request or response', () => {
  const theirs = '72'
  const kinds = [
    ['placements', {}],
    ['eventTags', { type: 'IMPRESSION_IMAGE_EVENT_TAG', url: 'https://tag.example/', status: 'ENABLED' }],
    ['advertiserLandingPages', { url: 'https://page.example/' }],
  ] as const

  it.each(kinds)("isn't confused with someone else's of the same name: %s", async (collection, more) => {
    const { clock, service, replica, wanted } = await deviceInCampaign()
    service.trafficking.profiles.push({ id: theirs, account: '1', name: 'Mina', mine: false })
    const body = bodyOf(collection, wanted, more)
    let lost = false
    service.trouble = ({ id }, moment) => {
      if (lost || id !== `trafficking.${collection}.insert` || moment !== 'before') return undefined
      lost = true
      service.callAs('mina', id, { profileId: theirs }, body)
      return 'answerLost'
    }
    await replica.edit(
      [{ kind: 'create', collection, parent: profile, value: { ...body, ...distinguishing(collection) } }],
      {
        label: 'New',
      },
    )
    await replica.post()
    await clock.pass(300_000)
    expect([lost, replica.outbox()]).toEqual([true, []])
    const there = service.trafficking.living(collection, '1').filter(({ name }) => name === body['name'])
    expect(there).toHaveLength(2)
    expect(there.filter((one) => isDistinct(collection, one))).toHaveLength(1)
  })

  it.each(kinds.flatMap(([collection, more]) => [false, true].map((pulled) => [collection, pulled, more] as const)))(
    'is found even if renamed before the lookup: %s (read first: %s)',
    async (collection, pulled, more) => {
      const { clock, service, replica, wanted } = await deviceInCampaign()
      service.trafficking.profiles.push({ id: theirs, account: '1', name: 'Mina', mine: false })
      const body = bodyOf(collection, wanted, more)
      let lost = 0
      service.trouble = ({ id }, moment) => {
        if (id !== `trafficking.${collection}.insert` || lost > 0 || moment !== 'after') return undefined
        lost++
        const [made] = service.trafficking.living(collection, '1').filter(({ name }) => name === body['name'])
        const change = { name: 'Called otherwise' }
        service.callAs('mina', `trafficking.${collection}.patch`, { profileId: theirs, id: made!.id! }, change)
        return 'answerLost'
      }
      const { keys } = await replica.edit([{ kind: 'create', collection, parent: profile, value: body }], {
        label: 'New',
      })
      await replica.post()
      if (pulled) replica.syncNow()
      await clock.pass(300_000)
      expect([lost, replica.outbox()]).toEqual([1, []])
      const there = service.trafficking.living(collection, '1')
      expect(there.map(({ name }) => name)).toEqual(['Called otherwise'])
      expect((await replica.read(keys[0]!))?.value?.['name']).toBe('Called otherwise')
    },
  )

  const bodyOf = (collection: string, wanted: JsonObject, more: JsonObject): JsonObject =>
    collection === 'placements' ? wanted : { name: 'Twin', advertiserId: wanted['advertiserId']!, ...more }
  const distinguishing = (collection: string): JsonObject =>
    collection === 'placements' ? { comment: 'Ours' } : { url: 'https://ours.example/' }
  const isDistinct = (collection: string, one: JsonObject): boolean =>
    Object.entries(distinguishing(collection)).every(([field, value]) => one[field] === value)
})
