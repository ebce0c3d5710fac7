import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { outermost } from '../../context/record-names'
import type { Replica, Row } from '../../replica/api'

/** The displayed part of a profile: all of it, or everything below an advertiser or campaign. */
export interface Scope {
  profile: string
  /** Key of the advertiser or campaign. */
  within?: string
}

/** Column filters that limit a kind to a scope. Undefined if its records have no known owner. */
export function narrowing(
  kind: Pick<Collection, 'name' | 'cuts' | 'idFields'>,
  { within }: Scope,
  peek: (key: string) => Pick<Row, 'value'> | undefined,
): Record<string, readonly string[]> | undefined {
  if (within === undefined) return {}
  const { collection, id } = parseRecordKey(within)
  if (kind.name === collection) return { [kind.idFields[0]!]: [id] }
  const own = kind.cuts.find(({ by, field }) => by === collection && field !== undefined)
  if (own) return { [own.field!]: [id] }
  // Records of a campaign's advertiser may be used in the campaign.
  const value = peek(within)?.value ?? undefined
  for (const { field } of kind.cuts) {
    const wider = field === undefined ? undefined : valueAt(value, field)
    if (typeof wider === 'string') return { [field!]: [wider] }
  }
  return undefined
}

/** The scope if all records of a kind are in it, or else the profile that has them. */
export function scopeOf(
  scope: Scope,
  keys: readonly string[],
  replica: Pick<Replica, 'facts' | 'peek' | 'peekField' | 'realKey'>,
): Scope {
  const [first = ''] = keys
  const { collection, parent } = parseRecordKey(replica.realKey(first))
  const profile = outermost(parent) ?? scope.profile
  if (profile !== scope.profile || scope.within === undefined) return { profile }
  const only = Object.entries(narrowing(replica.facts.of(collection), scope, replica.peek) ?? { id: [] })
  const isInside = (key: string): boolean =>
    only.every(([field, values]) => values.includes(String(replica.peekField(replica.realKey(key), field))))
  return keys.every(isInside) ? scope : { profile }
}

/** True if records of a kind belong, directly or indirectly, to records of another kind. */
export const belongsTo = (kind: Pick<Collection, 'cuts' | 'parent'>, by: CollectionName): boolean =>
  kind.parent?.collection === by ||
  (kind.cuts.some((cut) => cut.by === by) && kind.cuts.some(({ field }) => field !== undefined))

/** Parent of the records of a kind, if the scope determines it. */
export function parentIn(kind: Pick<Collection, 'parents' | 'parent'>, { profile, within }: Scope): string | undefined {
  if (profile === '') return undefined
  if (kind.parents.length < 2) return profile
  const inner = within === undefined ? undefined : parseRecordKey(within)
  return inner && inner.collection === kind.parent?.collection ? `${profile}/${inner.id}` : undefined
}

/** Fields of a new record that the scope determines. */
export function fieldsOfScope(
  kind: Collection,
  scope: Scope,
  peek: (key: string) => Pick<Row, 'value'> | undefined,
): Record<string, string> {
  const found: Record<string, string> = {}
  if (scope.within === undefined) return found
  const { collection, id } = parseRecordKey(scope.within)
  const { fields } = kind.table.schemas[kind.schema]!
  const value = peek(scope.within)?.value ?? undefined
  for (const { by, field } of kind.cuts) {
    if (field === undefined || fields[field]?.readOnly) continue
    const said = by === collection ? id : valueAt(value, field)
    if (typeof said === 'string') found[field] = said
  }
  return found
}

export const scopeKey = (collection: CollectionName, profile: string, id: string): string =>
  recordKey(collection, profile, id)

/** Fields of a target that the record's own campaign or advertiser determines. The service rejects any other. */
export function ownersIn(target: Collection, kind: Collection, record: JsonObject): Record<string, string> {
  return Object.fromEntries(
    target.cuts.flatMap(({ by, field }): [string, string][] => {
      const own = by === kind.name ? record['id'] : field === undefined ? undefined : record[field]
      return field !== undefined && typeof own === 'string' && own !== '' ? [[field, own]] : []
    }),
  )
}
