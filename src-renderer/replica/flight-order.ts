import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { collectionOf } from '#shared/facts/references'
import { nameAt, valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, ownKey } from '#shared/mutation/fold'

/** Two entries, of which the second must be sent first. */
export interface InOrder {
  id: string
  after: string
}

/** The service's version of a record, by its key. */
export type BaseOf = (key: string) => JsonObject | null | undefined

interface Ends {
  start: string | undefined
  end: string | undefined
}
const textAt = (value: JsonObject | null, path: string): string | undefined => {
  const found = value ? valueAt(value, path) : undefined
  return typeof found === 'string' ? found : undefined
}
const endsOf = ({ flight }: Collection, value: JsonObject | null): Ends => ({
  start: flight && textAt(value, flight.start),
  end: flight && textAt(value, flight.end),
})
/** True if `inner` starts before or ends after `outer`. */
const sticksOut = (inner: Ends, outer: Ends): boolean =>
  (inner.start !== undefined && outer.start !== undefined && inner.start < outer.start) ||
  (inner.end !== undefined && outer.end !== undefined && inner.end > outer.end)

/** True if an entry sets the dates of its record's flight. */
const setsFlight = ({ flight }: Collection, { kind, patch }: OutboxEntry): boolean =>
  flight !== undefined &&
  (kind === 'create' || kind === 'change') &&
  [flight.start, flight.end].some((path) => path.split('.')[0]! in patch)

/**
 * Pairs of entries that the service would reject in another order: a flight that outgrows its parent's goes after the entry
 * that extends the parent's, and a flight that gets shorter goes after the flights inside it.
 */
export function flightOrder(facts: Pick<Facts, 'of'>, entries: readonly OutboxEntry[], baseOf: BaseOf): InOrder[] {
  const changes = new Map<string, OutboxEntry>()
  const flights = entries.filter((entry) => setsFlight(facts.of(entry.collection), entry))
  for (const entry of flights) if (entry.kind === 'change') changes.set(ownKey(entry), entry)
  return flights.flatMap((entry): InOrder[] => {
    const own = facts.of(entry.collection)
    const within = own.flight?.within
    const after = applyPatch(entry.base ?? {}, entry.patch)
    const outer = within === undefined ? undefined : collectionOf(nameAt(within))
    const id = within === undefined ? undefined : textAt(after, within)
    if (outer === undefined || id === undefined) return []
    const key = recordKey(outer as CollectionName, entry.parent, id)
    const around = changes.get(key)
    const base = around && baseOf(key)
    if (!around || !base) return []
    const outerFacts = facts.of(outer as CollectionName)
    if (sticksOut(endsOf(own, after), endsOf(outerFacts, base))) return [{ id: entry.id, after: around.id }]
    const next = endsOf(outerFacts, applyPatch(base, around.patch))
    return sticksOut(endsOf(own, entry.base), next) ? [{ id: around.id, after: entry.id }] : []
  })
}
