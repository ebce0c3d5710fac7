import type { CellKind } from '#shared/results/result-columns'
import { scaleLinear, scaleUtc } from 'd3-scale'
import { addMonths, dateOf, dayMs, monthOf, monthShort, startOfMonth, weekdayOf, yearOf } from '../../../ui/dates'
import type { Mark, TextWidth } from './drawing'
import { fitted } from './drawing'
import { axisTexts, labelBrief } from './value-words'
import { headingOf, type Drawable } from './series'

export interface ValueScale {
  /** Pixels of a value. */
  at: (value: number) => number
  ticks: number[]
  texts: string[]
}

interface ValueOptions {
  kind: CellKind
  /** Pixels of the least and the most. */
  from: number
  to: number
  /** True if the scale must include zero, as for bars and areas. */
  zero: boolean
  /** Pixels between two ticks, at least. */
  apart?: number
}

/** Relative threshold below which a value counts as zero. */
const tiniest = 1e-9

/** A scale with round ends that holds all values. Counts have no ticks between whole numbers. */
export function valueScale(values: Iterable<number | null>, options: ValueOptions): ValueScale {
  const { kind, from, to, zero, apart = 40 } = options
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    if (value === null) continue
    least = Math.min(least, value)
    most = Math.max(most, value)
  }
  if (most === -Infinity) [least, most] = [0, 1]
  // Values close together but far from zero would look like a flat line.
  if (zero || least <= 0 || least < most / 2) [least, most] = [Math.min(0, least), Math.max(0, most)]
  // Ignore differences below floating-point precision.
  if (most - least < tiniest * Math.max(most, -least, 1)) [least, most] = [Math.min(0, least), Math.max(0, most)]
  if (most - least < tiniest) [least, most] = [0, 1]
  const count = Math.max(2, Math.min(8, Math.floor(Math.abs(to - from) / apart)))
  const near = scaleLinear().domain([least, most])
  // A short stretch can hold one round number only.
  const [first, second] = near.ticks(count).length > 1 ? near.ticks(count) : near.ticks(count * 2)
  const step = first === undefined || second === undefined ? most - least : second - first
  const ends = [Math.floor(least / step + 1e-9), Math.ceil(most / step - 1e-9)] as const
  const every = Array.from({ length: ends[1] - ends[0] + 1 }, (_, at) =>
    Number(((ends[0] + at) * step).toPrecision(12)),
  )
  const scale = scaleLinear()
    .domain([every[0]!, every.at(-1)!])
    .range([from, to])
  const ticks = every.filter((tick) => kind !== 'count' || Number.isInteger(tick))
  return { at: (value) => scale(value), ticks, texts: axisTexts(ticks, kind) }
}

/** Labels and grid lines of a vertical axis. `left` is the left edge of the plot. */
export function valueAxis(scale: ValueScale, left: number, right: number): Mark[] {
  return scale.ticks.flatMap((tick, at): Mark[] => {
    const y = crisp(scale.at(tick))
    return [
      { kind: 'rule', x1: left, x2: right, y1: y, y2: y, tone: tick === 0 ? 'axis' : 'grid' },
      {
        kind: 'text',
        x: left - 8,
        y: y + 4,
        text: scale.texts[at]!,
        anchor: 'end',
        tone: 'faint',
        size: 11,
      },
    ]
  })
}

/** Width of a vertical axis's labels, in CSS pixels. */
export const axisWidth = (scale: ValueScale, textWidth: TextWidth): number =>
  Math.ceil(Math.max(0, ...scale.texts.map((text) => textWidth(text, 11)))) + 10

/** A thin line in the middle of a pixel is sharp. */
export const crisp = (at: number): number => Math.round(at - 0.5) + 0.5

/**
 * Positions of labels along a horizontal axis: proportional to time for days, otherwise even. `inset` leaves room for
 * half a bar.
 */
export function placesOf({ labels, days }: Drawable, left: number, right: number, inset = 0): number[] {
  const count = labels.length
  if (count === 1) return [(left + right) / 2]
  const [from, to] = [left + inset, right - inset]
  if (!days) return labels.map((_, at) => from + ((to - from) * at) / (count - 1))
  const [first, last] = [days[0]!, days.at(-1)!]
  return days.map((day) => from + ((to - from) * (day - first)) / (last - first))
}

interface Label {
  x: number
  text: string
}

/** Texts under a horizontal axis that never touch each other or leave `left` to `right`. */
export function labelAxis(
  data: Drawable,
  places: readonly number[],
  { left, right, y, textWidth }: { left: number; right: number; y: number; textWidth: TextWidth },
): Mark[] {
  const wanted =
    (data.kind === 'day' || data.kind === 'week') && data.days && data.days.length > 1
      ? dayLabels(data.days, places, right - left, textWidth)
      : evenLabels(data, places, right - left, textWidth)
  let end = -Infinity
  return wanted.flatMap(({ x, text }): Mark[] => {
    const width = textWidth(text, 11)
    const middle = Math.max(left + width / 2, Math.min(right - width / 2, x))
    if (width > right - left || middle - width / 2 < end + 8) return []
    end = middle + width / 2
    return [{ kind: 'text', x: middle, y, text, anchor: 'middle', tone: 'faint', size: 11 }]
  })
}

/** Steps between labeled days. If these are too dense, between labeled months. */
const daySteps = [1, 2, 7, 14]
const weekSteps = [7, 14, 28, 56, 84]
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200]

/** The closest days that have room: every day or second day, Mondays, firsts of months, Januaries. */
function dayLabels(days: readonly number[], places: readonly number[], width: number, textWidth: TextWidth): Label[] {
  const [first, last] = [days[0]!, days.at(-1)!]
  const scale = scaleUtc()
    .domain([first, last])
    .range([places[0]!, places.at(-1)!])
  const most = Math.max(1, Math.floor(width / (textWidth('28 Mar', 11) + 16)))
  const span = (last - first) / dayMs
  const apart = Math.min(...days.slice(1).map((day, at) => day - days[at]!)) / dayMs
  const step = (apart >= 7 ? weekSteps : daySteps).find((one) => span / one < most)
  if (step !== undefined) {
    // Weeks are labeled by the days that they begin with.
    const from = step < 7 || apart >= 7 ? first : first + ((8 - weekdayOf(first)) % 7) * dayMs
    const shown = Array.from(
      { length: Math.floor((last - from) / dayMs / step) + 1 },
      (_, at) => from + at * step * dayMs,
    )
    return shown.map((day) => ({ x: scale(day), text: `${dateOf(day)} ${monthShort(day)}` }))
  }
  const months = span / 30.4
  const by = monthSteps.find((one) => months / one < Math.floor(width / (textWidth('Jan 2026', 11) + 12))) ?? 1_200
  const yearly = by % 12 === 0
  const from = dateOf(first) === 1 ? first : addMonths(startOfMonth(first), 1)
  const shown: number[] = []
  for (let day = from; day <= last; day = addMonths(day, 1))
    if ((yearOf(day) * 12 + monthOf(day)) % by === 0) shown.push(day)
  return shown.map((day, at) => {
    const withYear = at === 0 || yearOf(day) !== yearOf(shown[at - 1]!)
    return { x: scale(day), text: yearly ? `${yearOf(day)}` : `${monthShort(day)}${withYear ? ` ${yearOf(day)}` : ''}` }
  })
}

function evenLabels(data: Drawable, places: readonly number[], width: number, textWidth: TextWidth): Label[] {
  const texts = data.labels.map((label, at) =>
    data.others > 0 && at === data.labels.length - 1 ? headingOf(data, at) : labelBrief(label, data.kind),
  )
  const room = Math.min(120, Math.max(40, ...texts.map((text) => textWidth(text, 11))))
  const all = texts.map((text, at) => ({ x: places[at]!, text: fitted(text, room, 11, textWidth) }))
  return everyFew(all, Math.max(1, Math.floor(width / (room + 10))))
}

/** Every n-th, so that at most `most` are left; the first is among them. */
function everyFew<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil(all.length / Math.max(1, most)))
  return all.filter((_, at) => at % step === 0)
}

/** Spreads labels vertically so that they don't overlap. Keeps their order and stays within `top` and `bottom`. */
export function spread(wanted: readonly number[], apart: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]! || a - b)
  const placed = new Array<number>(wanted.length)
  let above = top - apart
  for (const at of order) above = placed[at] = Math.max(wanted[at]!, above + apart)
  let below = bottom + apart
  for (const at of order.reverse()) below = placed[at] = Math.min(placed[at]!, below - apart)
  return placed
}
