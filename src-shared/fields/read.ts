import { readDay, readTime, type FieldReading } from '../domain/quick-add/one-field'
import { collectionOf } from '../facts/references'
import type { Json } from '../json'
import { eitherWords, firstNames } from '../list-words'
import { instantOfWall, wallOfInstant } from '../time/zones'
import type { Field, ServiceTable } from '../wire/table'
import { kindOf } from './kind'
import { tellingWords } from './listed'
import { numberText } from './number-text'
import { isNeeded } from './open'

export interface ReadingContext {
  /** A wall reading of today's midnight. */
  today: number
  /** A past day. Typed dates without a year are around it. */
  around?: number | undefined
  /** Zone of typed times. */
  zone: string
  /** Code of the currency of amounts, if it's known. */
  currency?: string | undefined
  /** True if a day without a time means its last minute, as for an inclusive end. */
  last?: boolean
  /** IDs of a collection's records with a name, ignoring case. */
  find(collection: string, name: string): readonly string[]
}

/** The day of a date or moment that is past. */
export function pastMoment(value: Json | undefined, today: number): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : NaN
  return at < today ? at : undefined
}

/** The value to store (null clears), or an error message. */
export type FieldRead = { value: Json } | { problem: string }

/** Reads typed or pasted text for one field: a formatted number, a date in words, a record by name or ID. */
export function readField(
  table: ServiceTable,
  name: string,
  field: Field,
  text: string,
  context: ReadingContext,
): FieldRead {
  const kind = kindOf(table, name, field)
  const typed = kind === 'prose' ? text : text.trim()
  if (typed === '') return isNeeded(field) ? { problem: 'Can’t be empty' } : { value: null }
  switch (kind) {
    case 'text':
    case 'prose':
      return fitting(field, typed)
    case 'number':
      return readNumber(field, typed)
    case 'money':
      return readMoney(field, typed, context)
    case 'date':
      return readDate(typed, context)
    case 'moment':
      return inUnit(field, readMoment(typed, context))
    case 'choice':
      return readChoice(field, typed)
    case 'yesNo':
      return readYesNo(typed)
    case 'reference':
      return readReference(collectionOf(name)!, typed, context)
    case 'size':
      return readSize(typed)
    case 'sizes':
    case 'references':
    case 'texts':
    case 'choices': {
      // Listed values hold no comma, and their words are shown with some between them.
      const between = kind === 'choices' ? /\s*[|,]\s*|\n/ : /\s*\|\s*|\n/
      const read = typed.split(between).map((one) => readField(table, name, field.of!, one, context))
      const wrong = read.find((one) => 'problem' in one)
      return wrong ?? { value: read.flatMap((one) => ('value' in one && one.value !== null ? [one.value] : [])) }
    }
    default:
      return { problem: 'Open the record to edit this field' }
  }
}

function fitting({ maxLength, pattern, mustNotContain }: Field, text: string): FieldRead {
  if (maxLength !== undefined && text.length > maxLength)
    return {
      problem: `Use at most ${maxLength.toLocaleString('en')} characters (now ${text.length.toLocaleString('en')})`,
    }
  const bad = mustNotContain?.find((part) => text.includes(part))
  if (bad !== undefined) return { problem: `Can’t contain “${bad}”` }
  if (pattern !== undefined && !new RegExp(pattern).test(text)) return { problem: 'Invalid format' }
  return { value: text }
}

function readNumber(field: Field, text: string): FieldRead {
  const plain = numberText(text)
  const whole = field.type !== 'number'
  if (plain === undefined || (whole && plain.includes('.')))
    return { problem: whole ? 'Enter a whole number' : 'Enter a number' }
  const number = Number(plain)
  return limitProblem(field, number) ?? { value: field.type === 'string' ? plain : number }
}

/** Why a number is outside its field’s limits, if it is. @param unit how much of it people read as 1 */
function limitProblem({ min, max }: Field, number: number | bigint, unit = 1): FieldRead | undefined {
  if (min !== undefined && number < min) return { problem: `Enter at least ${(min / unit).toLocaleString('en')}` }
  if (max !== undefined && number > max) return { problem: `Enter at most ${(max / unit).toLocaleString('en')}` }
  return undefined
}

/** True if a sign or code can mean the currency. Several currencies share a sign, such as the dollar’s. */
function isCurrency(text: string, currency: string | undefined): boolean {
  if (text.length === 3) return text.toUpperCase() === currency
  return currency === undefined || signOf(currency) === text
}

const signs = new Map<string, string>()
function signOf(currency: string): string {
  let sign = signs.get(currency)
  if (sign === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency
    signs.set(currency, sign)
  }
  return sign
}

/** An amount in billionths, digit by digit, because a number wouldn't be exact. */
function readMoney(field: Field, text: string, { currency }: ReadingContext): FieldRead {
  const before = /^(?:[€$£]|[a-z]{3}(?=[\s\d-]))/i.exec(text)?.[0]
  const after = /(?:[€$£]|[a-z]{3})$/i.exec(text.slice(before?.length ?? 0))?.[0]
  const typed = text.slice(before?.length ?? 0, text.length - (after?.length ?? 0)).trim()
  if ([before, after].some((one) => one !== undefined && !isCurrency(one, currency)))
    return { problem: currency === undefined ? 'Enter an amount, such as 12.50' : `Enter an amount in ${currency}` }
  const plain = numberText(typed)
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain ?? '') ?? []
  if (whole === undefined || decimals.length > 9) return { problem: 'Enter an amount, such as 12.50' }
  const nanos = `${whole}${decimals.padEnd(9, '0')}`.replace(/^0+(?=\d)/, '')
  const value = `${nanos === '0' ? '' : sign}${nanos}`
  return limitProblem(field, BigInt(value), 1e9) ?? { value }
}

/** Excel writes `30-Jul-26`. */
const plainDay = (text: string): string =>
  text.replace(/^(\d{1,2})-([a-z]{3,9})-(?:20)?(\d\d)(?![\d-])/i, (_all, day: string, month: string, year: string) =>
    [day, month, `20${year}`].join(' '),
  )

/** A date of a spreadsheet with a time of day, such as `2026-10-24 23:59:00`. */
const timedDay = /^(\s*\d{4}-\d\d-\d\d)[ T]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*$/

function readDate(text: string, context: ReadingContext): FieldRead {
  const day = dayIn(plainDay(text.replace(timedDay, '$1')), context)
  return 'problem' in day ? day : { value: new Date(day.value).toISOString().slice(0, 10) }
}

const dayIn = (text: string, { today, around }: ReadingContext): FieldReading =>
  readDay(text, today, around === undefined ? undefined : { around })

/** A day, or a day and a time of it. */
function readMoment(typed: string, context: ReadingContext): FieldRead {
  const { zone, last = false } = context
  const text = plainDay(typed)
  const iso = Date.parse(text)
  if (/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) && Number.isFinite(iso)) return { value: new Date(iso).toISOString() }
  if (/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{3})?$/.test(text)) {
    const wall = Date.parse(`${text.replace(' ', 'T')}Z`)
    if (Number.isFinite(wall)) return { value: new Date(instantOfWall(wall, zone)).toISOString() }
  }
  const [, before, after] = /^(.*?)[\s,T]+(\S+(?:\s*[ap]\.?m\.?)?)$/i.exec(text) ?? []
  // The year in “30 Jul 2026” would be a time, too.
  const year = /^20\d\d$/.test(after ?? '') && 'value' in dayIn(text, context)
  const time = after === undefined || year ? undefined : readTime(after)
  const timed = time !== undefined && 'value' in time
  const day = dayIn(timed ? before! : text, context)
  if ('problem' in day) return timed || after === undefined ? day : { problem: 'Enter a date and a time' }
  const minutes = timed ? time.value : last ? 24 * 60 - 1 : 0
  const wall = day.value + minutes * 60_000
  return { value: new Date(instantOfWall(wall, zone)).toISOString() }
}

/** Converts to the unit of a service that counts from 1970. */
function inUnit({ unit }: Field, read: FieldRead): FieldRead {
  if (!unit || !('value' in read)) return read
  const at = Date.parse(String(read.value))
  return { value: unit === 'epochMicros' ? `${at}000` : String(at) }
}

const spaced = (text: string): string => text.toLowerCase().replaceAll('_', ' ').trim()
/** Ignores spaces and hyphens, because words such as `ACTIVEVIEW` and `INSTREAM` are shown in two. */
const joined = (text: string): string => spaced(text).replace(/[ –-]/g, '')

/** Finds a choice by its value or its words, if they match only one. */
function readChoice(field: Field, text: string): FieldRead {
  const all = (field.enum ?? []).map(String)
  const wanted = spaced(text).replaceAll('-', ' ')
  const names = (one: string): (string | undefined)[] => [one, tellingWords(one, all).join(' '), field.labels?.[one]]
  const exact = all.find((one) => names(one).some((name) => name !== undefined && joined(name) === joined(text)))
  if (exact !== undefined) return { value: exact }
  const ending = all.filter((one) => spaced(one).endsWith(` ${wanted}`))
  const fits = ending.length > 0 ? ending : all.filter((one) => spaced(one).includes(wanted))
  if (fits.length === 1) return { value: fits[0]! }
  if (fits.length === 0) return { problem: 'Choose one of the options' }
  const shown = fits.map((one) => `“${field.labels?.[one] ?? tellingWords(one, all).join(' ').toLowerCase()}”`)
  return { problem: `${fits.length} options match: ${eitherWords(firstNames(shown))}` }
}

function readYesNo(text: string): FieldRead {
  if (/^(yes|y|true|1|x|on)$/i.test(text)) return { value: true }
  if (/^(no|n|false|0|off)$/i.test(text)) return { value: false }
  return { problem: 'Enter yes or no' }
}

function readReference(collection: string, text: string, { find }: ReadingContext): FieldRead {
  const id = /^#?(\d+)$/.exec(text)?.[1]
  if (id !== undefined) return { value: id }
  if (text.startsWith('local:')) return { value: text }
  const found = find(collection, text)
  if (found.length === 1) return { value: found[0]! }
  return { problem: found.length === 0 ? 'No matches' : `${found.length} matches. Choose one` }
}

function readSize(text: string): FieldRead {
  const [, width, height] = /^(\d+)\s*[x×*]\s*(\d+)$/i.exec(text) ?? []
  if (width === undefined) return { problem: 'Enter a size, such as 300 × 250' }
  return { value: { width: Number(width), height: Number(height) } }
}

/** An instant as typed: `2026-12-01 09:30`, with seconds if it has any. */
export const momentText = (instant: number, zone: string): string =>
  new Date(wallOfInstant(instant, zone))
    .toISOString()
    .replace(/(:00)?(\.000)?Z$/, '')
    .replace('T', ' ')
