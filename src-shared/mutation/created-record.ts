import type { Collection } from '#shared/facts/collection'
import { sameJson, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import { isServerOwned } from '#shared/merge/rules'
import type { MergeReceipt, OutboxEntry, RemoteRecord } from './entry'

/**
 * True if a creation with an unknown outcome created this record: it has the ID we chose, or it's equal in all visible
 * fields and didn't exist before.
 */
export function isCreatedBy(facts: Collection, entry: OutboxEntry, record: RemoteRecord): boolean {
  if (entry.kind !== 'create' || !record.value) return false
  if (record.collection !== entry.collection || record.parent !== entry.parent) return false
  const { ids, seen, fixed } = facts
  if (ids !== 'service')
    return record.id === entry.recordId && (isOwnId(facts, entry) || adopted(facts, entry, record).kind === 'confirmed')
  if (seen.length === 0 || entry.twins?.includes(record.id)) return false
  // The existing records were unknown: don't mistake an older record with this name for the new one.
  if (entry.blind && adopted(facts, entry, record).kind !== 'confirmed') return false
  const compared = [...seen, ...fixed.filter((field) => entry.patch[field] !== undefined)]
  const { value } = record
  const equal = compared.every((field) => sameJson(plain(field, value), plain(field, entry.patch)))
  // A nested record must have the requested parent.
  return equal && sameJson(value.parent, entry.place?.parent)
}

/** True if no other creation can have this ID. IDs from the content, or of records created again, may have several. */
export const isOwnId = ({ ids }: Collection, { blind }: OutboxEntry): boolean => ids === 'client' && !blind

/**
 * True if a creation may have created this record, and someone changed it since: it still has the title or another text that
 * was sent. A record that `appeared` in the same place may also differ in its title if only that was sent.
 */
export function mayBeCreatedBy(
  facts: Collection,
  entry: OutboxEntry,
  record: RemoteRecord,
  appeared: boolean,
): boolean {
  const { value } = record
  if (entry.kind !== 'create' || !value || facts.ids !== 'service' || entry.twins?.includes(record.id)) return false
  const sentTexts = facts.seen.filter((field) => plain(field, entry.patch) !== undefined)
  const shares = (field: string): boolean => {
    const [now, sent] = [plain(field, value), plain(field, entry.patch)]
    if (!isProse(sent) || !isProse(now)) return false
    return now === sent || (field !== facts.title && sent.length >= tellingLength && now.includes(sent))
  }
  return sentTexts.some(shares) || (appeared && sentTexts.length <= 1 && record.parent === entry.parent)
}

/** Minimum length of text that identifies a record. Shorter text may be contained in another one by chance. */
const tellingLength = 8

const isProse = (value: unknown): value is string => typeof value === 'string' && !/^\d{4}-\d\d-\d\d(T|$)/.test(value)

export type Adopted =
  | { kind: 'confirmed'; records: RemoteRecord[] }
  | { kind: 'merged'; records: RemoteRecord[]; receipt: MergeReceipt }

/**
 * Outcome of a creation whose record was found on the service. The entry took no edits while its outcome was unknown, so
 * its patch is what was sent. Other values of the record come from someone else or the service, and stay.
 */
export function adopted({ rules }: Pick<Collection, 'rules'>, entry: OutboxEntry, record: RemoteRecord): Adopted {
  const value = record.value ?? {}
  const theirs = Object.keys(entry.patch).filter(
    (field) => !isServerOwned(rules, field) && !alreadyHolds(rules, null, value, { [field]: entry.patch[field] }),
  )
  if (theirs.length === 0) return { kind: 'confirmed', records: [record] }
  return { kind: 'merged', records: [record], receipt: { mine: [], theirs, combined: [] } }
}

/** Treats empty and absent as equal, and ignores the time of due dates. */
function plain(field: string, value: JsonObject): unknown {
  const text = value[field]
  if (text === '' || text === null) return undefined
  return field === 'due' && typeof text === 'string' ? text.slice(0, 10) : text
}
