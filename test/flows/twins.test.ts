import { expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { recordKey } from '#shared/domain/collections'
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
  'a new placement by the name of an older one is its own, though the answer was lost %s it was made (kept here: %s)',
  async (when, what) => {
    const clock = new VirtualClock()
    const service = new ModelService(() => clock.time)
    service.trafficking.profiles.push({ id: profile, account: '1', name: 'Mine', mine: true })
    const make = (collection: string, body: JsonObject): JsonObject =>
      service.callAs('x', `trafficking.${collection}.insert`, { profileId: profile }, body)!
    const advertiser = make('advertisers', { name: 'Nordic' })
    const dates = { startDate: '2026-03-01', endDate: '2026-05-01' }
    const campaign = make('campaigns', { name: 'Spring', advertiserId: advertiser.id!, ...dates })
    const wanted: JsonObject = {
      name: 'Left',
      advertiserId: advertiser.id!,
      campaignId: campaign.id!,
      compatibility: 'DISPLAY',
      paymentSource: 'PLACEMENT_AGENCY_PAID',
      size: { width: 300, height: 250 },
      tagFormats: ['PLACEMENT_TAG_STANDARD'],
      pricingSchedule,
    }
    const older = make('placements', wanted)
    const device = new Device('d0', service, clock, seeded(1))
    const replica = await device.start()
    await clock.pass(2_000)
    await replica.download({ parent: profile, what })
    await clock.pass(5_000)
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
    expect(row?.id).not.toBe(older.id)
  },
)
