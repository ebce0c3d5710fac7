import type { Json, JsonObject } from '#shared/json'
import type { Field, Method, ServiceTable } from '#shared/wire/table'
import { schemaOf } from '#shared/wire/validate'

/** `creativeFieldValues` and `list` of `trafficking.creativeFieldValues.list`. */
export function partsOf(methodId: string): { collection: string; verb: string } {
  const [, ...parts] = methodId.split('.')
  return { verb: parts.at(-1)!, collection: parts.slice(0, -1).join('.') }
}

/** Schema of the objects in the list that an operation returns. @throws Error for an operation without a list */
export function itemSchema(table: ServiceTable, method: Method): string {
  const field = method.items && method.response ? schemaOf(table, method.response).fields[method.items] : undefined
  if (!field?.of?.ref) throw new Error(`${method.id} answers no list`)
  return field.of.ref
}

/** Path parameters of parents: `creativeFieldId`, `projectId`, `campaignId`. */
export const parentParams = (method: Method): string[] =>
  Object.keys(method.pathParams).filter((name) => name.endsWith('Id') && name !== 'profileId')

/** Fields of a field's objects, from a named or inline schema. Undefined for plain values. */
export function fieldsOf(table: ServiceTable, field: Field): Record<string, Field> | undefined {
  return field.ref ? schemaOf(table, field.ref).fields : field.fields
}

/** All values at a path such as `creativeRotation.creativeAssignments.creativeId`, for each entry of lists in the path. */
export function valuesAt(value: Json | undefined, path: readonly string[], from = 0): Json[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path, from))
  const name = path[from]
  if (name === undefined) return [value]
  return typeof value === 'object' ? valuesAt((value as JsonObject)[name], path, from + 1) : []
}

/** The text at a path, or undefined. */
export function textAt(value: Json | undefined, path: string): string | undefined {
  const [found] = valuesAt(value, path.split('.'))
  return typeof found === 'string' ? found : undefined
}

/** `advertiserIds` to `advertiserId`, `pricingTypes` to `pricingType`. Undefined if the name isn't a plural. */
export const singular = (name: string): string | undefined =>
  name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.endsWith('s') ? name.slice(0, -1) : undefined

export const plural = (name: string): string => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`)
