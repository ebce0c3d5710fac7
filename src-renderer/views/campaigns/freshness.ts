import { parseRecordKey, type CollectionName } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { DownloadPart, DownloadStatus, Replica } from '../../replica/api'
import { agoWords } from '../../ui/dates'
import type { Scope } from './scope'

/**
 * Downloads that contain at least some of the displayed records: the whole profile, the current record, and the records
 * it belongs to.
 */
export function downloadsIn(
  downloads: readonly DownloadStatus[],
  { profile, within }: Scope,
  { facts, peek }: Pick<Replica, 'facts' | 'peek'>,
): DownloadStatus[] {
  const own = downloads.filter(({ parent }) => parent === profile)
  if (within === undefined) return own
  const inner = parseRecordKey(within)
  const value = peek(within)?.value ?? undefined
  const { cuts } = facts.of(inner.collection)
  return own.filter(({ what }) => {
    if (typeof what === 'string') return what === 'all'
    if (what.collection === inner.collection) return what.id === inner.id
    const field = cuts.find(({ by }) => by === what.collection)?.field
    return field !== undefined && valueAt(value, field) === what.id
  })
}

export interface Freshness {
  collection: CollectionName
  records: number
  state: DownloadPart['state']
  /** Time of the last full read in the stalest download, in epoch milliseconds. Null if incomplete. */
  readAt: number | null
  /** Error that blocks some of the downloads. */
  fault?: DownloadPart['fault']
}

/** Freshness of each kind across all downloads. */
export function freshnessOf(downloads: readonly Pick<DownloadStatus, 'parts'>[]): Freshness[] {
  const kinds = new Map<CollectionName, Freshness>()
  for (const { collection, records, state, readAt, fault: own } of downloads.flatMap(({ parts }) => parts)) {
    const known = kinds.get(collection)
    const fault = known?.fault ?? own
    if (!known) kinds.set(collection, { collection, records, state, readAt, ...(fault && { fault }) })
    else
      kinds.set(collection, {
        collection,
        records: known.records + records,
        state: known.state === 'ready' ? state : known.state,
        readAt: known.readAt === null || readAt === null ? null : Math.min(known.readAt, readAt),
        ...(fault && { fault }),
      })
  }
  return [...kinds.values()]
}

/** Formats freshness for the end of a line: `updated 4 min ago`, `updating…`. */
export function freshWords({ state, readAt }: Pick<Freshness, 'state' | 'readAt'>, now: number): string {
  if (state === 'reading') return 'updating…'
  const age = readAt === null ? '' : `updated ${agoWords(readAt, now)}`
  if (state === 'failed') return age === '' ? 'couldn’t refresh' : `${age}, couldn’t refresh`
  return age || 'not updated yet'
}
