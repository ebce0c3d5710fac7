import { z } from 'zod'
import { collections } from '#shared/domain/collections'
import { eventValue, organizerIn } from '#shared/domain/quick-add/event-value'
import type { QuickEvent } from '#shared/domain/quick-add/event-line'
import { sameJson, valuesOf, type Json, type JsonObject } from '#shared/json'
import type { EventTime } from '#shared/time/event-time'
import { instantOf, isAllDay } from '#shared/time/event-time'
import { parseRecurrenceLine, rulePart, untilInstant } from '#shared/time/recurrence-lines'
import { validate } from '#shared/wire/validate'
import type { Event } from '#shared/wire/calendar/types'
import { readStoredList, writeStored } from '../../../context/account-storage'
import type { CalendarItem, Upon } from '../../../replica/api'
import { Unread } from '../../../ui/unread.svelte'
import { calendarTable } from '../calendars'
import { addGuests, inviteGuests, isEmail } from '../guests'
import type { Loaded, SeenEvent } from '../scope'

const { rules } = collections.events

/** Fields that merge together: those that changed outside of the form, and those with input. */
export interface ChangedUnit {
  changed: readonly string[]
  typed: readonly string[]
  /** True if the user changed them, such as in another window: saving replaces that without a conflict. */
  own: boolean
}

/** Values typed in fields that merge together, with the values seen then. */
export interface TypedInput {
  touched: JsonObject
  seen: SeenEvent
  seq: SeenSeq
}

/** `remoteSeq` of the rows of an event and its series. */
type SeenSeq = Readonly<Partial<Record<keyof SeenEvent, number | undefined>>>

/** False for focus time, out of office, working locations, and birthdays. */
export const isPlain = ({ eventType }: Event): boolean => [undefined, 'default', 'fromGmail'].includes(eventType)
/** Fields of plain events. Input in them doesn't belong to a new event of another type, but is there again if the type changes back. */
const plainFields = ['attendees', 'location', 'conferenceData', 'attachments']

/**
 * An event being edited: the replica's version (`base`, which may change while it’s edited) overlaid with the fields the user
 * touched. Only touched fields are saved.
 */
export class EventDraft {
  /** Null for a new event. */
  readonly item: CalendarItem | null
  loaded = $state.raw<Loaded | null>(null)
  base = $state.raw<JsonObject>({})
  touched = $state.raw<JsonObject>({})
  /** Values of the touched fields that the user saw before changing them. */
  #seen = $state.raw<SeenEvent>({ event: {}, series: {} })
  /** `remoteSeq` of their rows by then. Stored input has none. */
  #seq: SeenSeq = {}
  /** Touched fields that the user changed outside of this form, such as in another window. */
  #rewritten = $state.raw<ReadonlySet<string>>(new Set())
  /** True if it has stored input: whether someone else has changed something since, or its author, isn't known. */
  isStored = false
  calendarId = $state('')
  readonly #startCalendar: string
  readonly #startFields: JsonObject

  constructor(calendarId: string, fields: JsonObject, item: CalendarItem | null = null, loaded: Loaded | null = null) {
    this.item = item
    this.calendarId = calendarId
    this.#startCalendar = calendarId
    this.#startFields = item ? {} : fields
    if (item) {
      this.loaded = loaded
      this.base = fields
    } else this.touched = fields
  }

  /** True to show free times of its guests when it opens. */
  findsTime = false
  /** Time and place from the title, used when the event is saved. */
  reading: QuickEvent | null = null
  /** True if someone wants the words to stay in the title. */
  keepsWords = $state(false)
  /** True if nothing that its title describes was edited in a field, so that using the title discards no input. */
  canTake(event: QuickEvent): boolean {
    const { summary: _summary, ...fields } = eventValue(event, '')
    return (
      Object.keys(fields).every((field) => sameJson(this.touched[field] ?? null, this.#startFields[field] ?? null)) &&
      (event.calendarId === undefined || this.calendarId === this.#startCalendar)
    )
  }

  /** Moves what a title describes into the fields. @param email the user’s address */
  take(event: QuickEvent, email: string): void {
    if (event.calendarId) this.pickCalendar(event.calendarId, email)
    const { attendees, ...fields } = eventValue(event, organizerIn(this.calendarId, email)) as JsonObject &
      Pick<Event, 'attendees'>
    for (const [field, value] of Object.entries(fields)) this.set(field as keyof Event, value)
    if (attendees) this.set('attendees', addGuests(this.#guests, attendees))
    this.reading = null
  }

  /** Picks the event’s calendar, which decides whether the user is among the guests of a new event. @param email as in `take` */
  pickCalendar(id: string, email: string): void {
    this.calendarId = id
    const invited = this.#guests.filter(({ organizer }) => !organizer)
    if (this.isNew && invited.length > 0) this.set('attendees', inviteGuests([], invited, organizerIn(id, email)))
  }

  get #guests(): NonNullable<Event['attendees']> {
    const { attendees } = { ...this.base, ...this.touched } as Event
    return attendees ?? []
  }

  /** The same event, existing or new, without any input. */
  fresh(): EventDraft {
    return this.item
      ? new EventDraft(this.#startCalendar, this.base, this.item, this.loaded)
      : new EventDraft(this.#startCalendar, this.#startFields)
  }

  get isNew(): boolean {
    return this.item === null
  }

  readonly value = $derived.by(() => {
    const value: JsonObject = { ...this.base, ...this.touched }
    for (const key of Object.keys(value)) if (value[key] === null) delete value[key]
    if (this.isNew && !isPlain(value)) for (const field of plainFields) delete value[field]
    return value as Event & JsonObject
  })

  /** True if the draft differs from the event as opened and is worth saving. */
  readonly dirty = $derived.by(() =>
    this.isNew
      ? Object.keys(this.touched).some(
          (key) =>
            !sameJson(this.touched[key] || null, this.#startFields[key] || null) && key !== 'start' && key !== 'end',
        )
      : Object.keys(this.touched).length > 0 || this.calendarId !== this.#startCalendar,
  )
  get movesCalendar(): boolean {
    return !this.isNew && this.calendarId !== this.#startCalendar
  }

  /** null clears a field. */
  set(field: keyof Event, value: unknown): void {
    const rest = { ...this.touched }
    const next = value as JsonObject[string]
    if (!this.isNew && sameJson(next ?? null, this.base[field] ?? null)) delete rest[field]
    else {
      const unit = rules.unit(field)
      if (!unit.some((name) => name in rest)) this.#see(unit)
      rest[field] = next ?? null
    }
    this.touched = rest
  }

  get seen(): SeenEvent {
    return this.#seen
  }

  /**
   * Touched fields, or ones that merge with them, that someone else, or the user outside of this form, has changed since the
   * user first saw them. `base` has their new values.
   */
  readonly changedMeanwhile = $derived.by((): ChangedUnit[] => {
    const { event } = this.#seen
    const { row, master } = this.loaded ?? {}
    const isLater = (now: number | undefined, seen: number | undefined): boolean =>
      now !== undefined && (seen === undefined || now > seen)
    const own = !isLater(row?.remoteSeq, this.#seq.event) && !isLater(master?.remoteSeq, this.#seq.series)
    const units = new Map(
      Object.keys(this.touched).map((field) => {
        const unit = rules.unit(field).sort()
        return [unit[0], unit]
      }),
    )
    return [...units.values()]
      .map((unit) => ({
        changed: unit.filter((field) => field in event && !sameJson(event[field] ?? null, this.base[field] ?? null)),
        typed: unit.filter((field) => field in this.touched),
        own,
      }))
      .filter(({ changed }) => (own ? changed.some((field) => this.#rewritten.has(field)) : changed.length > 0))
  })

  /** Replaces the input in fields that merge together with their current values. @returns what was replaced */
  takeCurrent({ typed }: Pick<ChangedUnit, 'typed'>): TypedInput {
    const input = this.#input(typed)
    for (const field of typed) this.set(field as keyof Event, this.base[field])
    return input
  }

  /** Puts back what `takeCurrent` replaced. @returns what was typed there since */
  putBack({ touched, seen, seq }: TypedInput): TypedInput {
    const input = this.#input(Object.keys(touched).flatMap(rules.unit))
    for (const field of Object.keys(input.touched)) this.set(field as keyof Event, this.base[field])
    for (const [field, value] of Object.entries(touched)) this.set(field as keyof Event, value)
    this.#addSeen(seen)
    if (!this.isStored) this.#seq = seq
    return input
  }

  #input(fields: readonly string[]): TypedInput {
    const typed = fields.filter((field) => field in this.touched)
    const seen = [...new Set(typed.flatMap(rules.unit))]
    const pick = (from: JsonObject, names: readonly string[]): Record<string, Json> =>
      valuesOf(
        from,
        names.filter((name) => name in from),
      )
    const { event, series } = this.#seen
    return {
      touched: pick(this.touched, typed),
      seen: { event: pick(event, seen), series: pick(series, seen) },
      seq: this.#seq,
    }
  }

  /** Base of the edit, for the event and its series. */
  get upon(): Record<keyof SeenEvent, Upon> {
    const { event, series } = this.#seen
    return { event: { seq: this.#seq.event, values: event }, series: { seq: this.#seq.series, values: series } }
  }

  /** Takes up what was seen when stored input was typed. */
  restoreSeen(seen: SeenEvent): void {
    this.isStored = true
    this.#seq = {}
    this.#addSeen(seen)
  }

  #addSeen({ event, series }: SeenEvent): void {
    this.#seen = { event: { ...this.#seen.event, ...event }, series: { ...this.#seen.series, ...series } }
  }

  #see(unit: readonly string[]): void {
    const { row, master } = this.loaded ?? {}
    // An occurrence that has no row of its own changes with its series.
    if (Object.keys(this.#seen.event).length === 0)
      this.#seq = { event: row?.id === this.item?.eventId ? row?.remoteSeq : undefined, series: master?.remoteSeq }
    const { event, series } = this.#seen
    this.#seen = {
      event: { ...event, ...valuesOf(this.base, unit) },
      series: master ? { ...series, ...valuesOf(master.value, unit) } : series,
    }
  }

  /** The replica has a newer word: untouched fields follow it. */
  rebase(loaded: Loaded): void {
    const rows = [loaded.row, ...(loaded.master ? [loaded.master] : [])]
    // What the server makes of an own edit once it has it isn't pending.
    const rewritten = Object.keys(this.#seen.event).filter(
      (field) =>
        !sameJson(this.base[field] ?? null, loaded.event[field] ?? null) &&
        rows.some(({ value, base }) => !base || !sameJson(value?.[field] ?? null, base[field] ?? null)),
    )
    if (rewritten.length > 0) this.#rewritten = new Set([...this.#rewritten, ...rewritten])
    this.loaded = loaded
    this.base = loaded.event
    for (const field of Object.keys(this.touched)) this.set(field as keyof Event, this.touched[field])
  }

  get patch(): JsonObject {
    return { ...this.touched }
  }

  readonly unread = new Unread()

  /** Errors by field path, such as `reminders.overrides[0].minutes`, for fields that the user changed. */
  readonly errors = $derived.by(() => ({
    ...this.unread.fields,
    ...errorsOf(this.value, this.isNew ? null : this.touched),
  }))
  readonly valid = $derived.by(() => Object.keys(this.errors).length === 0)

  /** The first error at a field or inside it. */
  error(path: string): string | undefined {
    const key = Object.keys(this.errors).find(
      (at) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`),
    )
    return key === undefined ? undefined : this.errors[key]
  }
}

/** Every reason the service, or sense, would refuse an event. `touched` limits it to edited fields. */
export function errorsOf(value: Event, touched: JsonObject | null): Record<string, string> {
  const errors: Record<string, string> = {}
  const put = (path: string, message: string): void => {
    if (errors[path] === undefined) errors[path] = message
  }
  const { id: _id, ...body } = value
  const mode = touched
    ? ({ kind: 'update', operation: 'calendar.events.update' } as const)
    : ({ kind: 'insert', operation: 'calendar.events.insert' } as const)
  for (const { path, message } of validate(calendarTable, 'Event', body, {
    ...mode,
    params: { ...collections.events.writeParams },
  })) {
    const field = path.split(/[.[]/)[0]!
    if (!touched || field in touched) put(path, sentence(message, path))
  }
  const start = value.start as EventTime | undefined
  const end = value.end as EventTime | undefined
  if (start && end) {
    if (isAllDay(start) !== isAllDay(end)) put('end', 'Use dates for both start and end, or times for both')
    else if (readable(start) && readable(end)) {
      const [from, to] = [instantOf(start), instantOf(end, start.timeZone)]
      if (to < from || (isAllDay(start) && to <= from)) put('end', 'The end is before the start')
    }
  }
  for (const [index, guest] of (value.attendees ?? []).entries()) {
    if (!guest.resource && !isEmail(guest.email ?? ''))
      put(`attendees[${index}]`, `Invalid email address: ${guest.email}`)
  }
  for (const [index, attachment] of (value.attachments ?? []).entries()) {
    if (!/^https?:\/\/\S+\.\S+/.test(attachment.fileUrl ?? ''))
      put(`attachments[${index}]`, 'Enter a link that starts with https://')
  }
  for (const line of value.recurrence ?? []) {
    try {
      parseRecurrenceLine(line)
      const until = rulePart(line.replace(/^RRULE:/i, ''), 'UNTIL')
      if (until && start && readable(start) && (!touched || 'recurrence' in touched || 'start' in touched)) {
        const allDay = isAllDay(start)
        if (untilInstant(until, start.timeZone ?? 'UTC', allDay) < instantOf(start))
          put('recurrence', 'The last date is before the start')
      }
    } catch (error) {
      put('recurrence', error instanceof Error ? error.message : 'Invalid recurrence rule')
    }
  }
  const allDay = start ? isAllDay(start) : false
  if ((value.eventType === 'outOfOffice' || value.eventType === 'focusTime') && allDay) {
    put('start', 'Set start and end times for out of office and focus time')
  }
  return errors
}

const readable = (time: EventTime): boolean => {
  try {
    instantOf(time, 'UTC')
    return true
  } catch {
    return false
  }
}

/** The service's rule without its field path, as a sentence. */
function sentence(message: string, path: string): string {
  const words = message.replace(path, '').trim()
  return words === '' ? message : words.charAt(0).toUpperCase() + words.slice(1)
}

const storedDraft = z.object({
  key: z.string(),
  title: z.string(),
  calendarId: z.string(),
  touched: z.record(z.string(), z.unknown()),
  seen: z.object({ event: z.record(z.string(), z.unknown()), series: z.record(z.string(), z.unknown()) }).optional(),
  at: z.number(),
})
export type StoredDraft = z.infer<typeof storedDraft>

const kept = 20

/** Drafts that were closed without saving, in the window's storage. Parsed when read. */
export class DraftStore {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly #accountId: string

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, accountId: string) {
    this.#storage = storage
    this.#accountId = accountId
  }

  all(): StoredDraft[] {
    return readStoredList(this.#storage, 'drafts', this.#accountId, storedDraft)
  }

  find(key: string): StoredDraft | undefined {
    return this.all().find((draft) => draft.key === key)
  }

  keep(draft: StoredDraft): void {
    this.#write([draft, ...this.all().filter((other) => other.key !== draft.key)].slice(0, kept))
  }

  drop(key: string): void {
    const all = this.all()
    if (all.some((draft) => draft.key === key)) this.#write(all.filter((draft) => draft.key !== key))
  }

  #write(list: readonly StoredDraft[]): void {
    // On a full disk, the draft still lives in the open editor.
    writeStored(this.#storage, 'drafts', this.#accountId, list)
  }
}
