import type { CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { cancelledInstance, parseInstanceId } from './instances'

/**
 * The record to store, or null if the service marks it as deleted: a canceled event, a list entry or task with
 * `deleted`, or an access rule without a role. Keeps canceled occurrences, because they hide an occurrence of their
 * series.
 */
export function keptForm(collection: CollectionName, id: string, value: JsonObject | null): JsonObject | null {
  if (!value) return null
  if (collection === 'events') {
    if (value.status !== 'cancelled') return value
    const instance = parseInstanceId(id)
    if (!instance) return null
    return { ...cancelledInstance(instance), ...value, status: 'cancelled' }
  }
  if (value.deleted === true) return null
  if (collection === 'acl' && value.role === 'none') return null
  return value
}
