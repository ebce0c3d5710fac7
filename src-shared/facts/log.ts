import type { Collection } from './collection'
import type { Facts } from './facts'
import { partsOf } from './ids'

/** The log that records who created and changed a collection. Undefined if its service has none. */
export const logOf = ({ all }: Facts, { service, objectType }: Collection): Collection | undefined =>
  objectType === undefined ? undefined : all.find((one) => one.service === service && one.log && one.list)

/** The log that covers a record: the part of the record's place that the log is read by. */
export function placeOfLog(log: Collection, { parents }: Collection, parent: string | null): string | null {
  const at = parents.findIndex(({ param }) => param === log.parents[0]?.param)
  return parent === null ? null : (partsOf(parent, parents.length)[at] ?? null)
}
