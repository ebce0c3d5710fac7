import { crisp, valueScale } from './axes'
import { piled } from './column-chart'
import { fitted, maxSeries, type Box, type Drawing, type Mark, type Point, type Space } from './drawing'
import { inUnit, valueText } from './value-words'
import { legend } from './legend'
import { round, title } from './lines'
import { byMetric, fewer, headingOf, largest, mayChange, pointWords, type Drawable } from './series'

/** Maximum number of bars. The remaining rows are combined. */
export const maxRows = 12
const head = 24
const rowHeight = 28
const minPanel = 200

/** Draws sorted horizontal bars from zero, with a panel per metric and series stacked or side by side. */
export function drawRows(given: Drawable, space: Space, stacked: boolean): Drawing {
  const { data, left: omitted } = largest(given, maxRows, stacked)
  const notes = omitted > 0 ? [`${omitted.toLocaleString('en')} more in the table only.`] : []
  const groups = byMetric(data.series).map((group) => {
    const all = group.at.map((at) => data.series[at]!)
    return { ...group, ...fewer(all, stacked ? maxSeries : 3) }
  })
  const headings = data.labels.map((_, at) => headingOf(data, at))
  const widest = Math.max(...headings.map((text) => space.textWidth(text, 13)))
  const labelWidth = Math.ceil(Math.min(widest, Math.max(72, space.width * 0.32))) + 12
  const across = Math.max(1, Math.min(groups.length, Math.floor((space.width - labelWidth) / minPanel)))
  const most = Math.max(...groups.map(({ series }) => series.length))
  const each = stacked || most === 1 ? rowHeight : 12 + most * 12
  const marks: Mark[] = []
  const points: Point[] = []
  const panels: Box[] = []
  let below = 0
  for (let from = 0; from < groups.length; from += across) {
    const beside = groups.slice(from, from + across)
    const keys = beside.some(({ series }) => series.length > 1)
    const key = keys
      ? legend(
          beside.find(({ series }) => series.length > 1)!.series.map(({ short }) => short),
          below + 6,
          space,
        )
      : null
    if (key) marks.push(...key.marks)
    const top = below + (key ? key.height + 8 : 0) + head
    headings.forEach((text, at) =>
      marks.push({
        kind: 'text',
        x: 0,
        y: top + at * each + each / 2 + 4,
        text: fitted(text, labelWidth - 12, 13, space.textWidth),
        anchor: 'start',
        tone: 'strong',
        size: 13,
      }),
    )
    const panelWidth = (space.width - labelWidth) / across
    beside.forEach(({ metric, kind, series }, place) => {
      const panel = from + place
      const x = labelWidth + place * panelWidth
      panels.push({ x, y: top - head, width: panelWidth, height: head + each * headings.length })
      const name = title(inUnit(metric, kind, data.currency), top - head, { ...space, width: panelWidth - 12 })
      marks.push({ ...name, x } as Mark)
      const reach = data.labels.flatMap((_, at) => {
        const values = series.map((one) => one.values[at]!)
        return stacked ? piled(values).flatMap((part) => (part ? [part.from, part.to] : [])) : values
      })
      const texts = data.labels.map((_, at) => sideText(data, series, at, stacked))
      const valueRoom = Math.max(0, ...texts.flat().map((text) => space.textWidth(text, 11))) + 8
      const negative = reach.some((value) => value !== null && value < 0)
      const start = x + (negative ? valueRoom : 0)
      const end = Math.max(start + 16, x + panelWidth - valueRoom - 12)
      const scale = valueScale(reach, { kind, from: start, to: end, zero: true })
      const zero = crisp(scale.at(0))
      const bottom = top + each * headings.length
      data.labels.forEach((_, at) => {
        const values = series.map((one) => one.values[at]!)
        const parts = stacked ? piled(values) : values.map((value) => (value === null ? null : { from: 0, to: value }))
        const thick = stacked || series.length === 1 ? 16 : 11
        const inset = stacked || series.length === 1 ? (each - thick) / 2 : (each - series.length * 12) / 2
        const isOthers = data.others > 0 && at === data.labels.length - 1
        let reached = zero
        parts.forEach((part, row) => {
          if (!part) return
          const [x1, x2] = [scale.at(part.from), scale.at(part.to)]
          const y = top + at * each + inset + (stacked || series.length === 1 ? 0 : row * 12)
          const box = { x: round(Math.min(x1, x2)), y, width: round(Math.abs(x2 - x1)), height: thick }
          const color = isOthers && series.length === 1 ? -1 : row
          marks.push({
            kind: 'bar',
            ...box,
            series: color,
            ...(series.length > 1 && { patterned: true }),
            ...(mayChange(data, at) && { unsettled: true }),
          })
          points.push({
            x: x2,
            y: y + thick / 2,
            box: { x, y: top + at * each, width: panelWidth, height: each },
            series: color,
            column: place * 100 + row,
            row: from * 1000 + at,
            panel,
            ...pointWords(data, series[row]!, at, series.length === 1),
          })
          if (!stacked) marks.push(besideBar(texts[at]![row]!, x2, y + thick / 2 + 4, part.to < 0))
          else reached = Math.max(reached, x2)
        })
        if (stacked && texts[at]![0])
          marks.push(besideBar(texts[at]![0], reached, top + at * each + each / 2 + 4, false))
      })
      marks.push({ kind: 'rule', x1: zero, x2: zero, y1: top, y2: bottom, tone: 'axis' })
    })
    below = top + each * headings.length + 16
  }
  return { width: space.width, height: Math.max(below - 8, head), marks, points, seek: 'point', panels, notes }
}

/** Text at the end of a bar: its value, or the total of a stack. */
function sideText(data: Drawable, series: Drawable['series'], at: number, stacked: boolean): string[] {
  const texts = (value: number | null, kind: Drawable['series'][number]['kind']): string =>
    value === null ? '' : valueText(value, kind, data.currency)
  if (!stacked) return series.map(({ values, kind }) => texts(values[at]!, kind))
  const there = series.map(({ values }) => values[at]!).filter((value) => value !== null)
  if (there.length === 0) return ['']
  return [
    texts(
      there.reduce((total, value) => total + value, 0),
      series[0]!.kind,
    ),
  ]
}

const besideBar = (text: string, x: number, y: number, left: boolean): Mark => ({
  kind: 'text',
  x: x + (left ? -6 : 6),
  y,
  text,
  anchor: left ? 'end' : 'start',
  tone: 'soft',
  size: 11,
})
