import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Field, Schema, ServiceTable } from '#shared/wire/table'
import { schemaOf } from '#shared/wire/validate'
import { dimensionValue } from './dimensions'
import type { Objects } from './objects'
import type { Stored } from './stored'
import { fieldsOf, textAt } from './shapes'

/** Context of a view: the reader, the object it began with, and the request. */
interface Viewing {
  table: ServiceTable
  objects: Objects
  root: Stored
  collection: string
  verb: string
}

/** An object in one version of the API: only that version's fields, plus computed ones. */
export function view(
  table: ServiceTable,
  objects: Objects,
  collection: string,
  schema: string,
  root: Stored,
  verb: string,
): JsonObject {
  return shown({ table, objects, root, collection, verb }, planOf(schemaOf(table, schema)), root)
}

interface Plan {
  kind?: string
  fields: Array<{ name: string; field: Field; twin?: string }>
}

const plans = new WeakMap<Schema, Plan>()

/** Inline object types have no schema of their own, so there's nothing to cache. */
function planOf(schema: Schema): Plan {
  let plan = plans.get(schema)
  if (!plan) plans.set(schema, (plan = makePlan(schema.fields)))
  return plan
}

function makePlan(fields: Record<string, Field>): Plan {
  return {
    kind: fields.kind?.const,
    fields: Object.entries(fields)
      .filter(([name, field]) => name !== 'kind' && !field.writeOnly)
      .map(([name, field]) => ({
        name,
        field,
        twin: field.ref === 'DimensionValue' && name.endsWith('DimensionValue') ? name.slice(0, -14) : undefined,
      })),
  }
}

function shown(viewing: Viewing, plan: Plan, value: JsonObject): JsonObject {
  const result: JsonObject = {}
  if (plan.kind) result.kind = plan.kind
  else if (typeof value.kind === 'string') result.kind = value.kind
  for (const { name, field, twin } of plan.fields) {
    if (field.onlyIn && field.onlyIn !== viewing.verb) continue
    if (twin !== undefined) {
      const id = value[twin]
      if (typeof id === 'string') result[name] = dimensionValue(viewing.objects, viewing.collection, twin, id)
      continue
    }
    if (name === 'computedClickThroughUrl') {
      const url = clickThroughUrl(viewing, value)
      if (url) result[name] = url
      continue
    }
    const item = value[name]
    if (item !== undefined && item !== null) result[name] = shownField(viewing, field, item)
  }
  return result
}

function shownField(viewing: Viewing, field: Field, value: Json): Json {
  if (Array.isArray(value)) return field.of ? value.map((item) => shownField(viewing, field.of!, item)) : value
  if (isJsonObject(value)) {
    const inside = field.ref === 'CreativeAsset' ? { ...viewing, collection: 'creativeAssets' } : viewing
    if (field.ref) return shown(inside, planOf(schemaOf(viewing.table, field.ref)), value)
    const fields = fieldsOf(viewing.table, field)
    return fields ? shown(viewing, makePlan(fields), value) : value
  }
  return field.type === 'integer' && typeof value === 'string' ? Number(value) : value
}

/** Address of a click: its own, its landing page's, or that of the campaign's landing page. */
function clickThroughUrl({ objects, root }: Viewing, value: JsonObject): string | undefined {
  if (typeof value.customClickThroughUrl === 'string') return value.customClickThroughUrl
  const campaign = typeof root.campaignId === 'string' ? objects.get('campaigns', root.campaignId) : undefined
  const page = value.defaultLandingPage === true ? campaign?.defaultLandingPageId : value.landingPageId
  return typeof page === 'string' ? textAt(objects.get('advertiserLandingPages', page), 'url') : undefined
}
