import { isLocalId, localPrefix } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import { keysOf, ownKey } from '#shared/mutation/fold'
import type { Json } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { behind, listOf, placeIn, spot } from './task-places'

/** By what entries are looked up: for each index the keys under which an entry stands. */
export const outboxIndexes = {
  /** Keys of all rows that it changes on this computer. */
  shows: keysOf,
  /** The key of its own record. */
  own: (entry) => [ownKey(entry)],
  record: (entry) => [entry.recordId],
  /** The series of an occurrence. */
  master: (entry) => one(parseInstanceId(entry.recordId)?.masterId),
  parent: (entry) => one(entry.parent),
  destination: (entry) => one(entry.action && 'destination' in entry.action ? entry.action.destination : undefined),
  waitsFor: (entry) => (entry.dependsOn.length > 1 ? [...new Set(entry.dependsOn)] : entry.dependsOn),
  group: (entry) => [entry.group],
  /** Groups of those that mail somebody. */
  mails: (entry) => (entry.mails > 0 ? [entry.group] : none),
  /** Creations whose answer was lost, under one key. */
  lost: (entry) => (entry.kind === 'create' && entry.unknownOutcome && entry.state === 'waiting' ? [''] : none),
  /** Ids made up here, wherever it names them. */
  local: localIds,
  /** Who puts a task behind which other, exactly where, and into which. */
  behind: (entry) => {
    const previous = placeIn(entry)?.previous
    return previous === undefined ? none : [behind(listOf(entry), previous)]
  },
  spot: (entry) => {
    const at = placeIn(entry)
    return at ? [spot(listOf(entry), at)] : none
  },
  inside: (entry) => one(placeIn(entry)?.parent),
} satisfies Record<string, (entry: OutboxEntry) => readonly string[]>

export type OutboxIndexName = keyof typeof outboxIndexes
export const outboxIndexNames = Object.keys(outboxIndexes) as OutboxIndexName[]

const none: readonly string[] = []
const one = (key: string | null | undefined): readonly string[] => (key === null || key === undefined ? none : [key])

function localIds(entry: OutboxEntry): readonly string[] {
  const found = new Set<string>()
  collect(entry as unknown as Json, found)
  return found.size === 0 ? none : [...found]
}

/** An id stands alone, as a part of a row key, or before the suffix of an occurrence. */
function collect(data: Json | undefined, found: Set<string>): void {
  if (typeof data === 'string') {
    if (!data.includes(localPrefix)) return
    for (const part of data.split('\n')) {
      if (!isLocalId(part)) continue
      found.add(part)
      for (let at = part.indexOf('_'); at !== -1; at = part.indexOf('_', at + 1)) found.add(part.slice(0, at))
    }
  } else if (typeof data === 'object' && data !== null) {
    for (const item of Array.isArray(data) ? data : Object.values(data)) collect(item, found)
  }
}
