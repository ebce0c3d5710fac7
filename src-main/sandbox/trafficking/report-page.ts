import type { JsonObject } from '#shared/json'
import { pageToken, readCursor } from '../cursors'
import { listEtag } from '../etags'
import type { Call } from '../operation'
import { compareIds } from './objects'
import type { Stored } from './stored'

/** One page of reports or report files, with at most ten entries, last changed first by default. */
export function answerReportPage(
  call: Call,
  kind: string,
  found: Stored[],
  show: (call: Call, object: Stored) => JsonObject,
): JsonObject {
  const {
    sortField = 'LAST_MODIFIED_TIME',
    sortOrder = 'DESCENDING',
    maxResults,
  } = call.params as {
    sortField?: string
    sortOrder?: string
    maxResults?: number
  }
  const keyOf = (object: Stored): string => {
    if (sortField === 'NAME') return String(object.name).toLowerCase()
    return sortField === 'ID' ? '' : String(object.lastModifiedTime).padStart(16, '0')
  }
  const direction = sortOrder === 'ASCENDING' ? 1 : -1
  const compare = (a: readonly [string, string], b: readonly [string, string]): number =>
    direction * (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : compareIds(a[1], b[1]))
  const { reportId, profileId } = call.params as { reportId?: string; profileId?: string }
  const scope = `${call.method.id} ${profileId} ${reportId}`
  const cursor = readCursor<[string, string]>(call, scope, () => call.service.store.now)
  const rows = found
    .map((object) => ({ object, key: [keyOf(object), object.id] as [string, string] }))
    .filter(({ key }) => !cursor.after || compare(key, cursor.after) > 0)
    .sort((a, b) => compare(a.key, b.key))
  const page = rows.slice(0, maxResults === undefined || maxResults === 0 ? 10 : maxResults)
  const last = page.at(-1)
  const items = page.map(({ object }) => show(call, object))
  const more = last && rows.length > page.length
  const list: JsonObject = { kind, items }
  if (more) list.nextPageToken = pageToken(call, scope, cursor, last.key)
  return { ...list, etag: listEtag({ items: items as Array<{ etag?: string }> }) }
}
