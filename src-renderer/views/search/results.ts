import { sentenceCase } from '#shared/fields/heads'
import { parseRecordKey } from '#shared/domain/collections'
import { qualityOf, type Span } from '#shared/domain/search'
import { calendarName } from '../../context/calendar-name'
import type { AppContext } from '../../context/context'
import { isDone, spanOfTask, type Finder } from '../../context/finder.svelte'
import { eventEntry, recordEntry, taskEntry, type FoundEntry } from '../../context/found-entries'
import { wallsOf } from '../../context/item-times'
import { dayMs, dayOf, shortDate, yearOf } from '../../ui/dates'

export type ResultKind = 'events' | 'tasks' | 'campaigns' | 'reference'

/** A line of the list of results. */
export interface SearchResult {
  kind: ResultKind
  entry: FoundEntry
  /** The calendar, the list, or the kind of record that it's filtered by. */
  place: { id: string; name: string }
  /** Shown behind the title. */
  where: string
  date: string
  /** When it is, as local time. Null if it has no date. */
  span: Span | null
  /** Done or archived. */
  ended: boolean
  /** How well the title matches, the best first. */
  quality: number
}

/** The finder's results as lines. */
export function resultsOf(app: AppContext, finder: Finder, query: string): SearchResult[] {
  const { replica, preferences, clock } = app
  const thisYear = yearOf(clock.today(preferences.zone))
  const calendars = new Map(replica.rows('calendarList').map((row) => [row.id, calendarName(row)]))
  const lists = new Map(replica.rows('tasklists').map(({ id, value }) => [id, String(value?.['title'] || id)]))
  const line = (result: Omit<SearchResult, 'quality'>): SearchResult => ({
    ...result,
    quality: result.entry.quality ?? qualityOf(query, result.entry.title),
  })
  const events = finder.events.map((item) => {
    const place = { id: `calendar ${item.calendarId}`, name: calendars.get(item.calendarId) ?? item.calendarId }
    const entry = eventEntry(app, item)
    const span = wallsOf(item, preferences.zone)
    return line({ kind: 'events', entry, place, where: place.name, date: entry.aside ?? '', span, ended: false })
  })
  const tasks = finder.tasks.map((row) => {
    const id = row.parent ?? ''
    const place = { id: `list ${id}`, name: lists.get(id) ?? id }
    const span = spanOfTask(row)
    const ended = isDone(row)
    const date = ended ? 'done' : span ? `due ${shortDate(dayOf(span.start), thisYear)}` : ''
    return line({ kind: 'tasks', entry: taskEntry(app, row), place, where: place.name, date, span, ended })
  })
  const records = finder.records.map((record) => {
    const { collection, id } = parseRecordKey(record.key)
    const { words, writable } = replica.facts.of(collection)
    const entry = recordEntry(app, record)
    const kind = writable ? ('campaigns' as const) : ('reference' as const)
    const place = { id: `kind ${collection}`, name: sentenceCase(words.many) }
    const where = entry.aside ?? ''
    const found = line({ kind, entry, place, where, date: '', span: null, ended: record.archived })
    return query.trim().replace(/^#/, '') === id ? { ...found, quality: 0 } : found
  })
  return [...events, ...tasks, ...records]
}

export type When = 'any' | 'upcoming' | 'past' | 'week' | 'month' | 'year'
export type Order = 'best' | 'newest' | 'oldest' | 'title'

export interface ResultFilter {
  kind: ResultKind | 'all'
  /** ID of a place. Empty for all. */
  place: string
  when: When
  /** Leaves out what's done or archived. */
  openOnly: boolean
  order: Order
}

/** By the span of a result and the current local time. */
const isWhen: Readonly<Record<When, (span: Span, now: number) => boolean>> = {
  any: () => true,
  upcoming: ({ end }, now) => end > now,
  past: ({ end }, now) => end <= now,
  week: ({ start, end }, now) => end > now && start < now + 7 * dayMs,
  month: ({ start, end }, now) => start <= now && end > now - 30 * dayMs,
  year: ({ start, end }, now) => yearOf(start) <= yearOf(now) && yearOf(end - 1) >= yearOf(now),
}

/** Results that pass everything but the filter of kinds, which shows how many each has. */
export const passing = (
  results: readonly SearchResult[],
  { when, openOnly }: ResultFilter,
  now: number,
): SearchResult[] =>
  results.filter(
    ({ span, ended }) => !(openOnly && ended) && (when === 'any' || (span !== null && isWhen[when](span, now))),
  )

const titles = new Intl.Collator('en', { numeric: true })
const orders: Readonly<Record<Order, (a: SearchResult, b: SearchResult) => number>> = {
  best: (a, b) => a.quality - b.quality,
  newest: byDate(-1),
  oldest: byDate(1),
  title: (a, b) => titles.compare(a.entry.title, b.entry.title),
}
/** Entries without a date come last. */
function byDate(sign: number) {
  return ({ span: a }: SearchResult, { span: b }: SearchResult): number =>
    a && b ? sign * (a.start - b.start) : Number(a === null) - Number(b === null)
}

/** The results of a kind and place, in order. */
export const listed = (results: readonly SearchResult[], { kind, place, order }: ResultFilter): SearchResult[] =>
  results
    .filter((result) => (kind === 'all' || result.kind === kind) && (place === '' || result.place.id === place))
    .sort(orders[order])
