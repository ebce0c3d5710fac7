import type { JsonObject } from '#shared/json'
import { isWritten, schemaOf } from '#shared/wire/validate'
import { mergePatch } from '../bodies'
import type { Call } from '../operation'
import { invalid } from '../problems'
import { changesOf, logChanges } from './change-logs'
import { checkFixed, checkNamed, checkReferences, checkResult, checkUnique } from './checks'
import type { Draft } from './draft'
import { factsOf, fixedFields } from './facts'
import { checkParent } from './list'
import { completeParts } from './nested'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { isVisible, profileOf } from './profiles'
import { referencesIn } from '#shared/facts/references'
import { missing, noSuch, refusal } from './refusals'
import { rulesOf } from './rules/rules'
import { parentParams, partsOf } from './shapes'
import { view } from './view'

/** Gets an object by the last path parameter. */
export function getObject(call: Call): JsonObject {
  const { collection } = partsOf(call.method.id)
  const params = call.params as Record<string, string>
  const parents = parentParams(call.method)
  const key = Object.keys(call.method.pathParams).at(-1)!
  for (const name of parents) if (name !== key) checkParent(call, name)
  // A few IDs are numbers on the wire.
  const object = findObject(call, collection, key, String(params[key]))
  return view(call.table, objectsOf(call.service.store), collection, call.method.response!, object, 'get')
}

/** @param key the name of the ID on the wire: `id`, `legacyId`, `code` @throws Problem 404 */
export function findObject(call: Call, collection: string, key: string, id: string): Stored {
  const objects = objectsOf(call.service.store)
  const profile = profileOf(call)
  const params = call.params as Record<string, string>
  const direct = objects.get(collection, id)
  const object =
    direct && (key === 'id' || direct[key] === id || key === 'objectId')
      ? direct
      : objects.list(collection).find((row) => row[key] === id)
  const under = parentParams(call.method).every((name) => name === key || object?.[name] === params[name])
  if (!object || !isVisible(profile, object) || !under) throw noSuch(collection, id)
  return object
}

/** Inserts an object: merges the body with defaults, checks every rule, stores and logs it. */
export function insertObject(call: Call): JsonObject {
  const { collection } = partsOf(call.method.id)
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const params = call.params as Record<string, string>
  const body = call.body as JsonObject
  const facts = factsOf(collection)
  const after: JsonObject = { ...facts.defaults, ...body }
  delete after.id
  delete after.kind
  for (const name of parentParams(call.method)) {
    checkParent(call, name)
    after[name] = params[name]
  }
  const schema = call.method.request!
  const draft: Draft = { call, collection, schema, verb: 'insert', objects, profile, body, after }
  if (!facts.shared) own(draft)
  return settle(draft)
}

/** Every object belongs to the account and subaccount of the profile that created it. */
function own({ after, profile }: Draft): void {
  if (after.accountId !== undefined && after.accountId !== profile.accountId)
    throw refusal('foreign', 'accountId: the profile belongs to another account', 'accountId')
  after.accountId = profile.accountId
  if (after.subaccountId === undefined && profile.subaccountId) after.subaccountId = profile.subaccountId
}

/** PUT: fields missing in the body are removed, except those that can be set only once. */
export function updateObject(call: Call): JsonObject {
  const body = call.body as JsonObject
  if (typeof body.id !== 'string') throw missing('id')
  const before = findObject(call, partsOf(call.method.id).collection, 'id', body.id)
  return settle(replacing(call, body, before))
}

/** Builds the draft of an update, also for objects that aren't found by ID. */
export function replacing(call: Call, body: JsonObject, before: Stored): Draft {
  const { collection } = partsOf(call.method.id)
  const schema = call.method.request!
  const after: JsonObject = { ...before }
  const { defaults = {} } = factsOf(collection)
  const fixed = fixedFields(collection)
  for (const [name, field] of Object.entries(schemaOf(call.table, schema).fields)) {
    if (name === 'id' || name === 'kind' || !isWritten(field, {})) continue
    const stays =
      field.readOnlyAfterInsert ||
      field.immutable ||
      field.filledWhenUnset ||
      field.requiredOn?.includes('insert') ||
      field.oneOfRequiredOnInsert ||
      keptByServer.has(name) ||
      fixed.includes(name)
    if (body[name] !== undefined) after[name] = body[name]
    else if (!stays) {
      if (defaults[name] !== undefined) after[name] = defaults[name]
      else delete after[name]
    }
  }
  return draftOf(call, 'update', body, before, after)
}

/** Fields that a caller can't clear, although not all schemas mark them as read-only. */
const keptByServer = new Set(['accountId', 'subaccountId', 'version'])

/** PATCH: given fields change, `null` clears. The ID is a query parameter. */
export function patchObject(call: Call): JsonObject {
  const { id } = call.params as { id: string }
  const body = call.body as JsonObject
  if (body.id !== undefined && body.id !== null && body.id !== id)
    throw invalid('The id of the body is not the one of the query.', 'id')
  const before = findObject(call, partsOf(call.method.id).collection, 'id', id)
  return settle(patching(call, body, before))
}

export function patching(call: Call, body: JsonObject, before: Stored): Draft {
  const { id: _id, kind: _kind, ...patch } = body
  const { defaults = {} } = factsOf(partsOf(call.method.id).collection)
  const cleared = Object.entries(defaults).filter(([name]) => patch[name] === null)
  const after = { ...mergePatch<JsonObject>(before, patch), ...Object.fromEntries(cleared) }
  return draftOf(call, 'patch', patch, before, after)
}

function draftOf(call: Call, verb: 'update' | 'patch', body: JsonObject, before: Stored, after: JsonObject): Draft {
  const { collection } = partsOf(call.method.id)
  return {
    call,
    collection,
    schema: call.method.request!,
    verb,
    objects: objectsOf(call.service.store),
    profile: profileOf(call),
    body,
    before,
    after,
  }
}

/** Runs all checks, then all writes. @returns the object for the answer */
export function settle(draft: Draft): JsonObject {
  const { call, objects, profile, collection, before, verb } = draft
  const rules = rulesOf(collection)
  checkFixed(draft)
  checkNamed(draft)
  if (before && draft.after.accountId !== before.accountId)
    throw refusal('fixed', 'accountId cannot be changed', 'accountId')
  rules?.fill?.(draft)
  checkResult(draft)
  checkReferences(draft)
  completeParts(draft)
  checkUnique(draft)
  rules?.check?.(draft)
  const time = { time: String(call.service.store.now) }
  const object: Stored = {
    ...draft.after,
    id: before?.id ?? String(draft.after.id ?? objects.nextId(collection)),
    createInfo: before?.createInfo ?? time,
    lastModifiedInfo: time,
  }
  objects.put(collection, object)
  logChanges(objects, profile, call.service.store.now, changesOf(draft, object))
  rules?.stored?.(draft, object)
  const now = objects.get(collection, object.id) ?? object
  return view(call.table, objects, collection, call.method.response!, now, verb)
}

/** @throws Problem 400 if another object refers to it, 404 if it doesn't exist */
export function deleteObject(call: Call): void {
  const { collection } = partsOf(call.method.id)
  const object = findObject(call, collection, 'id', (call.params as { id: string }).id)
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const rules = rulesOf(collection)
  rules?.removing?.(call, objects, object)
  checkUnused(call, collection, object)
  objects.remove(collection, object.id)
  const { objectType } = factsOf(collection)
  if (objectType)
    logChanges(objects, profile, call.service.store.now, [
      {
        objectType,
        objectId: object.id,
        action: 'ACTION_DELETE',
        fieldName: 'name',
        oldValue: String(object.name ?? object.value ?? object.id),
      },
    ])
}

function checkUnused(call: Call, collection: string, object: Stored): void {
  const { table, service } = call
  const objects = objectsOf(service.store)
  for (const method of table.methods) {
    const { collection: other, verb } = partsOf(method.id)
    if (verb !== 'update' || !method.request || other === 'reports') continue
    for (const row of objects.list(other))
      if (
        row.accountId === object.accountId &&
        referencesIn(table, method.request, row).some(
          (found) => found.collection === collection && found.id === object.id,
        )
      )
        throw refusal('used', `${object.id} is in use by ${other} ${row.id}`, 'id')
  }
}
