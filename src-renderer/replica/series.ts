import { recordKey } from '#shared/domain/collections'
import { itemFields, searchText } from '#shared/domain/calendar-item'
import { instanceId, parseInstanceId, seriesOf } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import { occurrences, seriesEnd, whyUnreadable, type Series } from '#shared/time/recurrence'
import type { CalendarItem, Mark } from './api'
import { byStart, monthStart } from './window'

interface Master {
  key: string
  calendarId: string
  id: string
  series: Series
  template: Omit<CalendarItem, 'itemKey' | 'start' | 'end' | 'eventId' | 'originalStart'>
  words: string
  /** Months that were expanded. */
  months: Map<number, CalendarItem[]>
  end: number | undefined | null
  /** Start and end of the recurring event itself. */
  own: { start: number; end: number }
}

/** Recurring events, expanded month by month and only when a month is looked at. */
export class SeriesSet {
  private readonly masters = new Map<string, Master>()
  /** By master key: the suffixes that an exception stands for. */
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
  setException(key: string, calendarId: string, id: string): void {
    const instance = parseInstanceId(id)
    if (!instance) return
    const masterKey = recordKey('events', calendarId, instance.masterId)
    let suffixes = this.exceptions.get(masterKey)
    if (!suffixes) this.exceptions.set(masterKey, (suffixes = new Map()))
    if (suffixes.has(instance.suffix)) return
    suffixes.set(instance.suffix, key)
    this.forget(masterKey)
  }

  removeException(calendarId: string, id: string): void {
    const instance = parseInstanceId(id)
    if (!instance) return
    const masterKey = recordKey('events', calendarId, instance.masterId)
    if (this.exceptions.get(masterKey)?.delete(instance.suffix)) this.forget(masterKey)
  }

  /** Keys of all series. */
  keys(): IterableIterator<string> {
    return this.masters.keys()
  }

  exceptionKeys(masterKey: string): string[] {
    return [...(this.exceptions.get(masterKey)?.values() ?? [])]
  }

  /** Occurrences that touch a month, by start; not the first month of a query: only those that begin in it. */
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

  /** Expands a month for up to `limit` series ahead of being looked at. Whether some are left. */
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

  /** One item for each series whose words hold every one of `terms`: its latest expanded or first occurrence. */
  search(terms: readonly string[]): CalendarItem[] {
    const found: CalendarItem[] = []
    for (const master of this.masters.values()) {
      if (!terms.every((term) => master.words.includes(term))) continue
      const [first] = safely(() => occurrences(master.series, -8.64e15, 8.64e15, 1), undefined) ?? []
      if (!first && this.isUnreadable(master)) found.push(this.once(master))
      else if (first) found.push(this.item(master, first.start, first.end, first.idSuffix, first.originalStart))
    }
    return found
  }

  private expand(master: Master, month: number): CalendarItem[] {
    const known = master.months.get(month)
    if (known) return known
    const from = monthStart(month)
    const hidden = this.exceptions.get(master.key)
    let items: CalendarItem[] = []
    if (master.end === null) master.end = safely(() => seriesEnd(master.series), undefined)
    if (master.end === undefined || master.end > from) {
      const told = safely(() => occurrences(master.series, from, monthStart(month + 1)), undefined)
      items = told
        ? told
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

  /** A series whose rule cannot be followed is a single event at its own start: it must not vanish. */
  private once({ key, id, own, template }: Master): CalendarItem {
    const { masterId: _masterId, ...rest } = template
    return { ...rest, itemKey: key, eventId: id, ...own }
  }

  private forget(masterKey: string): void {
    this.masters.get(masterKey)?.months.clear()
    this.merged.clear()
  }
}

const onlySeries = (series: Series): Series => ({ start: series.start, end: series.end, recurrence: series.recurrence })

/** A rule that cannot be read must not take the whole month with it. */
function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}
