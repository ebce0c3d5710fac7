import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { isWritten, schemaOf, validate, type ValidationMode, type Violation } from '#shared/wire/validate'
import type { Field, Method, ServiceTable } from '#shared/wire/table'
import { Problem, badRequest, invalid, required } from './problems'

/**
 * Parses a body.
 * @throws Problem 400 `parseError` for malformed JSON, `badRequest` for anything but an object
 */
export function parseBody(text: string): JsonObject {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem(400, 'parseError', 'Parse Error')
  }
  if (!isJsonObject(value)) throw badRequest('The request body must be a JSON object.')
  if (isDeeperThan(maxLevels, value)) throw badRequest(`The request body is nested in more than ${maxLevels} levels.`)
  return value
}

/** Maximum depth of a body, far above that of any schema. Deeper bodies would overflow the stack. */
const maxLevels = 100

function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}

/**
 * Validates a body and keeps what the service stores.
 * @throws Problem 400 for the first violation
 */
export function readBody(
  table: ServiceTable,
  method: Method,
  given: JsonObject,
  params: Record<string, unknown>,
): JsonObject {
  if (!method.request) return {}
  const body = withTextNumbers(table, { ref: method.request }, given) as JsonObject
  const kind = method.patchSemantics ? 'patch' : method.httpMethod === 'PUT' ? 'update' : 'insert'
  const mode: ValidationMode = { operation: method.id, kind, params }
  const [violation] = validate(table, method.request, body, mode).filter((one) => !isOfRow(method, one))
  if (violation) throw violationProblem(numbered(table, violation))
  return keepWritten(table, schemaOf(table, method.request).fields, body, mode)
}

/** A body with its 64-bit numbers as text. They may also be JSON numbers, which clients of untyped languages send. */
function withTextNumbers(table: ServiceTable, field: Field, value: Json): Json {
  if (Number.isSafeInteger(value) && field.type === 'string' && isLong.has(field.format)) return String(value)
  if (Array.isArray(value)) return field.of ? value.map((item) => withTextNumbers(table, field.of!, item)) : value
  const fields = field.ref ? schemaOf(table, field.ref).fields : field.fields
  if (!fields || !isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, item]): [string, Json] => [
    name,
    item !== undefined && Object.hasOwn(fields, name) ? withTextNumbers(table, fields[name]!, item) : item!,
  ])
  return Object.fromEntries(entries)
}

const isLong = new Set<string | undefined>(['int64', 'uint64'])

/**
 * Operations that check the entries of a list one by one: errors are reported per entry, and the other entries are
 * accepted. An unknown field name fails the whole request.
 */
const judgedByRow: Readonly<Record<string, string>> = {
  'trafficking.conversions.batchinsert': 'conversions',
  'trafficking.conversions.batchupdate': 'conversions',
  'trafficking.customEvents.batchinsert': 'customEvents',
}

function isOfRow(method: Method, { path, rule }: Violation): boolean {
  const list = judgedByRow[method.id]
  return list !== undefined && rule !== 'unknown' && path.startsWith(`${list}[`)
}

/** Numbers a message as trafficking does, except about unknown names, which are rejected earlier. */
export const numbered = (table: ServiceTable, violation: Violation): Violation =>
  table.service !== 'trafficking' || violation.rule === 'unknown'
    ? violation
    : { ...violation, message: `${violation.rule === 'required' ? 11004 : 11001} : ${violation.message}` }

export function violationProblem(violation: Violation): Problem {
  const location = violation.path === 'id' ? 'resource.id' : violation.path
  if (violation.rule === 'required') return required(location, violation.message)
  if (violation.rule === 'pattern' && violation.path === 'id') return invalid('Invalid resource id value.', location)
  if (location.endsWith('createRequest.conferenceSolutionKey.type'))
    return invalid('Invalid conference type value.', location)
  return invalid(violation.message, location || undefined)
}

/** Drops read-only and unknown fields. Keeps `null` only in a patch, where it clears a field. */
function keepWritten(
  table: ServiceTable,
  fields: Record<string, Field>,
  body: JsonObject,
  mode: ValidationMode,
): JsonObject {
  const kept: JsonObject = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = body[name]
    if (value === undefined) continue
    if (!isWritten(field, mode)) {
      if (namesRecord(table, name) && value !== null) kept[name] = readId(name, value)
      continue
    }
    if (value === null && mode.kind !== 'patch') continue
    kept[name] = keepValue(table, field, value, mode)
  }
  return kept
}

/** In trafficking, a read-only ID still identifies the record of a body, or the entry of a list. */
const namesRecord = (table: ServiceTable, name: string): boolean =>
  table.service === 'trafficking' && (name === 'id' || name === 'remarketingListId')

function readId(name: string, value: Json): string {
  if (typeof value !== 'string' || !/^\d{1,19}$/.test(value))
    throw invalid(`${name} must be a whole number as text`, name)
  return value
}

function keepValue(table: ServiceTable, field: Field, value: Json, mode: ValidationMode): Json {
  if (value === null) return null
  const fields = field.ref ? schemaOf(table, field.ref).fields : field.fields
  if (fields && isJsonObject(value)) return keepWritten(table, fields, value, mode)
  if (field.type === 'array' && field.of && Array.isArray(value)) {
    const whole: ValidationMode = { ...mode, kind: 'insert' }
    return value.map((item) => keepValue(table, field.of!, item, whole))
  }
  if (field.type === 'map' && isJsonObject(value)) {
    const entries = Object.entries(value).filter(
      ([key, item]) => key !== '__proto__' && (item !== null || mode.kind === 'patch'),
    )
    return Object.fromEntries(entries)
  }
  return value
}

/** Applies a patch: `null` clears a field, lists replace, objects merge field by field, and absent fields stay. */
export function mergePatch<T>(base: T, patch: JsonObject): T {
  const merged: JsonObject = { ...(base as JsonObject) }
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    if (value === null) delete merged[name]
    else if (isJsonObject(value))
      merged[name] = mergePatch(isJsonObject(merged[name]) ? merged[name] : {}, value) as JsonObject
    else merged[name] = value
  }
  return merged as T
}
