import type { Method, Parameter } from '#shared/wire/table'

export type Values = Readonly<Record<string, unknown>>

/** Query parameters every method of every service accepts. */
const everywhere = ['fields', 'prettyPrint', 'quotaUser', 'key', 'alt']

/**
 * Path and query of a call, after the base address: parameters are encoded, repeated ones repeated, `undefined` ones
 * left out. @throws RangeError for an unknown parameter or a missing required one: a mistake of ours, never sent.
 */
export function pathAndQuery(method: Method, params: Values): string {
  for (const name of Object.keys(params)) {
    if (!(name in method.pathParams) && !(name in method.queryParams) && !everywhere.includes(name)) {
      throw new RangeError(`${method.id} has no parameter ${name}`)
    }
  }
  const path = method.path.replace(/\{([^}]+)\}/g, (_place, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '') throw new RangeError(`${method.id} needs ${name}`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, parameter] of Object.entries(method.queryParams))
    append(query, method, name, parameter, params[name])
  for (const name of everywhere) if (params[name] !== undefined) query.append(name, String(params[name]))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

function append(query: URLSearchParams, method: Method, name: string, parameter: Parameter, value: unknown): void {
  if (value === undefined || value === null) {
    if (parameter.required) throw new RangeError(`${method.id} needs ${name}`)
    return
  }
  if (parameter.repeated && Array.isArray(value)) for (const item of value) query.append(name, String(item))
  else query.append(name, String(value))
}
