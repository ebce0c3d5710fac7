import { axisWidth, crisp, valueAxis, valueScale } from './axes'
import { fitted, maxMarks, maxSeries, type Box, type Drawing, type Mark, type Point, type Space } from './drawing'
import { axisTexts, inSentence, inUnit, valueText } from './value-words'
import { byMetric, headingOf, mayChange, mayChangeWords, type Drawable } from './series'

const head = 24
const foot = 44
const named = 12

/** Plots two metrics against each other, with a dot for each label. Undefined without two metrics. */
export function drawScatter(data: Drawable, space: Space): Drawing | undefined {
  const [across, up] = byMetric(data.series)
  if (!across || !up) return undefined
  const height = Math.max(240, space.height)
  const pairs = across.at.flatMap((at) => {
    const first = data.series[at]!
    const second = up.at.map((one) => data.series[one]!).find(({ short }) => samePart(short, first.short, up, across))
    return second ? [{ first, second }] : []
  })
  const bottom = height - foot
  const upScale = valueScale(
    pairs.flatMap(({ second }) => second.values),
    { kind: up.kind, from: bottom, to: head, zero: false },
  )
  const left = axisWidth(upScale, space.textWidth)
  const right = space.width - 12
  const acrossScale = valueScale(
    pairs.flatMap(({ first }) => first.values),
    { kind: across.kind, from: left, to: right, zero: false, apart: 72 },
  )
  const marks: Mark[] = [...valueAxis(upScale, left, right)]
  axisTexts(acrossScale.ticks, across.kind).forEach((text, at) => {
    const x = acrossScale.at(acrossScale.ticks[at]!)
    const half = space.textWidth(text, 11) / 2
    marks.push(
      { kind: 'rule', x1: crisp(x), x2: crisp(x), y1: head, y2: bottom, tone: 'grid' },
      {
        kind: 'text',
        x: Math.min(space.width - half, x),
        y: bottom + 18,
        text,
        anchor: 'middle',
        tone: 'faint',
        size: 11,
      },
    )
  })
  const axis = { anchor: 'start', tone: 'soft', size: 11, bold: true } as const
  marks.push(
    {
      kind: 'text',
      x: 0,
      y: 12,
      text: fitted(inUnit(up.metric, up.kind, data.currency), space.width, 11, space.textWidth, true),
      ...axis,
    },
    {
      kind: 'text',
      x: right,
      y: bottom + 38,
      text: fitted(inUnit(across.metric, across.kind, data.currency), space.width, 11, space.textWidth, true),
      ...axis,
      anchor: 'end',
    },
  )
  const found = pairs.flatMap(({ first, second }, row) =>
    data.labels.flatMap((_, at) => {
      const [a, b] = [first.values[at]!, second.values[at]!]
      if (a === null || b === null) return []
      const name = pairs.length > 1 && first.short !== first.metric ? first.short : ''
      const value = `${inSentence(first.metric)}: ${valueText(a, first.kind, data.currency)}, ${inSentence(second.metric)}: ${valueText(b, second.kind, data.currency)}`
      return [{ x: acrossScale.at(a), y: upScale.at(b), series: row, at, name, value, size: Math.abs(a) }]
    }),
  )
  const shown = found.sort((one, other) => other.size - one.size).slice(0, maxMarks)
  const notes =
    shown.length < found.length
      ? [
          `Showing the ${shown.length.toLocaleString('en')} largest of ${found.length.toLocaleString('en')}. The table has them all.`,
        ]
      : []
  const points = [...shown]
    .sort((one, other) => one.x - other.x || one.y - other.y)
    .map(({ x, y, series, at, name, value }, column): Point => {
      const unsettled = mayChange(data, at)
      const heading = headingOf(data, at)
      const spoken = `${heading}: ${value}${name === '' ? '' : `, ${name}`}${unsettled ? `, ${mayChangeWords}` : ''}`
      return { x, y, series, column, row: 0, panel: 0, heading, name, value, spoken, ...(unsettled && { unsettled }) }
    })
  for (const { x, y, series, at } of shown)
    marks.push({
      kind: 'dot',
      x,
      y,
      series: Math.min(series, maxSeries),
      ...(mayChange(data, at) && { unsettled: true }),
    })
  marks.push(...names(data, shown, { left, right, top: head, bottom }, space))
  const panels = [{ x: 0, y: 0, width: space.width, height }]
  return { width: space.width, height, marks, points, seek: 'point', panels, notes }
}

/** Pairs the series of two metrics that belong to the same breakdown value. */
const samePart = (second: string, first: string, up: { at: number[] }, across: { at: number[] }): boolean =>
  second === first || (up.at.length === 1 && across.at.length === 1)

/** Names next to the largest dots, if they don't overlap another name or dot. */
function names(
  data: Drawable,
  dots: readonly { x: number; y: number; at: number }[],
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  { textWidth }: Space,
): Mark[] {
  const taken: Box[] = dots.slice(0, 400).map(({ x, y }) => ({ x: x - 5, y: y - 5, width: 10, height: 10 }))
  const touches = (one: Box): boolean =>
    taken.some(
      ({ x, y, width, height }) =>
        one.x < x + width && x < one.x + one.width && one.y < y + height && y < one.y + one.height,
    )
  return dots.slice(0, named).flatMap(({ x, y, at }): Mark[] => {
    const text = fitted(headingOf(data, at), 140, 11, textWidth)
    const width = textWidth(text, 11)
    for (const anchor of ['start', 'end'] as const) {
      const box = { x: anchor === 'start' ? x + 8 : x - 8 - width, y: y - 7, width, height: 14 }
      if (box.x < left || box.x + width > right || box.y < top || box.y + 14 > bottom || touches(box)) continue
      taken.push(box)
      return [{ kind: 'text', x: anchor === 'start' ? x + 8 : x - 8, y: y + 4, text, anchor, tone: 'soft', size: 11 }]
    }
    return []
  })
}
