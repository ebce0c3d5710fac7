import { clockText, dayOf, durationText, minuteMs } from '../../../ui/dates'
import type { Span } from './drag'

/** Details that fit in a block in addition to its title. */
export interface ChipText {
  /** Empty without enough room. */
  time: string
  /** True if the recurrence icon fits. */
  icon: boolean
  /** Lines of the title; 1: cut with an ellipsis. */
  lines: number
}

export interface Room {
  /** Pixels of the whole block. */
  width: number
  height: number
}

const lineHeight = 16
/** Below this width, in CSS pixels, a block shows one line of its title only, because broken words are unreadable. */
export const slimBelow = 52
/** Bar at the edge and padding. */
const inset = 14
const iconWidth = 15

/** Pixels of a text at 11 px, estimated on the wide side. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) {
    if (/[\s:.,il|'’]/u.test(character)) width += 3.5
    else if (/[mwMW–—]/u.test(character)) width += 9.6
    else width += 6.9
  }
  return width
}

/** `13:00 – 14:30`, shorter `13:00`; `1:00 – 2:30 pm`, shorter `1–2:30 pm`, `1 pm`: the longest first. */
export function timeForms(span: Pick<Span, 'start' | 'end' | 'clockEnd'>, hour12: boolean): string[] {
  const { start, clockEnd: end = span.end } = span
  const from = clockText(start, hour12, true)
  if (!hour12) return [`${from} – ${clockText(end)}`, `${from}–${clockText(end)}`, from]
  const to = clockText(end, true, true)
  const half = (text: string): string => text.slice(-2)
  const sameHalf = half(from) === half(to) && dayOf(start) === dayOf(end)
  const first = sameHalf ? from.slice(0, -3) : from
  return [`${first} – ${to}`, `${first}–${to}`, from]
}

/**
 * Returns the text of a block. In a small block, drops the time first, then the recurrence icon, never the title.
 * @param left milliseconds that are left of a running event, which it says instead of its times
 */
export function blockText(
  title: string,
  span: Pick<Span, 'start' | 'end' | 'clockEnd'>,
  room: Room,
  hour12: boolean,
  left?: number,
): ChipText {
  const width = room.width - inset
  if (room.width < slimBelow) return { time: '', icon: false, lines: 1 }
  const rest = left === undefined ? [] : [`${durationText(Math.ceil(left / minuteMs) * minuteMs)} left`]
  const forms = [...rest, ...timeForms(span, hour12)]
  if (room.height < 34) {
    const free = width - textWidth(title) - 4
    const icon = free >= iconWidth
    return {
      time: forms.slice(-1).find((form) => textWidth(form) <= free - (icon ? iconWidth : 0)) ?? '',
      icon,
      lines: 1,
    }
  }
  const time = forms.find((form) => textWidth(form) <= width) ?? ''
  const lines = Math.max(1, Math.floor((room.height - 5 - (time ? lineHeight : 0)) / lineHeight))
  // The icon is in the lower corner, next to the last line.
  return { time, icon: textWidth(time) + iconWidth <= width, lines }
}
