import type { ChartData } from '#shared/results/questions'
import { isTime } from './value-words'
import { byMetric, drawable } from './series'

export const chartForms = ['line', 'bar', 'stacked', 'scatter', 'share', 'multiples', 'heat'] as const
export type ChartForm = (typeof chartForms)[number]

export const formNames: Readonly<Record<ChartForm, string>> = {
  line: 'Lines',
  bar: 'Bars',
  stacked: 'Stacked bars',
  scatter: 'Scatter',
  share: 'Share of total',
  multiples: 'Small multiples',
  heat: 'Heat map',
}

/**
 * The default chart type: lines over time (small multiples for more than six series), dots for two rates, a share bar
 * for few parts of a whole, and otherwise sorted bars.
 */
export function formFor(source: ChartData): ChartForm {
  const { series, labels, days } = drawable(source)
  const groups = byMetric(series)
  if (isTime(source.x.kind) && days && labels.length > 1) {
    if (groups.some(({ at }) => at.length > 6)) return 'multiples'
    return 'line'
  }
  const rates = series.length === 2 && groups.length === 2 && series.every(({ adds }) => !adds)
  if (rates && labels.length > 2) return 'scatter'
  const parts =
    series.length === 1 && series[0]!.adds && series[0]!.values.every((value) => value === null || value >= 0)
  if (parts && labels.length > 1 && labels.length <= 4 && !isTime(source.x.kind)) return 'share'
  return 'bar'
}

/** Chart types for these results, in display order. */
export function formsFor(source: ChartData): ChartForm[] {
  const { series, days, labels, kind } = drawable(source)
  const groups = byMetric(series)
  const adds = series.every((one) => one.adds)
  const positive = series.every(({ values }) => values.every((value) => value === null || value >= 0))
  const fits: Record<ChartForm, boolean> = {
    line: days !== null && labels.length > 1,
    bar: true,
    stacked: series.length > 1 && adds,
    scatter: groups.length > 1,
    share: adds && positive && groups.length === 1 && (series.length > 1 || (days === null && labels.length > 1)),
    multiples: days !== null && series.length > 1,
    heat: (days !== null && kind === 'day') || series.length > 1,
  }
  return chartForms.filter((form) => fits[form])
}
