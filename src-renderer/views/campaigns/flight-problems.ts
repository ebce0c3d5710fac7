import { insideSentence } from '#shared/fields/heads'
import type { Collection } from '#shared/facts/collection'
import type { Stretch } from '#shared/facts/remark'
import { kindAt } from '#shared/fields/kind'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { dateOfWall } from '#shared/time/zones'
import { recordLines, type RecordWordContext } from '../../context/record-words'
import { headFor } from './grid-columns'
import { spanOf, textIn, type Span } from './flights'

export interface Problem {
  path: string
  words: string
}

/** Context for validating a record. */
export interface Judging {
  now: number
  /** Formats dates, and determines the current day. */
  context: RecordWordContext
  /** The server's version. Null for a new record. */
  base: JsonObject | null
  /** The local version of the record whose flight contains this one. */
  around?: { facts: Collection; value: JsonObject } | undefined
  /** Paths whose value must be unique, but belongs to another record. */
  taken?: readonly string[]
  /** Paths whose value must be unique, but that records exchange, so that none can be sent before the other. */
  exchanged?: readonly string[]
}

const reversed = ({ oneDay }: Pick<Stretch, 'oneDay'>, { start, end }: Span): boolean =>
  oneDay ? Date.parse(end) < Date.parse(start) : Date.parse(end) <= Date.parse(start)

/** Problems with a record's dates that the service would reject. Ignores those that the server's version already has. */
export function flightProblems(facts: Collection, record: JsonObject, judging: Judging): Problem[] {
  const { flight } = facts
  const span = spanOf(facts, record)
  if (!flight || !span) return []
  const { now, context, base, around } = judging
  const before = base ? spanOf(facts, base) : undefined
  const found: Problem[] = []
  const say = (path: string, words: string): void =>
    void found.push({ path, words: `${headFor(facts, path)} ${words}` })

  const moments = kindAt(facts, flight.end) === 'moment'
  if (reversed(flight, span)) {
    const start = insideSentence(headFor(facts, flight.start))
    say(flight.end, flight.oneDay ? `can’t be before the ${start}` : `must be after the ${start}`)
  }
  const passed = moments ? Date.parse(span.end) <= now : span.end < dateOfWall(context.today)
  if (flight.endsAhead && passed && span.end !== before?.end)
    say(flight.end, moments ? 'has passed. Choose a later one' : 'has passed. Choose today or later')

  const outer = around && spanOf(around.facts, around.value)
  if (around && outer) {
    const { one } = around.facts.words
    const on = (path: string): string => recordLines(around.facts, path, valueAt(around.value, path), context).join(' ')
    const { start, end } = around.facts.flight!
    if (span.start < outer.start && span.start !== before?.start)
      say(flight.start, `is before the ${one} starts (${on(start)})`)
    if (span.end > outer.end && span.end !== before?.end) say(flight.end, `is after the ${one} ends (${on(end)})`)
  }
  // For an invalid flight, its parts would only repeat the problem.
  for (const part of reversed(flight, span) ? [] : (flight.parts ?? [])) {
    const entries = valueAt(record, part.list)
    if (Array.isArray(entries))
      for (const words of partProblems(part, entries, span, before))
        found.push({ path: part.list, words: `${headFor(facts, part.list)}: ${words}` })
  }
  return found
}

function partProblems(
  part: Stretch & { inside?: true },
  entries: readonly Json[],
  span: Span,
  before: Span | undefined,
): string[] {
  return entries.flatMap((entry, index) => {
    /**
     * An entry without its own date uses that of the flight. A single entry moves with the flight while their dates
     * match.
     */
    const endOf = (name: 'start' | 'end'): string | undefined => {
      const own = textIn(entry, part[name])
      if (!part.inside) return own
      return own === undefined || (entries.length === 1 && own === before?.[name]) ? span[name] : own
    }
    const [start, end] = [endOf('start'), endOf('end')]
    const number = `entry ${index + 1}`
    return [
      ...(start !== undefined && end !== undefined && reversed(part, { start, end })
        ? [part.oneDay ? `${number} ends before it starts` : `${number} must end after it starts`]
        : []),
      ...(part.inside && start !== undefined && start < span.start ? [`${number} starts before the flight`] : []),
      ...(part.inside && end !== undefined && end > span.end ? [`${number} ends after the flight`] : []),
    ]
  })
}
