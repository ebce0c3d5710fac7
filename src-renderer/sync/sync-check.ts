import { isSameRow } from '../replica/records'
import type { StoredRow } from '../replica/stored-row'

/** How a record differs: it is only here, it is only at the service, or the service has another version of it. */
export type Difference = 'ghost' | 'hole' | 'stale'

/** Compares a record of this computer with the service's version, by etag and content. @returns undefined if they agree. */
export function differenceOf(here: StoredRow | undefined, there: StoredRow | null | undefined): Difference | undefined {
  if (!there) return here && 'ghost'
  if (!here) return 'hole'
  return isSameRow(here, there) ? undefined : 'stale'
}
