import type { CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { cancelledInstance, parseInstanceId } from './instances'

/**
 * The record as this computer keeps it, or null when the service means "deleted": an event that is cancelled, a list
 * entry or task with `deleted`, an access rule without a role. A cancelled occurrence is kept, for it hides one.
 */
export function keptForm(collection: CollectionName, id: string, value: JsonObject | null): JsonObject | null {
  if (collection === 'events') {
    if (value && value.status !== 'cancelled') return value
    const instance = parseInstanceId(id)
    if (!instance) return null
    return { ...cancelledInstance(instance), ...value, status: 'cancelled' }
  }
  if (!value) return null
  if (value.deleted === true) return null
  if (collection === 'acl' && value.role === 'none') return null
  return value
}
