import type { JsonObject } from '#shared/json'
import type { Objects } from './objects'
import { collectionOf } from '#shared/facts/references'

/** Names of collections in reports. */
const dimensions: Record<string, string> = {
  ads: 'ad',
  advertisers: 'advertiser',
  campaigns: 'campaign',
  creativeAssets: 'creativeAsset',
  creatives: 'creative',
  directorySites: 'directorySite',
  placementGroups: 'packageRoadblock',
  placements: 'placement',
  sites: 'site',
  trackingActivities: 'activity',
  trackingActivityGroups: 'activityGroup',
  trackingConfigurations: 'trackingConfigId',
}

/**
 * The `*DimensionValue` of an ID field: its dimension in reports, and the object's current name.
 * @param owner the collection of the object with the field, for the field `id` itself
 */
export function dimensionValue(objects: Objects, owner: string, field: string, id: string): JsonObject {
  const collection = field === 'id' ? owner : collectionOf(field)
  const object = collection ? objects.get(collection, id) : undefined
  const value = typeof object?.name === 'string' ? object.name : id
  return {
    kind: 'trafficking#dimensionValue',
    etag: `"${id}-${value.length.toString(36)}${mixed(value)}"`,
    dimensionName: `trafficking:${(collection && dimensions[collection]) ?? field}`,
    id,
    matchType: 'EXACT',
    value,
  }
}

function mixed(text: string): string {
  let hash = 17
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0
  return hash.toString(36)
}
