import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { Change } from '../../src-renderer/replica/api'
import { usualLimits } from '#shared/changes/money-guard'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { checkRecords } from '../../src-renderer/views/campaigns/checking'
import { leftBehind } from '../../src-renderer/views/campaigns/left-behind'
import { heldUpBy } from '../../src-renderer/context/held-up-by'
import { planPost, type PlannedRow, type PostPlan } from '../../src-renderer/views/campaigns/post-plan'
import { campaignsModel } from '../helpers/campaigns-model'
import { accountForFile } from '../helpers/whole-account'

const account = accountForFile()

const dayMs = 86_400_000
const now = systemClock.now()
const day = (days: number): string => new Date(now + days * dayMs).toISOString().slice(0, 10)
const moment = (days: number): string => new Date(now + days * dayMs).toISOString()

type Listed = 'campaigns' | 'placements' | 'ads'
async function list(collection: Listed, params: JsonObject = {}): Promise<JsonObject[]> {
  const { body } = await account.service.client.call(`trafficking.${collection}.list`, {
    profileId: account.profile,
    archived: false,
    ...params,
  } as never)
  return ((body as unknown as JsonObject)[collection] as JsonObject[] | undefined) ?? []
}

const planOf = (model: CampaignsModel, drafts: readonly OutboxEntry[]): Promise<PostPlan> =>
  planPost(model, drafts, usualLimits, new AbortController().signal)
const stoppedIn = ({ rows }: PostPlan): PlannedRow[] => [...rows.values()].filter(({ problems }) => problems.length > 0)

it('the check finds no error in untouched records', async () => {
  const { findings, count } = await checkRecords(account.device.replica, { profile: account.profile, today: day(0) })
  expect(count).toBeGreaterThan(500)
  const errors = findings.filter(({ rule }) => rule.severity === 'error')
  expect(errors.map(({ rule, words, record }) => `${rule.id} ${record.key}: ${words}`)).toEqual([])
})

it('flights that outgrow their campaign are sent after it, although they were edited first', async () => {
  const { device, profile } = account
  const { replica } = device
  const home = (await list('campaigns')).find(({ endDate }) => String(endDate) > day(9))!
  const placements = (await list('placements', { campaignIds: [String(home.id)] })).slice(0, 3)
  const later = new Date(Date.parse(String(home.endDate)) + 7 * dayMs).toISOString().slice(0, 10)
  const key = (collection: CollectionName, { id }: JsonObject): string => recordKey(collection, profile, String(id))
  const moved = placements.map((one): Change => {
    const own = one.pricingSchedule as JsonObject
    const pricingPeriods = (own.pricingPeriods as JsonObject[]).map((period, at, all) =>
      at === all.length - 1 ? { ...period, endDate: later } : period,
    )
    const patch = { pricingSchedule: { ...own, endDate: later, pricingPeriods } }
    return { kind: 'change', key: key('placements', one), patch }
  })
  await replica.edit(moved, { label: 'Extend placements' })
  await replica.edit([{ kind: 'change', key: key('campaigns', home), patch: { endDate: later } }], { label: 'Extend' })
  const [first] = replica.outbox()
  // What one of them needs goes along.
  expect(await replica.post([first!.id])).toBe(2)
  await replica.post()
  await device.until('all is sent', ({ status }) => status.unsent === 0 || status.needsYou > 0)
  expect(replica.outbox().map(({ fault }) => fault?.message)).toEqual([])
  await replica.undo()
  await replica.undo()
  for (const { id } of replica.outbox()) await replica.withdraw(id).catch(() => undefined)
})

it('names what ends with the old flight, or before a placement that it serves', async () => {
  const { device, profile } = account
  const { replica } = device
  const { model } = await campaignsModel(replica, profile, 'campaigns')
  const key = (collection: CollectionName, { id }: JsonObject): string => recordKey(collection, profile, String(id))
  const scheduleOf = (one: JsonObject): JsonObject => one.pricingSchedule as JsonObject
  const home = (await list('campaigns')).filter(({ endDate }) => String(endDate) > day(9)).at(-1)!
  const inside = (await list('placements', { campaignIds: [String(home.id)] })).filter(
    (one) => scheduleOf(one).endDate === home.endDate,
  )
  expect(inside.length).toBeGreaterThan(1)
  const shifted = ({ endDate }: JsonObject, days: number): string =>
    new Date(Date.parse(String(endDate)) + days * dayMs).toISOString().slice(0, 10)
  const later = shifted(home, 7)
  const left = async (...changes: Change[]): Promise<[words: string, keys: string[]][]> => {
    await replica.edit(changes, { label: 'Extend' })
    const plan = await planOf(model, replica.outbox())
    const found = await leftBehind(model, [...plan.rows.values()], new AbortController().signal)
    return found.map(({ words, keys }) => [words, [...keys].sort()])
  }
  const extended = await left({ kind: 'change', key: key('campaigns', home), patch: { endDate: later } })
  expect(extended.filter(([words]) => words.includes('ads'))).toEqual([])
  expect(extended.find(([words]) => words.includes('placements'))).toEqual([
    expect.stringMatching(`^${inside.length} placements still end on .*, before the new end date of the campaign$`),
    inside.map((one) => key('placements', one)).sort(),
  ])

  // With several campaigns, the day of one isn’t that of all.
  const other = (await list('campaigns'))
    .filter(({ endDate }) => String(endDate) > day(9) && endDate !== home.endDate)
    .at(-1)!
  const both = await left({ kind: 'change', key: key('campaigns', other), patch: { endDate: shifted(other, 7) } })
  const words = both.map(([text]) => text).find((text) => text.includes('placements'))!
  expect(words).toMatch(/^\d+ placements still end before the new end dates of their campaigns \(earliest: /)
  expect(Number.parseInt(words)).toBeGreaterThan(inside.length)
  await replica.undo()

  const along = inside.map((one): Change => {
    const pricingPeriods = (scheduleOf(one).pricingPeriods as JsonObject[]).map((period) => ({
      ...period,
      endDate: later,
    }))
    const pricingSchedule = { ...scheduleOf(one), endDate: later, pricingPeriods }
    return { kind: 'change', key: key('placements', one), patch: { pricingSchedule } }
  })
  const served = new Set(inside.map(({ id }) => id))
  const short = (await list('ads', { campaignIds: [String(home.id)] })).filter(
    ({ active, type, placementAssignments = [], endTime }) =>
      active !== false &&
      type !== 'AD_SERVING_DEFAULT_AD' &&
      (placementAssignments as JsonObject[]).some(({ placementId }) => served.has(placementId!)) &&
      String(endTime).slice(0, 10) >= String(home.endDate),
  )
  expect(short.length).toBeGreaterThan(0)
  const withPlacements = await left(...along)
  expect(withPlacements.filter(([words]) => /ends? before (its|their) placements/.test(words))).toEqual([
    [
      expect.stringMatching(/^\d+ ads? ends? before (its|their) placements/),
      short.map((one) => key('ads', one)).sort(),
    ],
  ])
  await replica.undo()
  await replica.undo()
  expect(replica.outbox()).toEqual([])
})

it('counts days in the zone of the account', async () => {
  const { device, profile } = account
  const { replica } = device
  const { model } = await campaignsModel(replica, profile, 'campaigns')
  const zoned = Object.assign(model, { zone: 'America/New_York' })
  const [ad] = (await list('ads')).filter(
    ({ active, type, placementAssignments = [] }) =>
      active !== false && type === 'AD_SERVING_STANDARD_AD' && (placementAssignments as JsonObject[]).length === 1,
  ) as [JsonObject]
  const [{ placementId }] = ad.placementAssignments as [JsonObject]
  const placement = (await list('placements')).find(({ id }) => id === placementId)!
  const schedule = placement.pricingSchedule as JsonObject
  const last = String(schedule.endDate)
  const next = new Date(Date.parse(last) + dayMs).toISOString().slice(0, 10)
  const key = (collection: CollectionName, { id }: JsonObject): string => recordKey(collection, profile, String(id))
  // The last minute of the old last day in New York is in the next day in UTC.
  const ends = new Date(Date.parse(`${next}T03:59:00Z`)).toISOString()
  await replica.edit([{ kind: 'change', key: key('ads', ad), patch: { endTime: ends } }], { label: 'End' })
  await replica.edit(
    [
      {
        ...{ kind: 'change', key: key('placements', placement) },
        patch: { pricingSchedule: { ...schedule, endDate: next } },
      },
    ],
    { label: 'Extend' },
  )
  const plan = await planOf(zoned, replica.outbox())
  const found = await leftBehind(zoned, [...plan.rows.values()], new AbortController().signal)
  expect(found.some(({ keys }) => keys.includes(key('ads', ad)))).toBe(true)
  await replica.undo()
  await replica.undo()
})

it('errors that checks find in drafts stop them, and warnings about money are listed', async () => {
  const { device, profile } = account
  const { replica } = device
  const { model } = await campaignsModel(replica, profile, 'placements')
  const key = (collection: CollectionName, { id }: JsonObject): string => recordKey(collection, profile, String(id))
  const campaigns = await list('campaigns')
  const home = campaigns.find(({ endDate }) => String(endDate) > day(9))!
  const other = campaigns.find(({ advertiserId }) => advertiserId !== home.advertiserId)!
  const placements = await list('placements', { campaignIds: [String(home.id)] })
  const [ad, gone] = (await list('ads', { campaignIds: [String(home.id)] })).filter(
    ({ type }) => type === 'AD_SERVING_STANDARD_AD',
  )
  const scheduleOf = (one: JsonObject): JsonObject => one.pricingSchedule as JsonObject
  const alike = placements.find(
    (one) =>
      !String(scheduleOf(one).pricingType).includes('FLAT') &&
      placements.filter(
        (near) => near.siteId === one.siteId && scheduleOf(near).pricingType === scheduleOf(one).pricingType,
      ).length > 3,
  )!
  const [price] = scheduleOf(alike).pricingPeriods as JsonObject[]
  const priced = (nanos: string, units: unknown): JsonObject => ({
    pricingSchedule: {
      ...scheduleOf(alike),
      pricingPeriods: [{ ...price, units: units as string, rateOrCostNanos: nanos }],
    },
  })
  const { id: _id, ...content } = alike
  await replica.edit(
    [
      { kind: 'change', key: key('campaigns', home), patch: { defaultLandingPageId: other.defaultLandingPageId! } },
      { kind: 'change', key: key('placements', alike), patch: priced('900000000000', price!.units) },
      {
        ...{ kind: 'create', collection: 'placements', parent: profile },
        value: { ...content, name: 'Large and new', ...priced(String(price!.rateOrCostNanos), '9000000000') },
      },
      {
        ...{ kind: 'change', key: key('ads', ad!) },
        patch: { placementAssignments: [{ placementId: '99999999', active: true }] },
      },
      { kind: 'change', key: key('ads', gone!), patch: { comments: 'Only a note' } },
    ],
    { label: 'Check' },
  )
  const drafts = replica.outbox().filter(({ label }) => label === 'Check')
  const plan = await planOf(model, drafts)
  expect(stoppedIn(plan).map(({ key: stopped, problems }) => [stopped, ...problems.map(({ words }) => words)])).toEqual(
    [
      [key('campaigns', home), 'The landing page belongs to another advertiser'],
      [key('ads', ad!), 'The linked record doesn’t exist'],
    ],
  )
  expect(plan.warnings.map(({ rule, record }) => [rule.id, record.key])).toContainEqual([
    'price.unusual',
    key('placements', alike),
  ])
  const asked = [...plan.rows.values()].flatMap(({ title, kind, jumps }) =>
    jumps.some(({ path }) => path === 'fx.cost') ? [[kind, title]] : [],
  )
  expect(asked).toContainEqual(['new', 'Large and new'])
  await replica.undo()
})

it("draft validation matches the service's rejections exactly", async () => {
  const { device, profile } = account
  const { replica } = device
  const { model } = await campaignsModel(replica, profile, 'campaigns')
  const campaigns = await list('campaigns')
  const isLive = ({ startDate, endDate }: JsonObject): boolean =>
    String(startDate) < day(-1) && String(endDate) > day(9)
  const live = campaigns.filter(isLive)
  const [home, shortened, named] = live as [JsonObject, JsonObject, JsonObject]
  const over = campaigns.find(({ endDate }) => String(endDate) < day(0))!
  const placements = await list('placements', { campaignIds: [String(home.id)] })
  const ads = (await list('ads', { campaignIds: [String(home.id)] })).filter(
    ({ type }) => type === 'AD_SERVING_STANDARD_AD',
  )
  const change = (collection: CollectionName, { id }: JsonObject, patch: JsonObject): Change => ({
    kind: 'change',
    key: recordKey(collection, profile, String(id)),
    patch,
  })
  const schedule = (place: number, dates: JsonObject): Change => {
    const one = placements[place]!
    const own = one.pricingSchedule as JsonObject
    const period = { ...(own.pricingPeriods as JsonObject[])[0]!, ...dates }
    return change('placements', one, { pricingSchedule: { ...own, ...dates, pricingPeriods: [period] } })
  }
  const daysAfter = (date: unknown, days: number): string =>
    new Date(Date.parse(String(date)) + days * dayMs).toISOString().slice(0, 10)
  const rotation = (ad: JsonObject, times: JsonObject): JsonObject => {
    const own = ad.creativeRotation as JsonObject
    const [first, ...rest] = own.creativeAssignments as JsonObject[]
    return { creativeRotation: { ...own, creativeAssignments: [{ ...first, ...times }, ...rest] } }
  }
  const made = (collection: CollectionName, like: JsonObject, content: JsonObject): Change => {
    const { id: _id, ...value } = like
    return { kind: 'create', collection, parent: profile, id: replica.newLocalId(), value: { ...value, ...content } }
  }
  const onlyDates = { advertiserId: home.advertiserId!, defaultLandingPageId: home.defaultLandingPageId! }
  const adOf = { advertiserId: home.advertiserId!, campaignId: home.id!, type: 'AD_SERVING_STANDARD_AD', active: false }

  const bad: Change[] = [
    schedule(0, { startDate: daysAfter(home.startDate, -1) }),
    schedule(1, { endDate: daysAfter(home.endDate, 1) }),
    schedule(2, { startDate: day(2), endDate: day(1) }),
    change('placements', placements[3]!, {
      pricingSchedule: {
        ...(placements[3]!.pricingSchedule as JsonObject),
        pricingPeriods: [
          { startDate: daysAfter(home.startDate, -3), endDate: day(1), units: '1', rateOrCostNanos: '1' },
        ],
      },
    }),
    change('campaigns', shortened, { endDate: day(-1) }),
    change('campaigns', over, { endDate: daysAfter(over.endDate, -1) }),
    change('ads', ads[0]!, { endTime: moment(-1) }),
    change('ads', ads[1]!, { endTime: String(ads[1]!.startTime) }),
    change('ads', ads[2]!, rotation(ads[2]!, { startTime: moment(3), endTime: moment(2) })),
    made('campaigns', onlyDates, { name: 'Over before', startDate: day(-9), endDate: day(-2) }),
    made('campaigns', onlyDates, { name: 'Not a day', startDate: day(3), endDate: day(3) }),
    made('ads', adOf, { name: 'Began', startTime: moment(-1), endTime: moment(2) }),
  ]
  const good: Change[] = [
    schedule(4, { startDate: daysAfter(home.startDate, 1), endDate: daysAfter(home.endDate, -1) }),
    schedule(5, { startDate: day(3), endDate: day(3) }),
    change('campaigns', named, { endDate: day(0) }),
    change(
      'campaigns',
      over === shortened ? home : campaigns.find((one) => one !== over && String(one.endDate) < day(0))!,
      {
        comment: 'Over, and only noted',
      },
    ),
    change('ads', ads[3]!, { endTime: moment(4) }),
    made('campaigns', onlyDates, { name: 'Still to come', startDate: day(-9), endDate: day(2) }),
  ]
  for (const one of [...bad, ...good]) await replica.edit([one], { label: 'Edit' })
  const drafts = replica.outbox()
  expect(drafts).toHaveLength(bad.length + good.length)
  const plan = await planOf(model, drafts)
  const stopped = stoppedIn(plan)
  expect(stopped.map(({ entry }) => entry.id).sort()).toEqual(
    drafts
      .slice(0, bad.length)
      .map(({ id }) => id)
      .sort(),
  )
  expect(stopped.every(({ title, problems }) => title !== '' && problems.length > 0)).toBe(true)

  await replica.post()
  await device.until('all is decided', ({ status }) => status.needsYou > 0 && status.phase === 'idle')
  const refused = replica.outbox()
  expect(refused.map(({ id }) => id).sort()).toEqual(stopped.map(({ entry }) => entry.id).sort())
  for (const { fault } of refused) expect(fault?.location ?? fault?.message).toMatch(/date|time|schedule/i)
})

it('dependents of an invalid draft stay with it', async () => {
  const { device, profile } = account
  const { replica } = device
  const { model } = await campaignsModel(replica, profile, 'campaigns')
  const [like] = await list('campaigns')
  const campaign = replica.newLocalId()
  const make = (collection: CollectionName, id: string, value: JsonObject): Change => ({
    ...{ kind: 'create', collection, parent: profile, id, value },
  })
  await replica.edit(
    [
      make('campaigns', campaign, {
        name: 'Waited for',
        advertiserId: like!.advertiserId!,
        startDate: day(3),
        endDate: day(2),
      }),
      make('ads', replica.newLocalId(), {
        name: 'Waits',
        advertiserId: like!.advertiserId!,
        campaignId: campaign,
        type: 'AD_SERVING_STANDARD_AD',
        active: false,
        startTime: moment(3),
        endTime: moment(4),
      }),
    ],
    { label: 'Make' },
  )
  const drafts = replica.outbox().filter(({ label }) => label === 'Make')
  const plan = await planOf(model, drafts)
  const stopped = stoppedIn(plan)
  expect(stopped.map(({ title, problems }) => [title, ...problems.map(({ words }) => words)])).toEqual([
    ['Waited for', 'End date must be after the start date'],
  ])
  expect([...heldUpBy([stopped[0]!.entry.id], plan.needs)].sort()).toEqual(drafts.map(({ id }) => id).sort())
})
