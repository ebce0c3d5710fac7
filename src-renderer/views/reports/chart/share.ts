import { fitted, maxSeries, type Drawing, type Mark, type Point, type Space } from './drawing'
import { inUnit, valueText } from './value-words'
import { title } from './lines'
import { headingOf, largest, pointWords, sum, type Drawable } from './series'

const barHeight = 32
const rowHeight = 24
const percent = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/**
 * Parts of a whole: labels with all of their series, or, over time, series with all of their days. Undefined with
 * negative parts.
 */
function partsOf(given: Drawable): Drawable | undefined {
  const [first] = given.series
  if (!first) return undefined
  const turned = given.series.length > 1 && (given.labels.length === 1 || given.days !== null)
  const values = turned
    ? given.series.map((one) => sum(one.values))
    : given.labels.map((_, at) => sum(given.series.map((one) => one.values[at]!)))
  const series = [{ ...first, short: first.metric, values }]
  const data: Drawable = turned
    ? {
        ...given,
        kind: 'text',
        days: null,
        labels: given.series.map(({ short }) => short),
        unsettled: undefined,
        others: 0,
        series,
      }
    : { ...given, series }
  return values.some((value) => value !== null && value < 0) || !((sum(values) ?? 0) > 0) ? undefined : data
}

/** Draws one bar for the whole, with its parts labeled below. Undefined if the values don't form a whole. */
export function drawShare(given: Drawable, space: Space): Drawing | undefined {
  const whole = partsOf(given)
  const oneMetric = given.series.every(({ metric, adds }) => adds && metric === given.series[0]!.metric)
  if (!whole || !oneMetric) return undefined
  const { data } = largest(whole, maxSeries - 1)
  const series = data.series[0]!
  const total = sum(series.values)!
  const marks: Mark[] = [title(inUnit(series.metric, series.kind, data.currency), 0, space)]
  const points: Point[] = []
  const across = space.width >= 560 ? 2 : 1
  const wide = space.width / across
  const valueWidth =
    16 +
    Math.max(
      ...series.values.map((value) =>
        space.textWidth(value === null ? '' : valueText(value, series.kind, data.currency), 11),
      ),
    )
  let x = 0
  series.values.forEach((value, at) => {
    if (value === null) return
    const color = data.others > 0 && at === data.labels.length - 1 ? -1 : at
    const width = (space.width * value) / total
    const box = { x, y: 24, width: Math.max(0, width - (width > 3 ? 1 : 0)), height: barHeight }
    const part = `${percent.format((value / total) * 100)}%`
    marks.push({ kind: 'bar', ...box, series: color, patterned: true })
    const words = pointWords(data, series, at, true)
    points.push({
      x: x + width / 2,
      y: 24 + barHeight / 2,
      box,
      series: color,
      column: at,
      row: 0,
      panel: 0,
      ...words,
      value: `${words.value} (${part})`,
      spoken: `${words.spoken}, ${part} of all`,
    })
    const top = 24 + barHeight + 16 + Math.floor(at / across) * rowHeight
    const from = (at % across) * wide
    const end = from + wide - (across > 1 ? 24 : 0)
    const text = { y: top + 12, anchor: 'end', tone: 'soft', size: 11 } as const
    marks.push(
      { kind: 'bar', x: from, y: top + 2, width: 12, height: 12, series: color, patterned: true },
      {
        kind: 'text',
        x: from + 20,
        y: top + 12,
        text: fitted(headingOf(data, at), wide - valueWidth - 96, 13, space.textWidth),
        anchor: 'start',
        tone: 'strong',
        size: 13,
      },
      { kind: 'text', x: end - valueWidth, text: part, ...text },
      { kind: 'text', x: end, text: valueText(value, series.kind, data.currency), ...text, tone: 'faint' },
    )
    x += width
  })
  const rows = Math.ceil(data.labels.length / across)
  const height = 24 + barHeight + 16 + rows * rowHeight
  return {
    width: space.width,
    height,
    marks,
    points,
    seek: 'point',
    panels: [{ x: 0, y: 0, width: space.width, height }],
    notes: [],
  }
}
