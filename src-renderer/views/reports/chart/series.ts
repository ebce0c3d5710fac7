import type { CellKind } from '#shared/results/result-columns'
import type { ChartData, ChartSeries } from '#shared/results/questions'
import { firstUnsettled, isUnsettled } from '#shared/pacing/settled'
import type { Point } from './drawing'
import { inSentence, isTime, labelWords, spansYears, startOf, valueText } from './value-words'
import { counted } from '../../../ui/counted'

/** A series as charts draw it. */
export interface Drawn {
  name: string
  /** Name without the metric, if the breakdown has names of its own. */
  short: string
  metric: string
  kind: CellKind
  /** True if the values add up to a total. */
  adds: boolean
  values: readonly (number | null)[]
}

export interface Drawable {
  kind: CellKind
  head: string
  labels: readonly string[]
  /** Midnights of the labels, where all of them are times. */
  days: readonly number[] | null
  series: readonly Drawn[]
  /** Number of items combined in the last label. 0 if none. */
  others: number
  currency?: string | undefined
  withYear: boolean
  /** First label whose values may still change, if labels are dates. */
  unsettled?: string | undefined
  /** Notes about values that charts can't show. */
  notes: readonly string[]
}

const finite = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null

function drawnOf(series: ChartSeries, labels: readonly string[]): Drawn {
  const { kind, adds } = series.about
  const rest = series.name.startsWith(series.metric) ? series.name.slice(series.metric.length) : series.name
  return {
    name: series.name,
    short: rest.replace(/^[\s,:·–—-]+/, '') || series.metric,
    metric: series.metric,
    kind: kind === 'text' ? 'number' : kind,
    adds: adds === 'sum',
    values: labels.map((_, at) => finite(series.values[at])),
  }
}

/**
 * Prepares results for charts. Values that aren't numbers become null. On a time axis, drops rows without a date and
 * combined earlier rows.
 * @param unsettledFrom first day whose values may still change
 */
export function drawable(given: ChartData, currency?: string, unsettledFrom?: string): Drawable {
  const { source, notes } = timesOf(given)
  const { x, labels } = source
  const starts = isTime(x.kind) ? labels.map((label) => startOf(label, x.kind)) : []
  const inOrder = starts.every((start, at) => start !== undefined && (at === 0 || start > starts[at - 1]!))
  return {
    kind: x.kind,
    head: x.head,
    labels,
    days: starts.length > 0 && inOrder ? (starts as number[]) : null,
    series: source.series.map((series) => drawnOf(series, labels)),
    others: source.others.x,
    currency,
    withYear: spansYears(labels, x.kind),
    unsettled: unsettledFrom === undefined ? undefined : firstUnsettled(x, unsettledFrom),
    notes,
  }
}

function timesOf(source: ChartData): { source: ChartData; notes: string[] } {
  const { x, labels, series, others } = source
  const kept = labels.flatMap((label, at) => (startOf(label, x.kind) === undefined ? [] : [at]))
  if (!isTime(x.kind) || kept.length === labels.length || kept.length < 2) return { source, notes: [] }
  const left = labels.length - kept.length - (others.x > 0 ? 1 : 0)
  return {
    source: {
      ...source,
      labels: kept.map((at) => labels[at]!),
      series: series.map((one) => ({ ...one, values: kept.map((at) => one.values[at] ?? null) })),
      others: { ...others, x: 0 },
    },
    notes: [
      ...(others.x > 0 ? [`${counted(others.x, 'earlier period')} not shown.`] : []),
      ...(left > 0 ? ['Rows without a date aren’t shown.'] : []),
    ],
  }
}

/** Groups series that share a metric, and so a scale, in the given order. Numbers are indexes in `series`. */
export function byMetric(series: readonly Drawn[]): { metric: string; kind: CellKind; at: number[] }[] {
  const groups = new Map<string, { metric: string; kind: CellKind; at: number[] }>()
  series.forEach(({ metric, kind }, at) => {
    const group = groups.get(metric)
    if (group) group.at.push(at)
    else groups.set(metric, { metric, kind, at: [at] })
  })
  return [...groups.values()]
}

/** The words for one value, as a reader and as a tooltip say it. */
export function pointWords(
  data: Drawable,
  series: Drawn,
  at: number,
  alone: boolean,
): Pick<Point, 'heading' | 'name' | 'value' | 'spoken' | 'unsettled'> {
  const heading = headingOf(data, at)
  const value = valueText(series.values[at]!, series.kind, data.currency)
  const unsettled = mayChange(data, at)
  const named = series.short === series.metric ? '' : series.short
  return {
    heading,
    name: alone && named === '' ? '' : named || series.metric,
    value,
    spoken: `${heading}${named === '' ? '' : `, ${named}`}, ${inSentence(series.metric)}: ${value}${unsettled ? `, ${mayChangeWords}` : ''}`,
    ...(unsettled && { unsettled }),
  }
}

/** True if the values of a label may still change, because services correct recent days. */
export const mayChange = ({ labels, unsettled }: Drawable, at: number): boolean => isUnsettled(labels[at]!, unsettled)
export const mayChangeWords = 'may still change'

export const headingOf = ({ labels, kind, withYear, others }: Drawable, at: number): string =>
  others > 0 && at === labels.length - 1 ? counted(others, 'other', 'others') : labelWords(labels[at]!, kind, withYear)

/**
 * Keeps the `most` largest labels by the first series, or by all with `whole`. Combines the rest if the values add up,
 * and otherwise drops it. Rows that were combined before stay last.
 */
export function largest(data: Drawable, most: number, whole = false): { data: Drawable; left: number } {
  const [first] = data.series
  if (!first) return { data, left: 0 }
  const size = (at: number): number =>
    (whole ? sum(data.series.map(({ values }) => values[at]!)) : first.values[at]) ?? -Infinity
  const together = data.others > 0 ? data.labels.length - 1 : -1
  const order = data.labels
    .map((_, at) => at)
    .filter((at) => at !== together)
    .sort((a, b) => size(b) - size(a) || a - b)
  const kept = order.slice(0, order.length <= most + 1 && together < 0 ? order.length : most)
  const cut = [...order.slice(kept.length), ...(together < 0 ? [] : [together])]
  const count = order.length - kept.length + data.others
  // A row that was already combined is valid even if the values don't add up.
  if (kept.length === order.length) return { data: picked(data, [...kept, ...cut]), left: 0 }
  if (!data.series.every(({ adds }) => adds)) return { data: { ...picked(data, kept), others: 0 }, left: count }
  const summed = data.series.map((series) => ({
    ...series,
    values: [...kept.map((at) => series.values[at]!), sum(cut.map((at) => series.values[at]!))],
  }))
  const labels = [...kept.map((at) => data.labels[at]!), '']
  return { data: { ...data, labels, days: null, series: summed, others: count }, left: 0 }
}

const picked = (data: Drawable, kept: readonly number[]): Drawable => ({
  ...data,
  labels: kept.map((at) => data.labels[at]!),
  days: null,
  series: data.series.map((series) => ({ ...series, values: kept.map((at) => series.values[at]!) })),
})

/** Sum of the values. Null without any. */
export function sum(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null)
  return there.length === 0 ? null : there.reduce((total, value) => total + value, 0)
}

/** Keeps at most `most` series of one metric. The largest remain, and the rest is combined if the values add up. */
export function fewer(series: readonly Drawn[], most: number): { series: Drawn[]; left: number } {
  if (series.length <= most) return { series: [...series], left: 0 }
  const size = ({ values }: Drawn): number => Math.abs(sum(values) ?? 0)
  const order = series.map((_, at) => at).sort((a, b) => size(series[b]!) - size(series[a]!) || a - b)
  const keep = new Set(order.slice(0, most - 1))
  const kept = series.filter((_, at) => keep.has(at))
  const rest = series.filter((_, at) => !keep.has(at))
  const first = rest[0]!
  if (!first.adds) return { series: kept, left: rest.length }
  const name = `${rest.length.toLocaleString('en')} others`
  const values = first.values.map((_, at) => sum(rest.map((one) => one.values[at]!)))
  return { series: [...kept, { ...first, name, short: name, values }], left: 0 }
}

/** The last value that is there. */
export const lastOf = ({ values }: Drawn): number | null => values.filter((value) => value !== null).at(-1) ?? null
