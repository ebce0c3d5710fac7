import { dateOf, dayMs, monthShort, startOfWeek, weekdayName, weekdayOf } from '../../../ui/dates'
import { fitted, type Drawing, type Mark, type Point, type Space } from './drawing'
import { briefText, inUnit } from './value-words'
import { title } from './lines'
import { byMetric, headingOf, mayChange, pointWords, type Drawable, type Drawn } from './series'

const rowHeight = 28
const maxCells = 2_400

interface Cell {
  at: number
  series: Drawn
  column: number
  row: number
}

interface Grid {
  columns: string[]
  rows: string[]
  cells: Cell[]
}

/** Days as weeks below each other, from Monday; anything else as a row a label, a column a series. */
function gridOf(data: Drawable): Grid {
  const [first] = data.series
  if (data.kind !== 'day' || !data.days || !first)
    return {
      columns: data.series.map(({ short }) => short),
      rows: data.labels.map((_, at) => headingOf(data, at)),
      cells: data.labels.flatMap((_, at) => data.series.map((series, column) => ({ at, series, column, row: at }))),
    }
  const start = startOfWeek(data.days[0]!, 1)
  const weeks = Math.floor((data.days.at(-1)! - start) / (7 * dayMs)) + 1
  return {
    columns: Array.from({ length: 7 }, (_, day) => weekdayName(start + day * dayMs).slice(0, 3)),
    rows: Array.from({ length: weeks }, (_, week) => {
      const monday = start + week * 7 * dayMs
      return `${dateOf(monday)} ${monthShort(monday)}`
    }),
    cells: data.days.map((day, at) => ({
      at,
      series: first,
      column: (weekdayOf(day) + 6) % 7,
      row: Math.floor((day - start) / (7 * dayMs)),
    })),
  }
}

/** Draws values in a grid, with a background that's stronger for larger ones. */
export function drawHeat(data: Drawable, space: Space): Drawing {
  const { columns, rows, cells } = gridOf(data)
  const weekly = columns.length === 7 && data.kind === 'day' && data.days !== null
  const most = Math.max(1, Math.floor(maxCells / columns.length))
  const shown = rows.slice(-most)
  const skipped = rows.length - shown.length
  const notes = skipped > 0 ? [`Showing the last ${shown.length} of ${rows.length} rows. The table has them all.`] : []
  if (weekly && data.series.length > 1) notes.push(`Showing only ${data.series[0]!.name}. The table has the rest.`)
  const widest = Math.max(...shown.map((text) => space.textWidth(text, 11)))
  const left = Math.ceil(Math.min(widest, space.width * 0.3)) + 12
  const width = Math.min(112, (space.width - left) / columns.length)
  const top = 44
  const marks: Mark[] = [
    title(
      weekly
        ? inUnit(data.series[0]!.metric, data.series[0]!.kind, data.currency)
        : byMetric(data.series)
            .map(({ metric, kind }) => inUnit(metric, kind, data.currency))
            .join(', '),
      0,
      space,
    ),
  ]
  const points: Point[] = []
  const text = { tone: 'faint', size: 11 } as const
  columns.forEach((name, column) =>
    marks.push({
      kind: 'text',
      x: left + width * (column + 0.5),
      y: top - 8,
      text: fitted(name, width - 6, 11, space.textWidth),
      anchor: 'middle',
      ...text,
    }),
  )
  shown.forEach((name, row) =>
    marks.push({
      kind: 'text',
      x: 0,
      y: top + row * rowHeight + 18,
      text: fitted(name, left - 12, 11, space.textWidth),
      anchor: 'start',
      ...text,
    }),
  )
  const levels = new Map(
    byMetric(data.series).map(({ metric, at }) => [metric, levelsOf(at.map((one) => data.series[one]!))]),
  )
  for (const { at, series, column, row } of cells) {
    const value = series.values[at]!
    const place = row - skipped
    if (place < 0 || value === null) continue
    const box = {
      x: left + column * width + 1,
      y: top + place * rowHeight + 1,
      width: width - 2,
      height: rowHeight - 2,
    }
    marks.push({
      kind: 'cell',
      ...box,
      level: levels.get(series.metric)!(value),
      ...(mayChange(data, at) && { unsettled: true }),
    })
    const middle = box.x + box.width / 2
    const brief = briefText(value, series.kind)
    if (space.textWidth(brief, 11) <= box.width - 2)
      marks.push({ kind: 'text', x: middle, y: box.y + 17, text: brief, anchor: 'middle', tone: 'strong', size: 11 })
    points.push({
      x: middle,
      y: box.y + box.height / 2,
      box,
      series: 0,
      column,
      row: place,
      panel: 0,
      ...pointWords(data, series, at, weekly || data.series.length === 1),
    })
  }
  const height = top + shown.length * rowHeight + 4
  const panels = [{ x: 0, y: 0, width: space.width, height }]
  return { width: space.width, height, marks, points, seek: 'point', panels, notes }
}

/** 0 for the least to 5 for the most of all values. */
function levelsOf(series: readonly Drawn[]): (value: number) => number {
  let [least, most] = [0, 0]
  for (const { values } of series)
    for (const value of values) if (value !== null) [least, most] = [Math.min(least, value), Math.max(most, value)]
  return (value) => (most === least ? 0 : Math.min(5, Math.floor(((value - least) / (most - least)) * 6)))
}
