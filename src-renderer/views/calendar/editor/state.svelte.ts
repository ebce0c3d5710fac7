import { tick } from 'svelte'
import type { JsonObject } from '#shared/json'
import { clock } from '../../../clock'
import type { CalendarActions } from '../actions.svelte'
import type { Span } from '../layout/drag'
import type { Entry } from '../layout/entry'
import type { CalendarModel } from '../model.svelte'
import { titleOf } from '../words'
import { DraftStore, EventDraft } from './draft.svelte'

const newKey = 'new'

/** The event in the inspector. What is typed is never lost: closing keeps a draft and says so. */
export class EditorState {
  draft = $state.raw<EventDraft | null>(null)
  restored = $state(false)
  readonly #drafts: DraftStore
  #entry: Entry | null = null
  #toast = 0

  constructor(
    readonly model: CalendarModel,
    readonly actions: CalendarActions,
  ) {
    this.#drafts = new DraftStore(localStorage, model.app.account.id)
    // Kept while typing, so that a crash costs nothing; a new event shows where it will be.
    $effect(() => {
      const { draft } = this
      if (!draft) return
      if (draft.dirty) this.#keep(draft)
      if (draft.isNew) this.#showGhost(draft)
    })
  }

  async open(entry: Entry): Promise<void> {
    if (!entry.event || this.draft?.item?.itemKey === entry.key) return
    this.close()
    const loaded = await this.actions.load(entry)
    if (!loaded) return
    const draft = new EventDraft(entry.event.calendarId, loaded.event, entry.event, loaded)
    this.#entry = entry
    this.#restore(draft, entry.key)
    this.draft = draft
    this.model.selected = entry.key
  }

  create(span: Span, fields: JsonObject = {}): void {
    this.close()
    const calendar = this.model.newEventCalendar
    if (!calendar) {
      this.model.app.toasts.show('There is no calendar yet that you can write to. Add one in the sidebar first.', {
        level: 'error',
      })
      return
    }
    const draft = new EventDraft(calendar.id, { ...this.actions.times(span), ...fields })
    this.#entry = null
    this.#restore(draft, newKey, ['start', 'end'])
    this.draft = draft
    this.model.selected = null
    void tick().then(() => this.model.root?.querySelector('[data-ghost]')?.scrollIntoView({ block: 'nearest' }))
  }

  /** Closes; unsaved changes are kept as a draft. */
  close(): void {
    const { draft } = this
    if (!draft) return
    if (draft.dirty) {
      this.#keep(draft)
      const title = titleOf(draft.value.summary ?? '')
      this.#toast = this.model.app.toasts.show(
        `Your changes to “${title}” are kept as a draft. Open it again to go on.`,
        {
          action: { label: 'Discard', run: () => this.#drafts.drop(keyOf(draft)) },
        },
      )
    }
    this.#leave()
  }

  saved(): void {
    if (this.draft) this.#drafts.drop(keyOf(this.draft))
    this.#leave()
  }

  discard(): void {
    if (this.draft) this.#drafts.drop(keyOf(this.draft))
    this.#leave()
  }

  async remove(): Promise<void> {
    const { draft } = this
    const entry = this.#entry
    if (!draft || !entry) return
    if (await this.actions.remove(entry)) this.discard()
  }

  #leave(): void {
    const key = this.draft?.item?.itemKey
    this.draft = null
    this.restored = false
    this.model.ghost = null
    this.model.selected = null
    if (key) this.model.elementOf(key)?.focus({ preventScroll: true })
    else this.model.focusStop()
  }

  #keep(draft: EventDraft): void {
    this.#drafts.keep({
      key: keyOf(draft),
      title: draft.value.summary ?? '',
      calendarId: draft.calendarId,
      touched: { ...draft.touched },
      at: clock.now(),
    })
  }

  #restore(draft: EventDraft, key: string, except: readonly string[] = []): void {
    const stored = this.#drafts.find(key)
    this.restored = stored !== undefined
    if (!stored) return
    this.model.app.toasts.dismiss(this.#toast)
    for (const [field, value] of Object.entries(stored.touched)) {
      if (!except.includes(field)) draft.set(field as keyof typeof draft.value & string as never, value)
    }
    if (this.model.calendar(stored.calendarId)?.writable) draft.calendarId = stored.calendarId
  }

  #showGhost(draft: EventDraft): void {
    const span = this.model.spanOf(draft.value)
    if (!span) return
    this.model.ghost = {
      ...span,
      key: null,
      title: draft.value.summary || '(New event)',
      color: this.model.calendar(draft.calendarId)?.color ?? '#7986cb',
    }
  }
}

const keyOf = (draft: EventDraft): string => draft.item?.itemKey ?? newKey
