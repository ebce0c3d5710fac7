import type { JsonObject } from '#shared/json'
import { textAt } from './checked-values'
import { sharesSize, sizeOf } from './size'

const standard = 'AD_SERVING_STANDARD_AD'
/** Creatives that only another type of ad shows. Null: only ads that the service creates. */
const adTypes: Readonly<Record<string, string | null>> = {
  TRACKING_TEXT: 'AD_SERVING_TRACKING',
  BRAND_SAFE_DEFAULT_INSTREAM_VIDEO: null,
}

/** The type of ad that shows a creative. Null if people can’t create one. */
export const adTypeFor = (creative: JsonObject): string | null => {
  const type = textAt(creative, 'type') ?? ''
  return Object.hasOwn(adTypes, type) ? adTypes[type]! : standard
}

const isArchived = (record: JsonObject | undefined): boolean => record?.['archived'] === true
const sizeWords = (record: JsonObject): string => (sizeOf(record) ?? '').replace('x', ' × ')
const placeWords = (compatibility: string): string =>
  compatibility.toLowerCase().replaceAll('_', ' ').replace('in stream', 'in-stream')

/** A placement, and what determines whether a new ad can run on it. */
export interface Slot {
  placement: JsonObject
  campaign: JsonObject | undefined
  /** False if its flight leaves no time for a new ad. */
  hasTime: boolean
}

/** Why no ad can show a creative on a placement. Undefined if one can. */
export function misfitOf({ placement, campaign, hasTime }: Slot, creative: JsonObject): string | undefined {
  if (isArchived(placement)) return 'The placement is archived'
  if (isArchived(campaign)) return 'The campaign is archived'
  if (isArchived(creative)) return 'The creative is archived'
  const [own, other] = [textAt(placement, 'advertiserId'), textAt(creative, 'advertiserId')]
  if (own !== undefined && other !== undefined && own !== other) return 'The creative belongs to another advertiser'
  if (adTypeFor(creative) === null) return 'Ads with creatives of this type are created automatically'
  const compatibility = textAt(placement, 'compatibility')
  const places = creative['compatibility']
  // Unknown for a creative that isn’t on the server yet.
  if (compatibility !== undefined && Array.isArray(places) && places.length > 0 && !places.includes(compatibility))
    return `The creative doesn’t support ${placeWords(compatibility)}`
  if (!sharesSize(placement, creative)) return `The sizes differ: ${sizeWords(placement)} and ${sizeWords(creative)}`
  return hasTime ? undefined : 'The flight has ended'
}
