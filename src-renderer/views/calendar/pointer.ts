import { dueDay } from '#shared/domain/task-days'
import type { CalendarItem, Row } from '../../replica/api'
import { dragged, planned, shifted, shiftOf, type Grip, type Span, type Spot, type Surface } from './layout/drag'
import { plainColor } from '../../ui/colors'
import type { CalendarActions } from './actions.svelte'
import { followDrag } from '../../ui/drag-session'
import { EdgeTurn } from './edge-turn'
import { dragFile } from './event-file'
import { drawLasso } from './lasso'
import type { Entry } from './layout/entry'
import { titleOf } from './event-labels'
import type { CalendarModel, Ghost } from './model.svelte'
import { landing } from './times'

/**
 * `pointerdown` listener for a grid. Drags entries by their body or edges, or draws a new one in free space. Escape
 * cancels. Nothing changes until the pointer is released.
 */
export function pointerDrag(
  model: CalendarModel,
  actions: CalendarActions,
  surface: Surface,
): (event: PointerEvent) => void {
  return (down) => {
    if (down.button !== 0 || !(down.target instanceof Element) || down.pointerType === 'touch') return
    if (down.target.closest('label, [data-nodrag]')) return
    const chip = down.target.closest('.chip')?.querySelector<HTMLElement>('[data-key]')
    const entry = chip ? model.byKey.get(chip.dataset['key']!) : undefined
    if (chip && !entry) return
    // With Ctrl, a copy can be dropped.
    const stays = entry?.event?.fixed !== undefined && !down.ctrlKey && !down.metaKey
    if (entry && (stays || !model.canEdit(entry))) return dragOut(model, actions, entry, down)
    if (!chip && down.target.closest('button, [role="button"]:not([data-slot])')) return
    if (!chip && down.shiftKey) return drawLasso(model, surface, down)
    const from = surface.locate(down.clientX, down.clientY)
    if (!from) return
    const grip =
      (down.target.closest<HTMLElement>('[data-grip]')?.dataset['grip'] as Grip | undefined) ??
      (entry ? 'move' : 'create')
    const span: Span = entry
      ? { start: entry.start, end: entry.end, allDay: entry.allDay }
      : { start: 0, end: 0, allDay: false }
    /** Other selected entries, which move along. */
    const others = (grip === 'move' && entry && model.groupOf(entry)?.filter(({ key }) => key !== entry.key)) || []
    const together = entry ? [entry, ...others] : []
    const fixed = others.length > 0 ? actions.group.whyFixed(together) : undefined
    const calendar = model.newEventCalendar
    const look = entry
      ? { key: entry.key, title: entry.title, color: model.colorOf(entry) }
      : { key: null, title: '(New event)', color: calendar?.color ?? plainColor }
    const cursor = grip === 'move' ? 'grabbing' : grip === 'create' ? '' : 'ns-resize'
    let started = false
    /** The span under the pointer. Where the clock changes, the entry may be drawn at another one. */
    let dropped: Span = span
    /** True while Ctrl is held, so that the event stays and a copy is dropped. */
    let copies = false
    let last: { x: number; y: number } = { x: down.clientX, y: down.clientY }
    const edge = grip === 'move' ? new EdgeTurn(model) : undefined
    const scroll = setInterval(() => {
      if (started && edge?.at(last)) show()
      const box = started ? surface.scroller?.() : null
      if (!box) return
      const { top, bottom } = box.getBoundingClientRect()
      // The all-day lane above the hours is a separate drop target.
      const by = last.y >= top && last.y < top + 24 ? -14 : last.y > bottom - 24 ? 14 : 0
      if (by !== 0) {
        box.scrollTop += by
        show()
      }
    }, 30)

    const show = (): void => {
      const to = (grip === 'move' && droppedDay(last.x, last.y)) || surface.locate(last.x, last.y)
      if (!to) {
        // Releasing outside changes nothing.
        document.body.style.cursor = 'no-drop'
        model.floating = null
        return
      }
      document.body.style.cursor = copies ? 'copy' : cursor
      const { eventLength } = model.app.preferences
      // Several keep their times, or stay entries of whole days.
      const [begin, end] = others.length > 0 && from.lane !== to.lane ? [inDays(from), inDays(to)] : [from, to]
      dropped = dragged(grip, span, begin, end, eventLength)
      model.floating = { ...look, ...(entry ? landing(entry, dropped, model.zone) : dropped) }
      if (entry && others.length > 0) {
        const by = shiftOf(entry, dropped)
        model.alongside = others.map((one) => ({ ...ghostOf(model, one), ...shifted(one, by) }))
      }
    }
    const putBack = (): void => {
      model.floating = null
      model.alongside = []
    }
    const setCopies = ({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }): void => {
      copies = grip === 'move' && entry?.event !== undefined && others.length === 0 && (ctrlKey || metaKey)
      if (started && entry) model.copies = copies
    }
    followDrag(down, {
      follow: (event) => {
        last = { x: event.clientX, y: event.clientY }
        setCopies(event)
      },
      begin: () => {
        started = fixed === undefined
        if (!started) model.app.toasts.show(`Nothing moved. ${fixed}.`)
        return started
      },
      move: show,
      key: ({ key, type }) => {
        if (key !== 'Control' && key !== 'Meta') return
        setCopies({ ctrlKey: type === 'keydown', metaKey: false })
        if (started) show()
      },
      end: () => {
        clearInterval(scroll)
        edge?.end()
        document.body.style.cursor = ''
        model.copies = false
      },
      ...(grip === 'move' &&
        entry?.event &&
        others.length === 0 && {
          leave: () => {
            putBack()
            void dragFile(model, entry)
          },
        }),
      cancel: (asked) => {
        putBack()
        if (asked) model.app.announce('Canceled. Nothing changed')
      },
      drop: (event) => {
        setCopies(event)
        model.copies = false
        const ghost = model.floating
        if (!ghost) return
        const gone = together.find((one) => !isAsSeen(model, one))
        if (gone) {
          putBack()
          model.app.toasts.show(
            `“${titleOf(gone.title)}” was moved or deleted elsewhere while you dragged it. Nothing moved.`,
          )
          return
        }
        const scope = event.shiftKey ? 'following' : undefined
        if (entry && copies) void actions.copyTo(entry, dropped).finally(putBack)
        else if (entry && others.length > 0)
          void actions.group.move(together, entry.key, shiftOf(entry, dropped)).finally(putBack)
        else if (entry) void actions.reschedule(entry, dropped, scope).finally(putBack)
        else {
          putBack()
          surface.create({ start: ghost.start, end: ghost.end, allDay: ghost.allDay })
        }
      },
    })
  }
}

/** False if someone else has moved or deleted an entry while it was dragged. */
function isAsSeen({ app: { replica }, zone }: CalendarModel, { event, task }: Entry): boolean {
  if (task) return dueDay(replica.peek(task.key)?.value ?? {}) === dueDay(task.value ?? {})
  if (!event) return true
  const { calendarId, itemKey, rowKey, start, end } = event
  // A new event gets its ID once it's sent, and an occurrence may get a row of its own.
  const isSame = (one: CalendarItem): boolean =>
    one.itemKey === itemKey || replica.firstKey(one.rowKey) === replica.firstKey(rowKey)
  return replica
    .items(start - 1, end + 1, { calendars: new Set([calendarId]), zone })
    .some((one) => one.start === start && one.end === end && isSame(one))
}

/** Drags an event that can’t be changed out of the window. Inside, there’s nowhere to drop it. */
function dragOut(model: CalendarModel, actions: CalendarActions, entry: Entry, down: PointerEvent): void {
  if (!entry.event) return
  followDrag(down, {
    move: () => (document.body.style.cursor = 'no-drop'),
    leave: () => void dragFile(model, entry),
    drop: () => void actions.refusesMove(entry),
    cancel: () => undefined,
    end: () => (document.body.style.cursor = ''),
  })
}

/**
 * Drags a task from outside the grid onto it: onto the hours to plan it, onto a day to make it due. Escape cancels. Nothing
 * changes until the pointer is released.
 */
export function dragTask(model: CalendarModel, actions: CalendarActions, task: Row, down: PointerEvent): void {
  if (down.button !== 0 || down.pointerType === 'touch') return
  const title = String(task.value?.['title'] ?? '')
  const look = { key: null, title, color: model.listColor(task.parent ?? '') }
  followDrag(down, {
    move: ({ clientX, clientY }) => {
      const to = droppedDay(clientX, clientY) ?? model.surface?.locate(clientX, clientY) ?? null
      document.body.style.cursor = to ? 'grabbing' : 'no-drop'
      model.floating = to && { ...look, ...planned(to, model.app.preferences.eventLength) }
    },
    end: () => (document.body.style.cursor = ''),
    cancel: (asked) => {
      model.floating = null
      if (asked) model.app.announce('Canceled. Nothing changed')
    },
    drop: () => {
      const ghost = model.floating
      if (!ghost) return
      const done = ghost.allDay ? actions.setDue(task, ghost.start) : actions.plan(task, ghost)
      void done.finally(() => (model.floating = null))
    },
  })
}

const inDays = (spot: Spot): Spot => ({ ...spot, lane: 'day', minute: 0 })

const ghostOf = (model: CalendarModel, entry: Entry): Omit<Ghost, keyof Span> => ({
  key: entry.key,
  title: entry.title,
  color: model.colorOf(entry),
})

/** The day of a small calendar under a point, which keeps the time of what’s dropped on it. */
function droppedDay(x: number, y: number): Spot | null {
  const day = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop-day]')?.dataset['dropDay']
  return day === undefined ? null : { day: Number(day), lane: 'day', minute: 0 }
}

/** True if a point is in a box or close enough to it to be meant. */
export function isNear(box: DOMRect, x: number, y: number): boolean {
  return x >= box.left - margin && x <= box.right + margin && y >= box.top - margin && y <= box.bottom + margin
}
const margin = 24
