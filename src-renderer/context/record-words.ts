import { headOf, listedWords } from '#shared/fields/heads'
import { kindOf } from '#shared/fields/kind'
import { fieldAt, fieldsWithin, nameAt } from '#shared/fields/path'
import { collectionOf, rowSchemas } from '#shared/facts/references'
import type { Collection } from '#shared/facts/collection'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { wallOfInstant } from '#shared/time/zones'
import type { Field, ServiceTable } from '#shared/wire/table'
import { clockText, dayMs, dayOf, shortDate, yearOf } from '../ui/dates'

/** Formats of times. */
export interface WordContext {
  zone: string
  hour12: boolean
  today: number
}

export interface RecordWordContext extends WordContext {
  /** Name of the record with an ID, if it's here. */
  nameOf?(collection: string, id: string): string | undefined
}

/** @param todayWord `today` within a sentence */
export function instantWords(
  instant: number,
  { zone, hour12, today }: WordContext,
  todayWord: 'Today' | 'today' = 'Today',
): string {
  const wall = wallOfInstant(instant, zone)
  const day = dayOf(wall)
  return `${day === today ? todayWord : shortDate(day, yearOf(today))} ${clockText(wall, hour12)}`
}

const listed = new WeakMap<readonly (string | boolean)[], Map<string, string>>()
/** Caches the label of each listed value. */
function wordsAmong(all: readonly (string | boolean)[], value: string): string {
  if (!all.includes(value)) return listedWords(value, all)
  let known = listed.get(all)
  if (!known) listed.set(all, (known = new Map()))
  let words = known.get(value)
  if (words === undefined) known.set(value, (words = listedWords(value, all)))
  return words
}

const dateWords = (text: string, { today }: WordContext): string => {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return Number.isFinite(day) ? shortDate(Math.floor(day / dayMs) * dayMs, yearOf(today)) : text
}
const momentWords = (at: number, text: string, context: WordContext): string =>
  Number.isFinite(at) ? instantWords(at, context) : text

/** Whole thousand-millionths as the amount that they are, with at least two decimals. */
export function nanosWords(text: string): string {
  const [, sign, digits] = /^(-?)(\d+)$/.exec(text) ?? []
  if (digits === undefined) return text
  const padded = digits.padStart(10, '0')
  const decimals = padded.slice(-9).replace(/0+$/, '').padEnd(2, '0')
  const whole = padded.slice(0, -9).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${whole}.${decimals}`
}

const unnamed = (id: string): string => (id.startsWith('local:') ? 'new' : `#${id}`)

function scalarWords(name: string, field: Field | undefined, value: Json, context: RecordWordContext): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string') return String(value)
  const target = collectionOf(name)
  if (target) return context.nameOf?.(target, value) ?? unnamed(value)
  if (name === 'id' && value.startsWith('local:')) return 'Assigned when sent'
  if (field?.labels?.[value]) return field.labels[value]
  if (field?.unit === 'epochMillis') return momentWords(Number(value), value, context)
  if (field?.unit === 'epochMicros') return momentWords(Number(value) / 1000, value, context)
  if (field?.format === 'date-time') return momentWords(Date.parse(value), value, context)
  if (field?.format === 'date') return dateWords(value, context)
  if (name.endsWith('Nanos')) return nanosWords(value)
  if (field?.enum) return wordsAmong(field.enum, value)
  return value
}

/** A count with digits in groups of three. */
function countWords(table: ServiceTable, name: string, field: Field | undefined, value: Json): string[] | undefined {
  if (!field || kindOf(table, name, field) !== 'number' || !/^-?\d+$/.test(String(value))) return undefined
  return [BigInt(String(value)).toLocaleString('en')]
}

function objectWords(
  table: ServiceTable,
  field: Field | undefined,
  value: JsonObject,
  context: RecordWordContext,
): string {
  const { width, height } = value
  if (width !== undefined && height !== undefined) return `${String(width)} × ${String(height)}`
  const rowSchema = field?.ref ? rowSchemas[field.ref] : undefined
  if (rowSchema || field?.ref === 'DimensionValue') {
    const named = value['name'] ?? value['value'] ?? rowSchema?.keys.map((key) => value[key]).find((one) => one)
    if (typeof named === 'string') return named
  }
  const fields = (field && fieldsWithin(table, field)) ?? {}
  const parts = Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'kind' || name === 'etag' || inner === null || inner === undefined) return []
    const lines = countWords(table, name, fields[name], inner) ?? linesOf(table, name, fields[name], inner, context)
    const nested = isJsonObject(inner) || (Array.isArray(inner) && inner.some(isJsonObject))
    const words = nested && lines.some((line) => line.includes(': ')) ? lines.map((line) => `(${line})`) : lines
    return words.length > 0 ? [[name, words.join(', ')] as const] : []
  })
  // An object with only a timestamp formats as that timestamp.
  if (parts.length === 1 && fields[parts[0]![0]]?.unit) return parts[0]![1]
  return parts.map(([name, words]) => `${headOf(name)}: ${words}`).join(', ')
}

function linesOf(
  table: ServiceTable,
  name: string,
  field: Field | undefined,
  value: Json | undefined,
  context: RecordWordContext,
): string[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(table, name, field?.of, item, context))
  if (isJsonObject(value)) return [objectWords(table, field, value, context)].filter((line) => line !== '')
  return [scalarWords(name, field, value, context)]
}

/**
 * Formats the value at a path as lines of text, with names for references, dates, sizes, and amounts. Empty if the
 * value is.
 */
export const recordLines = (
  collection: Pick<Collection, 'table' | 'schema'>,
  path: string,
  value: Json | undefined,
  context: RecordWordContext,
): string[] => lineWriter(collection, path)(value, context)

/** Like `recordLines`, for many records at one path. */
export function lineWriter(
  collection: Pick<Collection, 'table' | 'schema'>,
  path: string,
): (value: Json | undefined, context: RecordWordContext) => string[] {
  const [name, field] = [nameAt(path), fieldAt(collection, path)]
  return (value, context) => linesOf(collection.table, name, field, value, context)
}

/** Maximum cached texts of one path. */
const maxCached = 1_000

/**
 * Formats scalar values at one path. Caches the results, because a scrolling sheet formats the same days, amounts, and
 * choices repeatedly.
 */
export function valueWriter(
  collection: Pick<Collection, 'table' | 'schema'>,
  path: string,
): (value: string | number | boolean, context: RecordWordContext) => string {
  const [name, field] = [nameAt(path), fieldAt(collection, path)]
  const written = (value: string | number | boolean, context: RecordWordContext): string =>
    scalarWords(name, field, value, context)
  const again = field?.labels ?? field?.unit ?? field?.format ?? field?.enum ?? (name.endsWith('Nanos') || undefined)
  if (collectionOf(name) || name === 'id' || again === undefined) return written
  const kept = new Map<string | number | boolean, string>()
  let by: WordContext | undefined
  return (value, context) => {
    if (by?.today !== context.today || by.zone !== context.zone || by.hour12 !== context.hour12) {
      kept.clear()
      by = context
    }
    let words = kept.get(value)
    if (words !== undefined) return words
    if (kept.size === maxCached) kept.clear()
    kept.set(value, (words = written(value, context)))
    return words
  }
}

/** Title of a record, or undefined if it has none. */
export function recordTitle(
  { title }: Pick<Collection, 'title'>,
  value: JsonObject | null | undefined,
): string | undefined {
  const text = title === undefined ? undefined : value?.[title]
  if (typeof text === 'string' && text !== '') return text
  const { width, height } = value ?? {}
  return width !== undefined && height !== undefined ? `${String(width)} × ${String(height)}` : undefined
}
