import { changeOf } from '#shared/pacing/change'
import type { CellKind } from '#shared/results/result-columns'
import { labelWords, inSentence, valueText, isTime } from './value-words'
import { unsettledWords } from './unsettled'
import { byMetric, headingOf, sum, type Drawable, type Drawn } from './series'

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** Summarizes a chart in a few sentences: the trend with its causes and extremes, or the largest items. */
export function summaryOf(data: Drawable): string {
  const sentences = byMetric(data.series)
    .slice(0, 3)
    .flatMap(({ at }) => {
      const series = at.map((one) => data.series[one]!)
      if (series.every(({ values }) => values.every((value) => value === null))) return []
      return isTime(data.kind) && data.labels.length > 1 ? overTime(data, series) : ranked(data, series)
    })
  if (sentences.length === 0) return 'No data.'
  const unsettled = unsettledWords(data)
  return [...sentences, ...(unsettled === '' ? [] : [`${unsettled}.`])].join(' ')
}

/** Totals by label. Null if no series has a value. */
const totals = (data: Drawable, series: readonly Drawn[]): (number | null)[] =>
  data.labels.map((_, at) => sum(series.map(({ values }) => values[at]!)))

function overTime(data: Drawable, series: readonly Drawn[]): string[] {
  const [first] = series
  if (!first!.adds) return series.slice(0, 3).flatMap((one) => rangeWords(data, one))
  const values = totals(data, series)
  const change = changeWords(data, first!, series, values)
  const found = [change, extremeWords(data, first!, values)].filter((text) => text !== '')
  return found.length > 0 ? found : rangeWords(data, { ...first!, short: first!.metric, values })
}

/** The first half of the places against the second, as long each. */
function changeWords(
  data: Drawable,
  { metric, kind }: Drawn,
  series: readonly Drawn[],
  all: readonly (number | null)[],
): string {
  const half = Math.floor(all.length / 2)
  const later = all.length - half
  const name = capital(inSentence(metric))
  const [before, after] = [sum(all.slice(0, half)) ?? 0, sum(all.slice(later)) ?? 0]
  const span = (from: number, to: number): string =>
    from === to ? words(data, from) : `${words(data, from)} to ${words(data, to)}`
  const spans = `(${span(later, all.length - 1)} compared with ${span(0, half - 1)})`
  const by = changeOf(before, after)
  if (by === undefined)
    return before === 0 && after > 0 ? `${name} rose from 0 to ${valueText(after, kind, data.currency)} ${spans}.` : ''
  if (Math.abs(by) < 0.005) return `${name} stayed the same ${spans}.`
  return `${name} ${by < 0 ? 'fell' : 'rose'} ${percent.format(Math.abs(by) * 100)}%${mostlyWords(series, half, later, after - before)} ${spans}.`
}

/** The series that half of the change or more is owed to. */
function mostlyWords(series: readonly Drawn[], half: number, later: number, change: number): string {
  if (series.length < 2) return ''
  const changes = series.map(({ short, values }) => ({
    short,
    by: (sum(values.slice(later)) ?? 0) - (sum(values.slice(0, half)) ?? 0),
  }))
  const [most] = changes.sort((a, b) => b.by / change - a.by / change)
  return most!.by / change >= 0.5 ? `, mostly because of ${most!.short}` : ''
}

const prepositions: Partial<Record<CellKind, string>> = { day: 'on', week: 'in the' }

function extremeWords(data: Drawable, { kind }: Drawn, all: readonly (number | null)[]): string {
  let [least, most] = [-1, -1]
  all.forEach((value, at) => {
    if (value === null) return
    if (least < 0 || value < all[least]!) least = at
    if (most < 0 || value > all[most]!) most = at
  })
  if (least < 0 || all[least] === all[most]) return ''
  const text = (at: number): string =>
    `${valueText(all[at]!, kind, data.currency)} ${prepositions[data.kind] ?? 'in'} ${words(data, at)}`
  return `Highest ${text(most)}, lowest ${text(least)}.`
}

function rangeWords(data: Drawable, series: Drawn): string[] {
  const there = series.values.filter((value) => value !== null)
  if (there.length === 0) return []
  const text = (value: number): string => valueText(value, series.kind, data.currency)
  const name = capital(inSentence(series.metric)) + (series.short === series.metric ? '' : ` of ${series.short}`)
  const [least, most] = [Math.min(...there), Math.max(...there)]
  return [
    least === most
      ? `${name} stayed at ${text(least)} throughout.`
      : `${name} ranged from ${text(least)} to ${text(most)}, ending at ${text(there.at(-1)!)}.`,
  ]
}

function ranked(data: Drawable, series: readonly Drawn[]): string[] {
  const { metric, kind, adds } = series[0]!
  const all = adds ? totals(data, series) : series[0]!.values
  const order = all
    .map((value, at) => ({ value, at }))
    .filter((one): one is { value: number; at: number } => one.value !== null)
    .filter(({ at }) => !(data.others > 0 && at === data.labels.length - 1))
    .sort((a, b) => b.value - a.value || a.at - b.at)
  const [first, second] = order
  if (!first) return []
  const total = sum(all) ?? 0
  const text = (value: number): string => `${valueText(value, kind, data.currency)}`
  const part =
    adds && total > 0 && first.value > 0 && data.labels.length > 1
      ? ` (${percent.format((first.value / total) * 100)}% of the total)`
      : ''
  const then = second ? `, then ${headingOf(data, second.at)} with ${text(second.value)}` : ''
  const count = data.labels.length - (data.others > 0 ? 1 : 0) + data.others
  const ofAll = count > 2 ? ` of all ${count.toLocaleString('en')}` : ''
  if (data.labels.length === 1) return [`${headingOf(data, first.at)}, ${inSentence(metric)}: ${text(first.value)}.`]
  return [
    `${headingOf(data, first.at)} has the ${adds && kind !== 'money' ? 'most' : 'highest'} ${inSentence(metric)}${ofAll}: ${text(first.value)}${part}${then}.`,
  ]
}

const words = ({ labels, kind, withYear }: Drawable, at: number): string => labelWords(labels[at]!, kind, withYear)
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
