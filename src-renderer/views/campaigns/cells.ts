import { headOf, listedWords, sentenceCase } from '#shared/fields/heads'
import { recordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { kindAt } from '#shared/fields/kind'
import type { Json } from '#shared/json'
import { lineWriter, nanosWords, recordLines, valueWriter, type RecordWordContext } from '../../context/record-words'
import { computedOf, isComputed } from './computed'
import { headFor } from './grid-columns'

export type CellOf = (path: string) => Json | undefined

/** Lists the first two values and counts the rest. */
const joined = (lines: readonly string[]): string =>
  lines.length > 3 ? `${lines.slice(0, 2).join(', ')} + ${lines.length - 2}` : lines.join(', ')

/** Formats one column of a row. */
export type CellWriter = (cell: CellOf, context: RecordWordContext) => string

/** Formats a cell. In a change log, the logged record determines the format. Computed columns are text or amounts. */
export const cellWords = (
  facts: Facts,
  collection: Collection,
  path: string,
  cell: CellOf,
  context: RecordWordContext,
): string => cellWriter(facts, collection, path)(cell, context)

const inThousands = (text: string): string => text.replace(/\B(?=(\d{3})+$)/g, ',')

/** Formats cells of one column. Looks up the column once for many rows. */
export function cellWriter(facts: Facts, collection: Collection, path: string): CellWriter {
  if (isComputed(path)) {
    const { format } = computedOf(path) ?? {}
    const words = (text: string): string =>
      format === 'money' ? nanosWords(text) : format === 'number' ? inThousands(text) : text
    return (cell) => {
      const value = cell(path)
      return value === undefined || value === null ? '' : words(String(value))
    }
  }
  const number = kindAt(collection, path) === 'number'
  /** A narrow column has room for the number of entries only. */
  const counts = collection.sheet.columns.find((column) => column.path === path)?.width === 'tiny'
  const [linesOf, wordsOf] = [lineWriter(collection, path), valueWriter(collection, path)]
  return (cell, context) => {
    const value = cell(path)
    if (number && /^-?\d{4,}$/.test(String(value))) return inThousands(String(value))
    if (collection.log) return logLines(facts, collection, path, cell, context).join(', ')
    if (value === undefined || value === null || value === '') return ''
    if (typeof value !== 'object') return wordsOf(value, context)
    if (counts && Array.isArray(value)) return String(value.length)
    const lines = linesOf(value, context)
    // Objects without a name would fill the cell with their fields.
    return Array.isArray(value) && lines.some((line) => line.includes(': ')) ? String(value.length) : joined(lines)
  }
}

/** The collection of the record in a change log entry. Undefined if unknown. */
export function loggedCollection(
  facts: Facts,
  { log }: Collection,
  cell: CellOf,
  { nameOf }: Pick<RecordWordContext, 'nameOf'>,
): Collection | undefined {
  const type = log && cell(log.type)
  const id = log && cell(log.id)
  if (typeof type !== 'string' || typeof id !== 'string') return undefined
  // Some kinds share an object type. Prefer the one that has the record, then the one of that name.
  const all = facts.all.filter(({ objectType }) => objectType === type)
  const named = (one: Collection): boolean => `OBJECT_${one.words.one.toUpperCase().replaceAll(' ', '_')}` === type
  return all.find((one) => nameOf?.(one.name, id) !== undefined) ?? all.find(named) ?? all[0]
}

/** Key of the record in a change log entry. */
export function loggedKey(
  facts: Facts,
  collection: Collection,
  parent: string | null,
  cell: CellOf,
  context: Pick<RecordWordContext, 'nameOf'>,
): string | undefined {
  const id = collection.log && cell(collection.log.id)
  const target = loggedCollection(facts, collection, cell, context)
  return target && typeof id === 'string' ? recordKey(target.name, parent, id) : undefined
}

export function logLines(
  facts: Facts,
  collection: Collection,
  path: string,
  cell: CellOf,
  context: RecordWordContext,
): string[] {
  const log = collection.log!
  const value = cell(path)
  if (typeof value !== 'string' || value === '') return []
  const target = loggedCollection(facts, collection, cell, context)
  if (path === log.type) return [target ? sentenceCase(target.words.one) : listedWords(value.replace(/^OBJECT_/, ''))]
  if (path === log.id) return [(target && context.nameOf?.(target.name, value)) ?? `#${value}`]
  if (path === log.field) return [target ? headFor(target, value) : headOf(value)]
  if (target && (path === log.before || path === log.after)) {
    const field = cell(log.field)
    return recordLines(target, typeof field === 'string' ? field : '', loggedValue(value), context)
  }
  if (path === 'action') return [listedWords(value.replace(/^ACTION_/, ''))]
  return recordLines(collection, path, value, context)
}

/** The value that a change log has as text. Lists and parts are JSON. */
function loggedValue(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    // A text that only begins like one, or one that the service cut off.
    return text
  }
}
