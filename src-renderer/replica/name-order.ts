import type { Facts } from '#shared/facts/facts'
import { uniqueFields } from '#shared/facts/unique'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, ownKey } from '#shared/mutation/fold'
import type { BaseOf, InOrder } from './flight-order'

/**
 * Entries that give a record a name that another one has: they go after the entry that takes it away from there. Records
 * that exchange their names can't be sent in any order.
 */
export function nameOrder(facts: Pick<Facts, 'of'>, entries: readonly OutboxEntry[], baseOf: BaseOf): InOrder[] {
  const written = entries.flatMap((entry) => {
    if (entry.kind !== 'create' && entry.kind !== 'change') return []
    const fields = uniqueFields(facts.of(entry.collection)).filter(({ field }) => field in entry.patch)
    return fields.map((unique) => ({ entry, ...unique }))
  })
  if (written.length < 2) return []
  const place = ({ collection, parent }: OutboxEntry, field: string, value: JsonObject, scope?: string): string =>
    JSON.stringify([collection, parent, field, value[field] ?? null, (scope && value[scope]) ?? null])
  const freed = new Map<string, string>()
  for (const { entry, field, scope } of written) {
    const base = entry.kind === 'change' ? baseOf(ownKey(entry)) : null
    if (base && base[field] !== entry.patch[field]) freed.set(place(entry, field, base, scope), entry.id)
  }
  return written.flatMap(({ entry, field, scope }) => {
    const after = freed.get(place(entry, field, applyPatch(entry.base ?? {}, entry.patch), scope))
    return after === undefined || after === entry.id ? [] : [{ id: entry.id, after }]
  })
}
