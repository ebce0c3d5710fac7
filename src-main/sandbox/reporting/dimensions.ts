import { dimensionFact, dimensionFacts, trackingVariable, type DimensionFact } from '#shared/facts/report-fields'
import type { Json, JsonObject } from '#shared/json'
import type { Audience } from './audience'
import { dayText, monthStart, quarterStart, weekday, weekStart, yearStart, type Day } from './days'
import type { Activity, Place } from './tree'

/** Place and time of a value. */
export interface Spot {
  place: Place
  day: Day
  audience?: Audience
  activity?: Activity
  /** For paths: type of the touch, and its number from the first. */
  touch?: { kind: 'Click' | 'Impression'; number: number; of: number; conversionId: string; hours: number }
  /** Variables of a conversion: `U1` and so on. */
  variables?: Readonly<Record<string, string>>
}

export interface Dimension extends DimensionFact {
  value(spot: Spot): string
  /** ID of the object behind the value. */
  id?(spot: Spot): string | undefined
}

export const notSet = '(not set)'

const text = (value: Json | undefined): string =>
  value === undefined || value === null || value === '' ? notSet : String(value as string)

/** Readers of values, by dimension name. */
const found = new Map<string, Pick<Dimension, 'value' | 'id'>>()

/** Defines an object's name, and its ID as a separate dimension. */
function entity(name: string, of: (spot: Spot) => JsonObject | undefined): void {
  const id = (spot: Spot): string | undefined => {
    const object = of(spot)
    return object?.id === undefined ? undefined : String(object.id as string)
  }
  found.set(name, { id, value: (spot) => text(of(spot)?.name) })
  found.set(`${name}Id`, { id, value: (spot) => id(spot) ?? notSet })
}

/** A property of an object. */
function property(name: string, of: (place: Place) => Json | undefined): void {
  found.set(name, { value: ({ place }) => text(of(place)) })
}

entity('advertiser', ({ place }) => place.advertiser)
entity('advertiserGroup', ({ place }) => place.advertiserGroup)
entity('campaign', ({ place }) => place.campaign)
entity('placement', ({ place }) => place.placement)
entity('packageRoadblock', ({ place }) => place.placementGroup)
entity('placementStrategy', ({ place }) => place.placementStrategy)
entity('contentCategory', ({ place }) => place.contentCategory)
entity('site', ({ place }) => place.site)
entity('siteDirectory', ({ place }) => place.directorySite)
entity('ad', ({ place }) => place.ad)
entity('creative', ({ place }) => place.creative)
entity('landingPage', ({ place }) => place.landingPage)
entity('trackingConfiguration', ({ place }) =>
  place.configuration ? { id: place.configuration.id, name: place.advertiser?.name } : undefined,
)
found.set('trackingConfigId', found.get('trackingConfigurationId')!)
found.set('directorySite', found.get('siteDirectory')!)
entity('activity', ({ activity }) => activity?.object)
entity('activityGroup', ({ activity }) => activity?.group)

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

property('accountId', (place) => (place.campaign ?? place.advertiser)?.accountId)
property('adType', (place) => words(place.ad?.type, /^AD_SERVING_/))
property('campaignStartDate', (place) => place.campaign?.startDate)
property('campaignEndDate', (place) => place.campaign?.endDate)
property('campaignExternalId', (place) => place.campaign?.externalId)
property('clickThroughUrl', (place) => place.landingPage?.url)
property('landingPageUrl', (place) => place.landingPage?.url)
property('creativeType', (place) => words(place.creative?.type, /^$/))
property('creativePixelSize', (place) => pixels(place.creative))
property('creativeSize', (place) => pixels(place.creative))
property('placementSize', (place) => pixels(place.placement))
property('creativeVersion', (place) => place.creative?.version)
property('renderingId', (place) => place.creative?.renderingId)
property('placementPixelSize', (place) => pixels(place.placement))
property('placementStartDate', (place) => inner(place.placement, 'pricingSchedule', 'startDate'))
property('placementEndDate', (place) => inner(place.placement, 'pricingSchedule', 'endDate'))
property('placementExternalId', (place) => place.placement?.externalId)
property('placementRate', nanos)
property('placementCostStructure', (place) =>
  typeof inner(place.placement, 'pricingSchedule', 'pricingType') === 'string'
    ? costStructure(String(inner(place.placement, 'pricingSchedule', 'pricingType') as string))
    : undefined,
)
property('siteKeyname', (place) => place.site?.keyName)

function costStructure(type: string): string {
  const short = type.replace('PRICING_TYPE_', '')
  if (short === 'CPM_ACTIVEVIEW') return 'vCPM'
  return short.startsWith('FLAT') ? words(short, /^$/)! : short
}

const date = (name: string, of: (day: Day) => string): void => void found.set(name, { value: ({ day }) => of(day) })
date('date', dayText)
date('week', (day) => dayText(weekStart(day)))
date('month', (day) => dayText(monthStart(day)).slice(0, 7))
date('quarter', (day) => `${dayText(day).slice(0, 4)}-Q${Number(dayText(quarterStart(day)).slice(5, 7)) / 3 + 2 / 3}`)
date('year', (day) => dayText(yearStart(day)).slice(0, 4))
date(
  'dayOfWeek',
  (day) => ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][weekday(day)]!,
)

const who = (name: string, of: keyof Audience): void =>
  void found.set(name, { value: ({ audience }) => audience?.[of] ?? notSet })
who('country', 'country')
who('state', 'state')
who('city', 'city')
who('platformType', 'platformType')
who('browserPlatform', 'browser')
who('operatingSystem', 'operatingSystem')
who('connectionType', 'connectionType')

const touch = (name: string, of: (touch: NonNullable<Spot['touch']>) => string): void =>
  void found.set(name, { value: ({ touch: one }) => (one ? of(one) : notSet) })
touch('interactionType', ({ kind }) => kind)
touch('interactionNumber', ({ number }) => String(number))
touch('pathLength', ({ of }) => String(of))
touch('conversionId', ({ conversionId }) => conversionId)
touch('hoursSinceInteraction', ({ hours }) => String(hours))

const made = (fact: DimensionFact): Dimension => {
  const how = found.get(fact.name)
  if (!how) throw new Error(`The dimension ${fact.name} has no values`)
  return { ...fact, ...how }
}

/** All dimensions by name, without prefix. */
export const allDimensions: ReadonlyMap<string, Dimension> = new Map(
  dimensionFacts.map((fact) => [fact.name, made(fact)]),
)

const variables = new Map<string, Dimension>()

/** A dimension by its name without prefix, including `trackingVariableDimension1` to 100. Undefined if unknown. */
export function dimensionNamed(name: string): Dimension | undefined {
  const known = allDimensions.get(name)
  if (known) return known
  const number = trackingVariable.exec(name)?.[1]
  if (number === undefined) return undefined
  const before = variables.get(number)
  if (before) return before
  const value = (spot: Spot): string => spot.variables?.[`U${number}`] ?? notSet
  const dimension = { ...dimensionFact(name)!, value }
  variables.set(number, dimension)
  return dimension
}
