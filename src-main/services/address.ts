import type { Method, Parameter } from '#shared/wire/table'
import { translatePath, translateQuery, type Vocabulary } from '#shared/wire/vocabulary'

export type Values = Readonly<Record<string, unknown>>

/** Query parameters that every method of every service accepts. */
const everywhere = ['fields', 'prettyPrint', 'quotaUser', 'key', 'alt']

/**
 * Path and query of a call, after the base address, with encoded parameters. Repeats lists, and omits `undefined`. `file`: use
 * the upload address, for operations that have one.
 * @throws RangeError for an unknown parameter or a missing required one, which is a bug of ours
 */
export function pathAndQuery(
  method: Method,
  params: Values,
  vocabulary: Vocabulary = 'neutral',
  file = false,
): { path: string; upload: boolean } {
  for (const name of Object.keys(params)) {
    const known = Object.hasOwn(method.pathParams, name) || Object.hasOwn(method.queryParams, name)
    if (!known && !everywhere.includes(name)) {
      throw new RangeError(`${method.id} has no parameter ${name}`)
    }
  }
  if (file && !method.upload) throw new RangeError(`${method.id} takes no file`)
  const template = file ? method.upload!.simple.path : method.path
  const path = (vocabulary === 'public' ? translatePath(template, 'public') : template).replace(
    /\{([^}]+)\}/g,
    (_place, name: string) => {
      const value = params[name]
      const text = typeof value === 'number' ? String(value) : value
      if (typeof text !== 'string' || text === '') throw new RangeError(`${method.id} needs ${name}`)
      // These would change the path in any encoding.
      if (text === '.' || text === '..') throw new RangeError(`${method.id} can’t have ${text} as ${name}`)
      return encodeURIComponent(text)
    },
  )
  const query = new URLSearchParams()
  if (file) query.append('uploadType', 'multipart')
  for (const [name, parameter] of Object.entries(method.queryParams))
    append(query, method, name, parameter, params[name])
  for (const name of everywhere) if (params[name] !== undefined) query.append(name, String(params[name]))
  const said = vocabulary === 'public' ? new URLSearchParams(translateQuery(method, query, 'public')) : query
  const text = said.toString()
  return { path: text === '' ? path : `${path}?${text}`, upload: file }
}

function append(query: URLSearchParams, method: Method, name: string, parameter: Parameter, value: unknown): void {
  if (value === undefined || value === null) {
    if (parameter.required) throw new RangeError(`${method.id} needs ${name}`)
    return
  }
  if (parameter.repeated && Array.isArray(value)) for (const item of value) query.append(name, String(item))
  else query.append(name, String(value))
}
