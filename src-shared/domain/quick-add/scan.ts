import { someDays } from './stretches'
import { ask, countsFromToday, Question, type Placed, type Point } from './items'
import { boundAt } from './bounds'
import { lengthAt } from './lengths'
import type { Found, Line } from './line'
import { repeatAt } from './repeats'
import { afterLabel, bareHour, pointAt, timeAt } from './times'

type ReadAt = (line: Line, at: number, today: number) => Placed | null

const daysAt: ReadAt = (line, at, today) => {
  const lead = line.skip(at, 'starting', 'from', 'for', 'between') ?? at
  const found = someDays(line, lead, today) ?? (lead > at ? someDays(line, at, today) : null)
  const begins = line.skip(at, 'starting', 'from') !== null
  return found && { from: at, to: found.to, item: { is: 'days', days: { ...found.value, ...(begins && { begins }) } } }
}

const partAt: ReadAt = (line, at) => {
  const lead = line.skip(at, 'this')
  const part = line.find(lead ?? at, 'part')
  if (!part) return null
  const tonight = /^(tonight|tonite|heute)$/.test(line.low(at))
  if (lead === null) return { from: at, to: part.to, item: { is: 'part', part: part.value, tonight } }
  return { from: at, to: part.to, item: { is: 'part', part: part.value, tonight: true } }
}

const allDayAt: ReadAt = (line, at) => {
  const to = line.skip(at, 'allday')
  return to === null ? null : { from: at, to, item: { is: 'allday' } }
}

/** In order of preference for equally long phrases. */
const readers: readonly ReadAt[] = [
  boundAt,
  repeatAt,
  momentsAt,
  daysAt,
  lengthAt,
  (line, at) => timeAt(line, at),
  allDayAt,
  partAt,
]

/** A stretch with a day and a time at both ends: `31 Dec 22:00 - 1 Jan 2:00`. */
function momentsAt(line: Line, at: number, today: number): Placed | null {
  const first = daysAt(line, at, today)
  if (first?.item.is !== 'days' || first.item.days.last !== undefined) return null
  const start = momentTime(line, first.to)
  const to = start && (line.dash(start.to) ?? line.skip(start.to, 'to', 'until'))
  if (!start || to === null) return null
  const fromToday = daysAt(line, to, today)
  const last =
    fromToday?.item.is === 'days' && countsFromToday(fromToday.item.days)
      ? fromToday
      : daysAt(line, to, first.item.days.first)
  if (last?.item.is !== 'days' || last.item.days.last !== undefined) return null
  const end = momentTime(line, last.to)
  if (!end) return null
  const days = { first: first.item.days, last: last.item.days }
  return { from: at, to: end.to, item: { is: 'time', start: start.value, end: end.value, days } }
}

function momentTime(line: Line, at: number): Found<Point> | null {
  const comma = line.low(at) === ',' ? at + 1 : at
  return pointAt(line, line.past(comma, 'at'), true)
}

function longestAt(line: Line, at: number, today: number): Placed | null {
  let best: Placed | null = null
  for (const read of readers) {
    let found: Placed | null
    try {
      found = read(line, at, today)
    } catch (error) {
      if (!(error instanceof Question)) throw error
      found = { from: error.from ?? at, to: error.to ?? at + 1, item: ask(error.message, ...error.answers) }
      if (found.from < at) found.from = at
    }
    if (found && found.to > (best?.to ?? at)) best = found
  }
  return best
}

/** Finds all time expressions in a line. Among overlapping ones, the longest from the left wins. */
export function scan(line: Line, today: number): Placed[] {
  const placed: Placed[] = []
  for (let at = 0; at < line.tokens.length;) {
    const shape = line.tokens[at]!.shape.is
    const named =
      (shape === 'number' || shape === 'dotted') &&
      placed.at(-1)?.to !== at &&
      (afterLabel(line, at) || inRun(line, at))
    const afterDay = placed.at(-1)?.to === at && /days|repeat/.test(placed.at(-1)!.item.is)
    if (line.low(at) === 'morgen' && afterDay) {
      placed.push({ from: at, to: at + 1, item: { is: 'part', part: 'morning', tonight: false } })
      at++
      continue
    }
    const found = shape === 'literal' || named || possessive(line, at) ? null : longestAt(line, at, today)
    if (found) placed.push(found)
    at = found ? found.to : at + 1
  }
  return withBareHours(line, placed)
}

/** "pages 9-11": the second number of a run that has a name. */
const inRun = (line: Line, at: number): boolean =>
  at > 2 &&
  line.dash(at - 1) !== null &&
  line.shape(at - 2, 'number') !== null &&
  afterLabel(line, at - 2) &&
  /(s|seiten)$/.test(line.low(at - 3))

const possessive = (line: Line, at: number): boolean => /^['’]s\b/.test(line.text.slice(line.tokens[at]!.to))

/** Reads bare numbers as hours if they follow a day and precede another item, a comma, or the end. */
function withBareHours(line: Line, placed: readonly Placed[]): Placed[] {
  const found: Placed[] = [...placed]
  for (const { to, item } of placed) {
    const shape = line.shape(to, 'number')
    if (!shape || item.is === 'time' || item.is === 'count' || placed.some(({ from }) => from === to)) continue
    const next = to + 1
    const free = next >= line.tokens.length || placed.some(({ from }) => from === next) || line.low(next) === ','
    if (!free && shape.digits < 3) continue
    try {
      const hour = bareHour(line, to)
      if (hour) found.push(hour)
    } catch (error) {
      if (!(error instanceof Question)) throw error
      found.push({ from: to, to: to + 1, item: ask(error.message) })
    }
  }
  return found.sort((a, b) => a.from - b.from)
}
