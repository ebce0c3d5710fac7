import type { OutboxEntry } from '#shared/mutation/entry'
import type { Memory } from './memory'

/** True if an entry brings back a deleted record itself. A part of another record, such as an occurrence, isn't meant. */
export function restoresRecord({ facts, behaviors }: Memory, entry: OutboxEntry): boolean {
  const { kind, collection, recordId, base, patch } = entry
  const { gone } = facts.of(collection)
  if (kind !== 'change' || gone?.back === undefined || behaviors.of(collection).revival?.(recordId)) return false
  return base?.[gone.field] === gone.is && patch[gone.field] === gone.back
}
