import { dayNumber } from './dates'
import { Question, type Placed, type Point, type TypedZone } from './items'
import type { Found, Line } from './line'
import type { PartOfDay } from './words/language'
import { zoneAfter } from './typed-zones'

/**
 * One time of day as typed. `bare` allows a plain number.
 * @throws Question
 */
export function pointAt(line: Line, at: number, bare: boolean): Found<Point> | null {
  const found = withoutZone(line, at, bare)
  if (!found) return null
  let { to } = found
  const value = { ...found.value }
  let zone: Found<TypedZone> | null = null
  for (let round = 0; round < 2; round++) {
    const part = partAfter(line, to)
    if (part && !value.part) {
      value.part = part.value
      to = part.to
    }
    zone ??= zoneAfter(line, to)
    if (zone && !value.zone) {
      value.zone = zone.value
      to = zone.to
    }
  }
  if (value.hour > 24 || value.minute > 59 || (value.hour === 24 && value.minute > 0))
    throw new Question(`${line.said(at, to)} isn’t a time of day`, at, to)
  if (value.half && (value.hour < 1 || value.hour > 12))
    throw new Question(`${line.said(at, to)} isn’t a time of day`, at, to)
  return { to, value: { ...value, said: line.said(at, to) } }
}

/** "in the morning", "abends": follows an hour. */
function partAfter(line: Line, at: number): Found<PartOfDay> | null {
  if (line.low(at) === 'tonight' || line.low(at) === 'heute') return null
  const part = line.find(at, 'part')
  return part && part.value !== 'noon' ? part : null
}

function withoutZone(line: Line, at: number, bare: boolean): Found<Point> | null {
  const said = ''
  const shape = line.tokens[at]?.shape
  const after = (to: number): number => line.past(to, 'oclock')
  if (shape?.is === 'clock') {
    const { hour, minute, zero, half } = shape
    const to = after(at + 1)
    const form = half ? 'full' : zero || hour === 0 || hour > 12 ? 'full' : to > at + 1 ? 'oclock' : 'clock'
    return { to, value: { hour, minute, form, said, ...(half && { half }) } }
  }
  if (shape?.is === 'dotted') {
    const { first: hour, second: minute, half } = shape
    const to = after(at + 1)
    // 9.30 is a time, 9.10 may be the 9th of October.
    if (hour > 24 || minute > 59 || (minute <= 12 && minute > 0 && !half && to === at + 1 && !bare)) return null
    return {
      to,
      value: { hour, minute, form: hour > 12 || hour === 0 ? 'full' : 'clock', said, ...(half && { half }) },
    }
  }
  if (shape?.is === 'hours') {
    const { hour, minute } = shape
    if (hour > 23 || (hour < 8 && minute === undefined && !bare)) return null
    return { to: at + 1, value: { hour, minute: minute ?? 0, form: hour > 12 ? 'full' : 'oclock', said } }
  }
  const noon = line.skip(at, 'noon')
  if (noon !== null) return { to: noon, value: { hour: 12, minute: 0, form: 'noon', said } }
  const midnight = line.skip(at, 'midnight')
  if (midnight !== null) return { to: midnight, value: { hour: 0, minute: 0, form: 'midnight', said } }
  const past = line.find(at, 'pastHour')
  const hour = past && (line.shape(past.to, 'clock') ? withoutZone(line, past.to, true)?.value : undefined)
  const spoken = past && line.number(past.to)
  if (past && (spoken ?? hour)) {
    const whole = (hour?.hour ?? spoken!.value) * 60 + past.value
    const minutes = (whole + 720) % 720
    const to = after(spoken ? spoken.to : past.to + 1)
    const value = { hour: Math.floor(minutes / 60) || 12, minute: minutes % 60, form: 'spoken' as const, said }
    return { to, value: { ...value, ...(hour?.half && { half: hour.half }) } }
  }
  return numberPoint(line, at, bare)
}

function numberPoint(line: Line, at: number, bare: boolean): Found<Point> | null {
  const number = line.number(at)
  const shape = line.shape(at, 'number')
  if (!number || shape?.ordinal || /^(an?|eine?[mnr]?)$/.test(line.low(at))) return null
  const oclock = line.skip(number.to, 'oclock')
  const said = ''
  const noon = number.value === 12 ? line.skip(number.to, 'noon') : null
  if (noon !== null) return { to: noon, value: { hour: 12, minute: 0, form: 'noon', said } }
  if (shape && shape.digits >= 3) {
    if (shape.digits > 4 || (!bare && oclock === null)) return null
    const [hour, minute] = [Math.floor(shape.value / 100), shape.value % 100]
    if (hour > 24 || minute > 59) return null
    return { to: oclock ?? number.to, value: { hour, minute, form: shape.zero || hour > 12 ? 'full' : 'clock', said } }
  }
  if (number.value > 24 || number.value < 0 || (!bare && oclock === null)) return null
  if (oclock === null)
    return { to: number.to, value: { hour: number.value, minute: 0, form: shape?.zero ? 'full' : 'bare', said } }
  // 8 Uhr 30
  const minutes = line.shape(oclock, 'number')
  const german = line.low(oclock - 1) === 'uhr'
  const minute =
    german &&
    minutes &&
    minutes.digits === 2 &&
    !minutes.ordinal &&
    minutes.value < 60 &&
    line.skip(oclock + 1, 'times', 'unit', 'month') === null
      ? minutes.value
      : undefined
  const form = shape?.zero || number.value > 12 ? 'full' : german ? 'oclock' : 'bare'
  return {
    to: minute === undefined ? oclock : oclock + 1,
    value: { hour: number.value, minute: minute ?? 0, form, said },
  }
}

/** `9-11`, `from 9 until 5`, `at 3pm`, `14 Uhr`. @throws Question */
export function timeAt(line: Line, at: number): Placed | null {
  const between = line.skip(at, 'between')
  const lead = between ?? line.skip(at, 'at', 'from', 'starting') ?? (line.low(at) === '@' ? at + 1 : null)
  const from = lead ?? at
  const first = pointAt(line, from, lead !== null) ?? pointAt(line, from, true)
  if (!first) return null
  const typed = line.tokens[from]!.shape.is
  const dash =
    line.dash(first.to) ?? line.skip(first.to, 'to', 'until') ?? (between === null ? null : line.skip(first.to, 'and'))
  const second = dash === null ? null : pointAt(line, line.past(dash, 'at'), true)
  if (
    second &&
    !afterLabel(line, from) &&
    !counts(line, second) &&
    !(second.value.form === 'bare' && beginsDay(line, dash!)) &&
    !(typed === 'word' && first.value.form === 'bare' && lead === null)
  ) {
    if (lead === null && looksLikeYear(line, from) && looksLikeYear(line, second.to - 1))
      throw new Question(
        `These could be years or times. Enter ${line.low(from).replace(/(..)$/, ':$1')}`,
        at,
        second.to,
      )
    return { from: at, to: second.to, item: { is: 'time', start: first.value, end: second.value } }
  }
  const sure = pointAt(line, from, lead !== null)
  if (!sure || between !== null) return null
  // "at 12 Main Street": an address, or an hour and a name.
  const next = line.tokens[sure.to]
  if (
    sure.value.form === 'bare' &&
    next &&
    /^\p{Lu}/u.test(next.text) &&
    next.shape.is === 'word' &&
    line.phrases[sure.to]!.length === 0
  )
    throw new Question(
      `“${line.said(at, sure.to + 1)}” might contain a time. Enter ${sure.value.hour}:00, or put the place in quotes`,
      at,
      sure.to + 1,
    )
  return { from: at, to: sure.to, item: { is: 'time', start: sure.value } }
}

function looksLikeYear(line: Line, at: number): boolean {
  const shape = line.shape(at, 'number')
  return shape !== null && shape.digits === 4 && shape.value >= 1900 && shape.value < 2100
}

export const afterLabel = (line: Line, at: number): boolean =>
  at > 0 &&
  line.skip(at - 1, 'label') !== null &&
  line.find(at - 1, 'unit') === null &&
  line.find(at - 1, 'weekday') === null

/** True if a day follows: "11:15 until 18 Dec". */
function beginsDay(line: Line, at: number): boolean {
  const number = dayNumber(line, line.past(at, 'on', 'the'))
  return number !== null && line.find(line.past(number.to, 'of'), 'month') !== null
}

/** "8-10 boxes" counts, "Dec 7 - 9" dates. */
function counts(line: Line, second: Found<Point>): boolean {
  if (second.value.form !== 'bare' || second.value.zone || second.value.part) return false
  const next = line.tokens[second.to]
  if (!next || next.shape.is !== 'word') return false
  return /^\p{Ll}{3,}s$/u.test(next.text) && line.phrases[second.to]!.length === 0
}

/** A bare number in the position of an hour: after a day and before an end. @throws Question */
export function bareHour(line: Line, at: number): Placed | null {
  const shape = line.shape(at, 'number')
  if (!shape || shape.ordinal || !dayNumberOrClock(shape.digits)) return null
  if (looksLikeYear(line, at))
    throw new Question(
      `${shape.value} could be a year or a time. Enter ${String(shape.value).replace(/(..)$/, ':$1')}, or the year with its date`,
      at,
      at + 1,
    )
  const point = pointAt(line, at, true)
  return point && { from: at, to: point.to, item: { is: 'time', start: point.value } }
}
const dayNumberOrClock = (digits: number): boolean => digits <= 4
