import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { insertConversions, updateConversions } from './conversions'
import { insertCustomEvents } from './custom-events'
import { insertAsset } from './creative-assets'
import { getShare, getTargetable, listTargetable, patchShare, updateShare } from './remarketing'
import { sizeWith } from './nested'
import { objectsOf } from './objects'
import { profileOf } from './profiles'
import { activeAdSummary } from './summaries'
import { generateActivityTag, generatePlacementTags } from './tags'
import { deleteTargetingKey, insertTargetingKey } from './targeting-keys'
import { getUserProfile, listUserProfiles } from './user-profiles'
import { view } from './view'

/** Operations that are more than a rule. */
export const specialHandlers: Record<string, (call: Call) => JsonObject | void> = {
  'trafficking.accountActiveAdSummaries.get': activeAdSummary,
  'trafficking.conversions.batchinsert': insertConversions,
  'trafficking.conversions.batchupdate': updateConversions,
  'trafficking.creativeAssets.insert': insertAsset,
  'trafficking.customEvents.batchinsert': insertCustomEvents,
  'trafficking.dynamicTargetingKeys.delete': deleteTargetingKey,
  'trafficking.dynamicTargetingKeys.insert': insertTargetingKey,
  'trafficking.placements.generatetags': generatePlacementTags,
  'trafficking.remarketingListShares.get': getShare,
  'trafficking.remarketingListShares.patch': patchShare,
  'trafficking.remarketingListShares.update': updateShare,
  'trafficking.sizes.insert': insertSize,
  'trafficking.targetableRemarketingLists.get': getTargetable,
  'trafficking.targetableRemarketingLists.list': listTargetable,
  'trafficking.trackingActivities.generatetag': generateActivityTag,
  'trafficking.userProfiles.get': getUserProfile,
  'trafficking.userProfiles.list': listUserProfiles,
}

/** POST: the size with these dimensions. Creates it if needed. */
function insertSize(call: Call): JsonObject {
  profileOf(call)
  const objects = objectsOf(call.service.store)
  const { width, height } = call.body as { width: number; height: number }
  return view(call.table, objects, 'sizes', 'Size', sizeWith({ objects }, width, height), 'insert')
}
