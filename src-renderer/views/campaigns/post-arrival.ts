import type { OutboxEntry } from '#shared/mutation/entry'
import { heldUpBy, type PlannedRow } from './post-plan'

/** What became of posted rows. */
export interface Arrival {
  /** Number of entries that the service has taken. */
  arrived: number
  /** Entries that need attention. */
  failed: readonly OutboxEntry[]
  /** Number of entries that wait for those. */
  blocked: number
  /** Number of entries that are still sent. */
  going: number
}

export function arrivalOf(posted: readonly PlannedRow[], byId: ReadonlyMap<string, OutboxEntry>): Arrival {
  const left = posted.flatMap(({ entry }) => byId.get(entry.id) ?? [])
  const failed = left.filter(({ state }) => state === 'needsYou')
  const stuck = heldUpBy(
    failed.map(({ id }) => id),
    new Map(left.map(({ id, dependsOn }) => [id, dependsOn])),
  )
  const blocked = stuck.size - failed.length
  return { arrived: posted.length - left.length, failed, blocked, going: left.length - failed.length - blocked }
}

/** A single text, because screen readers pause between elements. */
export function arrivalWords({ arrived, failed, blocked }: Arrival, of: number): string {
  const count = (number: number): string => number.toLocaleString('en')
  const parts = [
    `${count(arrived)} of ${count(of)} sent`,
    failed.length > 0 && `${count(failed.length)} ${failed.length === 1 ? 'needs' : 'need'} attention`,
    blocked > 0 && `${count(blocked)} waiting for ${failed.length === 1 ? 'it' : 'them'}`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}
