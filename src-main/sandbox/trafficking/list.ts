import type { Json, JsonObject } from '#shared/json'
import { schemaOf } from '#shared/wire/validate'
import { pageToken, readCursor } from '../cursors'
import type { Call } from '../operation'
import { invalid } from '../problems'
import { factsOf } from './facts'
import type { Keeps } from './filter'
import { filtersOf } from './filters'
import { compareIds, objectsOf } from './objects'
import type { Stored } from './stored'
import { isVisible, profileOf } from './profiles'
import { collectionOf } from '#shared/facts/references'
import { noSuch, refusal } from './refusals'
import { itemSchema, parentParams, partsOf } from './shapes'
import { view } from './view'

/** Lifetime of page tokens, in milliseconds. */
const tokenLifeMs = 3_600_000

/** Lists objects by rule: visible to the profile, under their parent, filtered, sorted, one page. */
export function listObjects(call: Call): JsonObject {
  const { collection } = partsOf(call.method.id)
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const params = call.params as Readonly<Record<string, unknown>>
  const facts = factsOf(collection)
  const under = parentOf(call)
  const narrowed = !facts.needsOneOf || facts.needsOneOf.some((name) => params[name] !== undefined)
  const keeps = filtersOf(call.table, call.method, objects, params)
  const found = narrowed
    ? objects.list(collection).filter((object) => isVisible(profile, object) && under(object) && keeps(object))
    : []
  return answerPage(call, collection, found)
}

/** Sorts the results and returns the requested page in the operation's list schema. */
export function answerPage(call: Call, collection: string, found: Stored[]): JsonObject {
  const { table, method } = call
  const objects = objectsOf(call.service.store)
  const schema = itemSchema(table, method)
  const sorted = sortedBy(call, factsOf(collection).nameField, found)
  const page = method.paged ? pageOf(call, sorted) : { rows: sorted.map(({ object }) => object) }
  const { kind } = schemaOf(table, method.response!).fields
  const answer: JsonObject = kind?.const ? { kind: kind.const } : {}
  answer[method.items!] = page.rows.map((object) => view(table, objects, collection, schema, object, 'list')) as Json
  if (page.nextPageToken) answer.nextPageToken = page.nextPageToken
  return answer
}

/** Filters by the parents that the path names. @throws Problem 404 for an unknown parent */
function parentOf(call: Call): Keeps {
  const params = call.params as Record<string, string>
  const names = parentParams(call.method)
  for (const name of names) checkParent(call, name)
  return (object) => names.every((name) => object[name] === params[name])
}

/** @throws Problem 404 if the object in a path parameter doesn't exist or belongs to another account */
export function checkParent(call: Call, name: string): Stored {
  const collection = collectionOf(name)
  const id = (call.params as Record<string, string>)[name]!
  const parent = collection ? objectsOf(call.service.store).get(collection, id) : undefined
  if (!parent || !isVisible(profileOf(call), parent)) throw noSuch(name.slice(0, -2), id)
  return parent
}

interface Sorted {
  object: Stored
  key: string
}

/** Sorts objects. Keys are empty when sorting by ID. */
function sortedBy(call: Call, nameField: string, found: Stored[]): Sorted[] {
  const { sortField = 'ID', sortOrder = 'ASCENDING' } = call.params as { sortField?: string; sortOrder?: string }
  const keyOf = (object: Stored): string => (sortField === 'ID' ? '' : String(object[nameField] ?? '').toLowerCase())
  const rows = found.map((object) => ({ object, key: keyOf(object) }))
  if (sortField !== 'ID') rows.sort(compare)
  return sortOrder === 'DESCENDING' ? rows.reverse() : rows
}

const compare = (a: Sorted, b: Sorted): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : compareIds(a.object.id, b.object.id)

function pageOf(call: Call, rows: Sorted[]): { rows: Stored[]; nextPageToken?: string } {
  const { maxResults: asked, sortOrder } = call.params as { maxResults?: number; sortOrder?: string }
  const { store } = call.service
  const scope = JSON.stringify(
    Object.keys(call.method.pathParams).map((name) => (call.params as Record<string, string>)[name]),
  )
  const cursor = readCursor<[key: string, id: string]>(call, `${call.method.id} ${scope}`, () => store.now)
  if (store.now - cursor.snapshot > tokenLifeMs) throw invalid('The page token has expired.', 'pageToken')
  const direction = sortOrder === 'DESCENDING' ? -1 : 1
  const after = ({ object, key }: Sorted): boolean => {
    if (!cursor.after) return true
    const [lastKey, lastId] = cursor.after
    const order = key < lastKey ? -1 : key > lastKey ? 1 : compareIds(object.id, lastId)
    return order * direction > 0
  }
  const rest = rows.filter(after)
  // Zero means the default size: an empty page without a token would look like an empty list.
  const page = rest.slice(0, asked || Number(call.method.queryParams.maxResults?.default ?? 1000))
  const last = page.at(-1)
  return {
    rows: page.map(({ object }) => object),
    nextPageToken:
      last && rest.length > page.length
        ? pageToken(call, `${call.method.id} ${scope}`, { snapshot: store.now }, [last.key, last.object.id])
        : undefined,
  }
}

/** @throws Problem 404, or 400 that names the parameter, if the profile can't see the object */
export function checkVisible(call: Call, collection: string, id: string, parameter?: string): Stored {
  const object = objectsOf(call.service.store).get(collection, id)
  if (object && isVisible(profileOf(call), object)) return object
  if (parameter) throw refusal('unknown', `There is no such object: ${id}`, parameter)
  throw noSuch(collection, id)
}
