import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { schemaOf } from '#shared/wire/validate'
import type { Field } from '#shared/wire/table'
import type { Draft } from './draft'
import type { Stored } from './stored'
import { rowSchemas } from '#shared/facts/references'
import { refusal } from './refusals'
import { fieldsOf, valuesAt } from './shapes'

/** Parts whose ID the service assigns, although no flag says so. */
const numbered = new Set(['CreativeOptimizationConfiguration', 'CustomViewabilityMetric'])

/**
 * Completes the parts of a draft: fills in sizes and reference data, and assigns IDs to new list entries.
 * @throws Problem 400 for an unknown size or row
 */
export function completeParts(draft: Draft): void {
  const { fields } = schemaOf(draft.call.table, draft.schema)
  draft.after = completed(draft, fields, draft.after, '', draft.before)
}

function completed(
  draft: Draft,
  fields: Record<string, Field>,
  value: JsonObject,
  path: string,
  before: Json | undefined,
): JsonObject {
  const result = { ...value }
  const old = isJsonObject(before) ? before : {}
  for (const [name, field] of Object.entries(fields)) {
    const item = value[name]
    if (item === undefined || item === null || sameJson(item, old[name])) continue
    const at = path ? `${path}.${name}` : name
    if (isJsonObject(item)) result[name] = completedPart(draft, field, item, at, old[name])
    else if (Array.isArray(item) && field.of)
      result[name] = item.map((entry, index) =>
        isJsonObject(entry)
          ? completedPart(draft, field.of!, entry, `${at}[${index}]`, counterpart(old[name], entry))
          : entry,
      )
  }
  return result
}

/** The previous list entry with the same ID. */
function counterpart(before: Json | undefined, entry: JsonObject): Json | undefined {
  if (!Array.isArray(before) || entry.id === undefined) return undefined
  return before.find((old) => isJsonObject(old) && old.id === entry.id)
}

function completedPart(draft: Draft, field: Field, value: JsonObject, path: string, before?: Json): JsonObject {
  const { ref } = field
  if (ref === 'DimensionValue') return value
  if (ref === 'Size') return sizeOf(draft, value, path, before)
  if (ref && rowSchemas[ref]) return rowOf(draft, ref, value, path)
  const fields = fieldsOf(draft.call.table, field)
  if (!fields) return value
  const result = completed(draft, fields, value, path, before)
  // Values that the service added to a part stay.
  if (isJsonObject(before))
    for (const [name, inner] of Object.entries(fields))
      if (inner.readOnly && name !== 'id' && before[name] !== undefined) result[name] ??= before[name]
  if (ref === 'EventTagOverride') return { id: overriddenTag(draft), ...result }
  if (ref && (fields.id?.readOnly || numbered.has(ref))) {
    const known = isJsonObject(before) && before.id === value.id
    result.id = known || (numbered.has(ref) && value.id !== undefined) ? value.id : draft.objects.nextId(`part:${ref}`)
  }
  return result
}

/** Tag of an override without one: the first of the campaign or advertiser that no earlier override uses. */
function overriddenTag({ objects, after, collection }: Draft): string {
  const taken = new Set(valuesAt(after, ['eventTagOverrides', 'id']))
  const own = objects
    .list('eventTags')
    .find(
      (tag) =>
        !taken.has(tag.id) &&
        (tag.campaignId === (collection === 'campaigns' ? after.id : after.campaignId) ||
          (tag.campaignId === undefined && tag.advertiserId === after.advertiserId)),
    )
  return own?.id ?? objects.nextId('part:EventTagOverride')
}

function rowOf({ objects, call }: Draft, schema: string, value: JsonObject, path: string): JsonObject {
  const { collection, keys } = rowSchemas[schema]!
  const key = keys.find((name) => value[name] !== undefined && value[name] !== null)
  if (!key) throw refusal('general', `${path} must be named by ${keys.join(' or ')}`, `${path}.${keys[0]}`)
  const direct = objects.get(collection, String(value[key]))
  const row =
    direct && direct[key] === value[key] ? direct : objects.list(collection).find((one) => one[key] === value[key])
  if (!row) throw refusal('unknown', `There is no such ${schema}: ${String(value[key])}`, `${path}.${key}`)
  const { fields } = schemaOf(call.table, schema)
  return Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(fields, name)))
}

/** A size by ID or dimensions. Creates it if needed. */
function sizeOf(draft: Draft, value: JsonObject, path: string, before?: Json): JsonObject {
  const { objects } = draft
  const { id, width, height } = value
  const byId = typeof id === 'string' ? objects.get('sizes', id) : undefined
  const measured = typeof width === 'number' && typeof height === 'number'
  if (id !== undefined && !byId && !(isJsonObject(before) && before.id === id))
    throw refusal('unknown', `There is no size with the id ${String(id)}`, `${path}.id`)
  // A patch of width and height is merged with the ID of the previous size.
  const stale = byId && measured && isJsonObject(before) && before.id === id && !hasMeasures(byId, width, height)
  if (byId && !stale) return shownSize(byId)
  if (!measured) throw refusal('missing', `${path} needs an id, or a width and a height`, path)
  return shownSize(sizeWith(draft, width, height))
}

const hasMeasures = (size: JsonObject, width: Json | undefined, height: Json | undefined): boolean =>
  size.width === width && size.height === height

/** The size with these dimensions in pixels. Creates it if needed. */
export function sizeWith({ objects }: Pick<Draft, 'objects'>, width: number, height: number): Stored {
  const known = objects.list('sizes').find((size) => hasMeasures(size, width, height))
  if (known) return known
  const made: Stored = { id: objects.nextId('sizes'), width, height, iab: false }
  objects.put('sizes', made)
  return made
}

const shownSize = ({ id, width, height, iab }: Stored): JsonObject => ({ id, width, height, iab })
