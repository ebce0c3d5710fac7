import type { Collection } from '#shared/facts/collection'
import type { Facts } from '#shared/facts/facts'
import { collectionOf } from '#shared/facts/references'
import { nameAt } from '#shared/fields/path'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../replica/api'
import { movedAhead } from './future-start'
import { aroundOf, cutTo, daysBetween, movedBy, spanOf, type Span } from './flights'

/** By how many days copies are moved; moments keep their time of day in the zone. */
export interface Move {
  days: number
  zone: string
}

/** Records that are to be copied, with everything that belongs to them where `whole`. */
export interface Copying {
  keys: readonly string[]
  whole: boolean
  sources: ReadonlyMap<string, Row>
}

export interface Dated {
  value: JsonObject
  /** Its start would have passed: it is later than the move alone makes it. */
  late: boolean
  /** It reached beyond what it lies within, and is cut to it. */
  cut: boolean
}

/** What dates copies of records and tells what became of each: a copy lies within the copy of what its original lies within. */
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

/** Records of kinds within whose flights others lie: what copies of them are dated by. */
export function leading(facts: Pick<Facts, 'of' | 'all'>, sources: Iterable<Row>): Row[] {
  const names = new Set(
    facts.all.flatMap(({ flight }) => (flight?.within === undefined ? [] : [collectionOf(nameAt(flight.within))])),
  )
  return [...sources].filter(({ collection }) => names.has(collection))
}

/** The first day and the last of records with flights in days; undefined where none of them says both. */
export function spanOfAll(facts: Pick<Facts, 'of'>, rows: readonly Row[]): Span | undefined {
  const spans = rows.flatMap(({ collection, value }) => (value && spanOf(facts.of(collection), value)) ?? [])
  const [first] = spans.map(({ start }) => start).sort()
  const last = spans
    .map(({ end }) => end)
    .sort()
    .at(-1)
  return first === undefined || last === undefined ? undefined : { start: first, end: last }
}

/** By how many days copies move so that the first of them does not start before today. */
export const suggestedDays = ({ start }: Span, today: string): number => Math.max(0, daysBetween(start, today))

export interface DatedKind {
  facts: Collection
  count: number
}

export interface CopyPlan {
  /** Those that lead, from the first day to the last. */
  span: Span
  /** Other records with dates, by kind. */
  others: DatedKind[]
  /** A copy that the service refuses, as it has ended: the last day of it. */
  over: string | undefined
  /** Records whose start would have passed, and the first of them as it is made. */
  late: { facts: Collection; count: number; value: JsonObject } | undefined
  /** Records that are cut to what they lie within. */
  cut: DatedKind[]
}

/** What a move makes of copies. @param today the day where the person is, `2026-06-10` */
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
