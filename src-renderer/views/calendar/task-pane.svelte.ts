import { byUrgency, completedAt, dueDay, isShownTask, type DatedTask } from '#shared/domain/task-days'
import { readNotes } from '#shared/domain/task-notes'
import { blocksByTask, blockShown } from '../../context/time-blocks'
import type { CalendarItem, Row } from '../../replica/api'
import { dayMs } from '../../ui/dates'
import type { CalendarModel } from './model.svelte'

/** An open task in the pane. */
export interface PaneTask extends DatedTask {
  key: string
  title: string
  row: Row
  /** Minutes of its due day, if it has a time. */
  time?: number
  /** Its time block, if it has one. */
  block?: CalendarItem | undefined
}

export interface PaneGroup {
  name: string
  tasks: readonly PaneTask[]
}

/** Days before and after today in which the pane knows time blocks. */
const near = { back: 7, ahead: 62 }

/** After every time of a day. */
const untimed = 1440

/** Contents of the task pane next to the calendar. */
export class TaskPaneModel {
  filter = $state('')
  /** Takes the focus back to the task that had it. Returns false if none had. Set by the pane. */
  land: () => boolean = () => false

  constructor(readonly model: CalendarModel) {}

  readonly #blocks = $derived.by(() => {
    const { app, today } = this.model
    return blocksByTask(app.replica, today - near.back * dayMs, today + near.ahead * dayMs)
  })
  readonly #tasks = $derived.by(() => {
    const words = this.filter.trim().toLowerCase()
    const { app } = this.model
    const found: PaneTask[] = []
    for (const row of app.replica.rows('tasks')) {
      const { value } = row
      if (!isShownTask(value) || value['status'] === 'completed') continue
      const title = String(value['title'] ?? '')
      if (words !== '' && !title.toLowerCase().includes(words)) continue
      const block = blockShown(this.#blocks.get(row.id), app.clock.now)
      const { time } = readNotes(String(value['notes'] ?? '')).extras
      found.push({
        ...{ key: row.key, title, row, block, due: dueDay(value), done: false, completedAt: completedAt(value) },
        ...(time !== undefined && { time }),
      })
    }
    const place = ({ row }: PaneTask): string => String(row.value?.['position'] ?? '')
    const timeOf = ({ due, time }: PaneTask): number => (due === null ? untimed : (time ?? untimed))
    return found.sort((a, b) => (a.due ?? 0) - (b.due ?? 0) || timeOf(a) - timeOf(b) || (place(a) < place(b) ? -1 : 1))
  })
  readonly groups: readonly PaneGroup[] = $derived.by(() => {
    const { overdue, today, next7, later, undated } = byUrgency(this.#tasks, this.model.today)
    return [
      { name: 'Overdue', tasks: overdue },
      { name: 'Today', tasks: today },
      { name: 'Next 7 days', tasks: next7 },
      // Too many to plan from, but the filter finds them.
      { name: 'Later', tasks: this.filter.trim() === '' ? [] : later },
      { name: 'No date', tasks: undated },
    ].filter(({ tasks }) => tasks.length > 0)
  })
  readonly #byKey = $derived(new Map(this.groups.flatMap(({ tasks }) => tasks.map((task) => [task.key, task]))))

  /** The task whose row has the focus. */
  get focused(): PaneTask | undefined {
    const key = document.activeElement?.closest<HTMLElement>('[data-pane-task]')?.dataset['paneTask']
    return key === undefined ? undefined : this.#byKey.get(key)
  }
}
