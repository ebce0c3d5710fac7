import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { collectionOf } from '#shared/facts/references'
import { nameAt } from '#shared/fields/path'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../replica/api'
import type { Choice } from '../../ui/choices'
import { movedAhead } from './future-start'
import { aroundOf, cutTo, daysBetween, movedBy, spanOf, type Span } from './flights'

/** Number of days to move copies. Moments keep their time of day in the zone. */
export interface Move {
  days: number
  zone: string
}

/** Records to copy, including everything below them if `whole`. */
export interface Copying {
  keys: readonly string[]
  whole: boolean
  sources: ReadonlyMap<string, Row>
  /** Records that the copies may belong to instead, if that's asked, too. */
  destinations?: { facts: Collection; choices: readonly Choice[] }
}

export interface Dated {
  value: JsonObject
  /** True if the start moved further, because it would be in the past. */
  late: boolean
  /** True if the flight was shortened to the one that contains it. */
  cut: boolean
}

/** Returns a function that dates copies. A copy stays within the copied flight that contains the original. */
export function copyDates(
  facts: Pick<Facts, 'of'>,
  sources: ReadonlyMap<string, Row>,
  now: number,
  { days, zone }: Move,
): (row: Row, content: JsonObject) => Dated {
  const around = ({ collection, parent }: Row, content: JsonObject): Span | undefined => {
    const other = aroundOf(facts.of(collection), content)
    const row = other && sources.get(recordKey(other.collection as CollectionName, parent, other.id))
    const own = row && facts.of(row.collection)
    return row?.value && own ? spanOf(own, movedBy(own, row.value, days, zone)) : undefined
  }
  return (row, content) => {
    const own = facts.of(row.collection)
    const moved = movedBy(own, content, days, zone)
    const span = around(row, content)
    const value = span ? cutTo(own, moved, span) : moved
    const later = movedAhead(own, value, now)
    const late = Object.keys(later).length > 0
    return { value: late ? { ...value, ...later } : value, late, cut: value !== moved }
  }
}

/** Records of kinds whose flights contain others, and so determine their dates. */
export function leading(facts: Pick<Facts, 'of' | 'all'>, sources: Iterable<Row>): Row[] {
  const names = new Set(
    facts.all.flatMap(({ flight }) => (flight?.within === undefined ? [] : [collectionOf(nameAt(flight.within))])),
  )
  return [...sources].filter(({ collection }) => names.has(collection))
}

/** First and last day of all records with flights in days. Undefined if none has both. */
export function spanOfAll(facts: Pick<Facts, 'of'>, rows: readonly Row[]): Span | undefined {
  const spans = rows.flatMap(({ collection, value }) => (value && spanOf(facts.of(collection), value)) ?? [])
  const [first] = spans.map(({ start }) => start).sort()
  const last = spans
    .map(({ end }) => end)
    .sort()
    .at(-1)
  return first === undefined || last === undefined ? undefined : { start: first, end: last }
}

/** Days to move copies so that the first one doesn't start before today. */
export const suggestedDays = ({ start }: Span, today: string): number => Math.max(0, daysBetween(start, today))

export interface DatedKind {
  facts: Collection
  count: number
}

export interface CopyPlan {
  /** First and last day of the copies that contain the others. */
  span: Span
  /** Other records with dates, by kind. */
  others: DatedKind[]
  /** Last day of a copy that has ended, which the service would reject. */
  over: string | undefined
  /** Records whose start would be in the past, with the first of them as it will be created. */
  late: { facts: Collection; count: number; value: JsonObject } | undefined
  /** Records shortened to the flight that contains them. */
  cut: DatedKind[]
}

/**
 * Previews the result of a move.
 * @param today the current day in the user's zone, `2026-06-10`
 */
export function copyPlan(
  facts: Pick<Facts, 'of' | 'all'>,
  sources: ReadonlyMap<string, Row>,
  now: number,
  today: string,
  move: Move,
): CopyPlan | undefined {
  const dates = copyDates(facts, sources, now, move)
  const lead = leading(facts, sources.values())
  const copies = lead.map((row) => ({ ...row, value: dates(row, row.value!).value }))
  const span = spanOfAll(facts, copies)
  if (!span) return undefined
  const kinds = new Map<Collection, number>()
  const cuts = new Map<Collection, number>()
  let late: CopyPlan['late']
  for (const row of sources.values()) {
    const own = facts.of(row.collection)
    if (!own.flight || lead.includes(row)) continue
    const one = dates(row, row.value!)
    kinds.set(own, (kinds.get(own) ?? 0) + 1)
    if (one.cut) cuts.set(own, (cuts.get(own) ?? 0) + 1)
    if (one.late) late = { facts: own, value: late?.value ?? one.value, count: (late?.count ?? 0) + 1 }
  }
  const listed = (counts: ReadonlyMap<Collection, number>): DatedKind[] =>
    [...counts].map(([facts, count]) => ({ facts, count }))
  const over = copies
    .flatMap(({ collection, value }) => {
      const own = facts.of(collection)
      const end = own.flight?.endsAhead ? spanOf(own, value)?.end : undefined
      return end !== undefined && end < today ? [end] : []
    })
    .sort()[0]
  return { span, others: listed(kinds), over, late, cut: listed(cuts) }
}
