import type { Method, ServiceTable } from '#shared/wire/table'
import { schemaOf } from '#shared/wire/validate'
import { invalidParameter } from '../problems'
import { matchesWildcard } from '../wildcards'
import { factsOf } from './facts'
import type { Filter, Keeps } from './filter'
import type { Objects } from './objects'
import { itemSchema, partsOf, singular, textAt, valuesAt } from './shapes'

/** Parameters that only affect the amount and order of results. */
const shaping = new Set(['maxResults', 'pageToken', 'sortField', 'sortOrder'])

const plans = new WeakMap<
  Method,
  Array<{ name: string; filter: Filter; only?: Readonly<Record<string, readonly unknown[]>> }>
>()

/** Combines all given parameters of a list into one filter. */
export function filtersOf(
  table: ServiceTable,
  method: Method,
  objects: Objects,
  params: Readonly<Record<string, unknown>>,
): Keeps {
  let plan = plans.get(method)
  if (!plan) {
    plan = Object.entries(method.queryParams)
      .filter(([name]) => !shaping.has(name))
      .map(([name, parameter]) => ({ name, filter: filterOf(table, method, name), only: parameter.appliesWhen }))
    plans.set(method, plan)
  }
  const all: Keeps[] = []
  for (const { name, filter, only } of plan) {
    const value = params[name]
    if (value === undefined) continue
    const limit = method.queryParams.maxResults?.max ?? 1000
    if (Array.isArray(value) && value.length > limit)
      throw invalidParameter(`Invalid value for ${name}: at most ${limit} may be given.`, name)
    for (const [field, values] of Object.entries(only ?? {})) all.push((object) => values.includes(object[field]))
    all.push(typeof filter === 'function' ? filter({ objects, value, params }) : keepsAt(filter, value))
  }
  return (object) => all.every((keeps) => keeps(object))
}

/** Filter of a list parameter. @throws Error for a parameter without a rule, which is a mistake in the facts */
export function filterOf(table: ServiceTable, method: Method, name: string): Filter {
  const { collection } = partsOf(method.id)
  const facts = factsOf(collection)
  if (facts.filters?.[name]) return facts.filters[name]
  if (name === 'searchString' || name === 'name') return ({ value }) => searching(String(value), facts.search)
  const { fields } = schemaOf(table, itemSchema(table, method))
  if (Object.hasOwn(fields, name)) return name
  const one = singular(name)
  if (one && (Object.hasOwn(fields, one) || one === 'id')) return one
  if (name === 'subaccountId') return name
  throw new Error(`No rule for the parameter ${name} of ${method.id}`)
}

function keepsAt(where: string | readonly string[], value: unknown): Keeps {
  const paths = (typeof where === 'string' ? [where] : where).map((path) => path.split('.'))
  if (typeof value === 'boolean')
    return (object) => paths.some((path) => valuesAt(object, path).some((item) => item === true)) === value
  const wanted = new Set((Array.isArray(value) ? value : [value]).map(String))
  return (object) => paths.some((path) => valuesAt(object, path).some((item) => wanted.has(String(item))))
}

/** Matches `*` as any text, implied at both ends. Ignores case. */
export function searching(text: string, fields: readonly string[]): Keeps {
  const pattern = `*${text.trim().toLowerCase()}*`
  return (object) =>
    fields.some((field) => {
      const value = textAt(object, field)
      return value !== undefined && matchesWildcard(pattern, value.toLowerCase())
    })
}
