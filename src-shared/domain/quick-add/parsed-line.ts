import { shortMonths } from './dates'
import { wallOfInstant } from '#shared/time/zones'
import type { Hints } from './hours'
import { coveredIn, type Covered, type Named } from './covered'
import { dayMs } from './dates'
import { Question, type Item, type Placed } from './items'
import { unread } from './leftovers'
import { Line } from './line'
import { scan } from './scan'
import { titleAndPlace } from './title'
import { tokensOf } from './tokens'

/** A parsed line: its time expressions, and the remaining words. */
export interface Reading {
  line: Line
  covered: readonly Covered[]
  placed: readonly Placed[]
  title: string
  place?: { text: string; from: number; to: number }
  hints: Hints
  today: number
}

export interface Surroundings {
  now: number
  zone: string
  hour12?: boolean
  named: readonly Named[]
  kind: 'calendar' | 'list'
}

/** Everything of one kind that was read. */
export const all = <Is extends Item['is']>(
  placed: readonly Placed[],
  is: Is,
): (Extract<Item, { is: Is }> & { at: Placed })[] =>
  placed.flatMap((at) => (at.item.is === is ? [{ ...(at.item as Extract<Item, { is: Is }>), at }] : []))

/** Tokenizes a line and interprets its ranges. Judges only what's left over. */
export function takeApart(text: string, { now, zone, hour12 = false, named, kind }: Surroundings): Reading {
  const covered = coveredIn(text, named, kind)
  const line = new Line(text, tokensOf(text, covered))
  const today = Math.floor(wallOfInstant(now, zone) / dayMs) * dayMs
  const scanned = scan(line, today)
  const beside = (at: Placed): boolean =>
    scanned.some((other) => other.item.is !== 'part' && other.to === at.from && adjacent(line, at, other))
  // "Morning run": a part of the day among other words is a hint and stays in the title.
  const parts = all(scanned, 'part')
  const inTitle = parts.filter(
    (part) =>
      !part.tonight &&
      !beside(part.at) &&
      !/^(in|at|am|this|früh|nachts|abends|morgens|nachmittags|vormittags|mittags)$/.test(line.low(part.at.from)),
  )
  const placed = scanned.filter(
    (at) => !inTitle.some((part) => part.at === at) && !(at.item.is === 'length' && at.item.inTitle),
  )
  const said = [...new Set(parts.map(({ part }) => part))]
  if (said.length > 1) {
    const at = parts[1]!.at
    throw new Question(
      `“${line.said(at.from, at.to)}” and “${line.said(parts[0]!.at.from, parts[0]!.at.to)}” contradict each other. Keep one`,
      ...offsets(line, at),
    )
  }
  const evening = line.tokens.some((_, at) => line.skip(at, 'evening') !== null)
  const hints: Hints = { part: said[0], soft: inTitle.length === parts.length, evening, hour12 }
  const { title, place } = titleAndPlace(line, placed, covered)
  return { line, covered, placed: withHints(scanned, placed), title, hints, today, ...(place && { place }) }
}

/** Lengths that stay in the title still are lengths. */
const withHints = (scanned: readonly Placed[], placed: readonly Placed[]): Placed[] =>
  scanned.filter(
    (at) => placed.includes(at) || (at.item.is === 'length' && at.item.inTitle === true) || at.item.is === 'part',
  )

const adjacent = (line: Line, a: Placed, b: Placed): boolean => {
  const [first, second] = a.from < b.from ? [a, b] : [b, a]
  return /^[\s,]*$/.test(line.text.slice(line.tokens[first.to - 1]!.to, line.tokens[second.from]!.from))
}

export const offsets = (line: Line, { from, to }: { from: number; to: number }): [number, number] => [
  line.tokens[from]?.from ?? 0,
  line.tokens[to - 1]?.to ?? 0,
]

/** @throws Question about the first unread word of time */
export function nothingLeft({ line, placed }: Reading): void {
  const asked = placed.find(({ item }) => item.is === 'question')
  if (asked?.item.is === 'question') throw new Question(asked.item.problem, ...offsets(line, asked), asked.item.answers)
  const taken = new Map<number, Item['is']>()
  for (const { from, to, item } of placed) for (let at = from; at < to; at++) taken.set(at, item.is)
  const left = unread(line, {
    taken: (at) => taken.has(at),
    when: (at) => taken.has(at) && !(taken.get(at) === 'remind'),
    date: placed.some(
      ({ item }) =>
        item.is === 'days' ||
        item.is === 'repeat' ||
        item.is === 'until' ||
        (item.is === 'time' && item.days !== undefined),
    ),
    hour: (at) => taken.get(at) === 'time',
    moment: (at) => /^(?:days|time|repeat|until)$/.exec(taken.get(at) ?? '')?.[0],
    time: placed.some(({ item }) => item.is === 'time' || item.is === 'soon'),
  })
  if (!left) return
  const said = line.said(left.from, left.to)
  const feast = line.find(left.from, 'feast')?.value
  if (feast !== undefined)
    throw new Question(
      `“${said}” could be the day or part of the title. Enter the date, or put it in quotes to keep it in the title`,
      ...offsets(line, left),
      [`${feast % 100} ${shortMonths[Math.floor(feast / 100) - 1]!}`],
    )
  throw new Question(
    `Couldn’t understand “${said}”. Rephrase it, or put it in quotes to keep it in the title`,
    ...offsets(line, left),
  )
}
