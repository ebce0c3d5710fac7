import { eventFieldsWith } from '#shared/facts/event-fields'
import { fixedBy } from '#shared/domain/guest-rights'
import { dueDay } from '#shared/domain/task-days'
import type { JsonObject } from '#shared/json'
import type { Event } from '#shared/wire/calendar/types'
import { noCalendarWords } from '../../context/calendar-access'
import { alongWords, completing, reopened } from '../../context/repeating-tasks'
import { blockCreation, blockDeletions, blockOf, blocksOf, withSubtasks } from '../../context/time-blocks'
import type { CalendarItem, Change, EditOptions, Row } from '../../replica/api'
import { counted } from '../../ui/counted'
import { shortDate, clockText, dayMs, dayOf } from '../../ui/dates'
import type { CalendarInfo } from './calendars'
import { GroupActions } from './group-actions'
import { countGuests } from './guests'
import type { Span } from './layout/drag'
import type { Entry } from './layout/entry'
import type { EventDraft } from './editor/draft.svelte'
import type { CalendarModel } from './model.svelte'
import type { Decision, Question } from './question'
import {
  differsFromSeries,
  lostDays,
  scopeCounts,
  scopedChanges,
  scopedDelete,
  scopeLosses,
  leavesRule,
  onlyThis,
  scopesFor,
  type Loaded,
  type Losses,
  type Scope,
} from './scope'
import { landing, timePatch, timesOfSpan } from './times'
import { fixedWords, receiptWhen, titleOf } from './event-labels'

interface ChangeOptions {
  label: string
  receipt: string
  verb: string
  quiet?: boolean
  scope?: Scope | undefined
  /** Shows the receipt as a message, because the result isn’t on screen. */
  show?: boolean
}

/** User actions on entries. Each one is a single undoable edit with an announced receipt. */
export class CalendarActions {
  question = $state.raw<Question | null>(null)
  /** Number of occurrences per scope, or undefined if endless. Filled shortly after the question is asked. */
  counts = $state.raw<ReturnType<typeof scopeCounts>>({})
  clipboard = $state.raw<{ event: JsonObject; entry: Entry } | null>(null)

  /** The same for several entries. */
  readonly group = new GroupActions(this)

  constructor(readonly model: CalendarModel) {}

  get #app() {
    return this.model.app
  }

  /** Moves or stretches an entry, and `scope` of its series. Answers false when it was canceled or not saved. */
  async reschedule(entry: Entry, span: Span, scope?: Scope): Promise<boolean> {
    if (span.start === entry.start && span.end === entry.end && span.allDay === entry.allDay) return false
    if (this.refusesMove(entry)) return false
    const { start, ...rest } = landing(entry, span, this.model.zone)
    const when = receiptWhen({ start, ...rest }, this.model.words)
    const short = `${shortDate(dayOf(start), this.model.words.thisYear)}${span.allDay ? '' : ` ${clockText(start, this.model.words.hour12)}`}`
    if (entry.task) {
      if (!span.allDay) return this.plan(entry.task, span)
      if (span.start === entry.start) {
        this.refuseLength(entry)
        return false
      }
      const patch = { due: dueText(span.start) }
      const label = `Move task *${titleOf(entry.title)}* to ${short}`
      return this.#edit(
        [{ kind: 'change', key: entry.task.key, patch }],
        { label },
        `“${titleOf(entry.title)}” moved to ${when}`,
        this.#isOffPage(span),
      )
    }
    const loaded = await this.#load(entry)
    if (!loaded) return false
    const patch = timePatch(loaded.event as Event, entry, span, this.model.zone)
    const moved = span.start !== entry.start
    const label = moved
      ? `Move *${titleOf(entry.title)}* to ${short}`
      : `Change the length of *${titleOf(entry.title)}*`
    const receipt = moved ? `“${titleOf(entry.title)}” moved to ${when}` : `“${titleOf(entry.title)}” is now ${when}`
    return this.change(entry, loaded, patch, {
      label,
      receipt,
      verb: moved ? 'Move' : 'Change',
      quiet: true,
      scope,
      show: this.#isOffPage(span),
    })
  }

  /** True for an entry that can’t be moved, which is said. */
  refusesMove(entry: Entry): boolean {
    const name = `“${titleOf(entry.title)}”`
    const fixed = entry.event?.fixed
    if (!this.model.canEdit(entry)) this.#app.toasts.show(`${name} is in a read-only calendar.`)
    else if (fixed) this.#app.toasts.show(`${fixedWords[fixed](name)}.`)
    else return false
    return true
  }

  #isOffPage(span: Span): boolean {
    const { first, last } = this.model.stretch
    return span.start < first || span.start >= last + dayMs
  }

  /**
   * Plans time for a task: creates its time block, or moves the one it has. A task that is overdue or has no due date becomes
   * due on that day.
   * @param shown the task on screen, which may have been sent since and have an ID
   */
  async plan(shown: Row, span: Span): Promise<boolean> {
    const { replica } = this.#app
    const task = replica.peek(shown.key) ?? shown
    const title = titleOf(String(task.value?.['title'] ?? ''))
    const calendar = this.calendarForNew(`Couldn’t plan “${title}”. `)
    if (!calendar) return false
    const now = this.#app.clock.now
    const own = blockOf(replica, task, now)
    const times = this.times(span)
    const changes: Change[] =
      own && own.end > now && this.model.calendar(own.calendarId)?.writable
        ? await this.#moving(own, times)
        : [await blockCreation(replica, task, calendar.id, times)]
    const day = dayOf(span.start)
    const due = dueDay(task.value ?? {})
    if (due === null || (due < this.model.today && due < day))
      changes.unshift({ kind: 'change', key: task.key, patch: { due: dueText(day) } })
    const { thisYear, hour12 } = this.model.words
    const when = `${shortDate(day, thisYear)} ${clockText(span.start, hour12)}`
    return this.#edit(
      changes,
      { label: `Plan *${title}* for ${when}` },
      `“${title}” planned for ${receiptWhen(span, this.model.words)}`,
      this.#isOffPage(span),
    )
  }

  /** The changes that move a time block, of a series only this one. */
  async #moving(block: CalendarItem, times: JsonObject): Promise<Change[]> {
    const { replica } = this.#app
    const loaded = block.recurring ? await replica.readItem(block) : undefined
    if (loaded) return scopedChanges(replica, loaded, block, times, 'this')
    return [{ kind: 'change', key: block.rowKey, patch: times }]
  }

  /** Makes a task due on a day, or on none. */
  async setDue(task: Row, day: number | null): Promise<boolean> {
    const title = titleOf(String(task.value?.['title'] ?? ''))
    if (dueDay(task.value ?? {}) === day) return false
    const when = day === null ? '' : shortDate(day, this.model.words.thisYear)
    return this.#edit(
      [{ kind: 'change', key: task.key, patch: { due: day === null ? null : dueText(day) } }],
      { label: day === null ? `Remove due date from *${title}*` : `Set *${title}* due ${when}` },
      day === null ? `Removed due date from “${title}”` : `“${title}” due ${when}`,
    )
  }

  /** Explains that tasks have no length. Changes nothing. */
  refuseLength(entry: Entry): void {
    const title = titleOf(entry.title)
    const text = `“${title}” wasn’t changed. Tasks don’t have a duration.`
    this.#app.toasts.show(text)
    this.#app.announce(text)
  }

  /**
   * Changes fields of the event behind an entry. Asks for the scope of a recurring event unless `scope` names it and
   * deletes no edited occurrences, and whether to notify guests unless `quiet`, which notifies no one.
   */
  async change(
    entry: Entry,
    loaded: Loaded,
    patch: JsonObject,
    { label, receipt, verb, quiet = false, scope: wanted, show = false }: ChangeOptions,
  ): Promise<boolean> {
    const scope = leavesRule(loaded, patch) ? undefined : wanted
    const guests = countGuests(loaded.event as Event)
    const losses = this.#losses(loaded, entry.event!, patch)
    const repeats = scope
      ? losses[scope] !== undefined
      : loaded.master !== undefined && !(quiet && differsFromSeries(loaded, patch))
    let decision: Decision | null = { scope: scope ?? 'this', sendUpdates: 'none' }
    if (repeats || (guests > 0 && !quiet)) {
      decision = await this.#ask(verb, entry, loaded, guests, scope ? [scope] : scopesFor([loaded], patch), losses)
      if (!decision) return false
    }
    const changes = scopedChanges(this.#app.replica, loaded, entry.event!, patch, decision.scope)
    const mails = decision.sendUpdates === 'all' ? guests : 0
    const mentionsGuests = guests > 0 && decision.sendUpdates === 'none' && quiet && !repeats
    return this.#edit(
      changes,
      { label, sendUpdates: decision.sendUpdates, mails },
      mentionsGuests ? `${receipt}. No email was sent` : receipt,
      mentionsGuests || show,
    )
  }

  async remove(entry: Entry): Promise<boolean> {
    const title = titleOf(entry.title)
    if (!this.model.canEdit(entry)) {
      this.#app.toasts.show(`“${title}” is in a read-only calendar.`)
      return false
    }
    if (entry.task) return this.removeTask(entry.task)
    const loaded = await this.#load(entry)
    if (!loaded) return false
    const guests = countGuests(loaded.event as Event)
    const repeats = loaded.master !== undefined
    let decision: Decision | null = { scope: 'this', sendUpdates: 'none' }
    if (repeats || guests > 0) decision = await this.#ask('Delete', entry, loaded, guests)
    if (!decision) return false
    const changes = scopedDelete(this.#app.replica, loaded, entry.event!, decision.scope)
    const mails = decision.sendUpdates === 'all' ? guests : 0
    return this.#edit(
      changes,
      { label: `Delete *${title}*`, sendUpdates: decision.sendUpdates, mails },
      entry.plans ? `Time block of “${title}” deleted. The task is unchanged` : `“${title}” deleted`,
      true,
    )
  }

  /** Deletes a task, with its time blocks and those of its subtasks. */
  async removeTask(task: Row): Promise<boolean> {
    const title = titleOf(String(task.value?.['title'] ?? ''))
    const { replica, clock } = this.#app
    const deletions = blockDeletions(blocksOf(replica, withSubtasks(replica, task), clock.now))
    return this.#edit(
      [...deletions, { kind: 'delete', key: task.key }],
      { label: `Delete task *${title}*` },
      `“${title}” deleted${deletions.length > 0 ? `, with ${counted(deletions.length, 'time block')}` : ''}`,
      true,
    )
  }

  /** Creates an event from plain fields. Returns its row key, or null if it wasn't saved. */
  async create(
    calendarId: string,
    event: JsonObject,
    options: { sendUpdates?: 'all' | 'none'; mails?: number } = {},
    receipt: { text?: string; show?: boolean } = {},
  ): Promise<string | null> {
    const title = titleOf(String(event['summary'] ?? ''))
    const value: JsonObject = { status: 'confirmed', eventType: 'default', ...event }
    const result = await this.#app.edit(
      [{ kind: 'create', collection: 'events', parent: calendarId, value }],
      { label: `Create *${title}*`, ...options },
      { text: `“${title}” created`, ...receipt },
    )
    return result?.keys[0] ?? null
  }

  async duplicate(entry: Entry): Promise<void> {
    const copied = await this.#copyOf(entry)
    if (copied) await this.create(copied.calendarId, copied.event)
  }

  /** Creates a copy of an event with what was typed in its form. */
  async duplicateDraft({ item, value }: EventDraft): Promise<boolean> {
    const copied = item && this.#copyIn(item.calendarId, value as JsonObject)
    return !!copied && (await this.create(copied.calendarId, copied.event)) !== null
  }

  /** Creates a copy of an event at another time. */
  async copyTo(entry: Entry, span: Span): Promise<boolean> {
    const copied = await this.#copyOf(entry)
    if (!copied) return false
    const times = this.#timesAt(copied.event, entry, span)
    const text = `“${titleOf(entry.title)}” copied to ${receiptWhen(landing(entry, span, this.model.zone), this.model.words)}`
    const key = await this.create(copied.calendarId, { ...copied.event, ...times }, {}, { text })
    return key !== null
  }

  async copy(entry: Entry): Promise<void> {
    const loaded = await this.#load(entry)
    if (!loaded) return
    this.clipboard = { event: copiedFrom(loaded.event), entry }
    this.#app.announce(`“${titleOf(entry.title)}” copied`)
  }

  /** Pastes at `at`, or at the keyboard’s place. */
  async paste(at?: Span): Promise<void> {
    if (!this.clipboard) return
    const { event, entry: span } = this.clipboard
    const calendar = this.calendarForNew(`Couldn’t paste “${titleOf(span.title)}”. `)
    if (!calendar) return
    const target = at ?? (this.model.focusInGrid ? this.model.spanAtCursor : this.model.spanForNew)
    const keepsTime = !span.allDay && (target.allDay || this.model.layout === 'month')
    const start = keepsTime
      ? dayOf(target.start) + (span.start - dayOf(span.start))
      : span.allDay
        ? dayOf(target.start)
        : target.start
    const times = this.#timesAt(event, span, { start, end: start + (span.end - span.start), allDay: span.allDay })
    await this.create(calendar.id, { ...event, ...times })
  }

  async respond(shown: Entry, responseStatus: 'accepted' | 'tentative' | 'declined'): Promise<boolean> {
    const entry = shown.invitation ? { ...shown, event: shown.invitation } : shown
    const loaded = await this.#load(entry)
    if (!loaded) return false
    const attendees = ((loaded.event as Event).attendees ?? []).map((guest) =>
      guest.self ? { ...guest, responseStatus } : guest,
    )
    const words = { accepted: 'Yes', tentative: 'Maybe', declined: 'No' }[responseStatus]
    return this.change(entry, loaded, { attendees } as unknown as JsonObject, {
      label: `Reply ${words} to *${titleOf(entry.title)}*`,
      receipt: `Replied ${words} to “${titleOf(entry.title)}”`,
      verb: 'Reply',
      quiet: true,
    })
  }

  /** Sets an event’s color by the service’s ID. null uses the calendar’s. */
  async setColor(entry: Entry, colorId: string | null): Promise<boolean> {
    const loaded = await this.#load(entry)
    if (!loaded || (loaded.event['colorId'] ?? null) === colorId) return false
    const title = titleOf(entry.title)
    return this.change(
      entry,
      loaded,
      { colorId },
      { label: `Change the color of *${title}*`, receipt: `Color of “${title}” changed`, verb: 'Change', quiet: true },
    )
  }

  /** Completes or reopens the task of an entry. A time block shows the state of its task. */
  toggleTask(entry: Entry): Promise<boolean> {
    const task = entry.task ?? entry.plans
    return task ? this.toggle(task) : Promise.resolve(false)
  }

  /** Completes or reopens a task. */
  async toggle(task: Row): Promise<boolean> {
    const isDone = task.value?.['status'] === 'completed'
    const changes: Change[] = isDone
      ? [{ kind: 'change', key: task.key, patch: reopened }]
      : completing(this.#app.replica, [task], this.#app.clock.now, this.model.today)
    const title = titleOf(String(task.value?.['title'] ?? ''))
    return this.#edit(
      changes,
      { label: `${isDone ? 'Reopen' : 'Complete'} *${title}*` },
      `“${title}” ${isDone ? 'reopened' : 'completed'}${alongWords([task], changes)}`,
    )
  }

  async moveToCalendar(entry: Entry, calendarId: string): Promise<boolean> {
    const loaded = await this.#load(entry)
    if (!loaded || !entry.event || calendarId === entry.event.calendarId) return false
    const key = loaded.master?.key ?? loaded.row.key
    const name = this.model.calendar(calendarId)?.name ?? calendarId
    const title = titleOf(entry.title)
    return this.#edit(
      [{ kind: 'action', key, action: { name: 'moveEvent', destination: calendarId } }],
      { label: `Move *${title}* to *${name}*` },
      `“${title}” moved to “${name}”`,
    )
  }

  /** Start and end of a copy. */
  #timesAt(event: JsonObject, entry: Entry, span: Span): JsonObject {
    return timePatch(event as Event, entry, span, this.model.zone)
  }

  /** Start and end of the service for a span on screen. */
  times(span: Span): { start: JsonObject; end: JsonObject } {
    return timesOfSpan(span, this.model.zone)
  }

  load(entry: Entry): Promise<Loaded | undefined> {
    return this.#load(entry)
  }

  /** The calendar that a new event goes to. If there’s none, says why. @param failed a sentence before the reason */
  calendarForNew(failed = ''): CalendarInfo | undefined {
    const calendar = this.model.newEventCalendar
    if (!calendar) {
      const why = noCalendarWords(this.#app.replica.rows('calendarList').length)
      this.#app.toasts.show(`${failed}${why}`, { level: 'error' })
    }
    return calendar
  }

  async #load(entry: Entry): Promise<Loaded | undefined> {
    if (!entry.event) return undefined
    const loaded = await this.#app.replica.readItem(entry.event)
    if (!loaded) this.#app.toasts.show(`“${titleOf(entry.title)}” no longer exists.`)
    return loaded
  }

  async #copyOf(entry: Entry): Promise<{ calendarId: string; event: JsonObject } | null> {
    const loaded = await this.#load(entry)
    if (!loaded || !entry.event) return null
    return this.#copyIn(entry.event.calendarId, loaded.event)
  }

  /** Value of a copied event, in its calendar, or in the default calendar if that can't be edited. */
  #copyIn(calendarId: string, of: JsonObject): { calendarId: string; event: JsonObject } | null {
    const own = this.model.calendar(calendarId)
    const title = titleOf(String(of['summary'] ?? ''))
    const calendar = own?.writable ? own : this.calendarForNew(`Couldn’t copy “${title}”. `)
    return calendar ? { calendarId: calendar.id, event: copiedFrom(of) } : null
  }

  async #edit(changes: readonly Change[], options: EditOptions, text: string, show = false): Promise<boolean> {
    return (await this.#app.edit(changes, options, { text, show })) !== null
  }

  /**
   * Saves touched fields. Returns false if canceled or not saved, with the draft unchanged.
   * @param follows moves the keyboard to a new event
   */
  async saveDraft(draft: EventDraft, then: 'goes' | 'tells' | 'stays' = 'goes'): Promise<boolean> {
    const { item, loaded, value } = draft
    const guests = countGuests(value)
    // The event is known by its previous title.
    const title = titleOf(String(draft.base['summary'] ?? value.summary ?? ''))
    if (!item || !loaded) {
      let sendUpdates: Decision['sendUpdates'] = 'none'
      if (guests > 0) {
        const decision = await this.put({
          verb: 'Create',
          heading: headingOf('Create', title),
          key: null,
          scopes: [],
          guests,
        })
        if (!decision) return false
        sendUpdates = decision.sendUpdates
      }
      const span = then === 'tells' ? this.model.spanOf(value) : null
      const key = await this.create(
        draft.calendarId,
        value,
        { sendUpdates, mails: sendUpdates === 'all' ? guests : 0 },
        span ? { text: `“${title}” created, ${receiptWhen(span, this.model.words)}`, show: true } : {},
      )
      if (key && then === 'goes') await this.model.aimAt(key)
      return key !== null
    }
    const before = countGuests(loaded.event as Event)
    // A guest changes only their own copy, except for further guests.
    const invited = fixedBy(loaded.event) === 'guest' && guests <= before ? 0 : Math.max(guests, before)
    const repeats = loaded.master !== undefined
    let decision: Decision = { scope: 'this', sendUpdates: 'none' }
    if (repeats || invited > 0) {
      const scopes = scopesFor([loaded], draft.patch, draft.movesCalendar)
      const losses = this.#losses(loaded, item, draft.patch)
      const heading = headingOf('Save', title)
      const question = { verb: 'Save', heading, key: item.itemKey, scopes, losses, guests: invited }
      const answer = await this.put(question, () => (repeats ? scopeCounts(this.#app.replica, loaded, item) : {}))
      if (!answer) return false
      decision = answer
    }
    const changes: Change[] =
      Object.keys(draft.patch).length > 0
        ? scopedChanges(this.#app.replica, loaded, item, draft.patch, decision.scope, draft.upon)
        : []
    if (draft.movesCalendar) {
      const key = loaded.master?.key ?? loaded.row.key
      changes.push({ kind: 'action', key, action: { name: 'moveEvent', destination: draft.calendarId } })
    }
    const mails = decision.sendUpdates === 'all' ? invited : 0
    return this.#edit(
      changes,
      { label: `Change *${title}*`, sendUpdates: decision.sendUpdates, mails },
      `“${title}” saved`,
    )
  }

  #losses(loaded: Loaded, item: CalendarItem, patch: JsonObject): Losses {
    const { zone, words, app } = this.model
    if (leavesRule(loaded, patch)) return onlyThis
    return scopeLosses((scope) => lostDays(app.replica, loaded, item, patch, scope, zone), words.thisYear)
  }

  #ask(
    verb: string,
    entry: Entry,
    loaded: Loaded,
    guests: number,
    scopes: readonly Scope[] = scopesFor([loaded]),
    losses: Losses = {},
  ): Promise<Decision | null> {
    const repeats = loaded.master !== undefined
    return this.put(
      {
        verb,
        heading: headingOf(verb, titleOf(entry.title)),
        key: entry.key,
        scopes: repeats ? scopes : [],
        losses,
        guests,
      },
      () => (repeats && entry.event ? scopeCounts(this.#app.replica, loaded, entry.event) : {}),
    )
  }

  /** Asks, and answers null if canceled. `count`: the number of occurrences per scope. */
  put(question: Omit<Question, 'answer'>, count: () => typeof this.counts = () => ({})): Promise<Decision | null> {
    this.question?.answer(null)
    this.counts = {}
    return new Promise((resolve) => {
      // Counting thousands of occurrences takes a while, so the question doesn't wait for it.
      const counting = setTimeout(() => {
        try {
          this.counts = count()
        } catch {
          // The rule can't be expanded, so the question shows no counts.
        }
      }, countAfter)
      this.question = {
        ...question,
        answer: (choice) => {
          clearTimeout(counting)
          this.question = null
          resolve(choice)
        },
      }
    })
  }
}

const headingOf = (verb: string, title: string): string => `${verb === 'Reply' ? 'Reply to' : verb} “${title}”`
const dueText = (day: number): string => new Date(day).toISOString()

/** The question is on screen by then. */
const countAfter = 50
/** Fields that a copy keeps: content, but not identity, guests, or responses. */
const copiedFields = eventFieldsWith(({ copied = false }) => copied)
const copiedFrom = (event: JsonObject): JsonObject =>
  Object.fromEntries(copiedFields.flatMap((field) => (event[field] === undefined ? [] : [[field, event[field]]])))
