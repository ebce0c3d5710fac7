import { isDate, isDateTime, isInt64 } from '#shared/wire/validate'
import { isZone } from '#shared/time/zones'
import type { Method, Parameter, ServiceTable } from '#shared/wire/table'
import { instantOf } from './instants'
import { Problem, invalid, invalidParameter, required } from './problems'

/** Parameters that every operation of every service accepts. */
const accepted = new Set(['key', 'fields', 'alt', 'prettyPrint', 'quotaUser', 'userIp', 'oauth_token', 'access_token'])

/** Services that reduce a page size above the limit. The others reject it. */
const cutsPages = new Set(['calendar', 'tasks'])

/** Names that an older revision of an interface has for a parameter. */
const olderNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'trafficking.remarketingListShares.patch': { remarketingListId: 'id' },
}

function withNewerNames(method: Method, query: URLSearchParams): URLSearchParams {
  const names = olderNames[method.id]
  if (!names) return query
  return new URLSearchParams([...query].map(([name, value]): [string, string] => [names[name] ?? name, value]))
}

/**
 * Typed query and path parameters of a call, with defaults.
 * @throws Problem 400 that names the parameter
 */
export function readParameters(
  table: ServiceTable,
  method: Method,
  path: Record<string, string>,
  given: URLSearchParams,
): Record<string, unknown> {
  const query = withNewerNames(method, given)
  const params: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(path)) {
    const parameter = method.pathParams[name]
    params[name] = parameter ? readValue(table, name, parameter, text) : text
  }
  for (const name of new Set(query.keys())) {
    const known = Object.hasOwn(method.queryParams, name) || Object.hasOwn(table.commonParams, name)
    const forFiles = name === 'uploadType' && method.upload !== undefined
    if (!known && !accepted.has(name) && !forFiles && table.service !== 'calendar') {
      throw invalidParameter(
        `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`,
        name,
      )
    }
  }
  for (const [name, parameter] of Object.entries({ ...table.commonParams, ...method.queryParams })) {
    const texts = query.getAll(name)
    if (texts.length === 0 || (texts.length === 1 && texts[0] === '' && parameter.type !== 'string')) {
      if (parameter.required) throw required(name, `Required parameter: ${name}`)
      if (parameter.default !== undefined) params[name] = parameter.default
      continue
    }
    // Older tables list the same values of `alt` for every operation, and omit files.
    const file = name === 'alt' && method.download && texts.at(-1) === 'media'
    const values = texts.map((text) => (file ? text : readValue(table, name, parameter, text)))
    params[name] = parameter.repeated ? values : values[values.length - 1]
    if (parameter.required && params[name] === '') throw required(name, `Required parameter: ${name}`)
  }
  checkCompanions(method, params, query)
  return params
}

/** Converts JSON parameters of the admin path to a query, so that both are handled alike. */
export function queryOf(params: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) query.append(name, String(item))
  }
  return query
}

function readValue(table: ServiceTable, name: string, parameter: Parameter, text: string): unknown {
  const wrong = (why: string): Problem =>
    invalidParameter(`Invalid value for ${name}: ${text.slice(0, 200)}. ${why}`, name)
  switch (parameter.type) {
    case 'boolean': {
      if (text !== 'true' && text !== 'false') throw wrong('It must be true or false.')
      const value = text === 'true'
      if (parameter.enum && !parameter.enum.includes(value)) throw wrong(`It must be ${parameter.enum.join(' or ')}.`)
      return value
    }
    case 'integer': {
      if (!/^-?\d{1,10}$/.test(text)) throw wrong('It must be a whole number.')
      const value = Number(text)
      const [low, high] = parameter.format === 'uint32' ? [0, 4294967295] : [-2147483648, 2147483647]
      if (value > high || value < low) throw wrong('It is out of range.')
      if (parameter.min !== undefined && value < parameter.min) throw wrong(`It must be at least ${parameter.min}.`)
      if (name === 'maxResults' && value < 0) throw wrong('It must be at least 0.')
      if (parameter.max !== undefined && value > parameter.max) {
        if (name === 'maxResults' && cutsPages.has(table.service)) return parameter.max
        throw wrong(`It must be at most ${parameter.max}.`)
      }
      return value
    }
    default:
      return readText(name, parameter, text, wrong)
  }
}

function readText(name: string, parameter: Parameter, text: string, wrong: (why: string) => Problem): string {
  if (parameter.enum && !parameter.enum.includes(text)) throw wrong(`It must be one of ${parameter.enum.join(', ')}.`)
  if (parameter.format === 'date-time') {
    // An unescaped plus sign arrives as a space.
    const time = text.replace(/ (\d\d:\d\d)$/, '+$1')
    if (!isDateTime(time, parameter.offsetRequired) && !(!parameter.offsetRequired && isDate(time))) {
      throw wrong('It must be an RFC 3339 timestamp with an offset.')
    }
    return time
  }
  if (parameter.format === 'int64' && !isInt64(text)) throw wrong('It must be a whole number.')
  if (parameter.maxLength !== undefined && [...text].length > parameter.maxLength)
    throw wrong(`It may have at most ${parameter.maxLength} characters.`)
  const banned = parameter.mustNotContain?.find((part) => text.includes(part))
  if (banned !== undefined) throw wrong(`It may not contain ${JSON.stringify(banned)}.`)
  if (parameter.format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) throw wrong('It must be an e-mail address.')
  if (name === 'timeZone' && !isZone(text)) throw wrong('It must be an IANA time zone.')
  return parameter.lowercased ? text.toLowerCase() : text
}

function checkCompanions(method: Method, params: Record<string, unknown>, query: URLSearchParams): void {
  for (const [name, parameter] of Object.entries(method.queryParams)) {
    if (!query.has(name)) continue
    for (const other of parameter.notWith ?? []) {
      if (query.has(other)) throw invalid(`The parameter ${other} cannot be used together with ${name}.`, name)
    }
    for (const other of parameter.mustNotBeFalseWith ?? []) {
      if (query.get(other) === 'false') throw invalid(`The parameter ${other} cannot be false with ${name}.`, name)
    }
    const lower = parameter.greaterThan
    if (lower && query.has(lower) && instantOf(String(params[name])) <= instantOf(String(params[lower]))) {
      throw new Problem(400, 'timeRangeEmpty', 'The specified time range is empty.', {
        domain: 'calendar',
        location: name,
      })
    }
  }
}
