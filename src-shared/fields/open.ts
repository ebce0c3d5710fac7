import type { Collection } from '../facts/collection'
import type { JsonObject } from '../json'
import type { Field } from '../wire/table'
import { fieldsOnTheWay } from './path'

/** Why a field can't be edited: the service fills it in, it can't change after creation, or it doesn't apply to this type. */
export type Closed = 'service' | 'fixed' | 'otherType'

const ofType = (patterns: readonly string[], type: string): boolean =>
  patterns.some((one) => (one.startsWith('*') ? type.includes(one.slice(1, -1)) : type === one))

/** True if a field applies, given the values around it. @param record the whole record, whose type decides for creatives */
export function applies(field: Field, around: JsonObject, record: JsonObject): boolean {
  for (const [name, values] of Object.entries(field.appliesWhen ?? {})) if (!values.includes(around[name])) return false
  const type = String(record['type'] ?? '')
  if (field.creativeTypes && !ofType(field.creativeTypes, type)) return false
  return !(field.notCreativeTypes && ofType(field.notCreativeTypes, type))
}

/** @param made true if the service already has the record */
export function closedAt(collection: Collection, path: string, record: JsonObject, made: boolean): Closed | undefined {
  const way = fieldsOnTheWay(collection, path)
  const [first = ''] = path.split('.')
  const field = way?.at(-1)
  if (!way || !field || !(made ? (collection.patch ?? collection.update) : collection.insert)) return 'service'
  const named = collection.ids !== 'content' && collection.idFields.includes(first)
  if (named || first === 'etag' || first === 'kind' || field.const !== undefined) return 'service'
  if (way.some((one) => one.readOnly || one.writableFor !== undefined)) return 'service'
  if (collection.filled.includes(first)) return 'service'
  // Archiving is a separate action, and the service sets its date.
  if (collection.ends === 'archive' && path === 'archived') return 'service'
  const fixed =
    collection.fixed.includes(first) || (collection.ids === 'content' && collection.idFields.includes(first))
  if (made && (fixed || way.some((one) => one.readOnlyAfterInsert || one.immutable))) return 'fixed'
  return applies(way[0]!, record, record) ? undefined : 'otherType'
}

/** True if a new record would be rejected without it. */
export const isNeeded = ({ required, requiredOn, requiredFor }: Field): boolean =>
  required === true ||
  (requiredOn?.includes('insert') ?? false) ||
  (requiredFor?.some((operation) => operation.endsWith('.insert')) ?? false)
