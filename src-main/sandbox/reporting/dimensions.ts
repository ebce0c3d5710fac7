import type { Json, JsonObject } from '#shared/json'
import type { Audience } from './audience'
import { dayText, monthStart, quarterStart, weekday, weekStart, yearStart, type Day } from './days'
import type { Activity, Place } from './tree'

/** Where and when a figure belongs. */
export interface Spot {
  place: Place
  day: Day
  audience?: Audience
  activity?: Activity
  /** For paths: what kind of touch it was, and its number from the first. */
  touch?: { kind: 'Click' | 'Impression'; number: number; of: number; conversionId: string; hours: number }
  /** What a client sent along with a conversion: `U1` and so on. */
  variables?: Readonly<Record<string, string>>
}

/** What a dimension needs to be told apart: the objects alone, the day, the audience, the activity, or the path. */
export type Grain = 'entity' | 'date' | 'audience' | 'activity' | 'path'

export interface Dimension {
  name: string
  /** As in the header of a file, in neutral words. */
  label: string
  grain: Grain
  value(spot: Spot): string
  /** Id of the object that stands behind the value. */
  id?(spot: Spot): string | undefined
  /** Collection of the objects whose names or ids are the values. */
  collection?: string
}

export const notSet = '(not set)'

const text = (value: Json | undefined): string =>
  value === undefined || value === null || value === '' ? notSet : String(value as string)

const dimensions = new Map<string, Dimension>()
const add = (dimension: Dimension): void => void dimensions.set(dimension.name, dimension)

/** An object's name, and its id as a dimension of its own. */
function entity(
  name: string,
  label: string,
  collection: string,
  of: (spot: Spot) => JsonObject | undefined,
  grain: Grain = 'entity',
): void {
  const id = (spot: Spot): string | undefined => {
    const found = of(spot)?.id
    return found === undefined ? undefined : String(found as string)
  }
  add({ name, label, grain, collection, id, value: (spot) => text(of(spot)?.name) })
  add({ name: `${name}Id`, label: `${label} ID`, grain, collection, id, value: (spot) => id(spot) ?? notSet })
}

/** A property of an object. */
function property(name: string, label: string, of: (place: Place) => Json | undefined): void {
  add({ name, label, grain: 'entity', value: ({ place }) => text(of(place)) })
}

entity('advertiser', 'Advertiser', 'advertisers', ({ place }) => place.advertiser)
entity('advertiserGroup', 'Advertiser Group', 'advertiserGroups', ({ place }) => place.advertiserGroup)
entity('campaign', 'Campaign', 'campaigns', ({ place }) => place.campaign)
entity('placement', 'Placement', 'placements', ({ place }) => place.placement)
entity('packageRoadblock', 'Package/Roadblock', 'placementGroups', ({ place }) => place.placementGroup)
entity('placementStrategy', 'Placement Strategy', 'placementStrategies', ({ place }) => place.placementStrategy)
entity('contentCategory', 'Content Category', 'contentCategories', ({ place }) => place.contentCategory)
entity('site', 'Site', 'sites', ({ place }) => place.site)
entity('siteDirectory', 'Site (Directory)', 'directorySites', ({ place }) => place.directorySite)
entity('ad', 'Ad', 'ads', ({ place }) => place.ad)
entity('creative', 'Creative', 'creatives', ({ place }) => place.creative)
entity('landingPage', 'Landing Page', 'advertiserLandingPages', ({ place }) => place.landingPage)
entity('trackingConfiguration', 'Tracking Configuration', 'trackingConfigurations', ({ place }) =>
  place.configuration ? { id: place.configuration.id, name: place.advertiser?.name } : undefined,
)
add({ ...dimensions.get('trackingConfigurationId')!, name: 'trackingConfigId' })
add({ ...dimensions.get('siteDirectory')!, name: 'directorySite' })
entity('activity', 'Activity', 'trackingActivities', ({ activity }) => activity?.object, 'activity')
entity('activityGroup', 'Activity Group', 'trackingActivityGroups', ({ activity }) => activity?.group, 'activity')

const inner = (object: JsonObject | undefined, outer: string, name: string): Json | undefined => {
  const part = object?.[outer]
  return part && typeof part === 'object' && !Array.isArray(part) ? part[name] : undefined
}
const pixels = (object: JsonObject | undefined): string | undefined => {
  const [width, height] = [inner(object, 'size', 'width'), inner(object, 'size', 'height')]
  return typeof width === 'number' && typeof height === 'number' ? `${width} x ${height}` : undefined
}
const words = (value: Json | undefined, cut: RegExp): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value
        .replace(cut, '')
        .toLowerCase()
        .replace(/_/g, ' ')
        .replace(/^./, (first) => first.toUpperCase())
    : undefined
const nanos = (place: Place): string | undefined => {
  const schedule = place.placement?.pricingSchedule
  const periods = schedule && typeof schedule === 'object' && !Array.isArray(schedule) ? schedule.pricingPeriods : []
  const first = Array.isArray(periods) ? periods[0] : undefined
  const rate = first && typeof first === 'object' && !Array.isArray(first) ? first.rateOrCostNanos : undefined
  return rate === undefined ? undefined : String(Number(rate) / 1e9)
}

property('accountId', 'Account ID', (place) => (place.campaign ?? place.advertiser)?.accountId)
property('adType', 'Ad Type', (place) => words(place.ad?.type, /^AD_SERVING_/))
property('campaignStartDate', 'Campaign Start Date', (place) => place.campaign?.startDate)
property('campaignEndDate', 'Campaign End Date', (place) => place.campaign?.endDate)
property('campaignExternalId', 'Campaign External ID', (place) => place.campaign?.externalId)
property('clickThroughUrl', 'Click-through URL', (place) => place.landingPage?.url)
property('landingPageUrl', 'Landing Page URL', (place) => place.landingPage?.url)
property('creativeType', 'Creative Type', (place) => words(place.creative?.type, /^$/))
property('creativePixelSize', 'Creative Pixel Size', (place) => pixels(place.creative))
property('creativeSize', 'Creative Size', (place) => pixels(place.creative))
property('placementSize', 'Placement Size', (place) => pixels(place.placement))
property('creativeVersion', 'Creative Version', (place) => place.creative?.version)
property('renderingId', 'Rendering ID', (place) => place.creative?.renderingId)
property('placementPixelSize', 'Placement Pixel Size', (place) => pixels(place.placement))
property('placementStartDate', 'Placement Start Date', (place) =>
  inner(place.placement, 'pricingSchedule', 'startDate'),
)
property('placementEndDate', 'Placement End Date', (place) => inner(place.placement, 'pricingSchedule', 'endDate'))
property('placementExternalId', 'Placement External ID', (place) => place.placement?.externalId)
property('placementRate', 'Placement Rate', nanos)
property('placementCostStructure', 'Placement Cost Structure', (place) =>
  typeof inner(place.placement, 'pricingSchedule', 'pricingType') === 'string'
    ? costStructure(String(inner(place.placement, 'pricingSchedule', 'pricingType') as string))
    : undefined,
)
property('siteKeyname', 'Site Keyname', (place) => place.site?.keyName)

function costStructure(type: string): string {
  const short = type.replace('PRICING_TYPE_', '')
  if (short === 'CPM_ACTIVEVIEW') return 'vCPM'
  return short.startsWith('FLAT') ? words(short, /^$/)! : short
}

const date = (name: string, label: string, of: (day: Day) => string): void =>
  add({ name, label, grain: 'date', value: ({ day }) => of(day) })
date('date', 'Date', dayText)
date('week', 'Week', (day) => dayText(weekStart(day)))
date('month', 'Month', (day) => dayText(monthStart(day)).slice(0, 7))
date(
  'quarter',
  'Quarter',
  (day) => `${dayText(day).slice(0, 4)}-Q${Number(dayText(quarterStart(day)).slice(5, 7)) / 3 + 2 / 3}`,
)
date('year', 'Year', (day) => dayText(yearStart(day)).slice(0, 4))
date(
  'dayOfWeek',
  'Day of Week',
  (day) => ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][weekday(day)]!,
)

const who = (name: string, label: string, of: keyof Audience): void =>
  add({ name, label, grain: 'audience', value: ({ audience }) => audience?.[of] ?? notSet })
who('country', 'Country', 'country')
who('state', 'State/Region', 'state')
who('city', 'City', 'city')
who('platformType', 'Platform Type', 'platformType')
who('browserPlatform', 'Browser/Platform', 'browser')
who('operatingSystem', 'Operating System', 'operatingSystem')
who('connectionType', 'Connection Type', 'connectionType')

const touch = (name: string, label: string, of: (touch: NonNullable<Spot['touch']>) => string): void =>
  add({ name, label, grain: 'path', value: ({ touch: found }) => (found ? of(found) : notSet) })
touch('interactionType', 'Interaction Type', ({ kind }) => kind)
touch('interactionNumber', 'Interaction Number', ({ number }) => String(number))
touch('pathLength', 'Path Length', ({ of }) => String(of))
touch('conversionId', 'Conversion ID', ({ conversionId }) => conversionId)
touch('hoursSinceInteraction', 'Hours Since Interaction', ({ hours }) => String(hours))

/** Every dimension there is, by its name without prefix. */
export const allDimensions: ReadonlyMap<string, Dimension> = dimensions

const variables = new Map<number, Dimension>()

/** A dimension by its name without prefix: also `trackingVariableDimension1` to 100. Undefined where there is none. */
export function dimensionNamed(name: string): Dimension | undefined {
  const known = dimensions.get(name)
  if (known) return known
  const number = Number(/^trackingVariable(?:Dimension)?([1-9]\d?|100)$/.exec(name)?.[1])
  if (!number) return undefined
  let dimension = variables.get(number)
  if (!dimension) {
    const value = (spot: Spot): string => spot.variables?.[`U${number}`] ?? notSet
    dimension = { name, label: `Tracking Variable ${number}`, grain: 'activity', value }
    variables.set(number, dimension)
  }
  return dimension
}
