import { parseRecordKey } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { ChosenDownload, DownloadPart, DownloadProgress, Replica } from '../../replica/api'
import { agoWords } from '../../ui/dates'
import type { Scope } from './scope'

/**
 * Downloads that contain at least some of the displayed records: the whole profile, the current record, and the records
 * it belongs to.
 */
export function downloadsIn(
  downloads: readonly ChosenDownload[],
  { profile, within }: Scope,
  { facts, peek }: Pick<Replica, 'facts' | 'peek'>,
): ChosenDownload[] {
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

/** How far downloads are. */
export interface Standing {
  /** All of them as one. */
  whole: DownloadProgress
  /** Downloads that aren't paused. */
  running: DownloadProgress
  /** Downloads with more than the lists. */
  contents: readonly ChosenDownload[]
  /** The first read of all hasn't ended. */
  incomplete: boolean
  /** Only paused ones are incomplete. */
  paused: boolean
}

export function standingOf(replica: Pick<Replica, 'downloadProgress'>, downloads: readonly ChosenDownload[]): Standing {
  const contents = downloads.filter(({ what }) => what !== 'index')
  const active = contents.filter(({ paused }) => !paused)
  const whole = replica.downloadProgress(downloads)
  const running = active.length === contents.length ? whole : replica.downloadProgress(active)
  const incomplete = contents.length > 0 && whole.readAt === null
  const isActive = active.length > 0 && running.readAt === null
  return { whole, running, contents, incomplete, paused: incomplete && !isActive }
}

/** How complete and old the lists of several collections are, as one. Undefined without any. */
export function freshnessOf(
  parts: readonly DownloadPart[],
): Pick<DownloadPart, 'state' | 'records' | 'readAt'> | undefined {
  if (parts.length === 0) return undefined
  const times = parts.map(({ readAt }) => readAt)
  return {
    state: parts.find(({ state }) => state !== 'ready')?.state ?? 'ready',
    records: parts.reduce((sum, { records }) => sum + records, 0),
    readAt: times.includes(null) ? null : Math.min(...(times as number[])),
  }
}

/** Formats freshness for the end of a line: `updated 4 min ago`, `updating…`. */
export function freshWords({ state, readAt }: Pick<DownloadPart, 'state' | 'readAt'>, now: number): string {
  if (state === 'reading') return 'updating…'
  const age = readAt === null ? '' : `updated ${agoWords(readAt, now)}`
  if (state === 'failed') return age === '' ? 'couldn’t refresh' : `${age}, couldn’t refresh`
  return age || 'not updated yet'
}
