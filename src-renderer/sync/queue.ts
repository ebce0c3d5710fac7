import { isLocalId } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import type { Memory } from '../replica/memory'
import type { Outbox } from '../replica/outbox'

/**
 * Number of entries of one service in flight, 1 by default: tasks refer to each other's positions, and trafficking advises
 * against parallel writes.
 */
const parallel: Readonly<Partial<Record<ServiceName, number>>> = { calendar: 4 }

export interface Picked {
  /** Entries that may be sent now, oldest first. */
  ready: OutboxEntry[]
  /** Time of the next attempt, in `elapsed` time. Undefined if no entry is delayed. */
  nextAt?: number
  /** The entry of that attempt. */
  next?: OutboxEntry
}

/** Deadlines by entry ID in monotonic time, so that a changed clock has no effect. */
export type Waits = ReadonlyMap<string, number>

/**
 * Selects entries to send: first in, first out per record, after their dependencies in any service. A parked or waiting
 * record holds up only itself and its dependents. `may`: an additional check, called for the oldest first. Costs what is in
 * flight and waiting, not the length of the queue.
 */
export function pick(
  outbox: Outbox,
  service: ServiceName,
  waits: Waits,
  elapsed: number,
  may: (entry: OutboxEntry) => boolean = () => true,
): Picked {
  const ready: OutboxEntry[] = []
  // An incomplete edit may still be rolled back.
  if (outbox.held > 0) return { ready }
  const held = (entry: OutboxEntry): boolean => entry.notBefore !== undefined && (waits.get(entry.id) ?? 0) > elapsed
  let [next, nextAt]: [OutboxEntry?, number?] = []
  for (const [id, until] of waits) {
    const entry = until > elapsed && outbox.isSendable(id) ? outbox.get(id) : undefined
    if (entry && held(entry) && until < (nextAt ?? Infinity)) [next, nextAt] = [entry, until]
  }
  let room = (parallel[service] ?? 1) - outbox.sending(service)
  for (const entry of outbox.sendable(service)) {
    if (room <= 0) break
    if (held(entry) || !may(entry)) continue
    ready.push(entry)
    room--
  }
  return { ready, ...(next && { next, nextAt }) }
}

/**
 * True if an older creation with the same name and a lost answer must be looked up first: while its outcome is unknown,
 * either could be mistaken for the other.
 */
export function isBehindTwin({ outbox, facts }: Pick<Memory, 'outbox' | 'facts'>, entry: OutboxEntry): boolean {
  if (entry.kind !== 'create') return false
  const { ids, title } = facts.of(entry.collection)
  if (ids !== 'service' || title === undefined) return false
  return outbox
    .find('mayBeMade', '')
    .some(
      (other) =>
        other.id < entry.id &&
        other.state === 'waiting' &&
        other.collection === entry.collection &&
        other.parent === entry.parent &&
        other.patch[title] === entry.patch[title],
    )
}

/** A local ID that no pending creation will replace, because its creation was discarded. */
export function orphaned(facts: Facts, entry: OutboxEntry): string | undefined {
  const named = [
    entry.parent,
    entry.kind === 'create' ? undefined : entry.recordId,
    entry.place?.parent,
    ...(entry.action && 'destination' in entry.action ? [entry.action.destination] : []),
    ...(entry.action && 'parent' in entry.action ? [entry.action.parent] : []),
    ...referencesOf(facts, entry),
  ]
  const [inside] = localIdsIn(entry.parent)
  return named.find((id): id is string => typeof id === 'string' && isLocalId(id)) ?? inside
}

/** Local IDs that the content of an entry refers to. */
const referencesOf = (facts: Facts, { collection, patch }: OutboxEntry): string[] =>
  facts.of(collection).names ? localIdsIn(patch) : []
