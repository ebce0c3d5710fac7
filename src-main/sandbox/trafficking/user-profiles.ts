import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { profileOf, profilesOf } from './profiles'
import { view } from './view'

function shown(call: Call, profile: Stored): JsonObject {
  const objects = objectsOf(call.service.store)
  const etag = `"${call.service.tokens.digest(profile)}"`
  return { ...view(call.table, objects, 'userProfiles', 'UserProfile', profile, 'get'), etag }
}

export function getUserProfile(call: Call): JsonObject {
  const { id } = profileOf(call)
  return shown(call, objectsOf(call.service.store).get('userProfiles', id)!)
}

/** The caller's profiles. The only list that doesn't require a profile. */
export function listUserProfiles(call: Call): JsonObject {
  const items = profilesOf(call.service, call.person.id).map((profile) => shown(call, profile))
  return { kind: 'trafficking#userProfileList', etag: `"${call.service.tokens.digest(items)}"`, items }
}
