import type { Collection } from '#shared/facts/collection'
import type { Gone } from '#shared/facts/remark'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { fold } from '#shared/mutation/fold'
import type { Memory } from './memory'

/** Field values by which the service marks a record as deleted, and those that restore it, from the record's former value if set. */
export function revivalOf({ gone }: Collection, value: JsonObject): { gone: JsonObject; back: JsonObject } | undefined {
  if (gone?.back === undefined) return undefined
  const { field, is, back } = gone
  return { gone: { [field]: is }, back: { [field]: isBack(gone, value[field]) ? value[field] : back } }
}

const isBack = ({ is }: Gone, said: Json | undefined): said is Json =>
  said !== undefined && said !== null && said !== is

/** True if an entry restores a record or an occurrence of a series that its author saw as deleted. */
function restores({ facts }: Memory, { kind, collection, base, patch }: OutboxEntry): boolean {
  const { gone } = facts.of(collection)
  if (kind !== 'change' || gone?.back === undefined) return false
  return base?.[gone.field] === gone.is && isBack(gone, patch[gone.field])
}

/** True if an entry restores a record that isn't a part of another one, such as an occurrence. */
export const restoresRecord = (memory: Memory, entry: OutboxEntry): boolean =>
  restores(memory, entry) && !memory.behaviors.of(entry.collection).isPart?.(entry.recordId)

/** True if an entry restores a part of another record. Its deleted form has no content, so the edit contains all of it. */
export const restoresPart = (memory: Memory, entry: OutboxEntry): boolean =>
  restores(memory, entry) && !restoresRecord(memory, entry)

/**
 * True if a record is deleted on the service once earlier entries have arrived, and its `open` entries only restore it, or
 * create it although it was found deleted.
 * @param own all entries of the record
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
