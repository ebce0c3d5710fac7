import type { OutboxEntry } from '#shared/mutation/entry'
import type { HistoryItem } from '../../replica/api'
import { heldUpBy } from '../../context/held-up-by'
import type { PlannedRow } from './post-plan'

/** Outcome of posted rows. */
export interface Arrival {
  /** Number of entries that the service has taken. */
  arrived: number
  /** Entries that need attention. */
  failed: readonly OutboxEntry[]
  /** Number of entries that wait for those. */
  blocked: number
  /** Number of entries that ended without being sent, such as by keeping the other side of a conflict. */
  discarded: number
  /** Number of entries that are still sent. */
  going: number
}

/** IDs of ended entries of which nothing was sent: they were discarded, or gave way to the other side of a conflict. */
export const unsentIn = (items: readonly HistoryItem[]): Set<string> =>
  new Set(
    items.flatMap(({ entry, how, receipt }) =>
      how === 'withdrawn' || (entry.conflict && receipt?.mine.length === 0 && receipt.combined.length === 0)
        ? entry.id
        : [],
    ),
  )

/** @param withdrawn IDs of entries that ended without being sent */
export function arrivalOf(
  posted: readonly PlannedRow[],
  byId: ReadonlyMap<string, OutboxEntry>,
  withdrawn: ReadonlySet<string>,
): Arrival {
  const left = posted.flatMap(({ entry }) => byId.get(entry.id) ?? [])
  const failed = left.filter(({ state }) => state === 'needsYou')
  const stuck = heldUpBy(
    failed.map(({ id }) => id),
    new Map(left.map(({ id, dependsOn }) => [id, dependsOn])),
  )
  const blocked = stuck.size - failed.length
  const discarded = posted.filter(({ entry }) => !byId.has(entry.id) && withdrawn.has(entry.id)).length
  const arrived = posted.length - left.length - discarded
  return { arrived, failed, blocked, discarded, going: left.length - failed.length - blocked }
}

/** A single text, because screen readers pause between elements. */
export function arrivalWords({ arrived, failed, blocked, discarded }: Arrival, of: number): string {
  const count = (number: number): string => number.toLocaleString('en')
  const parts = [
    `${count(arrived)} of ${count(of)} sent`,
    failed.length > 0 && `${count(failed.length)} ${failed.length === 1 ? 'needs' : 'need'} attention`,
    blocked > 0 && `${count(blocked)} waiting for ${failed.length === 1 ? 'it' : 'them'}`,
    discarded > 0 && `${count(discarded)} discarded`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}
