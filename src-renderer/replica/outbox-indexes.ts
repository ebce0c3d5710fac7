import { isLocalId, keyParts, localPrefix } from '#shared/domain/collections'
import { keysOf, ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Json } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'

/** Keys of an entry in an index. */
export type IndexKeys = (entry: OutboxEntry) => readonly string[]

/** Indexes of entries. Collection behaviors add more. */
export const outboxIndexes = {
  /** Keys of all rows that the entry changes on this computer. */
  shows: keysOf,
  /** Key of the entry's record. */
  own: (entry) => [ownKey(entry)],
  record: (entry) => [entry.recordId],
  parent: (entry) => one(entry.parent),
  destination: (entry) => one(entry.action && 'destination' in entry.action ? entry.action.destination : undefined),
  waitsFor: (entry) => (entry.dependsOn.length > 1 ? [...new Set(entry.dependsOn)] : entry.dependsOn),
  group: (entry) => [entry.group],
  /** Groups of entries that email people. */
  mails: (entry) => (entry.mails > 0 ? [entry.group] : none),
  /** Creations that may have been carried out already, under one key. */
  mayBeMade: (entry) => (entry.kind === 'create' && (entry.unknownOutcome || entry.state === 'sending') ? [''] : none),
  /** Keys of records that the entry may have created, while the user is asked. */
  asksAbout: (entry) => one(entry.conflict?.made),
  /** Local IDs anywhere in the entry. */
  local: localIds,
} satisfies Record<string, IndexKeys>

const none: readonly string[] = []
const one = (key: string | null | undefined): readonly string[] => (key === null || key === undefined ? none : [key])

function localIds(entry: OutboxEntry): readonly string[] {
  const found = new Set<string>(localIdsIn(entry as unknown as Json))
  collect(entry as unknown as Json, found)
  return found.size === 0 ? none : [...found]
}

/** Collects IDs: alone, as a part of a row key, or before the suffix of an occurrence. */
function collect(data: Json | undefined, found: Set<string>): void {
  if (typeof data === 'string') {
    if (!data.includes(localPrefix)) return
    for (const part of keyParts(data)) {
      if (!isLocalId(part)) continue
      found.add(part)
      for (let at = part.indexOf('_'); at !== -1; at = part.indexOf('_', at + 1)) found.add(part.slice(0, at))
    }
  } else if (typeof data === 'object' && data !== null) {
    for (const item of Array.isArray(data) ? data : Object.values(data)) collect(item, found)
  }
}
