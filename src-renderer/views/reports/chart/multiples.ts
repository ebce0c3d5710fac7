import { area, line } from 'd3-shape'
import { axisWidth, labelAxis, placesOf, valueAxis, valueScale } from './axes'
import { fitted, maxMarks, type Box, type Drawing, type Mark, type Point, type Space } from './drawing'
import { briefText, inUnit } from './value-words'
import { piecesOf, round, title } from './lines'
import { byMetric, lastOf, pointWords, type Drawable } from './series'
import { thinned } from './thin'
import { bandOf } from './unsettled'

export const maxMultiples = 48
const minWidth = 176
const panelHeight = 132
const gap = 16
const head = 22
const foot = 22

/** Draws a small chart per series. Those of a metric share a scale, so that heights are comparable. */
export function drawMultiples(data: Drawable, space: Space): Drawing {
  const marks: Mark[] = []
  const points: Point[] = []
  const panels: Box[] = []
  const shown = data.series.slice(0, maxMultiples)
  const notes =
    shown.length < data.series.length
      ? [`Showing ${shown.length} of ${data.series.length.toLocaleString('en')}. The table has them all.`]
      : []
  const across = Math.max(1, Math.min(shown.length, Math.floor((space.width + gap) / (minWidth + gap))))
  const width = (space.width - gap * (across - 1)) / across
  let top = 0
  for (const group of byMetric(shown)) {
    const all = group.at.map((at) => shown[at]!)
    marks.push(title(inUnit(group.metric, group.kind, data.currency), top, space))
    top += head
    const scaleOf = (from: number): ReturnType<typeof valueScale> =>
      valueScale(
        all.flatMap(({ values }) => values),
        { kind: group.kind, from: from + panelHeight - foot, to: from + head, zero: true, apart: 34 },
      )
    const left = axisWidth(scaleOf(0), space.textWidth)
    all.forEach((series, place) => {
      const [x, y] = [(place % across) * (width + gap), top + Math.floor(place / across) * (panelHeight + gap)]
      const scale = scaleOf(y)
      const panel = panels.length
      panels.push({ x, y, width, height: panelHeight })
      marks.push(...valueAxis(scale, x + left, x + width))
      const last = lastOf(series)
      const end = last === null ? '' : briefText(last, series.kind)
      const endWidth = space.textWidth(end, 11)
      const text = { y: y + 12, size: 11 } as const
      marks.push(
        {
          kind: 'text',
          x,
          text: fitted(series.short, width - endWidth - 12, 11, space.textWidth, true),
          anchor: 'start',
          tone: 'strong',
          bold: true,
          ...text,
        },
        { kind: 'text', x: x + width, text: end, anchor: 'end', tone: 'faint', ...text },
      )
      const places = placesOf(data, x + left + 2, x + width - 2)
      const plot = { x: x + left, y: y + head, width: width - left, height: panelHeight - foot - head }
      marks.push(...bandOf(data, places, plot))
      const kept = thinned(series.values, Math.floor(maxMarks / shown.length))
      const pieces = piecesOf(data, series.values, kept)
      const at = (one: number): number => round(scale.at(series.values[one]!))
      const outline = line<number>((one) => round(places[one]!), at)
      const ground = area<number>((one) => round(places[one]!), round(scale.at(0)), at)
      const long = pieces.filter((piece) => piece.length > 1)
      if (long.length > 0) {
        marks.push({ kind: 'area', d: long.map((piece) => ground(piece) ?? '').join(''), series: 0 })
        marks.push({ kind: 'line', d: long.map((piece) => outline(piece) ?? '').join(''), series: 0 })
      }
      for (const piece of pieces.filter(({ length }) => length === 1))
        marks.push({ kind: 'dot', x: places[piece[0]!]!, y: at(piece[0]!), series: 0 })
      for (const one of pieces.flat())
        points.push({
          x: places[one]!,
          y: at(one),
          series: 0,
          column: one,
          row: panel,
          panel,
          ...pointWords(data, series, one, false),
        })
      const limits = { left: x + left, right: x + width, y: y + panelHeight - 6, textWidth: space.textWidth }
      marks.push(...labelAxis(data, places, limits))
    })
    top += Math.ceil(all.length / across) * (panelHeight + gap)
  }
  return { width: space.width, height: Math.max(0, top - gap), marks, points, seek: 'column', panels, notes }
}
