import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { schemaOf, validate } from '#shared/wire/validate'
import type { Field, ServiceTable } from '#shared/wire/table'
import { numbered, violationProblem } from '../bodies'
import type { Draft } from './draft'
import { fixedFields } from './facts'
import { isVisible } from './profiles'
import { referencesIn } from '#shared/facts/references'
import { uniqueFields } from '#shared/facts/unique'
import { missing, refusal } from './refusals'
import { fieldsOf } from './shapes'
import { view } from './view'

/** @throws Problem 400 if the result would break a rule of its schema, although the body alone doesn't */
export function checkResult(draft: Draft): void {
  const { call, schema, after, body, verb } = draft
  if (verb === 'insert') return
  const { fields } = schemaOf(call.table, schema)
  const result = view(call.table, draft.objects, draft.collection, schema, { id: '', ...after }, 'get')
  const whole = new Set(['required', 'oneOfRequired', 'needsOneOf', 'exclusive'])
  // A missing value (an unmapped site) may stay missing.
  const violation = validate(call.table, schema, result, { operation: call.method.id, kind: 'update' }).find(
    ({ path, rule }) =>
      Object.hasOwn(body, path.split(/[.[]/)[0]!) || (whole.has(rule) && draft.before?.[path] !== undefined),
  )
  if (violation) throw violationProblem(numbered(call.table, violation))
  for (const [name, field] of Object.entries(fields))
    if (body[name] === null && field.requiredOn?.includes('insert')) throw missing(name)
}

/** @throws Problem 400 if a required text is blank */
export function checkNamed({ call, schema, body }: Draft): void {
  for (const [name, { type, required, requiredOn }] of Object.entries(schemaOf(call.table, schema).fields)) {
    const value = body[name]
    if (type === 'string' && (required || requiredOn) && typeof value === 'string' && value.trim() === '')
      throw missing(name)
  }
}

/** @throws Problem 400 for a change of a field that can only be set once */
export function checkFixed({ call, collection, schema, before, after, body }: Draft): void {
  if (!before) return
  for (const name of fixedFields(collection))
    if (Object.hasOwn(body, name) && before[name] !== undefined && !sameJson(body[name], before[name]))
      throw refusal('fixed', `${name} cannot be changed`, name)
  compareFixed(call.table, schemaOf(call.table, schema).fields, before, after, '')
}

const isFixed = (field: Field): boolean => Boolean(field.readOnlyAfterInsert || field.immutable)

function compareFixed(
  table: ServiceTable,
  fields: Record<string, Field>,
  before: JsonObject,
  after: JsonObject,
  path: string,
): void {
  for (const [name, field] of Object.entries(fields)) {
    const [old, now] = [before[name], after[name]]
    if (old === undefined || sameJson(old, now)) continue
    const at = path ? `${path}.${name}` : name
    if (isFixed(field)) throw refusal('fixed', `${at} cannot be changed`, at)
    const inner = fieldsOf(table, field.of ?? field)
    if (!inner) continue
    for (const [index, item, was] of pairs(old, now))
      compareFixed(table, inner, was, item, index === undefined ? at : `${at}[${index}]`)
  }
}

/** Corresponding objects before and after: parts by position, list entries by ID. */
function pairs(before: Json, after: Json | undefined): Array<[number | undefined, JsonObject, JsonObject]> {
  if (isJsonObject(before) && isJsonObject(after)) return [[undefined, after, before]]
  if (!Array.isArray(before) || !Array.isArray(after)) return []
  return after.flatMap((item, index) => {
    const was =
      isJsonObject(item) && item.id !== undefined
        ? before.find((old) => isJsonObject(old) && old.id === item.id)
        : undefined
    return isJsonObject(item) && isJsonObject(was) ? [[index, item, was] as [number, JsonObject, JsonObject]] : []
  })
}

/** Objects that may serve several advertisers or campaigns, so that owners may differ. */
const crossing = new Set(['eventTags', 'remarketingLists', 'trackingConfigurations', 'targetingTemplates'])
const scopes = ['advertiserId', 'campaignId'] as const

/**
 * @throws Problem 400 for a new reference to an object that doesn't exist, is archived, or belongs to another
 * advertiser or campaign
 */
export function checkReferences(draft: Draft): void {
  const { call, schema, before, after, objects, profile, collection } = draft
  const known = new Set(
    before ? referencesIn(call.table, schema, before).map(({ collection: name, id }) => `${name}/${id}`) : [],
  )
  const own: JsonObject = collection === 'advertisers' ? { advertiserId: after.id } : after
  for (const { path, collection: name, id } of referencesIn(call.table, schema, after)) {
    if (known.has(`${name}/${id}`)) continue
    const target = objects.get(name, id)
    if (!target || !isVisible(profile, target))
      throw refusal('unknown', `${path}: there is no such object: ${id}`, path)
    if (target.archived === true) throw refusal('archived', `${path}: ${id} is archived`, path)
    if (crossing.has(name)) continue
    for (const scope of scopes)
      if (typeof own[scope] === 'string' && typeof target[scope] === 'string' && target[scope] !== own[scope])
        throw refusal('foreign', `${path}: ${id} belongs to another ${scope.slice(0, -2)}`, path)
  }
}

/** @throws Problem 400 for a name that another object with the same parent has */
export function checkUnique({ call, schema, collection, objects, before, after }: Draft): void {
  for (const { field: name, within, scope } of uniqueFields({ table: call.table, schema })) {
    if (after[name] === undefined || (before && sameJson(before[name], after[name]))) continue
    const taken = objects
      .list(collection)
      .some(
        (other) =>
          other[name] === after[name] &&
          other.id !== after.id &&
          (scope === undefined || other[scope] === after[scope]) &&
          (scope === undefined || other.accountId === after.accountId),
      )
    if (taken) throw refusal('taken', `${name} must be unique within the ${within}: ${String(after[name])}`, name)
  }
}
