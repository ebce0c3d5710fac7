import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { referencesIn } from '#shared/facts/references'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { applyPatch, ownKey } from '#shared/mutation/fold'
import type { BaseOf, InOrder } from './flight-order'

/**
 * Entries that begin to refer to an archived record go after the one that restores it, and a record is deleted after the
 * entries that stop referring to it.
 */
export function referenceOrder(facts: Pick<Facts, 'of'>, entries: readonly OutboxEntry[], baseOf: BaseOf): InOrder[] {
  const restored = new Map<string, string>()
  const deleted = new Map<string, string>()
  for (const entry of entries) {
    const { ends } = facts.of(entry.collection)
    const key = ownKey(entry)
    if (entry.kind === 'delete' && ends === 'delete') deleted.set(key, entry.id)
    if (entry.kind === 'change' && ends === 'archive' && entry.patch['archived'] === false && baseOf(key)?.['archived'])
      restored.set(key, entry.id)
  }
  if (restored.size + deleted.size === 0) return []
  return entries.flatMap((entry) => {
    if (entry.kind !== 'create' && entry.kind !== 'change') return []
    const { table, schema } = facts.of(entry.collection)
    const keysIn = (value: JsonObject): Set<string> =>
      new Set(
        referencesIn(table, schema, value).map(({ collection, id }) =>
          recordKey(collection as CollectionName, entry.parent, id),
        ),
      )
    const base = entry.base ?? {}
    const [before, after] = [keysIn(base), keysIn(applyPatch(base, entry.patch))]
    return [
      ...[...after].flatMap((key) => {
        const other = before.has(key) ? undefined : restored.get(key)
        return other === undefined ? [] : [{ id: entry.id, after: other }]
      }),
      ...[...before].flatMap((key) => {
        const other = after.has(key) ? undefined : deleted.get(key)
        return other === undefined ? [] : [{ id: other, after: entry.id }]
      }),
    ]
  })
}
