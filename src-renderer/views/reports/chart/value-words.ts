import type { CellKind } from '#shared/results/result-columns'
import { withMinus } from '#shared/results/number-words'
import { dateOf, monthName, monthShort, yearOf } from '../../../ui/dates'

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const share = new Intl.NumberFormat('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 })
const currencies = new Map<string, Intl.NumberFormat | null>()

function inCurrency(code: string): Intl.NumberFormat | null {
  if (!currencies.has(code)) {
    let format: Intl.NumberFormat | null = null
    try {
      format = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'symbol' })
    } catch {
      // Not a code of three letters: it is written behind the number.
    }
    currencies.set(code, format)
  }
  return currencies.get(code)!
}

/** A complete value: `12,400`, `−€1,240.50`, `0.36%`. `value` is in its unit, and a fraction of one for percent. */
export const valueText = (value: number, kind: CellKind, currency?: string): string =>
  withMinus(inFull(value, kind, currency))

function inFull(value: number, kind: CellKind, currency: string | undefined): string {
  if (kind === 'percent') return value === 0 ? '0%' : `${share.format(value * 100)}%`
  if (kind === 'count') return grouped.format(value)
  if (kind !== 'money') return plain.format(value)
  if (!currency) return money.format(value)
  return inCurrency(currency)?.format(value) ?? `${money.format(value)} ${currency}`
}

/** Name of a metric whose values are shown without their currency: `Media Cost (EUR)`. */
export const inUnit = (name: string, kind: CellKind, currency: string | undefined): string =>
  kind !== 'money' || currency === undefined || name.includes(currency) ? name : `${name} (${currency})`

const units = [
  { from: 1e9, by: 1e9, sign: 'B' },
  { from: 1e6, by: 1e6, sign: 'M' },
  { from: 1e4, by: 1e3, sign: 'k' },
] as const

/** Axis labels in a uniform format: `0`, `0.5 M`, `1.0 M`. `step` is their distance. */
export function axisTexts(ticks: readonly number[], kind: CellKind): string[] {
  const scaled = kind === 'percent' ? ticks.map((tick) => tick * 100) : ticks
  const most = Math.max(...scaled.map(Math.abs), 0)
  const unit = units.find(({ from }) => most >= from) ?? { by: 1, sign: '' }
  const step = scaled.length > 1 ? Math.abs(scaled[1]! - scaled[0]!) / unit.by : most / unit.by || 1
  const digits = Math.min(8, Math.max(0, decimalsOf(step)))
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return scaled.map((tick) => {
    if (tick === 0) return '0'
    return withMinus(`${format.format(tick / unit.by)}${unit.sign}${kind === 'percent' ? '%' : ''}`)
  })
}

/** Decimals needed to distinguish multiples of `step`. */
function decimalsOf(step: number): number {
  for (let digits = 0; digits < 8; digits++)
    if (Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6 * Math.max(1, step * 10 ** digits))
      return digits
  return 8
}

/** Short form for little room: `12.4k`. */
export const briefText = (value: number, kind: CellKind): string => withMinus(inBrief(value, kind))

function inBrief(value: number, kind: CellKind): string {
  if (kind === 'percent') return `${three.format(value * 100)}%`
  const unit = units.find(({ from }) => Math.abs(value) >= from)
  if (unit) return `${three.format(value / unit.by)}${unit.sign}`
  return kind === 'count' ? grouped.format(value) : three.format(value)
}

const timeKinds: ReadonlySet<CellKind> = new Set<CellKind>(['day', 'week', 'month', 'quarter', 'year'])
export const isTime = (kind: CellKind): boolean => timeKinds.has(kind)

/** Midnight (UTC) that a label of days, weeks, months, quarters or years begins with; undefined for anything else. */
export function startOf(label: string, kind: CellKind): number | undefined {
  const match =
    kind === 'day' || kind === 'week'
      ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(label)
      : kind === 'month'
        ? /^(\d{4})-(\d\d)$/.exec(label)
        : kind === 'quarter'
          ? /^(\d{4})-Q([1-4])$/.exec(label)
          : kind === 'year'
            ? /^(\d{4})$/.exec(label)
            : null
  if (!match) return undefined
  const month = kind === 'quarter' ? (Number(match[2]) - 1) * 3 : match[2] === undefined ? 0 : Number(match[2]) - 1
  const date = match[3] === undefined ? 1 : Number(match[3])
  const day = Date.UTC(Number(match[1]), month, date)
  // The 30th of February is no day.
  return dateOf(day) === date && month < 12 ? day : undefined
}

/** Formats a label: `3 March`, `week of 2 March`, `March 2026`, `Q1 2026`. Includes the year if several are shown. */
export function labelWords(label: string, kind: CellKind, withYear = false): string {
  const day = startOf(label, kind)
  if (day === undefined) return label === '' || label === '(not set)' ? 'not set' : label
  const year = withYear ? ` ${yearOf(day)}` : ''
  if (kind === 'day') return `${dateOf(day)} ${monthName(day)}${year}`
  if (kind === 'week') return `week of ${dateOf(day)} ${monthName(day)}${year}`
  if (kind === 'month') return `${monthName(day)} ${yearOf(day)}`
  if (kind === 'quarter') return `${label.slice(5)} ${yearOf(day)}`
  return label
}

/** Short form of a label for axes: `3 Mar`, `Mar 2026`. */
export function labelBrief(label: string, kind: CellKind): string {
  const day = startOf(label, kind)
  if (day === undefined) return labelWords(label, kind)
  if (kind === 'day' || kind === 'week') return `${dateOf(day)} ${monthShort(day)}`
  if (kind === 'month') return `${monthShort(day)} ${yearOf(day)}`
  return labelWords(label, kind)
}

/** True if labels span several years, so that each needs its own. */
export function spansYears(labels: readonly string[], kind: CellKind): boolean {
  const [first, last] = [startOf(labels[0] ?? '', kind), startOf(labels.at(-1) ?? '', kind)]
  return first !== undefined && last !== undefined && yearOf(first) !== yearOf(last)
}

/** A metric's name within a sentence: `clicks`, `effective CPM`. */
export const inSentence = (name: string): string => name.replace(/\b[A-Z][a-z]+\b/g, (word) => word.toLowerCase())
