import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { logChanges } from './change-logs'
import { targetingKeyOwners } from './facts'
import { objectsOf } from './objects'
import { isVisible, profileOf } from './profiles'
import { noSuch, refusal } from './refusals'
import { view } from './view'

const keyId = (type: string, objectId: string, name: string): string => `${type}-${objectId}-${name}`

/** POST: adds a key to an advertiser, ad, creative, or placement. A repeat changes nothing. */
export function insertTargetingKey(call: Call): JsonObject {
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const { name, objectId, objectType } = call.body as { name: string; objectId: string; objectType: string }
  const owner = objects.get(targetingKeyOwners[objectType] ?? '', objectId)
  if (!owner || !isVisible(profile, owner)) throw refusal('unknown', `There is no such object: ${objectId}`, 'objectId')
  const key = {
    id: keyId(objectType, objectId, name.toLowerCase()),
    accountId: profile.accountId,
    name: name.toLowerCase(),
    objectId,
    objectType,
  }
  if (!objects.get('dynamicTargetingKeys', key.id)) {
    objects.put('dynamicTargetingKeys', key)
    logChanges(objects, profile, call.service.store.now, [
      { objectType, objectId, action: 'ACTION_ADD', fieldName: 'dynamicTargetingKey', newValue: key.name },
    ])
  }
  return view(call.table, objects, 'dynamicTargetingKeys', 'DynamicTargetingKey', key, 'insert')
}

export function deleteTargetingKey(call: Call): void {
  const { objectId, name, objectType } = call.params as { objectId: string; name: string; objectType: string }
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const key = objects.get('dynamicTargetingKeys', keyId(objectType, objectId, name))
  if (!key || !isVisible(profile, key)) throw noSuch('dynamic targeting key on object', objectId)
  objects.remove('dynamicTargetingKeys', key.id)
  logChanges(objects, profile, call.service.store.now, [
    { objectType, objectId, action: 'ACTION_REMOVE', fieldName: 'dynamicTargetingKey', oldValue: name },
  ])
}
