import { fitted, type Box, type Drawing, type Mark, type Space } from './drawing'
import { labelWords } from './value-words'
import { mayChange, mayChangeWords, type Drawable } from './series'

/** Pixels that a band is wide at least. */
const minWidth = 6
/** Height of the hatching legend, in CSS pixels. */
export const keyHeight = 22

/** The hatch behind the places along an axis that may still change, to the end of the plot; none where all are settled. */
export function bandOf(data: Drawable, places: readonly number[], { x, y, width, height }: Box): Mark[] {
  const first = data.labels.findIndex((_, at) => mayChange(data, at))
  if (first < 0) return []
  const end = x + width
  // Half of the way from the last place that is settled.
  const from = first === 0 ? x : Math.min((places[first - 1]! + places[first]!) / 2, end - minWidth)
  return [{ kind: 'band', x: from, y, width: end - from, height }]
}

const isUnsettled = (mark: Mark): boolean => mark.kind === 'band' || ('unsettled' in mark && mark.unsettled === true)

/** Adds a legend for the hatching, if the drawing has any. */
export function withKey(data: Drawable, drawing: Drawing, { width, textWidth }: Space): Drawing {
  const sample = drawing.marks.find(isUnsettled)
  const words = unsettledWords(data)
  if (!sample || words === '') return drawing
  const y = drawing.height + 6
  const swatch: Mark =
    sample.kind === 'dot'
      ? { kind: 'dot', x: 7, y: y + 6, series: sample.series, unsettled: true }
      : { kind: 'band', x: 0, y, width: 14, height: 12 }
  const text = fitted(`${words}.`, width - 20, 11, textWidth)
  const key: Mark[] = [swatch, { kind: 'text', x: 20, y: y + 10, text, anchor: 'start', tone: 'soft', size: 11 }]
  return { ...drawing, height: drawing.height + keyHeight, marks: [...drawing.marks, ...key] }
}

/** `Data from 8 June may still change`; empty where all are settled. */
export function unsettledWords(data: Drawable): string {
  const first = data.labels.find((_, at) => mayChange(data, at))
  if (first === undefined) return ''
  const label = labelWords(first, data.kind, data.withYear)
  return `Data from ${data.kind === 'week' ? 'the ' : ''}${label} onward ${mayChangeWords}`
}
