import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import type { Draft } from './draft'
import { factsOf } from './facts'
import type { Objects } from './objects'
import type { Stored } from './stored'
import type { Profile } from './profiles'

export interface Change {
  objectType: string
  objectId: string
  action: string
  fieldName?: string
  oldValue?: string
  newValue?: string
}

/** Fields that the service changes automatically, which aren't logged. */
const silent = new Set(['id', 'createInfo', 'lastModifiedInfo', 'version'])

/**
 * Logs the changes of one transaction, one row per field.
 * @param at epoch milliseconds
 */
export function logChanges(objects: Objects, profile: Profile, at: number, changes: readonly Change[]): void {
  if (changes.length === 0) return
  const transactionId = objects.nextId('transactions')
  const changeTime = new Date(at).toISOString()
  for (const change of changes)
    objects.put('changeLogs', {
      id: objects.nextId('changeLogs'),
      accountId: profile.accountId,
      subaccountId: profile.subaccountId,
      changeTime,
      transactionId,
      userProfileId: profile.id,
      userProfileName: profile.name,
      ...change,
    })
}

/** One row for every changed field, nested ones by their path. */
export function changesOf({ collection, before, verb }: Draft, after: Stored): Change[] {
  const { objectType } = factsOf(collection)
  if (!objectType) return []
  const changes: Change[] = []
  const action = verb === 'insert' ? 'ACTION_CREATE' : 'ACTION_UPDATE'
  compare(before ?? {}, after, '', (fieldName, oldValue, newValue) => {
    const switched =
      fieldName === 'active' && before ? (newValue === true ? 'ACTION_ENABLE' : 'ACTION_DISABLE') : action
    changes.push({
      objectType,
      objectId: after.id,
      action: switched,
      fieldName,
      oldValue: asText(oldValue),
      newValue: asText(newValue),
    })
  })
  return changes
}

function compare(
  before: JsonObject,
  after: JsonObject,
  path: string,
  report: (path: string, before: Json | undefined, after: Json | undefined) => void,
): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name === 'kind' || (path === '' && silent.has(name))) continue
    const [old, now] = [before[name], after[name]]
    if (sameJson(old, now)) continue
    const at = path ? `${path}.${name}` : name
    if (isJsonObject(old ?? {}) && isJsonObject(now ?? {}) && (isJsonObject(old) || isJsonObject(now)))
      compare((old ?? {}) as JsonObject, (now ?? {}) as JsonObject, at, report)
    else report(at, old, now)
  }
}

const asText = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
