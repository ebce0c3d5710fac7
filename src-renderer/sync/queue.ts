import { collections, isLocalId } from '#shared/domain/collections'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ServiceName } from '#shared/wire/services'
import type { Memory } from '../replica/memory'

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
 * parked or waiting record holds back only itself and its dependants. `may`: what else has to be so, asked of the oldest first.
 */
export function pick(
  memory: Pick<Memory, 'entries'>,
  service: ServiceName,
  waits: Waits,
  elapsed: number,
  may: (entry: OutboxEntry) => boolean = () => true,
): Picked {
  const entries = memory.entries()
  const unsent = new Set(entries.map((entry) => entry.id))
  const own = entries.filter(({ collection }) => collections[collection].service === service)
  let free = (parallel[service] ?? 1) - own.filter(({ state }) => state === 'sending').length
  const records = new Set<string>()
  const ready: OutboxEntry[] = []
  let nextAt: number | undefined
  for (const entry of own) {
    const key = ownKey(entry)
    const first = !records.has(key)
    records.add(key)
    const held = entry.dependsOn.some((id) => id !== entry.id && unsent.has(id))
    if (!first || entry.state !== 'waiting' || held) continue
    const until = entry.notBefore === undefined ? undefined : waits.get(entry.id)
    if (until !== undefined && until > elapsed) {
      nextAt = Math.min(nextAt ?? Infinity, until)
      continue
    }
    if (free <= 0 || !may(entry)) continue
    free--
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
