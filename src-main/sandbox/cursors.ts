import type { Call } from './operation'
import { fullSyncRequired, invalid } from './problems'

/** Continuation of a list: its rows, the position, and the version stamp of the first page. */
export interface Cursor<Key> {
  /** Only changes after this stamp, for a sync. */
  since?: number
  /** Restrictions of the first sync that its token carries on. */
  window?: Window
  /** Key of the previous page's last row. */
  after?: Key
  /**
   * The latest stamp when the first page was created. The next sync token starts there, so that no change is missed.
   */
  snapshot: number
}

export interface Window {
  timeMin?: string
  timeMax?: string
}

interface PageState<Key> extends Cursor<Key> {
  page: string
}

interface SyncState {
  sync: string
  since: number
  epoch: string
  window?: Window
}

/** Parameters that may differ between syncs or pages, because they only affect the amount of data. */
const free = new Set(['pageToken', 'maxResults'])
const freeInSync = new Set([...free, 'syncToken', 'showDeleted', 'showHidden', 'timeMin', 'timeMax'])

type Named = Record<string, unknown>

/** @throws Problem 400 for a token that is unreadable or bound to other parameters, 410 for an expired sync token. */
export function readCursor<Key>(call: Call, scope: string, snapshot: () => number): Cursor<Key> {
  const { tokens } = call.service
  const { pageToken, syncToken } = call.params as { pageToken?: string; syncToken?: string }
  if (pageToken) {
    const state = tokens.open<PageState<Key>>(pageToken)
    if (!state?.page) throw invalid('Invalid page token value.', 'pageToken')
    if (state.page !== digest(call, scope, free)) {
      throw invalid('The page token belongs to a request with other parameters.', 'pageToken')
    }
    return state
  }
  if (!syncToken) return { snapshot: snapshot() }
  const state = tokens.open<SyncState>(syncToken)
  if (!state?.sync) throw invalid('Invalid sync token value.', 'syncToken')
  if (state.epoch !== syncEpoch(call)) throw fullSyncRequired()
  if (state.sync !== digest(call, scope, freeInSync)) {
    throw invalid('The sync token belongs to a request with other parameters.', 'syncToken')
  }
  return { since: state.since, window: state.window, snapshot: Math.max(snapshot(), state.since) }
}

export function pageToken<Key>(call: Call, scope: string, cursor: Cursor<Key>, after: Key): string {
  const state: PageState<Key> = { ...cursor, after, page: digest(call, scope, free) }
  return call.service.tokens.seal(state)
}

export function syncToken(call: Call, scope: string, cursor: Cursor<unknown>): string {
  const { timeMin, timeMax } = call.params as Window
  const window = cursor.window ?? (timeMin || timeMax ? { timeMin, timeMax } : undefined)
  const state: SyncState = {
    sync: digest(call, scope, freeInSync),
    since: cursor.snapshot,
    epoch: syncEpoch(call),
    window,
  }
  return call.service.tokens.seal(state)
}

/** Key of a counter that is increased to expire all sync tokens. */
export const syncEpochKey = 'syncEpoch'
const syncEpoch = (call: Call): string => call.service.store.meta(syncEpochKey) ?? '0'

function digest(call: Call, scope: string, left: ReadonlySet<string>): string {
  const names = Object.keys(call.method.queryParams).filter((name) => !left.has(name))
  const params = call.params as Named
  return call.service.tokens.digest([scope, call.person.id, names.map((name) => [name, params[name] ?? null])])
}

interface Versioned {
  changed: number
  deleted: number
}

/**
 * One page of a small collection whose rows are in memory, ordered by key. A sync gets all changes, including deleted
 * rows. A plain list gets existing rows, and deleted ones with `showDeleted`.
 */
export function pageOfRows<Row extends Versioned>(
  call: Call,
  scope: string,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  keep: (row: Row) => boolean,
): { rows: Row[]; nextPageToken?: string; nextSyncToken?: string } {
  const params = call.params as { maxResults?: number; showDeleted?: boolean }
  const latest = (): number => rows.reduce((stamp, row) => Math.max(stamp, row.changed), 0)
  const cursor = readCursor<string>(call, scope, latest)
  const wanted = rows
    .filter((row) =>
      cursor.since !== undefined ? row.changed > cursor.since : keep(row) && (!row.deleted || params.showDeleted),
    )
    .filter((row) => cursor.after === undefined || keyOf(row) > cursor.after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const page = wanted.slice(0, params.maxResults ?? 100)
  const last = page.at(-1)
  if (last && wanted.length > page.length)
    return { rows: page, nextPageToken: pageToken(call, scope, cursor, keyOf(last)) }
  return { rows: page, nextSyncToken: syncToken(call, scope, cursor) }
}
