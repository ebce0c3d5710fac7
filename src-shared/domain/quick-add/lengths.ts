import type { Item, Placed } from './items'
import { ask } from './items'
import type { Found, Line } from './line'

type Length = Extract<Item, { is: 'length' }>

/** `45 min`, `an hour`, `1.5h`, `2 days`, `half an hour`, without leading words. */
function amount(line: Line, at: number): Found<Length> | null {
  const shape = line.tokens[at]?.shape
  if (shape?.is === 'length') {
    const more = withHalf(line, at + 1)
    return { to: more ? more.to : at + 1, value: { is: 'length', minutes: shape.minutes + (more?.value ?? 0) } }
  }
  if (shape?.is === 'hours')
    return { to: at + 1, value: { is: 'length', minutes: shape.hour * 60 + (shape.minute ?? 0) } }
  const whole = line.find(at, 'length')
  if (whole) return { to: whole.to, value: { is: 'length', minutes: whole.value } }
  const number = line.number(at)
  if (!number) return null
  const unit = line.find(line.dash(number.to) ?? number.to, 'unit')
  if (!unit) return null
  const count = number.value
  switch (unit.value) {
    case 'minute':
      return { to: unit.to, value: { is: 'length', minutes: count } }
    case 'hour': {
      const more = withHalf(line, unit.to)
      return { to: more ? more.to : unit.to, value: { is: 'length', minutes: count * 60 + (more?.value ?? 0) } }
    }
    case 'day':
      return { to: unit.to, value: { is: 'length', days: count } }
    case 'week':
      return { to: unit.to, value: { is: 'length', days: count * 7 } }
    case 'month':
      return { to: unit.to, value: { is: 'length', months: count } }
    case 'year':
      return { to: unit.to, value: { is: 'length', months: count * 12 } }
    default:
      return null
  }
}

/** The part after whole hours: "and a half", "30", "und 15 Minuten". */
function withHalf(line: Line, at: number): Found<number> | null {
  const and = line.past(at, 'and')
  if (line.low(and) === 'a' && line.skip(and + 1, 'half') !== null && and > at) return { to: and + 2, value: 30 }
  const minutes = line.shape(and, 'length')
  if (minutes && minutes.minutes < 60) return { to: and + 1, value: minutes.minutes }
  const number = and > at ? line.number(and) : null
  const unit = number && line.find(number.to, 'unit')
  return number && unit?.value === 'minute' ? { to: unit.to, value: number.value } : null
}

/** Words that only ever describe: `5 minute walk`, `2-day workshop`. */
const describing = new Set('minute min hour hr day week month year'.split(' '))

const longUnits = new Set('days weeks months years'.split(' '))

/** `for 45 min`, `1h`, `2 days`, `in 2 hours`, `remind me 10 minutes before`, `5 minute walk`. */
export function lengthAt(line: Line, at: number): Placed | null {
  const reminded = reminderAt(line, at)
  if (reminded) return reminded
  const soon = line.skip(at, 'in')
  const ahead = soon === null ? null : amount(line, soon)
  if (ahead?.value.minutes !== undefined)
    return { from: at, to: ahead.to, item: { is: 'soon', minutes: ahead.value.minutes } }
  const given = line.skip(at, 'for')
  const found = amount(line, given ?? at)
  if (!found) return null
  const now = line.skip(found.to, 'fromNow')
  if (now !== null && found.value.minutes !== undefined)
    return { from: at, to: now, item: { is: 'soon', minutes: found.value.minutes } }
  const shape = line.tokens[at]!.shape.is
  // 20h alone may be a time. The caller decides.
  if (given === null && shape === 'hours' && line.shape(at, 'hours')!.hour >= 8) return null
  const long = /^(lang|long)$/.test(line.low(found.to))
  if (long && found.value.minutes === undefined)
    return { from: at, to: found.to + 1, item: { ...found.value, bound: true } }
  // "Take a day off"
  if (given === null && found.value.minutes === undefined && shape !== 'number') return null
  if (long) return { from: at, to: found.to + 1, item: found.value }
  const inTitle = given === null && describes(line, found.to)
  const bound = given !== null && found.value.minutes === undefined
  return { from: at, to: found.to, item: { ...found.value, ...(inTitle && { inTitle }), ...(bound && { bound }) } }
}

function describes(line: Line, to: number): boolean {
  const unit = /\p{L}+$/u.exec(line.low(to - 1))?.[0]
  const next = line.tokens[to]
  return (
    unit !== undefined &&
    (describing.has(unit) || longUnits.has(unit)) &&
    next?.shape.is === 'word' &&
    line.phrases[to]!.length === 0
  )
}

function reminderAt(line: Line, at: number): Placed | null {
  const lead = line.skip(at, 'remind')
  const start = lead ?? at
  const found = amount(line, line.skip(start, 'for') ?? line.skip(start, 'at') ?? start)
  if (!found) return null
  const before = line.skip(found.to, 'before')
  const trailing = line.skip(before ?? found.to, 'remind')
  if (lead === null && (trailing === null || before === null)) return null
  const to = lead === null ? trailing! : (before ?? found.to)
  const { minutes, days } = found.value
  const item: Item =
    before === null || (minutes === undefined && days === undefined)
      ? ask(`“${line.said(at, to)}” needs a time. Enter “remind me 10 minutes before”`)
      : { is: 'remind', minutes: minutes ?? days! * 1440 }
  return { from: at, to, item }
}
