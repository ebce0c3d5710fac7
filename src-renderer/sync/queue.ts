import { collections, isLocalId } from '#shared/domain/collections'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'

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
 * What may be sent: per record first in, first out; nothing before what it depends on; a parked or waiting record holds
 * back only itself and its dependants. `entries` oldest first.
 */
export function pick(entries: readonly OutboxEntry[], waits: Waits, elapsed: number): Picked {
  const waiting = new Set(entries.map((entry) => entry.id))
  const busy = new Map<ServiceName, number>()
  const count = (service: ServiceName): unknown => busy.set(service, (busy.get(service) ?? 0) + 1)
  for (const entry of entries) if (entry.state === 'sending') count(collections[entry.collection].service)
  const records = new Set<string>()
  const ready: OutboxEntry[] = []
  let nextAt: number | undefined
  for (const entry of entries) {
    const key = ownKey(entry)
    const first = !records.has(key)
    records.add(key)
    if (!first || entry.state !== 'waiting' || entry.dependsOn.some((id) => waiting.has(id))) continue
    const until = entry.notBefore === undefined ? undefined : waits.get(entry.id)
    if (until !== undefined && until > elapsed) {
      nextAt = Math.min(nextAt ?? Infinity, until)
      continue
    }
    const { service } = collections[entry.collection]
    if ((busy.get(service) ?? 0) >= (parallel[service] ?? 1)) continue
    count(service)
    ready.push(entry)
  }
  return { ready, ...(nextAt !== undefined && { nextAt }) }
}

/** A made-up id that no waiting creation will ever replace: what it belongs to was withdrawn. */
export function orphaned(entry: OutboxEntry): string | undefined {
  const named = [
    entry.parent,
    entry.kind === 'create' ? undefined : entry.recordId,
    entry.place?.parent,
    ...(entry.action && 'destination' in entry.action ? [entry.action.destination] : []),
    ...(entry.action?.name === 'moveTask' ? [entry.action.parent] : []),
  ]
  return named.find((id): id is string => typeof id === 'string' && isLocalId(id))
}
