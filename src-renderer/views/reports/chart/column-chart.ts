import { axisWidth, labelAxis, placesOf, valueAxis, valueScale } from './axes'
import { maxMarks, maxSeries, type Box, type Drawing, type Mark, type Point, type Space } from './drawing'
import { endLabels, round, title } from './lines'
import { inUnit } from './value-words'
import { byMetric, fewer, mayChange, pointWords, type Drawable } from './series'
import { bandOf } from './unsettled'

const head = 24
const foot = 16
/** Pixels that a plot keeps from the next panel, or from its labels. */
const below = 16
const minPanel = 144

/** Start and end of each part of a stacked column. Negative values stack downward. */
export function piled(values: readonly (number | null)[]): ({ from: number; to: number } | null)[] {
  let [up, down] = [0, 0]
  return values.map((value) => {
    if (value === null) return null
    const from = value < 0 ? down : up
    const to = from + value
    if (value < 0) down = to
    else up = to
    return { from, to }
  })
}

/** Columns over time from zero, with a panel per metric and series stacked (`stacked`) or side by side. */
export function drawColumns(given: Drawable, space: Space, stacked: boolean): Drawing {
  const groups = byMetric(given.series).map((group) => {
    const all = group.at.map((at) => given.series[at]!)
    return { ...group, ...fewer(all, stacked ? maxSeries : 3) }
  })
  const drawn = groups.reduce((count, { series }) => count + series.length, 0)
  const every = Math.max(1, Math.ceil((given.labels.length * drawn) / maxMarks))
  const heights = Math.max(minPanel, Math.floor((space.height - foot) / groups.length))
  const marks: Mark[] = []
  const points: Point[] = []
  const panels: Box[] = []
  const notes = groups.flatMap(({ left, metric }) =>
    left > 0 ? [`${left} more for ${metric} in the table only.`] : [],
  )
  if (every > 1) notes.push(`Showing 1 in ${every} columns. The table has them all.`)
  const scales = groups.map(({ kind, series }, index) => {
    const top = index * heights + head
    const reach = given.labels.flatMap((_, at) => {
      const values = series.map((one) => one.values[at]!)
      return stacked ? piled(values).flatMap((part) => (part ? [part.from, part.to] : [])) : values
    })
    return valueScale(reach, { kind, from: top + heights - head - below, to: top, zero: true })
  })
  const left = Math.max(...scales.map((scale) => axisWidth(scale, space.textWidth)))
  const named = groups.some(({ series }) => series.length > 1)
  const names = groups.flatMap(({ series }) => series.map(({ short }) => short))
  const widest = Math.max(...names.map((text) => space.textWidth(text, 11, true)))
  const endWidth = named ? Math.ceil(Math.min(widest, space.width * 0.3)) + 14 : 4
  const right = Math.max(left + 40, space.width - endWidth)
  const step = stepOf(given, right - left)
  const places = placesOf(given, left, right, step / 2)
  const whole = Math.max(1, Math.min(48, step * every - (step * every > 4 ? Math.min(6, step * every * 0.25) : 0)))
  groups.forEach(({ metric, kind, series }, panel) => {
    const scale = scales[panel]!
    const top = panel * heights + head
    const bottom = top + heights - head - below
    panels.push({ x: 0, y: panel * heights, width: space.width, height: heights })
    const plot = { x: left, y: top, width: right - left, height: bottom - top }
    marks.push(title(inUnit(metric, kind, given.currency), panel * heights, space), ...bandOf(given, places, plot))
    marks.push(...valueAxis(scale, left, right))
    const width = stacked ? whole : whole / series.length
    const ends = new Map<number, number>()
    given.labels.forEach((_, at) => {
      if (at % every !== 0) return
      const values = series.map((one) => one.values[at]!)
      const parts = stacked ? piled(values) : values.map((value) => (value === null ? null : { from: 0, to: value }))
      parts.forEach((part, row) => {
        if (!part) return
        const x = places[at]! - whole / 2 + (stacked ? 0 : row * width)
        const [y1, y2] = [scale.at(part.from), scale.at(part.to)]
        const box = { x: round(x), y: round(Math.min(y1, y2)), width: round(width), height: round(Math.abs(y1 - y2)) }
        const color = stacked && series.length === 1 ? 0 : row
        marks.push({
          kind: 'bar',
          ...box,
          series: color,
          ...(series.length > 1 && { patterned: true }),
          ...(mayChange(given, at) && { unsettled: true }),
        })
        ends.set(row, (y1 + y2) / 2)
        points.push({
          x: x + width / 2,
          y: y2,
          box,
          series: color,
          column: at,
          row: panel * 1000 + row,
          panel,
          ...pointWords(given, series[row]!, at, series.length === 1),
        })
      })
    })
    if (series.length > 1) {
      const labels = series.flatMap(({ short }, row) =>
        ends.has(row) ? [{ y: ends.get(row)!, text: short, series: row }] : [],
      )
      marks.push(...endLabels(labels, right, endWidth - 14, { top, bottom }, space))
    }
  })
  const y = groups.length * heights + 4
  marks.push(...labelAxis(given, places, { left: 0, right: space.width, y, textWidth: space.textWidth }))
  return { width: space.width, height: groups.length * heights + foot, marks, points, seek: 'column', panels, notes }
}

/** Distance between two columns, in CSS pixels. Missing days keep their space. */
function stepOf({ days, labels }: Drawable, width: number): number {
  if (labels.length < 2) return Math.min(48, width)
  if (!days) return width / labels.length
  const apart = Math.min(...days.slice(1).map((day, at) => day - days[at]!))
  return width / ((days.at(-1)! - days[0]!) / apart + 1)
}
