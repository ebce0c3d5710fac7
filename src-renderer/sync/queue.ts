import { isLocalId } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import type { Memory } from '../replica/memory'
import type { Outbox } from '../replica/outbox'

/**
 * How many entries of one service travel at once, one where nothing is said: tasks refer to each other's places, and
 * trafficking advises against writing at once.
 */
const parallel: Readonly<Partial<Record<ServiceName, number>>> = { calendar: 4 }

export interface Picked {
  /** Entries that may be sent now, oldest first. */
  ready: OutboxEntry[]
  /** When the next one may, as `elapsed` counts; undefined when none waits for time alone. */
  nextAt?: number
}

/** Until when an entry is left alone, by its id, as `elapsed` counts: a clock that is set anew changes nothing. */
export type Waits = ReadonlyMap<string, number>

/**
 * What a service may be sent: per record first in, first out; nothing before what it depends on, of whatever service; a
 * parked or waiting record holds back only itself and its dependants. `may`: what else has to be so, asked of the oldest
 * first. Costs what travels and what waits for time, however much lies in the queue.
 */
export function pick(
  outbox: Outbox,
  service: ServiceName,
  waits: Waits,
  elapsed: number,
  may: (entry: OutboxEntry) => boolean = () => true,
): Picked {
  const ready: OutboxEntry[] = []
  // An edit that is not yet whole may still be taken back.
  if (outbox.held > 0) return { ready }
  const held = (entry: OutboxEntry): boolean => entry.notBefore !== undefined && (waits.get(entry.id) ?? 0) > elapsed
  let nextAt: number | undefined
  for (const [id, until] of waits) {
    const entry = until > elapsed && outbox.isSendable(id) ? outbox.get(id) : undefined
    if (entry && held(entry)) nextAt = Math.min(nextAt ?? Infinity, until)
  }
  let room = (parallel[service] ?? 1) - outbox.sending(service)
  for (const entry of outbox.sendable(service)) {
    if (room <= 0) break
    if (held(entry) || !may(entry)) continue
    ready.push(entry)
    room--
  }
  return { ready, ...(nextAt !== undefined && { nextAt }) }
}

/**
 * Whether an older creation of the same name, whose answer was lost, has to be looked for first: while nobody knows
 * whether it was made, either of the two could be taken for the other.
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

/** A made-up id that no waiting creation will ever replace: what it belongs to was withdrawn. */
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

/** Made-up ids that the content of an entry refers to. */
const referencesOf = (facts: Facts, { collection, patch }: OutboxEntry): string[] =>
  facts.of(collection).references ? localIdsIn(patch) : []
