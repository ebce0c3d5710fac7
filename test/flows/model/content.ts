import { sameJson, type JsonObject } from '#shared/json'

/** Fields that only the service writes. */
export const serverOwned = new Set([
  'etag',
  'updated',
  'position',
  'kind',
  'selfLink',
  'htmlLink',
  'created',
  'creator',
  'organizer',
  'recurringEventId',
  'originalStartTime',
])

export const writable = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !serverOwned.has(field) && field !== 'parent'))

/** Fields that a PUT doesn't change. */
export const ownedPart = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([field]) => serverOwned.has(field) || field === 'parent' || field === 'accessRole' || field === 'primary',
    ),
  )

export function tombstone(collection: string, value: JsonObject): JsonObject {
  if (collection === 'events') {
    const { id, recurringEventId, originalStartTime, etag } = value
    return { id, status: 'cancelled', recurringEventId, originalStartTime, etag }
  }
  return { ...value, deleted: true }
}

/** User-visible content, without the service's own fields. */
export function content(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([field]) => !['etag', 'updated', 'position', 'sequence'].includes(field)),
  )
}

export const sameContent = (a: JsonObject, b: JsonObject): boolean => sameJson(content(a), content(b))
