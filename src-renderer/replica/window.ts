import { titleWords } from '#shared/domain/search'
import type { ItemFields } from '#shared/domain/calendar-item'
import type { CalendarItem, Mark } from './api'

/** Single events and exceptions by the months they touch, so that reading a month only costs its items. */
export class ItemWindow {
  private readonly items = new Map<string, CalendarItem>()
  private readonly words = new Map<string, string>()
  private readonly months = new Map<number, { items: Map<string, CalendarItem>; sorted: CalendarItem[] | null }>()
  /** Words of titles, created on first use. Obsolete words stay, because they just find nothing. */
  private vocabulary: Set<string> | null = null
  /** The few items that touch too many months to list them in each. */
  private readonly long = new Map<string, CalendarItem>()

  get size(): number {
    return this.items.size
  }

  get(key: string): { item: CalendarItem; words: string } | undefined {
    const item = this.items.get(key)
    return item && { item, words: this.words.get(key) ?? '' }
  }

  set(key: string, item: CalendarItem, words: string): void {
    this.remove(key)
    this.items.set(key, item)
    this.words.set(key, words)
    if (this.vocabulary) for (const word of titleWords(words)) this.vocabulary.add(word)
    const [first, last] = monthsOf(item)
    if (last - first > longMonths) {
      this.long.set(key, item)
      return
    }
    for (let month = first; month <= last; month++) {
      let bucket = this.months.get(month)
      if (!bucket) this.months.set(month, (bucket = { items: new Map(), sorted: null }))
      bucket.items.set(key, item)
      bucket.sorted = null
    }
  }

  remove(key: string): void {
    const item = this.items.get(key)
    if (!item) return
    this.items.delete(key)
    this.words.delete(key)
    this.long.delete(key)
    const [first, last] = monthsOf(item)
    if (last - first > longMonths) return
    for (let month = first; month <= last; month++) {
      const bucket = this.months.get(month)
      if (!bucket) continue
      bucket.items.delete(key)
      bucket.sorted = null
      if (bucket.items.size === 0) this.months.delete(month)
    }
  }

  keys(): IterableIterator<string> {
    return this.items.keys()
  }

  /** Items of one month, by start. The first month of a query includes those that began earlier. */
  month(month: number, first: boolean): readonly CalendarItem[] {
    const bucket = this.months.get(month)
    if (!bucket) return first ? [...this.long.values()] : []
    bucket.sorted ??= [...bucket.items.values()].sort(byStart)
    if (!first) {
      const begins = monthStart(month)
      return bucket.sorted.filter((item) => item.start >= begins)
    }
    return this.long.size > 0 ? [...bucket.sorted, ...this.long.values()].sort(byStart) : bucket.sorted
  }

  /** Visits every item's key and searchable words. */
  texts(visit: (key: string, words: string) => void): void {
    this.words.forEach((words, key) => visit(key, words))
  }

  titleWords(): ReadonlySet<string> {
    this.vocabulary ??= new Set([...this.words.values()].flatMap(titleWords))
    return this.vocabulary
  }
}

/** An event as a calendar draws it. */
export const drawn = (key: string, calendarId: string, fields: ItemFields, mark: Mark): CalendarItem => ({
  ...fields,
  itemKey: key,
  rowKey: key,
  calendarId,
  recurring: fields.masterId !== undefined,
  mark,
})

const longMonths = 18

/** Months from year 0 to a UTC instant. */
export function monthOf(instant: number): number {
  const date = new Date(instant)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const monthStart = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1)

function monthsOf(item: CalendarItem): [number, number] {
  return [monthOf(item.start), monthOf(Math.max(item.start, item.end - 1))]
}

export function byStart(a: CalendarItem, b: CalendarItem): number {
  return a.start - b.start || a.end - b.end || (a.itemKey < b.itemKey ? -1 : a.itemKey > b.itemKey ? 1 : 0)
}

/** Merges two lists that are sorted by start. */
export function merged(a: readonly CalendarItem[], b: readonly CalendarItem[]): readonly CalendarItem[] {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const result: CalendarItem[] = []
  let j = 0
  for (const item of a) {
    while (j < b.length && byStart(b[j]!, item) < 0) result.push(b[j++]!)
    result.push(item)
  }
  while (j < b.length) result.push(b[j++]!)
  return result
}
