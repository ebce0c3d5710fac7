import { keyBeside } from '#shared/domain/collections'
import { itemFields, searchText } from '#shared/domain/calendar-item'
import { titleWords } from '#shared/domain/search'
import { instanceId, parseInstanceId, seriesOf } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import { nextOccurrences, occurrences, seriesEnd, whyUnreadable, type Series } from '#shared/time/recurrence'
import type { CalendarItem, Mark } from './api'
import { byStart, monthOf, monthStart } from './window'

interface Master {
  key: string
  calendarId: string
  id: string
  series: Series
  template: Omit<CalendarItem, 'itemKey' | 'start' | 'end' | 'eventId' | 'originalStart'>
  words: string
  /** Expanded months. */
  months: Map<number, CalendarItem[]>
  end: number | undefined | null
  /** Nearest occurrence, valid from `from` until `until`. */
  near?: { item: CalendarItem | undefined; from: number; until: number }
  /** Start and end of the recurring event itself. */
  own: { start: number; end: number }
}

/** Recurring events, expanded lazily by month. */
export class SeriesSet {
  private readonly masters = new Map<string, Master>()
  /** Suffixes of exceptions by master key. */
  private readonly exceptions = new Map<string, Map<string, string>>()
  private readonly merged = new Map<number, CalendarItem[]>()

  setMaster(key: string, calendarId: string, id: string, value: JsonObject, mark: Mark, zone?: string): void {
    const series = seriesOf(value)
    const fields = itemFields(id, value, zone)
    this.merged.clear()
    if (!series || !fields) {
      this.masters.delete(key)
      return
    }
    const { start, end, eventId: _eventId, ...rest } = fields
    const known = this.masters.get(key)
    const same = known !== undefined && JSON.stringify(known.series) === JSON.stringify(onlySeries(series))
    this.masters.set(key, {
      key,
      calendarId,
      id,
      series: onlySeries(series),
      template: { ...rest, rowKey: key, calendarId, masterId: id, recurring: true, mark },
      words: searchText(value),
      months: new Map(),
      end: same ? known.end : null,
      own: { start, end },
    })
  }

  removeMaster(key: string): void {
    if (this.masters.delete(key)) this.merged.clear()
  }

  /** The occurrence that this exception replaces or cancels is no longer drawn. */
  setException(key: string, id: string): void {
    const instance = parseInstanceId(id)
    if (!instance) return
    const masterKey = keyBeside(key, instance.masterId)
    let suffixes = this.exceptions.get(masterKey)
    if (!suffixes) this.exceptions.set(masterKey, (suffixes = new Map()))
    if (suffixes.has(instance.suffix)) return
    suffixes.set(instance.suffix, key)
    this.forget(masterKey)
  }

  removeException(key: string, id: string): void {
    const instance = parseInstanceId(id)
    if (!instance) return
    const masterKey = keyBeside(key, instance.masterId)
    if (this.exceptions.get(masterKey)?.delete(instance.suffix)) this.forget(masterKey)
  }

  /** Keys of all series. */
  keys(): IterableIterator<string> {
    return this.masters.keys()
  }

  exceptionKeys(masterKey: string): string[] {
    return [...(this.exceptions.get(masterKey)?.values() ?? [])]
  }

  /** Occurrences that touch a month, by start. After the first month of a query, only those that begin in it. */
  month(month: number, first: boolean): readonly CalendarItem[] {
    let items = this.merged.get(month)
    if (!items) {
      items = []
      for (const master of this.masters.values()) items.push(...this.expand(master, month))
      items.sort(byStart)
      this.merged.set(month, items)
    }
    if (first) return items
    const begins = monthStart(month)
    return items.filter((item) => item.start >= begins)
  }

  /** Expands a month for up to `limit` series in advance. Returns true if some are left. */
  prepare(month: number, limit: number): boolean {
    if (this.merged.has(month)) return false
    let left = limit
    for (const master of this.masters.values()) {
      if (master.months.has(month)) continue
      if (left-- === 0) return true
      this.expand(master, month)
    }
    return false
  }

  /** Visits every series' key and searchable words. */
  texts(visit: (key: string, words: string) => void): void {
    this.masters.forEach(({ words }, key) => visit(key, words))
  }

  /** Words of their titles. */
  titleWords(): string[] {
    return [...this.masters.values()].flatMap(({ words }) => titleWords(words))
  }

  /** The current or next occurrence, or one of the last of a past series. Undefined if none is left. */
  nearest(key: string, now: number): CalendarItem | undefined {
    const master = this.masters.get(key)
    if (!master) return undefined
    const { near } = master
    if (!near || now < near.from || now >= near.until) {
      const item = this.look(master, now)
      master.near = { item, from: now, until: item && item.end > now ? item.end : Infinity }
    }
    return master.near!.item
  }

  private look(master: Master, now: number): CalendarItem | undefined {
    if (this.isUnreadable(master)) return this.once(master)
    const month = monthOf(now)
    // Visible months are already expanded.
    for (const near of [month, month + 1]) {
      const item = this.expand(master, near).find(({ end }) => end > now)
      if (item) return item
    }
    const hidden = this.exceptions.get(master.key)
    const ahead = safely(() => nextOccurrences(master.series, now, 1 + (hidden?.size ?? 0)), [])
    const next = ahead.find(({ idSuffix }) => !hidden?.has(idSuffix))
    if (next) return this.item(master, next.start, next.end, next.idSuffix, next.originalStart)
    if (typeof master.end !== 'number') return undefined
    for (let last = monthOf(master.end - 1); last > monthOf(master.end - 1) - 12; last--) {
      const item = this.expand(master, last).at(-1)
      if (item) return item
    }
    return undefined
  }

  private expand(master: Master, month: number): CalendarItem[] {
    const known = master.months.get(month)
    if (known) return known
    const from = monthStart(month)
    const hidden = this.exceptions.get(master.key)
    let items: CalendarItem[] = []
    if (master.end === null) master.end = safely(() => seriesEnd(master.series), undefined)
    if (master.end === undefined || master.end > from) {
      const expanded = safely(() => occurrences(master.series, from, monthStart(month + 1)), undefined)
      items = expanded
        ? expanded
            .filter((occurrence) => !hidden?.has(occurrence.idSuffix))
            .map((one) => this.item(master, one.start, one.end, one.idSuffix, one.originalStart))
        : [this.once(master)].filter((item) => item.start < monthStart(month + 1) && item.end >= from)
    }
    master.months.set(month, items)
    return items
  }

  private item(
    master: Master,
    start: number,
    end: number,
    suffix: string,
    originalStart: CalendarItem['originalStart'],
  ): CalendarItem {
    const eventId = instanceId(master.id, suffix)
    return { ...master.template, itemKey: `${master.key}_${suffix}`, eventId, originalStart, start, end }
  }

  private isUnreadable(master: Master): boolean {
    return whyUnreadable(master.series) !== undefined
  }

  /** A series with an unsupported rule is shown as a single event at its start, so that it doesn't vanish. */
  private once({ key, id, own, template }: Master): CalendarItem {
    const { masterId: _masterId, ...rest } = template
    return { ...rest, itemKey: key, eventId: id, ...own }
  }

  private forget(masterKey: string): void {
    const master = this.masters.get(masterKey)
    master?.months.clear()
    if (master) delete master.near
    this.merged.clear()
  }
}

const onlySeries = (series: Series): Series => ({ start: series.start, end: series.end, recurrence: series.recurrence })

/** Contains the failure of an unreadable rule, which must not affect the whole month. */
function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}
