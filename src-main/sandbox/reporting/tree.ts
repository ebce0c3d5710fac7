import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { dayOf, type Day } from './days'
import { seedOf } from './hash'
import { viewableRate } from './measures'

/** Dimensions of a cell: the objects around one creative of one ad in one placement. Absent: not set. */
export interface Place {
  advertiser?: JsonObject
  advertiserGroup?: JsonObject
  campaign?: JsonObject
  placement?: JsonObject
  placementGroup?: JsonObject
  placementStrategy?: JsonObject
  contentCategory?: JsonObject
  site?: JsonObject
  directorySite?: JsonObject
  ad?: JsonObject
  creative?: JsonObject
  landingPage?: JsonObject
  configuration?: JsonObject
}

/** The smallest unit of delivery: one creative of one ad in one placement, and the days on which it runs. */
export interface Cell extends Place {
  /** Position of the placement in its campaign. */
  place: number
  seed: number
  from: Day
  to: Day
  /** Part of the placement's delivery, 0 to 1. */
  share: number
  /** Start of `share` as a range of the whole, to divide amounts exactly. */
  shareFrom: number
  pricing: Pricing
  /** Impressions on an average day, before shares and seasons. */
  level: number
  /** Clicks per impression, conversions per click and per impression. */
  clickRate: number
  afterClick: number
  afterView: number
  video: boolean
  richMedia: boolean
  /** Only clicks are counted. */
  clickTracker: boolean
  activities: readonly Activity[]
}

export interface Activity {
  id: string
  seed: number
  object: JsonObject
  group?: JsonObject
  /** True if the activity has revenue and counts as a transaction. */
  sale: boolean
  share: number
  /** Average value of a sale, in micros. */
  valueMicros: number
}

export interface Period {
  from: Day
  to: Day
  /** Rate, or cost of the whole period, in micros. */
  micros: number
  units: number
}

export interface Pricing {
  type: string
  periods: Period[]
  /** ID of the activity that's paid for. Absent: all activities. */
  activityId?: string
  whole: Period
}

export interface Tree {
  cells: Cell[]
  /** Activities by ID, with their surroundings. */
  activities: Map<string, Activity & Place>
  campaigns: JsonObject[]
  byId(collection: string, id: unknown): JsonObject | undefined
}

export type ReadAll = (collection: string) => JsonObject[]

const id = (object: JsonObject): string => String(object.id)
const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const part = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const between = (seed: number, low: number, high: number): number => low + (seed / 4_294_967_296) * (high - low)

/** Reads the current campaign tree as cells, ordered by campaign, placement, ad, and creative. */
export function readTree(readAll: ReadAll): Tree {
  const known = new Map<string, Map<string, JsonObject>>()
  const all = (collection: string): Map<string, JsonObject> => {
    let found = known.get(collection)
    if (!found) known.set(collection, (found = new Map(readAll(collection).map((object) => [id(object), object]))))
    return found
  }
  const byId = (collection: string, value: unknown): JsonObject | undefined =>
    value === undefined || value === null ? undefined : all(collection).get(String(value))

  const advertiserPlace = (advertiser: JsonObject | undefined): Place => ({
    advertiser,
    advertiserGroup: byId('advertiserGroups', advertiser?.advertiserGroupId),
    configuration: byId('trackingConfigurations', advertiser?.trackingConfigurationId),
  })
  const activities = new Map<string, Activity & Place>()
  const ofConfiguration = new Map<string, Activity[]>()
  for (const object of all('trackingActivities').values()) {
    const group = byId('trackingActivityGroups', object.trackingActivityGroupId)
    const configurationId = String(object.trackingConfigurationId ?? group?.trackingConfigurationId ?? '')
    const advertiser =
      byId('advertisers', object.advertiserId ?? group?.advertiserId) ??
      [...all('advertisers').values()].find((candidate) => candidate.trackingConfigurationId === configurationId)
    const type = object.trackingActivityGroupType ?? group?.type
    const seed = seedOf(`activity ${id(object)}`)
    const activity: Activity = {
      id: id(object),
      seed,
      object,
      group,
      sale: type === 'SALE',
      share: between(seed, 0.4, 1.6),
      valueMicros: Math.round(between(seedOf(`value ${id(object)}`), 18, 140)) * 1_000_000,
    }
    const list = ofConfiguration.get(configurationId) ?? []
    ofConfiguration.set(configurationId, [...list, activity])
    activities.set(activity.id, {
      ...activity,
      ...advertiserPlace(advertiser),
      configuration: byId('trackingConfigurations', configurationId),
    })
  }
  for (const group of ofConfiguration.values()) {
    const sum = group.reduce((total, activity) => total + activity.share, 0)
    for (const activity of group) activity.share /= sum
  }

  const served = new Map<string, Array<{ ad: JsonObject; creative?: JsonObject; weight: number }>>()
  for (const ad of all('ads').values()) {
    const creatives = list(part(ad.creativeRotation).creativeAssignments).filter((entry) => entry.active !== false)
    const weightOfAd = ad.type === 'AD_SERVING_DEFAULT_AD' ? 0.04 : 1
    for (const assignment of list(ad.placementAssignments)) {
      if (assignment.active === false) continue
      const placementId = String(assignment.placementId)
      const entries = served.get(placementId) ?? []
      served.set(placementId, entries)
      const weights = creatives.map((entry) => Number(entry.weight ?? 1))
      const sum = weights.reduce((total, weight) => total + weight, 0)
      creatives.forEach((entry, index) =>
        entries.push({
          ad,
          creative: byId('creatives', entry.creativeId),
          weight: (weightOfAd * weights[index]!) / sum,
        }),
      )
      if (creatives.length === 0) entries.push({ ad, weight: weightOfAd })
    }
  }

  const cells: Cell[] = []
  const places = new Map<string, number>()
  for (const placement of all('placements').values()) {
    const campaign = byId('campaigns', placement.campaignId)
    const entries = served.get(id(placement))
    const schedule = part(placement.pricingSchedule)
    if (!campaign || typeof schedule.startDate !== 'string' || typeof schedule.endDate !== 'string') continue
    const place = places.get(id(campaign)) ?? 0
    places.set(id(campaign), place + 1)
    if (!entries) continue
    const advertiser = byId('advertisers', campaign.advertiserId)
    const site = byId('sites', placement.siteId)
    const around: Place = {
      ...advertiserPlace(advertiser),
      campaign,
      placement,
      placementGroup: byId('placementGroups', placement.placementGroupId),
      placementStrategy: byId('placementStrategies', placement.placementStrategyId),
      contentCategory: byId('contentCategories', placement.contentCategoryId),
      site,
      directorySite: byId('directorySites', placement.directorySiteId ?? site?.directorySiteId),
    }
    const pricing = readPricing(schedule)
    const seed = seedOf(`placement ${id(placement)}`)
    const video = String(placement.compatibility).startsWith('IN_STREAM')
    const clickRate = video ? between(seed, 0.002, 0.009) : between(seed, 0.0008, 0.006)
    const afterClick = between(seedOf(`after click ${id(placement)}`), 0.015, 0.06)
    const activitiesHere = ofConfiguration.get(String(advertiser?.trackingConfigurationId)) ?? []
    const paid = activitiesHere.find((activity) => activity.id === pricing.activityId)
    const conversionRate = afterClick * (1 + afterViewPart) * (paid?.share ?? 1)
    const level = Math.min(levelOf(pricing, seed, clickRate, conversionRate), 250_000)
    const sum = entries.reduce((total, entry) => total + entry.weight, 0)
    let done = 0
    for (const { ad, creative, weight } of entries) {
      const share = weight / sum
      const landingPageId = part(ad.clickThroughUrl).landingPageId ?? campaign.defaultLandingPageId
      const type = String(creative?.type ?? '')
      cells.push({
        ...around,
        ad,
        creative,
        landingPage: byId('advertiserLandingPages', landingPageId),
        place,
        seed: seedOf(`${id(placement)} ${id(ad)} ${creative ? id(creative) : ''}`),
        from: Math.max(pricing.whole.from, day(campaign.startDate, -Infinity), day(ad.startTime, -Infinity)),
        to: Math.min(pricing.whole.to, day(campaign.endDate, Infinity), day(ad.endTime, Infinity)),
        share,
        shareFrom: done,
        pricing,
        level,
        clickRate: clickRate * between(seedOf(`clicks ${id(ad)} ${creative ? id(creative) : ''}`), 0.7, 1.4),
        afterClick,
        afterView: afterClick * clickRate * afterViewPart,
        video: video || type.includes('VIDEO') || type.includes('VPAID'),
        richMedia: type.includes('RICH_MEDIA') || type.includes('HTML5'),
        clickTracker: ad.type === 'AD_SERVING_CLICK_TRACKER' || ad.type === 'AD_SERVING_TRACKING',
        activities: activitiesHere,
      })
      done += share
    }
  }
  return { cells, activities, campaigns: [...all('campaigns').values()], byId }
}

const day = (value: Json | undefined, otherwise: number): Day =>
  typeof value === 'string' && value !== '' ? dayOf(value) : otherwise

function readPricing(schedule: JsonObject): Pricing {
  const from = dayOf(String(schedule.startDate))
  const to = dayOf(String(schedule.endDate))
  const periods = list(schedule.pricingPeriods).map((period) => ({
    from: day(period.startDate, from),
    to: day(period.endDate, to),
    micros: Math.round(Number(period.rateOrCostNanos ?? 0) / 1000),
    units: Number(period.units ?? 0),
  }))
  const whole = { from, to, micros: 0, units: periods.reduce((sum, period) => sum + period.units, 0) }
  const activityId = schedule.trackingActivityId ? String(schedule.trackingActivityId) : undefined
  return { type: String(schedule.pricingType ?? ''), periods, activityId, whole }
}

/** Conversions after an impression, per conversion after a click. */
const afterViewPart = 0.12

/** Approximate daily impressions that fulfill the booking, or a guess without one. */
function levelOf({ type, whole }: Pricing, seed: number, clickRate: number, conversionRate: number): number {
  const days = whole.to - whole.from + 1
  const pace = between(seedOf(`pace ${seed}`), 0.88, 1.12)
  const guess = between(seedOf(`level ${seed}`), 900, 14_000)
  if (whole.units <= 0) return guess
  const booked = (pace * whole.units) / days
  if (type.endsWith('CLICKS') || type.endsWith('CPC')) return booked / clickRate
  if (type.endsWith('CPA')) return booked / (clickRate * conversionRate)
  if (type.endsWith('ACTIVEVIEW')) return booked / viewableRate
  return booked
}
