import { collections } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'

/** Changes of one kind of record that the service rejected for the same reason. */
export interface RejectionGroup {
  id: string
  entries: readonly OutboxEntry[]
}

/** Groups changes that need attention. Conflicts stay apart. */
export function rejectionsOf(entries: readonly OutboxEntry[]): RejectionGroup[] {
  const found = new Map<string, OutboxEntry[]>()
  for (const entry of entries) {
    const { collection, fault, conflict, id } = entry
    const alike = fault && collections[collection].references
    const why = conflict || !alike ? id : [collection, fault.code, fault.location, fault.message].join('\n')
    const known = found.get(why)
    if (known) known.push(entry)
    else found.set(why, [entry])
  }
  return [...found].map(([id, entries]) => ({ id, entries }))
}
