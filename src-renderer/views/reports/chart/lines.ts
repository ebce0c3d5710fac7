import { line } from 'd3-shape'
import { axisWidth, labelAxis, placesOf, spread, valueAxis, valueScale } from './axes'
import { fitted, maxMarks, maxSeries, type Box, type Drawing, type Mark, type Point, type Space } from './drawing'
import { inUnit, valueText } from './value-words'
import { byMetric, lastOf, pointWords, type Drawable, type Drawn } from './series'
import { thinned } from './thin'
import { bandOf } from './unsettled'

const head = 24
const foot = 16
/** Pixels that a plot keeps from the next panel, or from its labels. */
const below = 16
const minPanel = 144

/** Splits a series at gaps: missing values, or omitted steps. */
export function piecesOf(data: Drawable, values: readonly (number | null)[], kept: readonly number[]): number[][] {
  const steps = data.days?.slice(1).map((day, at) => day - data.days![at]!) ?? []
  const usual = Math.min(...steps)
  const pieces: number[][] = []
  let open: number[] | undefined
  let before = -1
  for (const at of kept) {
    // Values removed by thinning aren't gaps.
    const gap = values.slice(before + 1, at).some((value) => value === null)
    const skipped = data.days !== null && at > 0 && steps[at - 1]! > usual * 1.5
    if (gap || skipped) open = undefined
    before = at
    if (values[at] === null) open = undefined
    else if (open) open.push(at)
    else pieces.push((open = [at]))
  }
  return pieces
}

/** Draws values over time, with a panel per metric and a line per series, labeled at its end. */
export function drawLines(data: Drawable, space: Space): Drawing {
  const groups = byMetric(data.series)
  const heights = Math.max(minPanel, Math.floor((space.height - foot) / groups.length))
  const marks: Mark[] = []
  const points: Point[] = []
  const panels: Box[] = []
  const notes: string[] = []
  // All panels share the same left and right edges, so that days align vertically.
  const scales = groups.map(({ kind, at }, index) => {
    const top = index * heights + head
    const values = at.flatMap((one) => data.series[one]!.values)
    return valueScale(values, { kind, from: top + heights - head - below, to: top, zero: data.series[at[0]!]!.adds })
  })
  const left = Math.max(...scales.map((scale) => axisWidth(scale, space.textWidth)))
  const ends = groups.flatMap(({ at }) =>
    at.slice(0, maxSeries).map((one) => endText(data, data.series[one]!, at.length)),
  )
  const widest = Math.max(...ends.map((text) => space.textWidth(text, 11, true)))
  const endWidth = Math.ceil(Math.min(widest, space.width * 0.3)) + 14
  const right = Math.max(left + 40, space.width - endWidth)
  const places = placesOf(data, left, right)
  groups.forEach(({ metric, kind, at }, panel) => {
    const scale = scales[panel]!
    const top = panel * heights + head
    panels.push({ x: 0, y: panel * heights, width: space.width, height: heights })
    const plot = { x: left, y: top, width: right - left, height: heights - head - below }
    marks.push(title(inUnit(metric, kind, data.currency), panel * heights, space), ...bandOf(data, places, plot))
    marks.push(...valueAxis(scale, left, right))
    const labels: { y: number; text: string; series: number }[] = []
    at.forEach((one, row) => {
      const series = data.series[one]!
      const kept = thinned(series.values, Math.floor(maxMarks / data.series.length))
      const pieces = piecesOf(data, series.values, kept)
      const path = line<number>(
        (place) => round(places[place]!),
        (place) => round(scale.at(series.values[place]!)),
      )
      const d = pieces.filter((piece) => piece.length > 1).map((piece) => path(piece) ?? '')
      if (d.length > 0) marks.push({ kind: 'line', d: d.join(''), series: row })
      // A single value between gaps has no line.
      for (const piece of pieces.filter(({ length }) => length === 1))
        marks.push({ kind: 'dot', x: places[piece[0]!]!, y: scale.at(series.values[piece[0]!]!), series: row })
      for (const place of pieces.flat())
        points.push({
          x: places[place]!,
          y: scale.at(series.values[place]!),
          series: row,
          column: place,
          row: panel * 1000 + row,
          panel,
          ...pointWords(data, series, place, at.length === 1),
        })
      const last = pieces.at(-1)?.at(-1)
      if (last !== undefined && row < maxSeries)
        labels.push({ y: scale.at(series.values[last]!), text: endText(data, series, at.length), series: row })
    })
    marks.push(...endLabels(labels, right, endWidth - 14, { top, bottom: top + heights - head - below }, space))
    if (at.length > maxSeries)
      notes.push(
        at.length === maxSeries + 1
          ? '1 thin line isn’t labeled. The table has all names.'
          : `${at.length - maxSeries} thin lines aren’t labeled. The table has all names.`,
      )
  })
  const bottom = groups.length * heights
  marks.push(...labelAxis(data, places, { left: 0, right: space.width, y: bottom + 4, textWidth: space.textWidth }))
  if (data.series.some(({ values }) => values.length > maxMarks / data.series.length))
    notes.push(
      `Simplified to the highs and lows of ${data.labels.length.toLocaleString('en')} points. The table has them all.`,
    )
  return { width: space.width, height: bottom + foot, marks, points, seek: 'column', panels, notes }
}

/** Label at the end of a line: its name, or its last value if it's the only line. */
function endText(data: Drawable, series: Drawn, count: number): string {
  if (count > 1) return series.short
  const last = lastOf(series)
  return last === null ? '' : valueText(last, series.kind, data.currency)
}

export const title = (text: string, y: number, { width, textWidth }: Space): Mark => ({
  kind: 'text',
  x: 0,
  y: y + 12,
  text: fitted(text, width, 11, textWidth, true),
  anchor: 'start',
  tone: 'soft',
  size: 11,
  bold: true,
})

/** Names at line ends, with their marks, spread so that they don't overlap. */
export function endLabels(
  labels: readonly { y: number; text: string; series: number }[],
  x: number,
  width: number,
  { top, bottom }: { top: number; bottom: number },
  { textWidth }: Space,
): Mark[] {
  const room = Math.max(1, Math.floor((bottom - top) / 14) + 1)
  const shown = labels.slice(0, room)
  const heights = spread(
    shown.map(({ y }) => y),
    14,
    top,
    bottom,
  )
  return shown.flatMap(({ y, text, series }, at): Mark[] => {
    const beside = heights[at]!
    const lead = `M${round(x + 2)},${round(y)}L${round(x + 9)},${round(beside)}`
    return [
      ...(Math.abs(beside - y) > 3 ? ([{ kind: 'line', d: lead, series: -1 }] as Mark[]) : []),
      {
        kind: 'text',
        x: x + 12,
        y: beside + 4,
        text: fitted(text, width, 11, textWidth, true),
        anchor: 'start',
        tone: 'soft',
        size: 11,
        bold: true,
        series,
      },
    ]
  })
}

export const round = (at: number): number => Math.round(at * 100) / 100
