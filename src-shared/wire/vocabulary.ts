import { isJsonObject, type Json } from '#shared/json'
import { schemaOf } from './validate'
import type { Field, Method, Schema, ServiceTable } from './table'

/**
 * The tables speak neutral words; the public services have product words in their place. Which one a service speaks is
 * a property of the account, and is translated where a call leaves and an answer arrives.
 */
export type Vocabulary = 'neutral' | 'public'

/** Pairs of words in names, values and paths: neutral, public. */
const words: readonly (readonly [string, string])[] = [
  ['tracking', 'floodlight'],
  ['Tracking', 'Floodlight'],
  ['TRACKING', 'FLOODLIGHT'],
  ['legacyId', 'dartId'],
  ['LegacyId', 'DartId'],
  ['videoLink', 'hangoutLink'],
  ['eventVideo', 'eventHangout'],
  ['eventNamedVideo', 'eventNamedHangout'],
  ['videoMeet', 'hangoutsMeet'],
]

/** Names and values for which the public service itself says "tracking". */
const sameInPublic =
  /^(AD_SERVING_TRACKING|CLICK_TRACKING|TRACKING_TEXT|PLACEMENT_TAG_TRACKING\w*|icon(Click|View)TrackingUrl|inAppAttributionTrackingEnabled|includeClickTracking|limitAdTracking)$/

/** Names of whole services: first part of a path, of a `kind`, of an authorization scope. */
const services: readonly (readonly [string, string])[] = [
  ['trafficking', 'dfareporting'],
  ['search', 'doubleclicksearch'],
]

/** Prefix of the names of report dimensions and metrics. */
const dimensionPrefix = ['trafficking:', 'dfa:'] as const

type Translate = (text: string) => string

/** A name or value of the tables in the words of a vocabulary, or back. */
const name: Record<Vocabulary, Translate> = {
  public: (text) => (sameInPublic.test(text) ? text : words.reduce((now, [a, b]) => now.replaceAll(a, b), text)),
  neutral: (text) => words.reduce((now, [a, b]) => now.replaceAll(b, a), text),
}

const swap = (pair: readonly [string, string], to: Vocabulary): readonly [string, string] =>
  to === 'public' ? pair : [pair[1], pair[0]]

/** A service's name, as in a path, a `kind` or a scope. */
export function serviceWord(text: string, to: Vocabulary): string {
  const found = services.map((pair) => swap(pair, to)).find(([from]) => from === text)
  return found ? found[1] : text
}

export const word = (text: string, to: Vocabulary): string => name[to](text)

/** The name of a report dimension or metric. */
function dimensionWord(text: string, to: Vocabulary): string {
  const [from, into] = swap(dimensionPrefix, to)
  return text.startsWith(from) ? into + name[to](text.slice(from.length)) : text
}

/** A sentence of the service about the field at `location`: names of fields, collections, dimensions and listed values. */
export function translateSentence(text: string, location: string | undefined, to: Vocabulary): string {
  const named = location === undefined ? text : text.replaceAll(location, name[to](location))
  return named
    .replace(/\b(trafficking|dfa):\w+/g, (dimension) => dimensionWord(dimension, to))
    .replace(/\b((tracking|floodlight)[A-Z]\w*|([A-Z]+_)*(TRACKING|FLOODLIGHT)(_[A-Z0-9]+)*)\b/g, (part) =>
      name[to](part),
    )
}

/**
 * Translates a path, or a URL whose path begins with a service: `/trafficking/v3.4/…/trackingActivities/{id}`. Keeps
 * placeholders.
 */
export function translatePath(path: string, to: Vocabulary): string {
  return path
    .split('/')
    .map((part) => (part.startsWith('{') ? part : serviceWord(name[to](part), to)))
    .join('/')
}

/** Translates names and listed values of a query. Unknown ones stay unchanged. */
export function translateQuery(
  method: Method,
  query: Iterable<readonly [string, string]>,
  to: Vocabulary,
): [string, string][] {
  const result: [string, string][] = []
  for (const [given, value] of query) {
    const neutral = to === 'public' ? given : name.neutral(given)
    const parameter = method.queryParams[neutral]
    const fields = given === 'fields'
    const said = parameter?.enum || fields ? value.replace(/\w+/g, (part) => name[to](part)) : value
    result.push([parameter ? (to === 'public' ? name.public(given) : neutral) : given, said])
  }
  return result
}

/**
 * Translates field names, listed values, kinds, and dimension names in a body or response. Never changes user content.
 */
export function translateBody(table: ServiceTable, schema: string, value: Json, to: Vocabulary): Json {
  return translateObject({ table, to }, schemaOf(table, schema), schema, value)
}

interface Context {
  table: ServiceTable
  to: Vocabulary
}

function translateObject(
  context: Context,
  { fields, map }: Pick<Schema, 'fields' | 'map'>,
  at: string,
  value: Json,
): Json {
  if (!isJsonObject(value)) return value
  if (map) return value
  const { to } = context
  const result: Record<string, Json> = {}
  for (const [given, item] of Object.entries(value)) {
    if (item === undefined) continue
    const neutral = to === 'public' || Object.hasOwn(fields, given) ? given : name.neutral(given)
    const field = Object.hasOwn(fields, neutral) ? fields[neutral] : undefined
    // A name from the other naming stays unchanged, and is rejected as unknown if the service does that.
    const ambiguous = to === 'neutral' && neutral !== given && given in value && neutral in value
    if (!field || ambiguous) setOwn(result, given, item)
    else
      setOwn(
        result,
        to === 'public' ? name.public(given) : neutral,
        translateField(context, field, `${at}.${neutral}`, item),
      )
  }
  return result
}

/** An own field even where its name is one of the prototype's. */
function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}

function translateField(context: Context, field: Field, at: string, value: Json): Json {
  if (value === null) return null
  if (field.ref) return translateObject(context, schemaOf(context.table, field.ref), field.ref, value)
  if (field.fields) return translateObject(context, { fields: field.fields }, at, value)
  if (field.type === 'array' && field.of && Array.isArray(value))
    return value.map((item) => translateField(context, field.of!, at, item))
  if (field.type === 'map' && field.of && isJsonObject(value)) {
    const result: Record<string, Json> = {}
    for (const [key, item] of Object.entries(value))
      if (item !== undefined) setOwn(result, key, translateField(context, field.of, at, item))
    return result
  }
  return typeof value === 'string' ? translateValue(context, field, at, value) : value
}

/** Fields with values of the service's naming, although no list of values says so. */
const wordFields =
  /^((Availability|Conversion)\.segmentationType|ChangeLog\.(objectType|fieldName)|ReportApiColumnSpec\.columnName|ReportRequest\.reportType)$/
const serviceFields = /^DirectoryList\.items\.(name|id)$/
const dimensionFields = /(^|\.)(dimensionName|\w*[mM]etricNames)$|^(Dimension|SortedDimension|Metric)\.name$/

function translateValue({ table, to }: Context, field: Field, at: string, value: string): string {
  if (at.endsWith('.kind')) {
    const [service = '', ...rest] = value.split('#')
    return [serviceWord(service, to), ...rest.map(name[to])].join('#')
  }
  if (field.enum || wordFields.test(at)) return value.split('.').map(name[to]).join('.')
  if (serviceFields.test(at)) {
    const [service = '', ...rest] = value.split(':')
    return [serviceWord(service, to), ...rest].join(':')
  }
  return table.service === 'trafficking' && dimensionFields.test(at) ? dimensionWord(value, to) : value
}
