import type { Collection } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { kindOf, type FieldKind } from '#shared/fields/kind'
import { fieldsWithin } from '#shared/fields/path'
import type { Field } from '#shared/wire/table'
import { versionsOf } from '#shared/wire/services'

/** A field's path in a record. Lists use their first item. */
export interface Place {
  collection: Collection
  path: string
  name: string
  field: Field
  kind: FieldKind
}

const deepest = 6

/** Every writable field of a collection, including nested ones. Recursive types are cut off. */
export function placesOf(collection: Collection): Place[] {
  const found: Place[] = []
  const walk = (fields: Readonly<Record<string, Field>>, around: string, above: readonly string[]): void => {
    for (const [name, field] of Object.entries(fields)) {
      if (field.readOnly || field.const !== undefined || name === 'kind' || name === 'etag') continue
      const path = around === '' ? name : `${around}.${name}`
      const kind = kindOf(collection.table, name, field)
      found.push({ collection, path, name, field, kind })
      const inner = kind === 'parts' ? field.of! : field
      if (kind !== 'part' && kind !== 'parts') continue
      const schema = inner.ref ?? path
      if (above.includes(schema) || above.length >= deepest) continue
      walk(fieldsWithin(collection.table, inner) ?? {}, kind === 'parts' ? `${path}.0` : path, [...above, schema])
    }
  }
  if (collection.insert ?? collection.update ?? collection.patch)
    walk(collection.table.schemas[collection.schema]!.fields, '', [collection.schema])
  return found
}

/** The fields of every trafficking collection in every version. */
export const everyPlace: readonly Place[] = versionsOf('trafficking').flatMap((trafficking) =>
  factsOf({ trafficking })
    .all.filter(({ service }) => service === 'trafficking')
    .flatMap(placesOf),
)
