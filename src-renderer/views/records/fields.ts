import type { Collection } from '#shared/facts/collection'
import { collectionOf } from '#shared/facts/references'
import type { Json, JsonObject } from '#shared/json'
import type { Field } from '#shared/wire/table'

export interface PlainField {
  name: string
  field: Field
  kind: 'text' | 'prose' | 'number' | 'choice' | 'yesNo' | 'date'
  /** May not be left empty. */
  needed: boolean
}

const prose = new Set(['comment', 'comments', 'description', 'notes'])

function kindOf(name: string, field: Field): PlainField['kind'] | undefined {
  if (field.type === 'boolean') return 'yesNo'
  if (field.type === 'integer' || field.type === 'number') return 'number'
  if (field.type !== 'string') return undefined
  if (field.enum) return 'choice'
  if (field.format === 'date') return 'date'
  if (field.format === 'int64')
    return name.endsWith('Id') || name.endsWith('Nanos') || field.unit ? undefined : 'number'
  if (field.format !== undefined) return undefined
  return prose.has(name) || (field.maxLength ?? 0) > 512 ? 'prose' : 'text'
}

/** Fields of one plain value that may be written now; `made`: the service has the record already. */
export function plainFields(collection: Collection, made: boolean): PlainField[] {
  if (!collection.patch && !collection.update) return []
  const fields = Object.entries(collection.table.schemas[collection.schema]!.fields)
  const found = fields.flatMap(([name, field]): PlainField[] => {
    const kind = kindOf(name, field)
    const closed =
      field.readOnly ||
      field.readOnlySometimes ||
      field.const !== undefined ||
      field.writableFor !== undefined ||
      field.creativeTypes !== undefined ||
      field.deprecated ||
      (made && (field.readOnlyAfterInsert || field.immutable || collection.fixed.includes(name)))
    const apart = name === 'etag' || collectionOf(name) !== undefined || collection.idFields.includes(name)
    if (!kind || closed || apart || (collection.ends === 'archive' && name === 'archived')) return []
    return [{ name, field, kind, needed: field.required === true || (field.requiredOn?.length ?? 0) > 0 }]
  })
  return found.sort((a, b) => Number(b.name === collection.title) - Number(a.name === collection.title))
}

/** What was typed, as the field keeps it; null empties it. Otherwise why it cannot be. */
export function readTyped({ field, kind, needed }: PlainField, text: string): { value: Json } | { problem: string } {
  const typed = kind === 'prose' ? text : text.trim()
  if (typed === '') return needed ? { problem: 'This may not be empty' } : { value: null }
  if (kind === 'number') {
    const whole = field.type !== 'number'
    const number = Number(typed.replace(',', '.'))
    if (!(whole ? /^-?\d+$/ : /^-?\d+([.,]\d+)?$/).test(typed))
      return { problem: whole ? 'A whole number' : 'A number' }
    if (field.min !== undefined && number < field.min) return { problem: `At least ${field.min.toLocaleString('en')}` }
    if (field.max !== undefined && number > field.max) return { problem: `At most ${field.max.toLocaleString('en')}` }
    return { value: field.type === 'string' ? typed : number }
  }
  const most = field.maxLength
  if (most !== undefined && typed.length > most)
    return { problem: `At most ${most} characters, these are ${typed.length}` }
  return { value: typed }
}

/** Fields that are shown to be read: all that hold something, but for those that can be edited and what only programs need. */
export function readFields(
  { table, schema, log }: Collection,
  value: JsonObject,
  edited: ReadonlySet<string>,
): string[] {
  const known = Object.keys(table.schemas[schema]!.fields)
  const hidden = (name: string): boolean =>
    edited.has(name) || name === 'kind' || name === 'etag' || (name.endsWith('DimensionValue') && !log)
  const names = known.filter((name) => value[name] !== undefined && value[name] !== null && !hidden(name))
  // Numbers that name things stand last.
  const weight = (name: string): number => (name === 'id' ? 3 : /^(account|subaccount)Id$/.test(name) ? 2 : 0)
  return names.sort((a, b) => weight(a) - weight(b))
}
