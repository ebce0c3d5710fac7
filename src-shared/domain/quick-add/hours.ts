import { Question, type Point } from './items'
import type { PartOfDay } from './words/language'

export interface Hints {
  /** A typed part of the day: "tonight", "in the morning". */
  part?: PartOfDay | undefined
  /** The part is a word of the title, and only decides between morning and afternoon. */
  soft?: boolean
  /** The title is about something that is done in the evening. */
  evening: boolean
  /** People here write hours from 1 to 12. */
  hour12: boolean
}

const twelve = 12 * 60
const minutesOf = (point: Point): number => point.hour * 60 + point.minute
const explicit = ({ form, half, part }: Point): boolean =>
  form === 'full' || form === 'noon' || half !== undefined || part !== undefined

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Asks which half of the day is meant. `range`: the end of a range counts from what is written. */
function unclear(point: Point, range = false): Question {
  const minute = point.minute === 0 ? '' : `:${String(point.minute).padStart(2, '0')}`
  const halves = (['am', 'pm'] as const).map((half) => ({
    text: `${point.hour}${minute}${half}`,
    clock: clock(withHalf(point, half)),
  }))
  const [am, pm] = halves.map(({ text }) => text)
  return new Question(
    `“${point.said}” could be morning or afternoon. Enter ${am} or ${pm}`,
    undefined,
    undefined,
    // The one of the working day first.
    (withHalf(point, 'am') < 8 * 60 ? halves.reverse() : halves).map((half) => (range ? half.text : half.clock)),
  )
}

const spans: Readonly<Record<PartOfDay, readonly [number, number]>> = {
  morning: [0, 12 * 60],
  noon: [11 * 60, 15 * 60],
  afternoon: [12 * 60, 19 * 60],
  evening: [16 * 60, 24 * 60],
  night: [17 * 60, 30 * 60],
}

/**
 * Minutes after midnight of an hour in a part of the day. Hours 0 to 6 belong to the night.
 * @throws Question
 */
function inPart(point: Point, part: PartOfDay): number {
  const said = point.half ? withHalf(point, point.half) : minutesOf(point)
  const fixed = point.half !== undefined || point.form === 'full' || point.form === 'noon' || point.hour > 12
  const [from, to] = spans[part]
  const fits = (minutes: number): boolean =>
    (minutes >= from && minutes < to) || (minutes + 1440 >= from && minutes + 1440 < to)
  const half = said % twelve
  const candidates = fixed ? [said] : [half, half + twelve]
  const found = candidates.filter(fits)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new Question(`“${point.said}” isn’t in the ${part}. Keep the time or “${part}”`)
  throw unclear(point)
}

const withHalf = (point: Point, half: 'am' | 'pm'): number =>
  (point.hour % 12) * 60 + point.minute + (half === 'pm' ? twelve : 0)

/** A single time, in minutes after midnight. @throws Question if it's ambiguous */
export function single(point: Point, hints: Hints): number {
  if (point.form === 'midnight')
    throw new Question(
      `“${point.said}” could be the start or the end of the day. Enter 00:00 or 24:00`,
      undefined,
      undefined,
      ['00:00', '24:00'],
    )
  const part =
    point.part ?? (hints.soft && (explicit(point) || point.hour > 12 || point.hour === 0) ? undefined : hints.part)
  if (part) return inPart(point, part)
  if (point.half) return withHalf(point, point.half)
  const minutes = minutesOf(point)
  if (explicit(point) || point.hour > 12 || point.hour === 0) return minutes
  if (hints.evening && point.hour < 12) throw unclear(point)
  if (point.hour === 12) return minutes
  const doubtful = { bare: 8, spoken: 8, clock: hints.hour12 ? 7 : 5, oclock: 5 }[point.form as 'bare']
  if (point.hour <= doubtful) throw unclear(point)
  return minutes
}

/**
 * Minutes after midnight of both ends. The second may exceed 24:00.
 * @throws Question if there are two interpretations
 */
export function both(a: Point, b: Point, hints: Hints): { from: number; to: number } {
  const from = firstOf(a, b, hints)
  const to = lastOf(a, b, from, hints)
  if (to === from) throw new Question(`“${a.said}” and “${b.said}” are the same time. Enter when it ends`)
  const end = to < from ? to + 1440 : to
  const spelled = explicit(b) || (a.form === 'full' && !a.half && b.form !== 'bare')
  // No one means 23 hours by "3pm-2pm".
  if (to < from && end - from > 18 * 60 && !b.zone)
    throw new Question(`“${a.said}-${b.said}” ends before it starts. If it ends the next day, write that day, too`)
  if (end - from > 12 * 60 && to < from && !spelled && a.hour < 18)
    throw new Question(
      `“${a.said}-${b.said}” would end the next day. Enter ${clock(from)}-${clock(to % 1440)} or ${b.hour}pm`,
    )
  return { from, to: end }
}

function firstOf(a: Point, b: Point, hints: Hints): number {
  if (a.form === 'midnight') return 0
  const open = !explicit(a) && a.hour <= 12 && a.hour > 0
  if (open && b.half) {
    const same = withHalf(a, b.half)
    return same % twelve < withHalf(b, b.half) % twelve ? same : withHalf(a, b.half === 'am' ? 'pm' : 'am')
  }
  const part = a.part ?? (open ? b.part : undefined)
  if (open && part) return inPart(a, part)
  if (!open) return single(a, hints)
  if (hints.part) return inPart(a, hints.part)
  // On a 24-hour clock: 7-15, 1:00-05:00.
  if (b.hour > 12 || (a.form === 'clock' && b.form === 'full' && b.hour < 12 && b.hour > a.hour)) return minutesOf(a)
  if (hints.evening && a.hour < 12) throw unclear(a, true)
  const sure = a.form === 'clock' ? (hints.hour12 ? 8 : 6) : 8
  if (a.hour < sure) throw unclear(a, true)
  return minutesOf(a)
}

function lastOf(a: Point, b: Point, from: number, hints: Hints): number {
  if (b.form === 'midnight') return 1440
  if (b.form === 'noon') return twelve
  if (b.half) return withHalf(b, b.half)
  if (b.part) return inPart(b, b.part)
  const minutes = minutesOf(b)
  if (b.form === 'full' || b.hour > 12 || b.hour === 0) return minutes
  // The end on a 12-hour clock, or a bare number, is the next such hour: 11-1, 9am-5, 9 to 5.
  const next = [minutes % twelve, (minutes % twelve) + twelve, (minutes % twelve) + 1440].find((one) => one > from)!
  const on12 = a.half !== undefined || a.form === 'noon' || a.part !== undefined || hints.part !== undefined
  if (on12) return next
  if (b.form === 'bare' || b.form === 'spoken')
    return from >= 13 * 60 ? (minutes > from ? minutes : from >= 18 * 60 ? minutes : refuse(b)) : next
  if (minutes > from || from >= 13 * 60) return minutes
  if (a.hour === 12 && b.hour < 6) return next
  throw unclear(b)
}

function refuse(point: Point): never {
  throw unclear(point)
}
