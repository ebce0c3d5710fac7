import type { Collection } from '#shared/facts/collection'
import type { Gone } from '#shared/facts/remark'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { fold } from '#shared/mutation/fold'
import type { Memory } from './memory'

/** How the service marks a record as deleted, and how that ends: with the value that the record had before, if any. */
export function revivalOf({ gone }: Collection, value: JsonObject): { gone: JsonObject; back: JsonObject } | undefined {
  if (gone?.back === undefined) return undefined
  const { field, is, back } = gone
  return { gone: { [field]: is }, back: { [field]: isBack(gone, value[field]) ? value[field] : back } }
}

const isBack = ({ is }: Gone, said: Json | undefined): said is Json =>
  said !== undefined && said !== null && said !== is

/** True if an entry brings back what its author knew as deleted: a record, or an occurrence of a series. */
function restores({ facts }: Memory, { kind, collection, base, patch }: OutboxEntry): boolean {
  const { gone } = facts.of(collection)
  if (kind !== 'change' || gone?.back === undefined) return false
  return base?.[gone.field] === gone.is && isBack(gone, patch[gone.field])
}

/** The same, for a record itself. A part of another record, such as an occurrence, isn't meant. */
export const restoresRecord = (memory: Memory, entry: OutboxEntry): boolean =>
  restores(memory, entry) && !memory.behaviors.of(entry.collection).isPart?.(entry.recordId)

/** The same, for a part of another record. Its deleted form has none of its content, so its edit shows all of it. */
export const restoresPart = (memory: Memory, entry: OutboxEntry): boolean =>
  restores(memory, entry) && !restoresRecord(memory, entry)

/**
 * True if a record is deleted on the service, once earlier entries have arrived, and its `open` ones only bring it back: they
 * restore it, or create it although it was found deleted. `own`: all entries of the record.
 */
export function isOnlyRestored(
  memory: Memory,
  key: string,
  own: readonly OutboxEntry[],
  open: readonly OutboxEntry[],
): boolean {
  const [first] = open
  if (!first || !(restores(memory, first) || (first.kind === 'create' && first.conflict?.remote === null))) return false
  const { gone } = memory.facts.of(first.collection)
  const before = fold(key, memory.row(key)?.base ?? null, own.slice(0, own.length - open.length))
  return before === null || (gone !== undefined && before[gone.field] === gone.is)
}
