import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { Change } from '../../src-renderer/replica/api'
import { leading, spanOfAll, suggestedDays } from '../../src-renderer/views/campaigns/copy-dates'
import { copiesOf, sourcesOf } from '../../src-renderer/views/campaigns/copies'
import { daysBetween } from '../../src-renderer/views/campaigns/flights'
import { usualLimits } from '#shared/changes/money-guard'
import { planPost } from '../../src-renderer/views/campaigns/post-plan'
import { campaignsModel } from '../helpers/campaigns-model'
import { accountForEach, downloadAll, openAccount } from '../helpers/whole-account'

const account = accountForEach(openAccount)
const { service, device } = account

const download = (): Promise<void> => downloadAll(account)
type Listed = 'campaigns' | 'placements' | 'placementGroups' | 'ads' | 'creatives' | 'eventTags' | 'trackingActivities'
async function list(collection: Listed, params: JsonObject = {}): Promise<JsonObject[]> {
  const { body } = await service.client.call(`trafficking.${collection}.list`, {
    profileId: account.profile,
    ...params,
  } as never)
  return ((body as unknown as JsonObject)[collection] as JsonObject[] | undefined) ?? []
}
const patch = (collection: Listed | 'advertiserLandingPages', id: unknown, body: JsonObject): Promise<unknown> =>
  service.client.call(
    `trafficking.${collection}.patch`,
    { profileId: account.profile, id: String(id) } as never,
    { body } as never,
  )
const keyOf = (collection: CollectionName, id: unknown): string => recordKey(collection, account.profile, String(id))
const assigned = (ad: JsonObject): string[] =>
  ((ad.placementAssignments ?? []) as JsonObject[]).map(({ placementId }) => String(placementId))
const creativesOf = ({ creativeRotation }: JsonObject): JsonObject[] =>
  ((creativeRotation as JsonObject | undefined)?.creativeAssignments ?? []) as JsonObject[]

/** A campaign in the future whose ads have more than one placement and creative. */
async function futureCampaign(): Promise<{ campaign: JsonObject; ads: JsonObject[] }> {
  const today = new Date(systemClock.now()).toISOString().slice(0, 10)
  for (const campaign of await list('campaigns', { archived: false })) {
    if (String(campaign.startDate) <= today) continue
    const ads = (await list('ads', { campaignIds: [String(campaign.id)] })).filter(
      ({ type }) => type === 'AD_SERVING_STANDARD_AD',
    )
    if (ads.length > 1 && ads.some((ad) => assigned(ad).length > 0 && creativesOf(ad).length > 0))
      return { campaign, ads }
  }
  throw new Error('The seed has no such campaign')
}

/** Creates copies and posts them until the service has answered all. */
async function postAll(changes: readonly Change[]): Promise<void> {
  const { replica } = device
  await replica.edit(changes, { label: 'Duplicate' })
  const { model } = await campaignsModel(replica, account.profile, 'campaigns')
  const { rows } = await planPost(model, replica.outbox(), usualLimits, new AbortController().signal)
  expect([...rows.values()].flatMap(({ problems }) => problems)).toEqual([])
  await replica.post()
  await device.until(
    'all is decided',
    ({ status }) => status.unsent === 0 || (status.needsYou > 0 && status.phase === 'idle'),
    90_000,
  )
}

const created = (changes: readonly Change[]): Extract<Change, { kind: 'create' }>[] =>
  changes.flatMap((change) => (change.kind === 'create' ? [change] : []))

it('a campaign with archived parts is copied into valid records', async () => {
  const { campaign, ads } = await futureCampaign()
  const campaignIds = [String(campaign.id)]
  const served = ads.find((ad) => assigned(ad).length > 0 && creativesOf(ad).length > 0)!
  const [gonePlacement] = assigned(served)
  const goneCreative = String(creativesOf(served)[0]!.creativeId)
  await patch('placements', gonePlacement, { archived: true })
  await patch('creatives', goneCreative, { archived: true })
  const pageId = String(campaign.defaultLandingPageId)
  const other = ads.find(({ id }) => id !== served.id)!
  await patch('ads', other.id, { clickThroughUrl: { defaultLandingPage: false, landingPageId: pageId } })
  await patch('advertiserLandingPages', pageId, { archived: true })
  const groups = await list('placementGroups', { campaignIds })
  await download()

  const { changes, left } = await copiesOf(device.replica, [keyOf('campaigns', campaign.id)], true, systemClock.now())
  expect(left).toEqual([])
  await postAll(changes)
  expect(
    device.replica.outbox().map(({ label, collection, fault }) => `${label} ${collection} ${fault?.message}`),
  ).toEqual([])

  const copies = await list('campaigns', { searchString: `${String(campaign.name)} (copy)` })
  expect(copies).toHaveLength(1)
  const inCopy = { campaignIds: [String(copies[0]!.id)] }
  const placements = new Set((await list('placements', inCopy)).map(({ id }) => String(id)))
  expect(placements.size).toBe((await list('placements', { campaignIds, archived: false })).length)
  const living = groups.filter(({ archived }) => !archived)
  const copiedGroups = await list('placementGroups', inCopy)
  expect(copiedGroups).toHaveLength(living.length)
  // A roadblock and its primary placement refer to each other.
  expect(copiedGroups.filter(({ primaryPlacementId }) => placements.has(String(primaryPlacementId)))).toHaveLength(
    living.filter(({ primaryPlacementId }) => primaryPlacementId && primaryPlacementId !== gonePlacement).length,
  )
  expect(living.some(({ primaryPlacementId }) => primaryPlacementId)).toBe(true)
  const copied = (await list('ads', inCopy)).filter(({ type }) => type === 'AD_SERVING_STANDARD_AD')
  expect(copied).toHaveLength(ads.filter(({ archived }) => !archived).length)
  for (const ad of copied) {
    for (const id of assigned(ad)) expect(placements.has(id)).toBe(true)
    expect(creativesOf(ad).map(({ creativeId }) => creativeId)).not.toContain(goneCreative)
  }
  const again = copied.find(({ name }) => name === served.name)!
  expect(assigned(again)).toHaveLength(assigned(served).length - 1)
  expect(creativesOf(again)).toHaveLength(creativesOf(served).length - 1)
}, 240_000)

it('a started record gets a valid future start in its copy', async () => {
  const now = systemClock.now()
  const begun = (ad: JsonObject): boolean =>
    ad.type !== 'AD_SERVING_DEFAULT_AD' && !ad.archived && Date.parse(String(ad.startTime)) < now
  const today = new Date(now).toISOString().slice(0, 10)
  const running = (await list('campaigns', { archived: false })).filter(
    ({ startDate, endDate }) => String(startDate) < today && String(endDate) > today,
  )
  let found: { campaign: JsonObject; ads: JsonObject[] } | undefined
  for (const campaign of running) {
    const ads = (await list('ads', { campaignIds: [String(campaign.id)] })).filter(begun)
    if (ads.length > 0) found ??= { campaign, ads }
  }
  expect(found, 'the seed has a campaign that runs').toBeDefined()
  const { campaign, ads } = found!
  await download()
  const { changes, moved } = await copiesOf(device.replica, [keyOf('campaigns', campaign.id)], true, now)
  expect(moved.map(({ value }) => value['name']).sort()).toEqual(ads.map(({ name }) => name).sort())
  await postAll(changes)
  expect(device.replica.outbox().map(({ label, fault }) => `${label} ${fault?.message}`)).toEqual([])
}, 240_000)

it('a record that requires an archived one is left out, and a selected one is copied unchanged', async () => {
  const { campaign } = await futureCampaign()
  const [tag] = await list('eventTags', { campaignId: String(campaign.id) })
  const placements = await list('placements', { campaignIds: [String(campaign.id)], archived: false })
  await download()
  const { replica } = device
  // With an archived campaign, contents of both can't be copied with the advertiser.
  await replica.edit([{ kind: 'delete', key: keyOf('campaigns', campaign.id) }], { label: 'Archive' })
  const whole = await copiesOf(replica, [keyOf('advertisers', campaign.advertiserId)], true, systemClock.now())
  const out = new Set(whole.left)
  for (const { id } of placements) expect(out.has(keyOf('placements', id))).toBe(true)
  if (tag) expect(out.has(keyOf('eventTags', tag.id))).toBe(false)
  expect(created(whole.changes).some(({ collection }) => collection === 'placements')).toBe(true)
  const names = JSON.stringify(whole.changes)
  expect(names).not.toContain(`"campaignId":"${String(campaign.id)}"`)

  const one = await copiesOf(replica, [keyOf('placements', placements[0]!.id)], false, systemClock.now())
  expect(one.left).toEqual([])
  expect(created(one.changes).map(({ value }) => value['campaignId'])).toEqual([campaign.id])
})

it('a second copy gets its own name', async () => {
  const { campaign } = await futureCampaign()
  await download()
  const { replica } = device
  const key = keyOf('campaigns', campaign.id)
  for (const end of [' (copy)', ' (copy 2)']) {
    const { changes } = await copiesOf(replica, [key], false, systemClock.now())
    expect(created(changes).map(({ value }) => value['name'])).toEqual([`${String(campaign.name)}${end}`])
    await replica.edit(changes, { label: 'Duplicate' })
  }
})

it('copies of one step get different names and no tag string that is taken', async () => {
  const { campaign } = await futureCampaign()
  const [activity] = await list('trackingActivities', { advertiserId: String(campaign.advertiserId) })
  await download()
  const { replica } = device
  // Cut to their greatest length, the names of both copies are the same.
  const [long, other] = ['first', 'other'].map((end) => ({
    ...{ name: `${'x'.repeat(248)} ${end}`, advertiserId: String(campaign.advertiserId) },
    ...{ startDate: campaign.startDate!, endDate: campaign.endDate! },
  }))
  const { keys } = await replica.edit(
    [long!, other!].map((value) => ({ kind: 'create', collection: 'campaigns', parent: account.profile, value })),
    { label: 'Add' },
  )
  const { changes } = await copiesOf(replica, keys, false, systemClock.now())
  const names = created(changes).map(({ value }) => value['name'])
  expect([names.length, new Set(names).size]).toEqual([2, 2])

  const [copy] = created(
    (await copiesOf(replica, [keyOf('trackingActivities', activity!.id)], false, systemClock.now())).changes,
  )
  expect([activity!.tagString, copy!.value['tagString']]).toEqual([expect.any(String), undefined])
})

/** An ended campaign with all its contents unarchived. */
async function endedCampaign(): Promise<JsonObject> {
  const today = new Date(systemClock.now()).toISOString().slice(0, 10)
  for (const campaign of await list('campaigns')) {
    if (String(campaign.endDate) >= today) continue
    const campaignIds = [String(campaign.id)]
    const placements = await list('placements', { campaignIds })
    const ads = (await list('ads', { campaignIds })).filter(({ type }) => type !== 'AD_SERVING_DEFAULT_AD')
    if (placements.length < 2 || ads.length === 0) continue
    if (campaign.archived) await patch('campaigns', campaign.id, { archived: false })
    for (const [collection, all] of Object.entries({ placements, ads }) as [Listed, JsonObject[]][])
      for (const { id, archived } of all) if (archived) await patch(collection, id, { archived: false })
    return campaign
  }
  throw new Error('The seed has no such campaign')
}

it("an ended campaign's copy starts today with valid contents", async () => {
  const campaign = await endedCampaign()
  const campaignIds = [String(campaign.id)]
  const own = await list('placements', { campaignIds })
  const [one] = own
  const end = ({ pricingSchedule }: JsonObject): string => String((pricingSchedule as JsonObject).endDate)
  await download()
  const { replica } = device
  const now = systemClock.now()
  const today = new Date(now).toISOString().slice(0, 10)
  const key = keyOf('campaigns', campaign.id)
  const sources = await sourcesOf(replica, [key], true)
  const days = suggestedDays(spanOfAll(replica.facts, leading(replica.facts, sources.values()))!, today)
  expect(days).toBe(daysBetween(String(campaign.startDate), today))
  const { changes, copied, moved, cut } = await copiesOf(replica, [key], true, now, { days, zone: 'Europe/Berlin' })
  await postAll(changes)
  expect(replica.outbox().map(({ label, collection, fault }) => `${label} ${collection} ${fault?.message}`)).toEqual([])
  const [copy] = await list('campaigns', { searchString: `${String(campaign.name)} (copy)` })
  expect(copy).toMatchObject({ startDate: today })
  const length = daysBetween(String(campaign.startDate), String(campaign.endDate))
  expect(daysBetween(today, String(copy!.endDate))).toBe(length)
  const placements = await list('placements', { campaignIds: [String(copy!.id)] })
  expect(placements).toHaveLength(own.length)
  expect(daysBetween(end(one!), end(placements.find(({ name }) => name === one!.name)!))).toBe(days)
  expect(copied.length).toBeGreaterThan(own.length)
  expect(cut).toEqual([])
  // Ads that start on the first morning move to the next full hour.
  expect(moved.every(({ value }) => String(value['startTime']).slice(0, 10) >= today)).toBe(true)
}, 240_000)

it('placements beyond a shortened campaign are trimmed in its copy', async () => {
  const now = systemClock.now()
  const today = new Date(now).toISOString().slice(0, 10)
  const ends = new Date(now + 3 * 86_400_000).toISOString().slice(0, 10)
  const isLonger = ({ startDate, endDate }: JsonObject): boolean => String(startDate) < today && String(endDate) > ends
  const campaign = (await list('campaigns', { archived: false })).find(isLonger)!
  await patch('campaigns', campaign.id, { endDate: ends })
  await download()
  const { changes, cut } = await copiesOf(device.replica, [keyOf('campaigns', campaign.id)], true, now)
  expect(cut.length).toBeGreaterThan(0)
  expect(cut.map(({ value }) => (value['pricingSchedule'] as JsonObject).endDate)).toEqual(cut.map(() => ends))
  await postAll(changes)
  expect(device.replica.outbox().map(({ label, fault }) => `${label} ${fault?.message}`)).toEqual([])
}, 240_000)
