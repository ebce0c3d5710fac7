import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { Change } from '../../src-renderer/replica/api'
import { cases, drawSeed } from '../helpers/ring'
import { accountForFile } from '../helpers/whole-account'
import { seeded } from './model/clock'

// Drafts that depend on each other are posted in an order in which the service rejects none, however they were made.

const account = accountForFile()

const dayMs = 86_400_000
const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const keyOf = (collection: CollectionName, id: unknown): string => recordKey(collection, account.profile, String(id))
async function living(collection: 'campaigns' | 'placements' | 'ads'): Promise<JsonObject[]> {
  const { service, profile } = account
  const answer = await service.client.call(`trafficking.${collection}.list`, { profileId: profile, archived: false })
  return (answer.body as JsonObject)[collection] as JsonObject[]
}

/** Edits, in the order in which they were made, so that their result is valid: each depends on others. */
interface Draw {
  random: () => number
  edits: Change[]
}
const between = ({ random }: Draw, from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

/** Moves a campaign, longer or shorter, and the flights in it. */
function moveFlights(draw: Draw, campaign: JsonObject, placements: readonly JsonObject[], from: number): void {
  const start = from + between(draw, 0, 200) * dayMs
  const end = start + between(draw, 20, 200) * dayMs
  const dates = { startDate: dateOf(start), endDate: dateOf(end) }
  draw.edits.push({ kind: 'change', key: keyOf('campaigns', campaign['id']), patch: dates })
  for (const placement of placements) {
    const own = start + between(draw, 0, 10) * dayMs
    const flight = { startDate: dateOf(own), endDate: dateOf(end - between(draw, 0, 9) * dayMs) }
    const schedule = placement['pricingSchedule'] as JsonObject
    const [period] = schedule['pricingPeriods'] as JsonObject[]
    const pricingSchedule = {
      ...schedule,
      ...flight,
      testingStartDate: flight.startDate,
      pricingPeriods: [{ ...period, ...flight }],
    }
    draw.edits.push({ kind: 'change', key: keyOf('placements', placement['id']), patch: { pricingSchedule } })
  }
}

/** Renames campaigns of one advertiser, each but the first to the former name of the one before. */
function passNames(draw: Draw, campaigns: readonly JsonObject[], number: number): void {
  let name = `Renamed ${number}`
  for (const campaign of campaigns) {
    draw.edits.push({ kind: 'change', key: keyOf('campaigns', campaign['id']), patch: { name } })
    name = String(campaign['name'])
  }
}

/** Archived landing pages and event tags in use, of which the drafts restore, use, and delete some. */
async function prepare(
  ads: readonly JsonObject[],
  campaigns: readonly JsonObject[],
  number: number,
): Promise<string[][]> {
  const { replica } = account.device
  const make = (collection: CollectionName, value: JsonObject): Change => ({
    kind: 'create',
    collection,
    parent: account.profile,
    value,
  })
  const made = await replica.edit(
    [
      ...ads.map(({ advertiserId }, at) =>
        make('advertiserLandingPages', {
          name: `Page ${number} ${at}`,
          url: 'https://www.example/',
          advertiserId: advertiserId!,
        }),
      ),
      ...campaigns.map(({ id, advertiserId }, at) =>
        make('eventTags', {
          ...{ name: `Tag ${number} ${at}`, campaignId: id!, advertiserId: advertiserId!, enabledByDefault: false },
          ...{ status: 'ENABLED', type: 'IMPRESSION_IMAGE_EVENT_TAG', url: 'https://www.example/tag' },
        }),
      ),
    ],
    { label: 'Prepare' },
  )
  const pages = made.keys.slice(0, ads.length)
  const tags = made.keys.slice(ads.length)
  await sent()
  await replica.edit(
    [
      ...pages.map((key): Change => ({ kind: 'delete', key: replica.realKey(key) })),
      ...campaigns.map(({ id }, at): Change => {
        const override = { id: idOf(replica.realKey(tags[at]!)), enabled: true }
        return { kind: 'change', key: keyOf('campaigns', id), patch: { eventTagOverrides: [override] } }
      }),
    ],
    { label: 'Prepare' },
  )
  await sent()
  return [pages, tags].map((keys) => keys.map((key) => replica.realKey(key)))
}
const idOf = (key: string): string => key.split('\n')[2]!

/** Posts everything and waits until it is sent. */
async function sent(): Promise<void> {
  const { replica, until } = account.device
  await replica.post()
  await until('everything is sent or asked', ({ status }) => status.unsent === status.needsYou, 200_000)
  expect(
    replica
      .outbox()
      .map(
        ({ label, collection, fault, conflict }) =>
          `${label} ${collection}: ${fault?.message ?? JSON.stringify(conflict)}`,
      ),
  ).toEqual([])
}

it('drafts that depend on each other are posted without a rejection, whatever order they were made in', async () => {
  const { device } = account
  await device.settled()
  let counted = 0
  const start = systemClock.now() + 30 * dayMs
  for (let round = 0; round < cases(2, 5); round++) {
    const seed = drawSeed + round
    const draw: Draw = { random: seeded(seed), edits: [] }
    const ads = (await living('ads')).filter(({ type }) => type === 'AD_SERVING_STANDARD_AD').slice(0, cases(5, 30))
    const [pages, tags] = await prepare(ads, (await living('campaigns')).slice(0, cases(3, 12)), seed)
    const campaigns = await living('campaigns')
    const placements = await living('placements')
    for (const campaign of campaigns) {
      const own = placements.filter(({ campaignId }) => campaignId === campaign['id'])
      moveFlights(draw, campaign, own.slice(0, cases(3, 40)), start)
    }
    const advertisers = [...new Set(campaigns.map(({ advertiserId }) => advertiserId))]
    advertisers.forEach((id, at) => {
      const own = campaigns.filter(({ advertiserId }) => advertiserId === id)
      passNames(draw, own, seed * 100 + at)
    })
    ads.forEach(({ id }, at) => {
      const clickThroughUrl = { defaultLandingPage: false, landingPageId: idOf(pages![at]!) }
      draw.edits.push({ kind: 'change', key: pages![at]!, patch: { archived: false } })
      draw.edits.push({ kind: 'change', key: keyOf('ads', id), patch: { clickThroughUrl } })
    })
    for (const [at, key] of tags!.entries()) {
      draw.edits.push({ kind: 'delete', key })
      draw.edits.push({
        kind: 'change',
        key: keyOf('campaigns', campaigns[at]!['id']),
        patch: { eventTagOverrides: [] },
      })
    }
    for (let at = draw.edits.length - 1; at > 0; at--) {
      const other = between(draw, 0, at)
      ;[draw.edits[at], draw.edits[other]] = [draw.edits[other]!, draw.edits[at]!]
    }
    await device.replica.setOffline(true)
    for (const change of draw.edits) await device.replica.edit([change], { label: `Draw ${seed}` })
    await device.replica.setOffline(false)
    await sent()
    counted += draw.edits.length
  }
  expect(counted).toBeGreaterThan(cases(80, 1_000))
}, 1_200_000)
