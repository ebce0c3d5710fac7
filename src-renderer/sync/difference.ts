import { isSameRow } from '../replica/records'
import type { StoredRow } from '../replica/stored-row'

/** Difference of a record: it's only here, only on the service, or has another version there. */
export type Difference = 'ghost' | 'hole' | 'stale'

/** Compares a record of this computer with the service's version, by etag and content. @returns undefined if they agree. */
export function differenceOf(here: StoredRow | undefined, there: StoredRow | null | undefined): Difference | undefined {
  if (!there) return here && 'ghost'
  if (!here) return 'hole'
  return isSameRow(here, there) ? undefined : 'stale'
}
