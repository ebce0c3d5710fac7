import { sameJson, valuesOf, type JsonObject } from '#shared/json'
import type { Upon } from './api'
import type { ExpectedBase } from './pending'

/**
 * Fields that someone else has changed since an edit's author saw them, with the values they had.
 * @param seq the row's `remoteSeq`
 * @param current the current values of the fields that count, null if empty
 */
export function outdatedIn(seq: number, current: JsonObject, upon: Upon | undefined): JsonObject {
  if (!upon || (upon.seq !== undefined && seq <= upon.seq)) return {}
  const seen = seenBy(upon)
  const fields = Object.keys(current).filter(
    (field) => field in seen && !sameJson(seen[field] ?? null, current[field]!),
  )
  return valuesOf(seen, fields)
}

/** Base of a deletion, as its author saw the record. Has no etag if it's outdated, so that it's compared with the service's record. */
export function asSeen(expected: ExpectedBase, seq: number, upon: Upon): ExpectedBase {
  const { base, complete } = expected
  const outdated = outdatedIn(seq, valuesOf(base, Object.keys(seenBy(upon))), upon)
  return Object.keys(outdated).length > 0 ? { base: { ...base, ...outdated }, complete } : expected
}

const seenBy = ({ record, values }: Upon): JsonObject => ({ ...record, ...values })
