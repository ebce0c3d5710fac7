import type { CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'

/** A record on disk: only the service's state. The visible state is derived from it and the outbox. */
export interface StoredRow {
  key: string
  collection: CollectionName
  parent: string | null
  id: string
  base: JsonObject
  etag?: string
  complete: boolean
  /** Single events: start in epoch milliseconds, for reading the visible range first. */
  at?: number
  /** Recurring events and their exceptions, which are needed to expand. */
  series?: 1
}
