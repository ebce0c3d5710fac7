import { createContext, tick } from 'svelte'
import { listWords } from '#shared/list-words'
import { instantOf, isAllDay, type EventTime } from '#shared/time/event-time'
import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import { People } from '../../context/people.svelte'
import type { AppContext } from '../../context/context'
import type { CalendarView } from '../../context/settings.svelte'
import { tasksById } from '../../context/time-blocks'
import { dayMs, dayOf, longDate, minuteMs, yearOf } from '../../ui/dates'
import type { CalendarItem } from '../../replica/api'
import { plainColor } from '../../ui/colors'
import { PickedKeys } from '../../ui/picked-keys.svelte'
import { calendarsOf, colorsOf, currentCalendarId, eventColors, type CalendarInfo } from './calendars'
import type { Span, Surface } from './layout/drag'
import {
  draftEntry,
  entriesByKey,
  eventEntry,
  spanOnScreen,
  taskEntry,
  withoutCopies,
  type Entry,
} from './layout/entry'
import { nearest, slotNear, type Stop } from './layout/stops'
import { hasHours, isWeekend, layoutName, layouts, stretchOf, turned, type Layout } from './layout/stretch'
import { zoneWindow } from './layout/zone-window'
import type { WordContext } from './event-labels'
import { CalendarSets } from './sets.svelte'
import { FreeBusy, ownBusy } from './free-busy.svelte'

/** Preview of a new event or a changed entry. */
export interface Ghost extends Span {
  /** null for a new event. */
  key: string | null
  title: string
  color: string
}

/** A hidden entry, and how to show it. */
export interface Hidden {
  /** Wall midnight. */
  day: number
  text: string
  label: string
  show: () => void
}

const noStops = (): readonly Stop[] => []

/** How a calendar is shown until someone changes it. */
const usualView: CalendarView = { dayCount: 3, hideWeekends: false, hourHeight: 48 }

/** Service IDs of the colors for lists, those far apart first. */
const listColors = ['9', '10', '6', '3', '7', '11', '5', '2', '4', '1'] as const

/** State of the calendar: date, layout, shown entries, and keyboard position. */
export class CalendarModel {
  /** People to invite, by name. */
  readonly people: People
  readonly freeBusy: FreeBusy

  constructor(readonly app: AppContext) {
    this.people = new People(app)
    this.freeBusy = new FreeBusy(app)
  }

  readonly zone = $derived.by(() => this.app.preferences.zone)
  readonly today = $derived.by(() => this.app.clock.today(this.zone))
  readonly nowWall = $derived.by(() => wallOfInstant(this.app.clock.now, this.zone))
  readonly words: WordContext = $derived.by(() => ({
    hour12: this.app.preferences.hour12,
    thisYear: yearOf(this.today),
  }))

  /** How this account's calendar is shown. */
  readonly view: CalendarView = $derived.by(
    () => this.app.settings.values.calendarViews[this.app.account.id] ?? usualView,
  )
  setView(patch: Partial<CalendarView>): void {
    const { calendarViews } = this.app.settings.values
    this.app.settings.set({ calendarViews: { ...calendarViews, [this.app.account.id]: { ...this.view, ...patch } } })
  }
  /** Shows this many days from the current one. */
  showDays(dayCount: number): void {
    this.setView({ dayCount })
    this.show('days')
  }
  /** True for a day that the layout leaves out. */
  isLeftOut(day: number): boolean {
    const { layout, view } = this
    const weekdaysOnly = layout === 'workWeek' || (view.hideWeekends && (layout === 'week' || layout === 'twoWeeks'))
    return weekdaysOnly && isWeekend(day)
  }

  readonly layout: Layout = $derived.by(() => {
    const wanted = this.app.navigation.place.params['layout'] ?? this.app.settings.values.calendarLayout
    return layouts.find((layout) => layout === wanted) ?? 'week'
  })
  readonly day: number = $derived.by(() => {
    const day = this.app.navigation.place.params['day']
    return typeof day === 'number' ? dayOf(day) : this.today
  })
  readonly stretch = $derived.by(() =>
    stretchOf(this.layout, this.day, { weekStart: this.app.preferences.weekStart, ...this.view }),
  )
  readonly window = $derived.by(() => zoneWindow(this.zone, this.stretch.first, this.stretch.last))

  readonly calendars: readonly CalendarInfo[] = $derived.by(() =>
    calendarsOf(this.app.replica.rows('calendarList'), this.app.settings.values.calendarOrders[this.app.account.id]),
  )
  readonly #byId = $derived.by(() => new Map(this.calendars.map((calendar) => [calendar.id, calendar])))
  readonly shown: ReadonlySet<string> = $derived.by(() => {
    const hidden = new Set(this.app.settings.values.hiddenCalendars)
    return new Set(this.calendars.filter((calendar) => !hidden.has(calendar.id)).map((calendar) => calendar.id))
  })

  readonly sets = new CalendarSets(this)

  /** Tasks by ID, for time blocks. */
  readonly tasks = $derived.by(() => tasksById(this.app.replica))

  readonly entries: readonly Entry[] = $derived.by(() => {
    const { first, last } = this.stretch
    const window = this.window
    const wall = (instant: number): number => window.wall(instant)
    const { showDeclined, showTasks } = this.app.settings.values
    const inside = (entry: Entry): boolean => entry.lastDay >= first && entry.firstDay <= last
    const found: Entry[] = []
    for (const item of this.app.replica.items(window.from, window.to, { calendars: this.shown, zone: this.zone })) {
      if (!showDeclined && item.response === 'declined') continue
      const entry = eventEntry(item, wall, item.taskId === undefined ? undefined : this.tasks.get(item.taskId))
      if (inside(entry)) found.push(entry)
    }
    if (showTasks) {
      // A task with a time block on its day shows as that block.
      const planned = new Set(found.flatMap(({ plans, firstDay }) => (plans ? [`${plans.key} ${firstDay}`] : [])))
      for (const row of this.app.replica.rows('tasks')) {
        const entry = taskEntry(row)
        if (entry && inside(entry) && !planned.has(`${entry.key} ${entry.firstDay}`)) found.push(entry)
      }
    }
    const order = new Map([...this.#byId.keys()].map((id, index) => [id, index]))
    const orderOf = (id: string): number => order.get(id) ?? order.size
    return withoutCopies(found, orderOf, (id) => this.calendar(id)?.writable === true)
  })
  readonly byKey = $derived.by(() => entriesByKey(this.entries))

  /** Drawn at the pointer while it drags. */
  floating = $state.raw<Ghost | null>(null)
  /** Other selected entries that move along. */
  alongside = $state.raw<readonly Ghost[]>([])
  /** Everything drawn where it would be dropped. */
  readonly ghosts: readonly Ghost[] = $derived.by(() => (this.floating ? [this.floating, ...this.alongside] : []))
  /** True while the dragged entry stays, and a copy is drawn at the pointer. */
  copies = $state(false)
  /** The event in the editor as it would be saved, or null while it has no changes. */
  edited = $state.raw<Ghost | null>(null)
  /** The event in the editor where it would be, laid out with the others, unless it stays where it is. */
  readonly draft: Entry | null = $derived.by(() => {
    const { edited } = this
    const old = edited?.key ? this.byKey.get(edited.key) : undefined
    const stays = old && edited && old.start === edited.start && old.end === edited.end && old.allDay === edited.allDay
    return edited && !stays ? draftEntry(edited, edited.title, edited.color) : null
  })
  /** True for an entry that’s drawn elsewhere while it’s dragged or edited. */
  isMoving(key: string): boolean {
    return (
      (this.ghosts.some((ghost) => ghost.key === key) && !this.copies) ||
      (this.draft !== null && this.edited?.key === key)
    )
  }
  /** Key of the entry whose details are open. */
  selected = $state.raw<string | null>(null)

  /** Entries selected to do something with all of them. */
  readonly picks = new PickedKeys()
  /** Entries on this page, in order of their start. */
  readonly picked: readonly Entry[] = $derived.by(() =>
    this.picks.of(this.entries, ({ key }) => key).sort((a, b) => a.start - b.start),
  )
  isPicked(key: string): boolean {
    return this.picks.size > 0 && this.picks.has(key)
  }
  /** Adds an entry to the selection or removes it. The entry whose details are open joins. */
  pick(key: string): void {
    this.picks.toggle(key, this.selected ?? undefined)
    this.tellPicked()
  }
  tellPicked(): void {
    this.app.announce(this.picks.size === 0 ? 'Selection cleared' : `${this.picks.size.toLocaleString('en')} selected`)
  }
  /** The selection, if an entry is one of several. */
  groupOf(entry: Entry | undefined): readonly Entry[] | undefined {
    const { picked } = this
    return picked.length > 1 && (!entry || this.isPicked(entry.key)) ? picked : undefined
  }
  /** The area being selected, in pixels of the window. */
  lasso = $state.raw<{ left: number; top: number; width: number; height: number } | null>(null)
  /** The edge of the grid that a dragged entry rests at: -1 is the left one. */
  edge = $state.raw<-1 | 1 | null>(null)

  /** Event colors of the service, once loaded. */
  #serviceColors = $state.raw<Record<string, string>>({})

  async fetchColors(): Promise<void> {
    const { bridge, account } = this.app
    const answer = await bridge.ask('service/call', {
      accountId: account.id,
      operation: 'calendar.colors.get',
      params: {},
    })
    if (answer.ok) this.#serviceColors = colorsOf(answer.value)
  }

  eventColor(id: string): string | undefined {
    return this.#serviceColors[id] ?? eventColors[id]?.color
  }

  /** Colors that an event can have instead of its calendar’s. */
  get eventColors(): { id: string; name: string; color: string }[] {
    return Object.entries(eventColors).map(([id, { name }]) => ({ id, name, color: this.eventColor(id)! }))
  }

  /** By its ID, or the one it had before it was sent. */
  calendar(id: string): CalendarInfo | undefined {
    return this.#byId.get(id) ?? this.#byId.get(currentCalendarId(this.app.replica, id))
  }

  colorOf(entry: Entry): string {
    if (!entry.event) return '#7c8497'
    const own = entry.event.colorId ? this.eventColor(entry.event.colorId) : undefined
    return own ?? this.calendar(entry.event.calendarId)?.color ?? plainColor
  }

  /** Lists have no color of their own: each gets one by its place among the lists. */
  listColor(list: string): string {
    const at = this.app.replica.rows('tasklists').findIndex(({ id }) => id === list)
    return this.eventColor(listColors[Math.max(0, at) % listColors.length]!) ?? plainColor
  }

  calendarName(entry: Entry): string {
    if (!entry.event) return 'Tasks'
    const copies = [entry.event, ...(entry.alsoIn ?? [])]
    return listWords(copies.map(({ calendarId: id }) => this.calendar(id)?.name ?? 'Unknown calendar'))
  }

  canEdit(entry: Entry): boolean {
    if (entry.task) return true
    return entry.event !== undefined && this.calendar(entry.event.calendarId)?.writable === true
  }

  /** Label of the edit command: of an invitation, only one’s own copy changes, and of a read-only event nothing. */
  editLabel(entry: Entry): string {
    if (!this.canEdit(entry)) return 'View all details'
    return entry.event?.fixed === 'guest' ? 'Edit your copy' : 'Edit'
  }

  /** The calendar that new events go to. */
  get newEventCalendar(): CalendarInfo | undefined {
    return this.calendars.find((one) => one.primary && one.writable) ?? this.calendars.find((one) => one.writable)
  }

  wallOf(instant: number): number {
    return wallOfInstant(instant, this.zone)
  }

  instant(wall: number): number {
    return instantOfWall(wall, this.zone)
  }

  /** Start and end of an event in the displayed zone. Null if its times are unreadable. */
  spanOf(event: { start?: EventTime; end?: EventTime }): Span | null {
    if (!event.start || !event.end) return null
    try {
      const allDay = isAllDay(event.start)
      const [start, end] = [instantOf(event.start, this.zone), instantOf(event.end, event.start.timeZone ?? this.zone)]
      if (end < start) return null
      return allDay
        ? { start, end, allDay }
        : spanOnScreen(wallOfInstant(start, this.zone), wallOfInstant(end, this.zone), end - start)
    } catch {
      return null
    }
  }

  // Going about.

  go(day: number, layout: Layout = this.layout): void {
    this.app.settings.set({ calendarLayout: layout })
    this.app.navigation.go('calendar', { day, layout })
  }
  /** Shows the page of a wall time, if it's on another one. */
  showDay(wall: number): void {
    const day = dayOf(wall)
    if (day < this.stretch.first || day > this.stretch.last) this.go(day)
  }
  /** A day that the layout leaves out. Undefined if it shows it. */
  hiddenDay(wall: number): Hidden | undefined {
    const day = dayOf(wall)
    if (!this.isLeftOut(day)) return undefined
    const text = `${longDate(day, this.words.thisYear)} is hidden in this layout`
    return this.layout === 'workWeek'
      ? { day, text, label: 'Show week', show: () => this.go(day, 'week') }
      : { day, text, label: 'Show weekends', show: () => this.setView({ hideWeekends: false }) }
  }
  /** Says that something is hidden, and offers to show it. */
  tellHidden({ text, label, show }: Hidden, then: () => void = () => {}): void {
    const run = (): void => {
      show()
      then()
    }
    this.app.toasts.show(text, { action: { label, run } })
  }
  turn(steps: number): void {
    this.go(turned(this.layout, this.day, steps, this.view.dayCount))
    this.app.announce(this.stretch.title)
  }
  show(layout: Layout): void {
    if (layout !== this.layout) this.cursor = this.#carried(layout)
    this.go(
      this.cursor.day >= this.stretch.first && this.cursor.day <= this.stretch.last ? this.cursor.day : this.day,
      layout,
    )
    this.app.announce(`${layoutName(layout, this.view.dayCount)}, ${this.stretch.title}`)
  }
  /** The keyboard’s place in another layout. A month has no times, so its days begin where a new event would. */
  #carried(layout: Layout): Stop {
    const { cursor } = this
    if (!hasHours(layout)) return cursor
    const entry = cursor.kind === 'entry' ? this.byKey.get(cursor.key) : undefined
    if (entry && cursor.kind === 'entry')
      return { ...cursor, minute: entry.bar ? -1 : Math.max(0, (entry.start - cursor.day) / minuteMs) }
    return hasHours(this.layout) ? cursor : slotNear(cursor.day, this.nowWall)
  }
  /** Shows today, moves the focus from the grid to the current time, and scrolls to it. */
  goToday(): void {
    const inGrid = this.focusInGrid
    this.cursor =
      this.layout === 'month' || this.layout === 'year'
        ? { kind: 'cell', day: this.today, minute: -1 }
        : slotNear(this.today, this.nowWall)
    this.go(this.today)
    this.app.announce(`Today, ${this.stretch.title}`)
    void tick().then(() => {
      if (!this.here) return
      if (inGrid) this.focusStop()
      this.showNow()
    })
  }
  /** Makes hours taller (1) or shorter (-1); set by a layout with hours, which keeps its place. */
  zoomHours: (steps: number) => void = () => {}

  /** Brings the present into sight; set by a layout with hours. */
  showNow: () => void = () => {}

  // The keyboard's place.

  cursor = $state.raw<Stop>({ kind: 'cell', day: 0, minute: -2 })
  /** Layout that owns the stops. Not reactive, because an unmounting layout would read the state before the change. */
  #drawn: unknown = null
  /** The stops of a day, as the layout on screen draws it. */
  stopsOf: (day: number) => readonly Stop[] = $state.raw(noStops)

  /** Registers the visible layout. Returns a function that unregisters it. */
  takeStops(stopsOf: (day: number) => readonly Stop[]): () => void {
    this.#drawn = stopsOf
    this.stopsOf = stopsOf
    return () => {
      if (this.#drawn === stopsOf) this.stopsOf = noStops
    }
  }
  /**
   * True while the view is mounted. Results that arrive after the user left must not move the focus.
   */
  here = true

  /** The element that holds the grid. */
  get root(): HTMLElement | null {
    return this.#root
  }
  set root(root: HTMLElement | null) {
    // The previous layout unmounts after the next one has mounted.
    if (root) this.#root = root
  }
  #root: HTMLElement | null = null

  /** The cursor, moved to something that exists. */
  readonly stop: Stop = $derived.by(() => {
    const { first, last } = this.stretch
    const inside = this.cursor.day >= first && this.cursor.day <= last
    const wantedDay = inside ? this.cursor.day : this.day
    const { days } = this.stretch
    const day = days.includes(wantedDay) ? wantedDay : (days.filter((one) => one <= wantedDay).at(-1) ?? first)
    const stops = this.stopsOf(day)
    if (stops.length === 0) return { kind: 'cell', day, minute: -2 }
    const wanted = inside
      ? this.cursor
      : this.layout === 'month' || this.layout === 'year'
        ? { ...this.cursor, day }
        : slotNear(day, this.nowWall)
    return stops[nearest(stops, { ...wanted, day })]!
  })

  isStop(entry: Entry, day: number): boolean {
    return this.stop.kind === 'entry' && this.stop.key === entry.key && (this.stop.day === day || entry.bar)
  }

  get focusedEntry(): Entry | undefined {
    const inside = this.root?.contains(document.activeElement)
    if (inside && this.stop.kind === 'entry') return this.byKey.get(this.stop.key)
    return this.selected ? this.byKey.get(this.selected) : undefined
  }

  /** Puts the keyboard on a stop, and the focus with it. */
  async moveTo(stop: Stop): Promise<void> {
    this.cursor = stop
    await tick()
    if (this.here) this.focusStop()
  }

  /** The first entry on this page of a record: a series shows as its occurrences. */
  drawn(rowKey: string): Entry | undefined {
    return this.entries.find(({ event }) => event?.rowKey === rowKey)
  }

  /** Moves the keyboard position to a new entry if this page shows it. */
  async aimAt(rowKey: string): Promise<void> {
    // Wait only for an entry of this page that's about to be drawn.
    if (this.here && !this.drawn(rowKey)) await nextFrame()
    await tick()
    if (!this.here) return
    const entry = this.drawn(rowKey)
    const { first, last } = this.stretch
    if (!entry || entry.lastDay < first || entry.firstDay > last) return
    const day = Math.max(entry.firstDay, first)
    const minute = entry.bar ? -1 : Math.max(0, (entry.start - day) / minuteMs)
    this.cursor = { kind: 'entry', key: entry.key, day, minute }
  }

  /** The focused entry, as long as nothing else takes the focus. */
  #held: { key: string; day: number } | null = null

  hold(target: EventTarget | null): void {
    const inside = target instanceof HTMLElement && this.root?.contains(target)
    const { key, day } = inside ? (target as HTMLElement).dataset : {}
    this.#held = key ? { key, day: Number(day) } : null
  }

  /** After a render, moves the focus from a removed or moved entry to its successor. */
  keepFocus(): void {
    const held = this.#held
    // A dragged entry may be on another page by now.
    if (this.floating) return
    const active = document.activeElement
    if (!held || !(active instanceof HTMLElement)) return
    // Elements are reused, so the focus may now be on another entry.
    const lost =
      active === document.body || (this.root?.contains(active) === true && active.dataset['key'] !== held.key)
    if (!lost) return
    const entry = this.byKey.get(held.key)
    const { first, last } = this.stretch
    if (!entry || entry.lastDay < first || entry.firstDay > last) {
      this.focusStop()
      return
    }
    const day = Math.min(Math.max(held.day, entry.firstDay, first), entry.lastDay, last)
    const minute = entry.bar ? -1 : Math.max(0, (entry.start - day) / minuteMs)
    void this.moveTo({ kind: 'entry', key: entry.key, day, minute })
  }

  /** True if nothing outside the grid has focus: someone may have gone elsewhere while an edit was being saved. */
  get isFocusFree(): boolean {
    const { activeElement } = document
    return activeElement === document.body || (this.root?.contains(activeElement) ?? false)
  }
  focusStop(): void {
    const { stop } = this
    const selector =
      stop.kind === 'entry'
        ? `[data-key="${CSS.escape(stop.key)}"]`
        : stop.kind === 'more'
          ? `[data-more="${stop.day}"]`
          : stop.kind === 'slot'
            ? '[data-slot]'
            : `[data-cell="${stop.day}"]`
    const found = [...(this.root?.querySelectorAll<HTMLElement>(selector) ?? [])]
    const element =
      found.find((one) => one.dataset['minute'] === String(stop.minute) || one.dataset['day'] === String(stop.day)) ??
      found[0]
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  /** The grid on screen as a place to drop on. */
  surface: Surface | null = null

  /** Brings something new into sight; set by the view. */
  reveal: (wall: number, rowKey: string) => void = () => {}

  elementOf(key: string): HTMLElement | null {
    return this.root?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null
  }

  /** True if the grid has the focus, not only a remembered cursor. */
  get focusInGrid(): boolean {
    const active = document.activeElement
    return (
      active instanceof HTMLElement &&
      this.root?.contains(active) === true &&
      active.matches('[data-key], [data-cell], [data-slot], [data-more]')
    )
  }

  /** Default time of a new event: the focused slot unless it's over, or the next free one. */
  get spanForNew(): Span {
    const { first, last } = this.stretch
    const free = this.freeSpan(this.today >= first && this.today <= last ? this.today : this.day)
    if (!this.focusInGrid) return free
    const span = this.spanAtCursor
    const over = !span.allDay && dayOf(span.start) === this.today && span.start < this.nowWall
    return over ? free : span
  }

  /** Span of a new event at the keyboard position. */
  get spanAtCursor(): Span {
    const { stop } = this
    const { first, last } = this.stretch
    // The cursor isn't placed yet.
    if (this.cursor.day < first || this.cursor.day > last)
      return this.freeSpan(this.today >= first && this.today <= last ? this.today : this.day)
    const length = this.app.preferences.eventLength * minuteMs
    const entry = stop.kind === 'entry' ? this.byKey.get(stop.key) : undefined
    // Of an entry that lasts several days, only the day at the cursor.
    if (entry?.allDay) return { start: stop.day, end: stop.day + dayMs, allDay: true }
    if (entry) return { start: entry.start, end: entry.start + length, allDay: false }
    if (stop.kind === 'slot') {
      const start = stop.day + stop.minute * minuteMs
      return { start, end: start + length, allDay: false }
    }
    if (hasHours(this.layout)) return { start: stop.day, end: stop.day + dayMs, allDay: true }
    return this.freeSpan(stop.day)
  }

  /** When the user is busy between two instants, apart from an event, in wall-clock readings. */
  busy(from: number, to: number, apart?: CalendarItem | null): { start: number; end: number }[] {
    const items = this.app.replica.items(from, to, { calendars: this.shown, zone: this.zone })
    return ownBusy(
      items.filter(({ itemKey }) => itemKey !== apart?.itemKey),
      (id) => this.calendar(id)?.role === 'owner',
      (instant) => this.wallOf(instant),
    )
  }

  /** The next full or half hour, which before midnight is tomorrow's first; nine o'clock on other days than today. */
  freeSpan(day: number): Span {
    const start = day === this.today ? Math.ceil(this.nowWall / 1_800_000) * 1_800_000 : day + 9 * 3_600_000
    return { start, end: start + this.app.preferences.eventLength * minuteMs, allDay: false }
  }
}

export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) setTimeout(resolve, 16)
    else requestAnimationFrame(() => resolve())
  })

export const [useCalendar, provideCalendar] = createContext<CalendarModel>()
