import { tick } from 'svelte'
import { plainColor } from '../../../ui/colors'
import { commitFocused } from '../../../ui/commit-focused'
import { organizerIn } from '#shared/domain/quick-add/event-value'
import type { Json, JsonObject } from '#shared/json'
import { textOfWall } from '#shared/time/zones'
import type { EventAttendee } from '#shared/wire/calendar/types'
import { clock } from '../../../clock'
import type { CalendarActions } from '../actions.svelte'
import type { Span } from '../layout/drag'
import type { Entry } from '../layout/entry'
import type { CalendarModel, Ghost } from '../model.svelte'
import { titleOf } from '../event-labels'
import { inviteGuests } from '../guests'
import { DraftStore, EventDraft, type ChangedUnit, type StoredDraft, type TypedInput } from './draft.svelte'
import type { SeenEvent } from '../scope'

const newPrefix = 'new'
/** Returns the key of a new event's draft, which belongs to the span it was started for. */
const keyOfSpan = ({ start, end, allDay }: Span): string =>
  `${newPrefix} ${allDay ? 'days' : 'hours'} ${textOfWall(start)} ${textOfWall(end)}`
/** Age in milliseconds after which an unsaved draft is no longer offered. */
const offeredFor = 7 * 86_400_000
/** Delay before the draft is stored, in milliseconds, so that typing isn't delayed. */
const keepAfter = 200

/** The event in the inspector. Input is never lost: closing stores a draft and says so. */
export class EditorState {
  draft = $state.raw<EventDraft | null>(null)
  /** True while a new event is edited next to its place in the grid. */
  compact = $state(false)
  /** True if someone chose the time of the new event. */
  isTimeChosen = $state(true)
  /** True if an unsaved draft was restored. */
  restored = $state(false)
  /** Another new event that wasn't saved. */
  offered = $state.raw<StoredDraft | null>(null)
  readonly #drafts: DraftStore
  /** Storage key of each draft. */
  readonly #keys = new WeakMap<EventDraft, string>()
  #entry: Entry | null = null
  #toast = 0

  constructor(
    readonly model: CalendarModel,
    readonly actions: CalendarActions,
  ) {
    this.#drafts = new DraftStore(localStorage, model.app.account.id)
    // Store the draft while typing, so that a crash loses next to nothing.
    $effect(() => {
      const { draft } = this
      if (!draft) return
      void draft.touched
      void draft.calendarId
      const timer = setTimeout(() => this.#keep(draft), keepAfter)
      return () => clearTimeout(timer)
    })
    $effect(() =>
      model.app.bridge.on('app/closing', () => {
        if (!this.draft) return
        // A date or a guest may still be text.
        commitFocused()
        this.#keep(this.draft)
      }),
    )
    $effect(() => {
      model.edited = this.draft && this.#preview(this.draft)
    })
  }

  async open(entry: Entry): Promise<void> {
    if (!entry.event || this.draft?.item?.itemKey === entry.key) return
    this.close()
    const loaded = await this.actions.load(entry)
    if (!loaded) return
    const draft = new EventDraft(entry.event.calendarId, loaded.event, entry.event, loaded)
    this.#entry = entry
    this.#show(draft, entry.key)
    this.model.selected = entry.key
  }

  /**
   * Starts a new event, `compact` next to its place in the grid if that’s drawn. @param isChosen false for the next free time,
   * which a time in the title replaces
   * @param guests whom the event invites
   */
  create(span: Span, compact = false, isChosen = true, guests: readonly EventAttendee[] = []): void {
    this.close()
    const calendar = this.actions.calendarForNew()
    if (!calendar) return
    this.#entry = null
    const organizer = organizerIn(calendar.id, this.model.app.account.email)
    const attendees = guests.length > 0 ? { attendees: inviteGuests([], guests, organizer) as unknown as Json } : {}
    const fields = { ...this.actions.times(span), ...attendees }
    this.#show(new EventDraft(calendar.id, fields), [keyOfSpan(span), ...guests.map(({ email }) => email)].join(' '))
    this.model.selected = null
    this.compact = compact
    this.isTimeChosen = isChosen
    void tick().then(() => {
      this.model.root?.querySelector('[data-ghost]')?.scrollIntoView({ block: 'nearest' })
    })
  }

  /** Closes the editor. Unsaved changes become a draft. */
  close(): void {
    const { draft } = this
    if (!draft) return
    this.#keep(draft)
    if (draft.dirty) {
      const key = this.#keyOf(draft)
      const title = titleOf(draft.value.summary ?? '')
      this.#toast = this.model.app.toasts.show(
        draft.isNew
          ? `Saved as a draft: “${title}”. To continue, create a new event.`
          : `Saved as a draft: changes to “${title}”. Reopen it to continue.`,
        { action: { label: 'Discard', run: () => this.#drafts.drop(key) } },
      )
    }
    this.#leave()
  }

  /** Closes a new event that has a title and saves it. Otherwise closes it like `close`. */
  async closeAndSave(): Promise<void> {
    const { draft } = this
    if (!this.compact) return
    if (!draft?.isNew || !draft.valid || (draft.value.summary ?? '').trim() === '') return this.close()
    const read = draft.reading
    if (read) draft.take(read, this.model.app.account.email)
    this.#keep(draft)
    const key = this.#keyOf(draft)
    this.#leave()
    // The time from the title may be out of sight.
    if (await this.actions.saveDraft(draft, read ? 'tells' : 'stays')) this.#drafts.drop(key)
    else
      this.model.app.toasts.show(
        `Saved as a draft: “${titleOf(draft.value.summary ?? '')}”. To continue, create a new event.`,
      )
  }

  /** Closes a draft that was saved or deleted. Another one may be open by now, which stays. */
  saved(draft: EventDraft): void {
    this.#drafts.drop(this.#keyOf(draft))
    if (this.draft === draft) this.#leave()
  }

  /** Closes and discards the input, with a message that can restore it. */
  discard(): void {
    const { draft } = this
    if (!draft) return
    const [stored, entry] = [this.#stored(draft), this.#entry]
    this.#drafts.drop(this.#keyOf(draft))
    this.#leave()
    if (!draft.dirty) return
    this.model.app.toasts.show(`Discarded your changes to “${titleOf(stored.title)}”`, {
      action: {
        label: 'Undo',
        run: () => {
          this.#drafts.keep(stored)
          if (entry) void this.open(entry)
          else this.takeUp(stored)
        },
      },
    })
  }

  /** Replaces input with what someone else entered, with a message that can restore it. */
  takeCurrent(unit: ChangedUnit, words: string): void {
    if (this.draft) this.#replaced(this.draft.takeCurrent(unit), words)
  }

  #replaced(input: TypedInput, words: string): void {
    const entry = this.#entry
    const back = async (): Promise<void> => {
      // Does nothing if it's still open.
      if (entry) await this.open(entry)
      if (this.#entry !== entry || !this.draft) return this.#replaced(input, words)
      const since = this.draft.putBack(input)
      if (Object.keys(since.touched).length > 0) this.#replaced(since, 'Restored your earlier input')
      else this.model.app.toasts.show('Restored your input')
    }
    this.model.app.toasts.show(words, { action: { label: 'Undo', run: () => void back() } })
  }

  /** Starts over without the restored input. */
  startOver(): void {
    const { draft } = this
    if (!draft) return
    this.#drafts.drop(this.#keyOf(draft))
    this.#show(draft.fresh(), this.#keyOf(draft))
  }

  /** Continues an unsaved new event. */
  takeUp(stored: StoredDraft): void {
    this.close()
    const calendar = this.model.calendar(stored.calendarId)
    const home = calendar?.writable ? calendar : this.actions.calendarForNew()
    if (!home) return
    this.#entry = null
    const { start, end } = stored.touched as JsonObject
    this.#show(new EventDraft(home.id, { ...(start && { start }), ...(end && { end }) }), stored.key)
    // Its time may have been chosen before it was stored.
    this.isTimeChosen = true
    const span = this.model.spanOf(this.draft!.value)
    if (span) this.model.showDay(span.start)
  }

  /** Discards the offered draft of a new event. */
  dropOffered(): void {
    if (this.offered) this.#drafts.drop(this.offered.key)
    this.offered = null
  }

  async remove(): Promise<void> {
    const { draft } = this
    const entry = this.#entry
    if (!draft || !entry) return
    if (await this.actions.remove(entry)) this.saved(draft)
  }

  #leave(): void {
    const key = this.draft?.item?.itemKey
    this.draft = null
    this.compact = false
    this.restored = false
    this.offered = null
    this.model.selected = null
    const element = key && this.model.elementOf(key)
    if (element) element.focus({ preventScroll: true })
    else this.model.focusStop()
  }

  #keyOf(draft: EventDraft): string {
    return this.#keys.get(draft)!
  }

  #stored(draft: EventDraft): StoredDraft {
    return {
      key: this.#keyOf(draft),
      title: draft.value.summary ?? '',
      calendarId: draft.calendarId,
      touched: { ...draft.touched },
      seen: draft.seen,
      at: clock.now(),
    }
  }

  #keep(draft: EventDraft): void {
    if (draft.dirty) this.#drafts.keep(this.#stored(draft))
    else this.#drafts.drop(this.#keyOf(draft))
  }

  /** Opens a draft, with its stored input. */
  #show(draft: EventDraft, key: string): void {
    const stored = this.#drafts.find(key)
    this.restored = stored !== undefined
    if (stored) {
      this.model.app.toasts.dismiss(this.#toast)
      for (const [field, value] of Object.entries(stored.touched))
        draft.set(field as keyof typeof draft.value & string as never, value)
      if (stored.seen) draft.restoreSeen(stored.seen as SeenEvent)
      if (this.model.calendar(stored.calendarId)?.writable) draft.calendarId = stored.calendarId
    }
    this.offered = draft.isNew && !stored ? this.#begun() : null
    this.#keys.set(draft, key)
    this.draft = draft
  }

  /** The new event that was left last. */
  #begun(): StoredDraft | null {
    const since = clock.now() - offeredFor
    return this.#drafts.all().find(({ key, at }) => key.startsWith(newPrefix) && at > since) ?? null
  }

  /** The event as it would be saved, to draw in the grid. */
  #preview(draft: EventDraft): Ghost | null {
    const span = this.model.spanOf(draft.value)
    if (!span || (!draft.isNew && !draft.dirty)) return null
    const color = draft.value.colorId ? this.model.eventColor(draft.value.colorId) : undefined
    return {
      ...span,
      key: draft.item?.itemKey ?? null,
      title: draft.value.summary || (draft.isNew ? '(New event)' : ''),
      color: color ?? this.model.calendar(draft.calendarId)?.color ?? plainColor,
    }
  }
}
