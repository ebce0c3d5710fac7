import type { Collection } from '#shared/facts/collection'
import { sameJson, type JsonObject } from '#shared/json'
import { alreadyHolds } from '#shared/merge/arrived'
import { isServerOwned } from '#shared/merge/rules'
import type { MergeReceipt, OutboxEntry, RemoteRecord } from './entry'

/**
 * Whether a record on the service is the one that this creation, whose outcome is unknown, has made: by its id where
 * that was ours to choose; otherwise equal in everything people see, and not there before.
 */
export function isMadeBy(facts: Collection, entry: OutboxEntry, record: RemoteRecord): boolean {
  if (entry.kind !== 'create' || !record.value) return false
  if (record.collection !== entry.collection || record.parent !== entry.parent) return false
  const { ids, seen, fixed } = facts
  if (ids === 'client') return record.id === entry.recordId
  if (ids === 'content') return record.id === entry.recordId && adopted(facts, entry, record).kind === 'confirmed'
  if (seen.length === 0 || entry.twins?.includes(record.id)) return false
  // Nobody knew what was there before: an older record of this name must not be taken for the new one.
  if (entry.blind && adopted(facts, entry, record).kind !== 'confirmed') return false
  const told = [...seen, ...fixed.filter((field) => entry.patch[field] !== undefined)]
  const { value } = record
  const equal = told.every((field) => sameJson(plain(field, value), plain(field, entry.patch)))
  // What lies in another one was put there by its place.
  return equal && sameJson(value.parent, entry.place?.parent)
}

/**
 * Whether a record may be what a creation made, changed by someone since: it still has the title or another text that was
 * sent. One that `appeared` in the same place since may also share nothing, where nothing but a title was sent.
 */
export function mayBeMadeBy(facts: Collection, entry: OutboxEntry, record: RemoteRecord, appeared: boolean): boolean {
  const { value } = record
  if (entry.kind !== 'create' || !value || facts.ids !== 'service' || entry.twins?.includes(record.id)) return false
  const told = facts.seen.filter((field) => plain(field, entry.patch) !== undefined)
  const shares = (field: string): boolean => {
    const [now, sent] = [plain(field, value), plain(field, entry.patch)]
    if (!isProse(sent) || !isProse(now)) return false
    return now === sent || (field !== facts.title && sent.length >= tellingLength && now.includes(sent))
  }
  return told.some(shares) || (appeared && told.length <= 1 && record.parent === entry.parent)
}

/** Text that is shorter may well be a part of another one by chance. */
const tellingLength = 8

const isProse = (value: unknown): value is string => typeof value === 'string' && !/^\d{4}-\d\d-\d\d(T|$)/.test(value)

export type Adopted =
  { kind: 'confirmed'; records: RemoteRecord[] } | { kind: 'merged'; records: RemoteRecord[]; receipt: MergeReceipt }

/**
 * How a creation ends whose record turned up on the service. Once its outcome was unknown it took no more edits, so its
 * patch is what was sent: whatever the record says otherwise is somebody else's word or the service's, and it stays.
 */
export function adopted({ rules }: Pick<Collection, 'rules'>, entry: OutboxEntry, record: RemoteRecord): Adopted {
  const value = record.value ?? {}
  const theirs = Object.keys(entry.patch).filter(
    (field) => !isServerOwned(rules, field) && !alreadyHolds(rules, null, value, { [field]: entry.patch[field] }),
  )
  if (theirs.length === 0) return { kind: 'confirmed', records: [record] }
  return { kind: 'merged', records: [record], receipt: { mine: [], theirs, combined: [] } }
}

/** Empty and absent are one; of a due date only the day is kept. */
function plain(field: string, value: JsonObject): unknown {
  const text = value[field]
  if (text === '' || text === null) return undefined
  return field === 'due' && typeof text === 'string' ? text.slice(0, 10) : text
}
