import type { Facts } from '#shared/facts/facts'
import { uniqueFields } from '#shared/facts/unique'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, ownKey } from '#shared/mutation/fold'
import type { BaseOf, InOrder } from './flight-order'

/**
 * Pairs of entries of which one gives a record a name that another record has, and must follow the entry that renames or
 * deletes the other record. An archived record keeps its name. No order allows records to exchange their names.
 */
export function nameOrder(facts: Pick<Facts, 'of'>, entries: readonly OutboxEntry[], baseOf: BaseOf): InOrder[] {
  const written = entries.flatMap((entry) => {
    const collection = facts.of(entry.collection)
    const deletes = entry.kind === 'delete' && collection.ends === 'delete'
    if (entry.kind !== 'create' && entry.kind !== 'change' && !deletes) return []
    const fields = uniqueFields(collection).filter(({ field }) => deletes || field in entry.patch)
    return fields.map((unique) => ({ entry, deletes, ...unique }))
  })
  if (written.length < 2) return []
  // New records get the account of their profile, which is their parent here.
  const place = ({ collection, parent }: OutboxEntry, field: string, value: JsonObject, scope?: string): string =>
    JSON.stringify([
      collection,
      parent,
      field,
      value[field] ?? null,
      scope === undefined || scope === 'accountId' ? null : (value[scope] ?? null),
    ])
  const freed = new Map<string, string>()
  for (const { entry, deletes, field, scope } of written) {
    const base = entry.kind === 'create' ? null : baseOf(ownKey(entry))
    if (base && (deletes || base[field] !== entry.patch[field])) freed.set(place(entry, field, base, scope), entry.id)
  }
  return written.flatMap(({ entry, deletes, field, scope }) => {
    const after = deletes ? undefined : freed.get(place(entry, field, applyPatch(entry.base ?? {}, entry.patch), scope))
    return after === undefined || after === entry.id ? [] : [{ id: entry.id, after }]
  })
}
