import type { CollectionName } from './names'

/** Granularity of a dimension: objects alone, day, audience, activity, or path. */
export type Grain = 'entity' | 'date' | 'audience' | 'activity' | 'path'

/** Topic of a dimension, for searching. */
export type FieldGroup =
  | 'Advertiser'
  | 'Campaign'
  | 'Placement'
  | 'Site'
  | 'Ad and creative'
  | 'Time'
  | 'Audience'
  | 'Conversions'
  | 'Paths'
  | 'Variables'

export interface DimensionFact {
  /** Without prefix. */
  name: string
  /** As in the header of a file, in neutral names. */
  label: string
  grain: Grain
  group: FieldGroup
  /** Collection of the objects whose names or IDs are the values. */
  collection?: CollectionName
  /** Its values are IDs, not names. */
  ids?: boolean
}

/** Prefix of dimension and metric names in the neutral naming. The public prefix is also accepted. */
export const prefix = 'trafficking:'
export const bareName = (name: string): string => name.replace(/^(trafficking|dfa):/, '')
export const hasPrefix = (name: string): boolean => /^(trafficking|dfa):./.test(name)

/** An object's name, and its ID as a separate dimension. */
const objects = (
  group: FieldGroup,
  name: string,
  label: string,
  collection: CollectionName,
  grain: Grain = 'entity',
): DimensionFact[] => [
  { name, label, grain, group, collection },
  { name: `${name}Id`, label: `${label} ID`, grain, group, collection, ids: true },
]
const fields = (group: FieldGroup, grain: Grain, labels: Readonly<Record<string, string>>): DimensionFact[] =>
  Object.entries(labels).map(([name, label]) => ({ name, label, grain, group }))

/** Known dimensions of trafficking reports. A service may have more. */
export const dimensionFacts: readonly DimensionFact[] = [
  ...objects('Advertiser', 'advertiser', 'Advertiser', 'advertisers'),
  ...objects('Advertiser', 'advertiserGroup', 'Advertiser Group', 'advertiserGroups'),
  ...objects('Campaign', 'campaign', 'Campaign', 'campaigns'),
  ...objects('Placement', 'placement', 'Placement', 'placements'),
  ...objects('Placement', 'packageRoadblock', 'Package/Roadblock', 'placementGroups'),
  ...objects('Placement', 'placementStrategy', 'Placement Strategy', 'placementStrategies'),
  ...objects('Placement', 'contentCategory', 'Content Category', 'contentCategories'),
  ...objects('Site', 'site', 'Site', 'sites'),
  ...objects('Site', 'siteDirectory', 'Site (Directory)', 'directorySites'),
  ...objects('Ad and creative', 'ad', 'Ad', 'ads'),
  ...objects('Ad and creative', 'creative', 'Creative', 'creatives'),
  ...objects('Ad and creative', 'landingPage', 'Landing Page', 'advertiserLandingPages'),
  ...objects('Conversions', 'trackingConfiguration', 'Tracking Configuration', 'trackingConfigurations'),
  {
    name: 'trackingConfigId',
    label: 'Tracking Configuration ID',
    grain: 'entity',
    group: 'Conversions',
    collection: 'trackingConfigurations',
    ids: true,
  },
  { name: 'directorySite', label: 'Site (Directory)', grain: 'entity', group: 'Site', collection: 'directorySites' },
  ...objects('Conversions', 'activity', 'Activity', 'trackingActivities', 'activity'),
  ...objects('Conversions', 'activityGroup', 'Activity Group', 'trackingActivityGroups', 'activity'),
  ...fields('Advertiser', 'entity', { accountId: 'Account ID' }),
  ...fields('Ad and creative', 'entity', { adType: 'Ad Type' }),
  ...fields('Campaign', 'entity', {
    campaignStartDate: 'Campaign Start Date',
    campaignEndDate: 'Campaign End Date',
    campaignExternalId: 'Campaign External ID',
  }),
  ...fields('Ad and creative', 'entity', {
    clickThroughUrl: 'Click-through URL',
    landingPageUrl: 'Landing Page URL',
    creativeType: 'Creative Type',
    creativePixelSize: 'Creative Pixel Size',
    creativeSize: 'Creative Size',
  }),
  ...fields('Placement', 'entity', { placementSize: 'Placement Size' }),
  ...fields('Ad and creative', 'entity', { creativeVersion: 'Creative Version', renderingId: 'Rendering ID' }),
  ...fields('Placement', 'entity', {
    placementPixelSize: 'Placement Pixel Size',
    placementStartDate: 'Placement Start Date',
    placementEndDate: 'Placement End Date',
    placementExternalId: 'Placement External ID',
    placementRate: 'Placement Rate',
    placementCostStructure: 'Placement Cost Structure',
  }),
  ...fields('Site', 'entity', { siteKeyname: 'Site Keyname' }),
  ...fields('Time', 'date', {
    date: 'Date',
    week: 'Week',
    month: 'Month',
    quarter: 'Quarter',
    year: 'Year',
    dayOfWeek: 'Day of Week',
  }),
  ...fields('Audience', 'audience', {
    country: 'Country',
    state: 'State/Region',
    city: 'City',
    platformType: 'Platform Type',
    browserPlatform: 'Browser/Platform',
    operatingSystem: 'Operating System',
    connectionType: 'Connection Type',
  }),
  ...fields('Paths', 'path', {
    interactionType: 'Interaction Type',
    interactionNumber: 'Interaction Number',
    pathLength: 'Path Length',
    conversionId: 'Conversion ID',
    hoursSinceInteraction: 'Hours Since Interaction',
  }),
]

const dimensions: ReadonlyMap<string, DimensionFact> = new Map(dimensionFacts.map((fact) => [fact.name, fact]))

/** Dimensions whose values clients send with a conversion: `U1` to `U100`. */
export const trackingVariable = /^trackingVariable(?:Dimension)?([1-9]\d?|100)$/
export const trackingVariables: readonly string[] = Array.from(
  { length: 100 },
  (_, index) => `trackingVariableDimension${index + 1}`,
)

/** A dimension by its name without prefix, including `trackingVariableDimension1` to 100. Undefined if unknown. */
export function dimensionFact(name: string): DimensionFact | undefined {
  const known = dimensions.get(name)
  if (known) return known
  const number = trackingVariable.exec(name)?.[1]
  return number === undefined
    ? undefined
    : { name, label: `Tracking Variable ${number}`, grain: 'activity', group: 'Variables' }
}
