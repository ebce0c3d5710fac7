import { drawColumns } from './column-chart'
import type { Drawing, Space } from './drawing'
import type { ChartForm } from './form'
import { drawHeat } from './heat'
import { drawLines } from './lines'
import { drawMultiples } from './multiples'
import { drawRows } from './rows'
import { drawScatter } from './scatter'
import type { Drawable } from './series'
import { drawShare } from './share'
import { keyHeight, unsettledWords, withKey } from './unsettled'

/**
 * Draws a chart. Falls back to bars, with a note, if the requested form would misrepresent the values. Undefined
 * without any values.
 */
export function draw(data: Drawable, form: ChartForm, space: Space): Drawing | undefined {
  if (!data.series.some(({ values }) => values.some((value) => value !== null))) return undefined
  const key = unsettledWords(data) === '' ? 0 : keyHeight
  const drawing = drawn(data, form, { ...space, height: space.height - key })
  return withKey(data, { ...drawing, notes: [...drawing.notes, ...data.notes] }, space)
}

function drawn(data: Drawable, form: ChartForm, space: Space): Drawing {
  switch (form) {
    case 'line':
      // A line between unordered items would suggest a trend.
      return isOrdered(data) ? drawLines(data, space) : drawRows(data, space, false)
    case 'bar':
      return isOrdered(data) ? drawColumns(data, space, false) : drawRows(data, space, false)
    case 'stacked':
      return stacked(data, space)
    case 'scatter':
      return drawScatter(data, space) ?? instead(data, space, 'A scatter chart needs two metrics.')
    case 'share':
      return drawShare(data, space) ?? instead(data, space, 'These metrics don’t add up to a whole.')
    case 'multiples':
      return isOrdered(data) ? drawMultiples(data, space) : drawRows(data, space, false)
    case 'heat':
      return drawHeat(data, space)
  }
}

const isOrdered = ({ days }: Drawable): boolean => days !== null

function stacked(data: Drawable, space: Space): Drawing {
  const adds = data.series.every((series) => series.adds)
  const drawing = isOrdered(data) ? drawColumns(data, space, adds) : drawRows(data, space, adds)
  if (!adds) drawing.notes.unshift('These metrics can’t be stacked, so their bars are side by side.')
  return drawing
}

function instead(data: Drawable, space: Space, why: string): Drawing {
  const drawing = isOrdered(data) ? drawColumns(data, space, false) : drawRows(data, space, false)
  drawing.notes.unshift(why)
  return drawing
}
