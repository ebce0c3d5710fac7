import type { ColumnAbout, CellKind } from '#shared/results/result-columns'
import type { CellValue, ColumnReader, NumberColumn, Writing } from './column'
import type { Marks } from './dialect'
import { GrowableArray } from './growable-array'
import { gapWords } from './texts'

/** Parses a cell. NaN if it isn't a number of this kind. */
type Parse = (bytes: Uint8Array, start: number, end: number) => number

const gapBytes = gapWords.map((word) => Buffer.from(word))

/** Index of a missing-value word, plus one. 0 for a value. */
function gapOf(bytes: Uint8Array, start: number, end: number): number {
  for (let at = 0; at < gapBytes.length; at++) {
    const word = gapBytes[at]!
    if (word.length !== end - start) continue
    let same = 0
    while (same < word.length && word[same] === bytes[start + same]) same++
    if (same === word.length) return at + 1
  }
  return 0
}

/** Reads a column of numbers or days, with 4 bytes per row as long as they suffice, then 8. */
export class NumberReader implements ColumnReader {
  readonly #about: ColumnAbout
  readonly #parse: Parse
  #values: GrowableArray<Int32Array> | GrowableArray<Float64Array> = new GrowableArray(Int32Array)
  #wide = false
  #gaps: GrowableArray<Uint8Array> | undefined
  /** Most digits after the point of any cell, and whether one ended with `%`. */
  #decimals = 0
  #percents = false

  constructor(about: ColumnAbout) {
    this.#about = about
    this.#parse = parsers[about.kind] ?? parseDecimal
  }

  get bytes(): number {
    return this.#values.bytes + (this.#gaps?.bytes ?? 0)
  }

  take(bytes: Uint8Array, start: number, end: number): boolean {
    const gap = gapOf(bytes, start, end)
    if (gap > 0) {
      this.#gaps ??= this.#noGaps()
      this.#gaps.push(gap)
      this.#values.push(0)
      return true
    }
    const value = this.#parse(bytes, start, end)
    if (Number.isNaN(value)) return false
    if (!this.#wide && (value | 0) !== value) this.#widen()
    this.#values.push(value)
    this.#gaps?.push(0)
    if (this.#about.kind === 'percent' || this.#about.kind === 'number') this.#noteForm(bytes, start, end)
    return true
  }

  finish(): NumberColumn {
    return numberColumn(this.#about, this.#values.take(), this.#gaps?.take(), {
      decimals: this.#decimals,
      percents: this.#percents,
    })
  }

  #noGaps(): GrowableArray<Uint8Array> {
    const gaps = new GrowableArray(Uint8Array)
    for (let row = 0; row < this.#values.length; row++) gaps.push(0)
    return gaps
  }

  #widen(): void {
    const wide = new GrowableArray(Float64Array)
    for (let row = 0; row < this.#values.length; row++) wide.push(this.#values.at(row))
    this.#values = wide
    this.#wide = true
  }

  #noteForm(bytes: Uint8Array, start: number, end: number): void {
    const percents = bytes[end - 1] === percentSign
    if (percents) this.#percents = true
    const last = percents ? end - 1 : end
    let at = start
    while (at < last && bytes[at] !== point) at++
    if (last - at - 1 > this.#decimals) this.#decimals = last - at - 1
  }
}

/** Reads numbers with a decimal comma, or with marks of thousands. */
export class MarkedReader extends NumberReader {
  readonly #decimal: number
  readonly #thousands: number | undefined
  #scratch = new Uint8Array(64)

  constructor(about: ColumnAbout, { decimal, thousands }: Marks) {
    super(about)
    this.#decimal = decimal.charCodeAt(0)
    this.#thousands = thousands?.charCodeAt(0)
  }

  override take(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#scratch.length < end - start) this.#scratch = new Uint8Array(end - start)
    let length = 0
    /** Digits since the last mark, and whether it was one of thousands. */
    let digits = 0
    let grouped = false
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!
      const marked = byte === point || byte === comma
      if (grouped && (marked || byte === percentSign) && digits !== 3) return false
      if (byte === this.#decimal) {
        this.#scratch[length++] = point
        // Thousands after the decimals are none.
        digits = 4
        grouped = false
      } else if (marked) {
        if (byte !== this.#thousands || digits === 0 || digits > 3) return false
        digits = 0
        grouped = true
      } else {
        this.#scratch[length++] = byte
        if (byte >= zero && byte <= zero + 9) digits++
      }
    }
    return (!grouped || digits === 3) && super.take(this.#scratch, 0, length)
  }
}

/** Column of numbers or days. `values`: see `NumberColumn`. */
export function numberColumn(
  about: ColumnAbout,
  values: Int32Array | Float64Array,
  gaps?: Uint8Array,
  writing: Writing = { decimals: 6, percents: about.kind === 'percent' },
): NumberColumn {
  const value = valueOf[about.kind] ?? ((one: number): CellValue => one)
  const text = textOf(about.kind, writing)
  return {
    form: 'number',
    about,
    length: values.length,
    values,
    gaps,
    writing,
    text: (row) => (gaps?.[row] ? gapWords[gaps[row] - 1]! : text(values[row]!)),
    value: (row) => (gaps?.[row] ? null : value(values[row]!)),
  }
}

/** A number as a column writes it. */
export const writtenAs = ({ about, writing }: Pick<NumberColumn, 'about' | 'writing'>, value: number): string =>
  numberColumn(about, Float64Array.of(value), undefined, writing).text(0)

/** Parses a filter value in the format of a column. Undefined if it isn't a number. */
export function readAs({ about }: NumberColumn, text: string): number | undefined {
  const bytes = Buffer.from(text)
  const reader = new NumberReader(about)
  if (gapOf(bytes, 0, bytes.length) > 0 || !reader.take(bytes, 0, bytes.length)) return undefined
  return reader.finish().values[0]
}

const [minus, point, comma, percentSign, zero] = [0x2d, 0x2e, 0x2c, 0x25, 0x30]

/** A zero in front belongs to a code, and a number would lose it. */
const coded = (bytes: Uint8Array, start: number, end: number): boolean => {
  const first = bytes[start] === minus ? start + 1 : start
  return end - first > 1 && bytes[first] === zero
}

const parseCount: Parse = (bytes, start, end) => (coded(bytes, start, end) ? NaN : parseWhole(bytes, start, end))

const parseWhole: Parse = (bytes, start, end) => {
  const first = bytes[start] === minus ? start + 1 : start
  // Fifteen digits are exact. More aren't.
  if (first === end || end - first > 15) return NaN
  let value = 0
  for (let at = first; at < end; at++) {
    const digit = bytes[at]! - zero
    if (digit < 0 || digit > 9) return NaN
    value = value * 10 + digit
  }
  return first > start ? 0 - value : value
}

const parseMicros: Parse = (bytes, start, end) => {
  let at = start
  while (at < end && bytes[at] !== point) at++
  const decimals = at < end ? end - at - 1 : 0
  if (decimals > 6 || (at < end && decimals === 0)) return NaN
  const whole = parseCount(bytes, start, at)
  if (decimals === 0) return exactMicros(whole, 0)
  const part = parseWhole(bytes, at + 1, end)
  if (bytes[at + 1] === minus) return NaN
  const micros = part * 10 ** (6 - decimals)
  return exactMicros(whole, bytes[start] === minus ? -micros : micros)
}

/** Large amounts are usually round, which a double can represent. NaN if not. */
function exactMicros(whole: number, micros: number): number {
  const value = whole * 1_000_000 + micros
  if (Number.isSafeInteger(value) || Number.isNaN(value)) return value
  return BigInt(value) === BigInt(whole) * 1_000_000n + BigInt(micros) ? value : NaN
}

/** Integer digits divided once by a power of ten, which gives the nearest number. */
function parseScaled(bytes: Uint8Array, start: number, end: number, more: number): number {
  const first = bytes[start] === minus ? start + 1 : start
  let digits = 0
  let decimals = -1
  for (let at = first; at < end; at++) {
    const byte = bytes[at]!
    if (byte === point && decimals < 0 && at > first && at + 1 < end) decimals = 0
    else if (byte >= zero && byte <= zero + 9) {
      digits = digits * 10 + byte - zero
      if (decimals >= 0) decimals++
    } else return NaN
  }
  if (first === end || (bytes[first] === zero && first + 1 < end && bytes[first + 1] !== point)) return NaN
  // Parse more digits than a double can hold with the standard, correctly rounding function.
  if (digits > Number.MAX_SAFE_INTEGER) return Number(Buffer.from(bytes.subarray(start, end)).toString()) / 10 ** more
  const value = digits / 10 ** (Math.max(decimals, 0) + more)
  return first > start ? -value : value
}

const parseDecimal: Parse = (bytes, start, end) => parseScaled(bytes, start, end, 0)

const parsePercent: Parse = (bytes, start, end) =>
  bytes[end - 1] === percentSign ? parseScaled(bytes, start, end - 1, 2) : parseScaled(bytes, start, end, 0)

const digits = (bytes: Uint8Array, start: number, length: number): number =>
  bytes[start] === minus ? NaN : parseWhole(bytes, start, start + length)

const parseDay: Parse = (bytes, start, end) => {
  if (end - start !== 10 || bytes[start + 4] !== minus || bytes[start + 7] !== minus) return NaN
  const [year, month, day] = [digits(bytes, start, 4), digits(bytes, start + 5, 2), digits(bytes, start + 8, 2)]
  const days = Date.UTC(year, month - 1, day) / dayMs
  return dayText(days) === `${pad(year, 4)}-${pad(month)}-${pad(day)}` ? days : NaN
}

const parseMonth: Parse = (bytes, start, end) => {
  if (end - start !== 7 || bytes[start + 4] !== minus) return NaN
  const [year, month] = [digits(bytes, start, 4), digits(bytes, start + 5, 2)]
  return month >= 1 && month <= 12 ? year * 12 + month - 1 : NaN
}

const letterQ = 0x51
const parseQuarter: Parse = (bytes, start, end) => {
  if (end - start !== 7 || bytes[start + 4] !== minus || bytes[start + 5] !== letterQ) return NaN
  const [year, quarter] = [digits(bytes, start, 4), digits(bytes, start + 6, 1)]
  return quarter >= 1 && quarter <= 4 ? year * 4 + quarter - 1 : NaN
}

const parseYear: Parse = (bytes, start, end) => (end - start === 4 ? digits(bytes, start, 4) : NaN)

const parsers: Readonly<Partial<Record<CellKind, Parse>>> = {
  day: parseDay,
  week: parseDay,
  month: parseMonth,
  quarter: parseQuarter,
  year: parseYear,
  count: parseCount,
  money: parseMicros,
  percent: parsePercent,
  number: parseDecimal,
}

const dayMs = 86_400_000
const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

/** `2026-11-22`, of days since 1970. */
export const dayText = (days: number): string => {
  const at = new Date(days * dayMs)
  return `${pad(at.getUTCFullYear(), 4)}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())}`
}
const monthText = (months: number): string => `${pad(Math.floor(months / 12), 4)}-${pad((months % 12) + 1)}`
const quarterText = (quarters: number): string => `${pad(Math.floor(quarters / 4), 4)}-Q${(quarters % 4) + 1}`
const yearText = (year: number): string => pad(year, 4)

/** Money as a decimal text with two digits, or up to six if needed. */
export function moneyText(micros: number): string {
  const whole = Math.round(micros)
  const text = pad(Math.abs(whole), 7)
  const part = text.slice(-6).replace(/0{1,4}$/, '')
  return `${whole < 0 ? '-' : ''}${text.slice(0, -6)}.${part}`
}

const valueOf: Readonly<Partial<Record<CellKind, (value: number) => CellValue>>> = {
  day: dayText,
  week: dayText,
  month: monthText,
  quarter: quarterText,
  year: yearText,
  money: moneyText,
}

function textOf(kind: CellKind, { decimals, percents }: Writing): (value: number) => string {
  if (kind === 'percent' && percents) return (value) => `${(value * 100).toFixed(decimals)}%`
  if (kind === 'percent' || kind === 'number') return (value) => value.toFixed(Math.min(decimals, 20))
  const text = valueOf[kind]
  return text ? (value) => String(text(value)) : String
}
