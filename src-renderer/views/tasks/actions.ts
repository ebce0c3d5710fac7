import { counted } from '../../ui/counted'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { repeatWords, writeNotes, type Repeat, type TaskExtras } from '#shared/domain/task-notes'
import { indented, outdented, stepped, type Place } from '#shared/domain/task-order'
import { clock } from '../../clock'
import { alongWords, completing, reopened } from '../../context/repeating-tasks'
import { blockDeletions, blocksOf } from '../../context/time-blocks'
import type { Change, EditTurn, Upon } from '../../replica/api'
import { clockText, longDate, minuteMs, shortDate, yearOf } from '../../ui/dates'
import { taskProblem } from './limits'
import type { ListInfo, TasksModel } from './model.svelte'
import { below, dueText, hasTag, isLeftBehind, linesOf, topmost, type TaskLine } from './tree'

export const titleOf = (line: Pick<TaskLine, 'title'>): string => line.title.trim() || '(No title)'
const count = (lines: readonly TaskLine[]): string =>
  lines.length === 1 ? `*${titleOf(lines[0]!)}*` : counted(lines.length, 'task')
const plain = (lines: readonly TaskLine[]): string =>
  lines.length === 1 ? `“${titleOf(lines[0]!)}”` : counted(lines.length, 'task')
interface NewTask {
  title: string
  due: number | null
  extras?: TaskExtras
}
function newTask({ title, due, extras = {} }: NewTask): Record<string, string> {
  const notes = writeNotes({ text: '', extras })
  return {
    title,
    status: 'needsAction',
    ...(due !== null && { due: dueText(due) }),
    ...(notes !== '' && { notes }),
  }
}
const notesPatch = (text: string, extras: TaskExtras): Record<string, string | null> => {
  const notes = writeNotes({ text, extras })
  return { notes: notes === '' ? null : notes }
}
const short = (title: string): string => (title.length > 60 ? `${title.slice(0, 58)}…` : title)

/** Sorts after every position text. */
const afterAll = '\uffff'

/** Actions on tasks and lists. Each is one undo step and announces a receipt. */
export class TaskActions {
  readonly #model: TasksModel

  constructor(model: TasksModel) {
    this.#model = model
  }

  get #app(): TasksModel['app'] {
    return this.#model.app
  }

  async add(
    title: string,
    due: number | null,
    list: string,
    place: Place = {},
    extras?: TaskExtras,
  ): Promise<string | null> {
    const value = newTask({ title, due, ...(extras && { extras }) })
    const result = await this.#app.edit(
      [{ kind: 'create', collection: 'tasks', parent: list, value, place }],
      { label: `Add task *${short(title)}*` },
      { text: `Task “${title}” added` },
    )
    return result?.keys[0] ?? null
  }

  /** Adds several tasks as one step, the first on top. */
  async addAll(tasks: readonly (NewTask & { list: string })[], note: string): Promise<void> {
    const changes = [...tasks].reverse().map(({ list, ...task }): Change => ({
      kind: 'create',
      collection: 'tasks',
      parent: list,
      value: newTask(task),
      place: {},
    }))
    const added = counted(tasks.length, 'task')
    await this.#app.edit(changes, { label: `Add ${added}` }, { text: `${added} added${note}`, show: true })
  }

  /** @param upon what the user saw when they began to type */
  async rename(line: TaskLine, title: string, upon: Upon): Promise<void> {
    if (title === line.title) return
    // A time block keeps the name of its task, unless someone gave it its own.
    const blocks = blocksOf(this.#app.replica, [line.id], this.#app.clock.now)
    const named = new Set(blocks.filter(({ title: own }) => own === line.title).map(({ rowKey }) => rowKey))
    await this.#app.edit(
      [
        { kind: 'change', key: line.key, patch: { title }, upon },
        ...[...named].map((key): Change => ({ kind: 'change', key, patch: { summary: title } })),
      ],
      { label: `Rename task to *${short(title)}*` },
      { text: `Renamed to “${title}”` },
    )
  }

  /** @param seen the notes when the user began to type, and their text */
  setNotes(shown: TaskLine, notes: string, seen: { text: string; upon: Upon }): Promise<void> {
    return this.#onCurrent<[TaskLine]>([shown], async ([line], turn) => {
      if (notes === line.notes) return
      // Others may have changed the time or the tags in the notes, which stay.
      const upon = line.notes === seen.text ? undefined : seen.upon
      await this.#change(
        line,
        notesPatch(notes, line.extras),
        `Change notes of *${titleOf(line)}*`,
        'Notes saved',
        turn,
        upon,
      )
    })
  }

  /** Sets how a task repeats, from its due date or else from today. Null: it no longer does. */
  setRepeat(shown: TaskLine, repeat: Repeat | null): Promise<void> {
    return this.#onCurrent<[TaskLine]>([shown], async ([line], turn) => {
      const { repeat: before, ...rest } = line.extras
      if (!before && !repeat) return
      const extras = { ...rest, ...(repeat && { repeat }) }
      if (this.#refuses([line], () => extras)) return
      const patch = notesPatch(line.notes, extras)
      const due: Record<string, string> = repeat && line.due === null ? { due: dueText(this.#model.today) } : {}
      const title = titleOf(line)
      await this.#change(
        line,
        { ...patch, ...due },
        repeat ? `Repeat *${title}* ${repeatWords(repeat)}` : `Stop repeating *${title}*`,
        repeat ? `“${title}” repeats ${repeatWords(repeat)}` : `“${title}” no longer repeats`,
        turn,
      )
    })
  }

  /** Sets the time of the due day, which is today unless there’s one. Null: none. */
  setTime(shown: TaskLine, time: number | null): Promise<void> {
    return this.#onCurrent<[TaskLine]>([shown], async ([line], turn) => {
      if (time === line.time) return
      const { time: _before, ...rest } = line.extras
      const extras = { ...rest, ...(time !== null && { time }) }
      if (this.#refuses([line], () => extras)) return
      const due: Record<string, string> = time !== null && line.due === null ? { due: dueText(this.#model.today) } : {}
      const title = titleOf(line)
      const words = time === null ? '' : clockText(time * minuteMs, this.#app.preferences.hour12)
      await this.#change(
        line,
        { ...notesPatch(line.notes, extras), ...due },
        time === null ? `Remove time from *${title}*` : `Set *${title}* due at ${words}`,
        time === null ? `Removed time from “${title}”` : `“${title}” due at ${words}`,
        turn,
      )
    })
  }

  /** Sets the tags next to those in the title. */
  setTags(shown: TaskLine, tags: readonly string[]): Promise<void> {
    return this.#onCurrent<[TaskLine]>([shown], async ([line], turn) => {
      const { tags: before = [], ...rest } = line.extras
      if (tags.join() === before.join()) return
      const extras = { ...rest, ...(tags.length > 0 && { tags }) }
      if (this.#refuses([line], () => extras)) return
      const words = tags.length === 0 ? 'Remove tags from' : `Set tags ${tags.join(' ')} on`
      await this.#change(line, notesPatch(line.notes, extras), `${words} *${titleOf(line)}*`, 'Tags saved', turn)
    })
  }

  /** Adds a tag to tasks that don’t have it. */
  addTag(shown: readonly TaskLine[], tag: string): Promise<void> {
    return this.#onCurrent(shown, async (lines, turn) => {
      const without = lines.filter((line) => !hasTag(line, tag))
      if (without.length === 0) return
      const extras = (line: TaskLine): TaskExtras => ({ ...line.extras, tags: [...(line.extras.tags ?? []), tag] })
      if (this.#refuses(without, extras)) return
      await this.#app.edit(
        without.map((line): Change => ({ kind: 'change', key: line.key, patch: notesPatch(line.notes, extras(line)) })),
        { label: `Add tag ${tag} to ${count(without)}`, turn },
        { text: `${plain(without)} tagged ${tag}`, show: true },
      )
    })
  }

  /** Marks tasks as important, or no longer if all of them are. */
  toggleImportant(shown: readonly TaskLine[]): Promise<void> {
    return this.#onCurrent(shown, async (lines, turn) => {
      if (lines.length === 0) return
      const off = lines.every(({ extras }) => extras.important)
      const words = off ? 'not important' : 'important'
      const extras = ({ extras: { important: _important, ...rest } }: TaskLine): TaskExtras =>
        off ? rest : { ...rest, important: true }
      if (this.#refuses(lines, extras)) return
      await this.#app.edit(
        lines.map((line): Change => ({ kind: 'change', key: line.key, patch: notesPatch(line.notes, extras(line)) })),
        { label: `Mark ${count(lines)} as ${words}`, turn },
        { text: `${plain(lines)} marked as ${words}` },
      )
    })
  }

  async setDue(lines: readonly TaskLine[], due: number | null): Promise<void> {
    const patch = { due: due === null ? null : dueText(due) }
    const year = yearOf(this.#model.today)
    const label =
      due === null ? `Remove due date from ${count(lines)}` : `Set ${count(lines)} due ${shortDate(due, year)}`
    const text = due === null ? `Removed due date from ${plain(lines)}` : `${plain(lines)} due ${longDate(due, year)}`
    await this.#app.edit(
      lines.map((line) => ({ kind: 'change', key: line.key, patch })),
      { label },
      { text },
    )
  }

  /** Makes tasks due today. */
  async reschedule(lines: readonly TaskLine[]): Promise<void> {
    if (lines.length === 0) return
    const patch = { due: dueText(this.#model.today) }
    await this.#app.edit(
      lines.map((line) => ({ kind: 'change', key: line.key, patch })),
      { label: `Reschedule ${count(lines)} to today` },
      { text: `${plain(lines)} rescheduled to today`, show: true },
    )
  }

  /** Completes, with the open tasks below; or opens again when all of them are done. */
  async toggle(lines: readonly TaskLine[]): Promise<void> {
    if (lines.length === 0) return
    const reopen = lines.every((line) => line.done)
    const chosen = lines.filter((line) => reopen || !line.done)
    const rows = chosen.map(({ row }) => row)
    const changes = reopen
      ? rows.map(({ key }): Change => ({ kind: 'change', key, patch: reopened }))
      : completing(this.#app.replica, rows, clock.now(), this.#model.today)
    const keys = new Set(changes.flatMap((change) => ('key' in change ? [change.key] : [])))
    const next = this.#leaving(this.#model.everything.filter(({ key }) => keys.has(key)))
    const along = alongWords(rows, changes)
    await this.#app.edit(
      changes,
      { label: `${reopen ? 'Reopen' : 'Complete'} ${count(chosen)}` },
      {
        text: `${plain(chosen)} ${reopen ? 'reopened' : 'completed'}${along}`,
        show: along !== '' || (!reopen && chosen.length > 1),
      },
    )
    this.#arrive(next)
  }

  async remove(lines: readonly TaskLine[]): Promise<void> {
    if (lines.length === 0) return
    const tops = topmost(lines, this.#model.everything)
    const going = [...tops, ...tops.flatMap((line) => below(line, this.#model.everything))]
    const next = this.#leaving(going)
    const blocks = blocksOf(
      this.#app.replica,
      going.map(({ id }) => id),
      this.#app.clock.now,
    )
    const deletions = blockDeletions(blocks)
    const along = deletions.length === 0 ? '' : `, with ${counted(deletions.length, 'time block')}`
    await this.#app.edit(
      [...deletions, ...tops.map((line): Change => ({ kind: 'delete', key: line.key }))],
      { label: `Delete ${tops.length === 1 ? `task ${count(tops)}` : count(tops)}` },
      { text: `${plain(tops)} deleted${along}`, show: true },
    )
    this.#arrive(next)
  }

  /** Moves tasks to the top of another list, including their subtasks. */
  async moveToList(lines: readonly TaskLine[], list: ListInfo): Promise<void> {
    const tops = topmost(
      lines.filter((line) => line.list !== list.id),
      this.#model.everything,
    )
    if (tops.length === 0) return
    const next = this.#leaving([...tops, ...tops.flatMap((line) => below(line, this.#model.everything))])
    // Moves the last one first, so that they keep their order at the top of the list.
    const changes = [...tops]
      .reverse()
      .map((line): Change => ({ kind: 'action', key: line.key, action: { name: 'moveTask', destination: list.id } }))
    await this.#app.edit(
      changes,
      { label: `Move ${count(tops)} to *${list.title}*` },
      { text: `${plain(tops)} moved to “${list.title}”`, show: true },
    )
    if (!this.#model.smart) this.#arrive(next)
  }

  async place(line: TaskLine, place: Place | undefined, words: string): Promise<void> {
    if (!place) {
      this.#app.toasts.show(`“${titleOf(line)}” can’t be moved further`)
      return
    }
    await this.#app.edit(
      [{ kind: 'action', key: line.key, action: { name: 'moveTask', ...place } }],
      { label: `Move task *${titleOf(line)}* ${words}` },
      { text: `“${titleOf(line)}” moved ${words}` },
    )
    void this.#model.focusRow()
  }

  shift(line: TaskLine, direction: 'up' | 'down' | 'in' | 'out'): Promise<void> {
    if (this.#model.smart || line.done) {
      this.#app.announce(
        line.done ? 'Completed tasks can’t be reordered' : 'Can’t reorder tasks in this view. Open their list first.',
      )
      return Promise.resolve()
    }
    const open = this.#model.open.flatMap((other) => {
      if (!isLeftBehind(other)) return [other]
      return other.key === line.key ? [{ ...other, position: afterAll }] : []
    })
    if (direction === 'in') {
      if (line.level > 1) return this.#refuse('Subtasks can’t have subtasks')
      if (this.hasChildren(line)) return this.#refuse('A task with subtasks can’t become a subtask')
      const place = indented(open, line.id)
      const above = open.find((other) => other.id === place?.parent)
      return this.place(line, place, above ? `under “${titleOf(above)}”` : 'in')
    }
    if (direction === 'out') return this.place(line, outdented(open, line.id), 'one level up')
    return this.place(line, stepped(open, line.id, direction), direction)
  }

  /** Also when the ones below are completed and not on screen. */
  hasChildren(line: TaskLine): boolean {
    return this.#model.everything.some((other) => other.list === line.list && other.parent === line.id)
  }

  #refuse(words: string): Promise<void> {
    this.#app.toasts.show(words)
    this.#app.announce(words)
    return Promise.resolve()
  }

  async clearCompleted(list: ListInfo): Promise<void> {
    const done = this.#model.everything.filter((line) => line.done && line.list === list.id).length
    if (done === 0) {
      this.#app.toasts.show('No completed tasks to clear')
      return
    }
    const tasks = counted(done, 'completed task')
    await this.#app.edit(
      [{ kind: 'action', key: list.row.key, action: { name: 'clearCompleted' } }],
      { label: `Clear ${tasks} from *${list.title}*` },
      { text: `${tasks} cleared`, show: true },
    )
  }

  async addList(title: string): Promise<void> {
    const result = await this.#app.edit(
      [{ kind: 'create', collection: 'tasklists', parent: null, value: { title } }],
      { label: `Create list *${title}*` },
      { text: `List “${title}” created` },
    )
    const [key] = result?.keys ?? []
    const id = key && parseRecordKey(key).id
    if (id) this.#model.show(id)
  }

  /** @param upon what the user saw when they began to type */
  async renameList(list: ListInfo, title: string, upon: Upon): Promise<void> {
    if (title === list.title) return
    await this.#app.edit(
      [{ kind: 'change', key: list.row.key, patch: { title }, upon }],
      { label: `Rename list to *${title}*` },
      { text: `List renamed to “${title}”` },
    )
  }

  async removeList(list: ListInfo): Promise<void> {
    const tasks = this.#model.everything.filter((line) => line.list === list.id)
    const inside = tasks.length
    const blocks = blocksOf(
      this.#app.replica,
      tasks.map(({ id }) => id),
      this.#app.clock.now,
    )
    await this.#app.edit(
      [...blockDeletions(blocks), { kind: 'delete', key: recordKey('tasklists', null, list.id) }],
      { label: `Delete list *${list.title}*${inside > 0 ? ` and its ${counted(inside, 'task')}` : ''}` },
      { text: `List “${list.title}” deleted${inside > 0 ? ` with ${counted(inside, 'task')}` : ''}`, show: true },
    )
  }

  /** Says so if the notes of a task have no room for its extras. */
  #refuses(lines: readonly TaskLine[], extras: (line: TaskLine) => TaskExtras): boolean {
    const full = lines.find((line) => taskProblem('Task', notesPatch(line.notes, extras(line))))
    if (full)
      this.#app.toasts.show(
        `Nothing changed, because the notes of “${titleOf(full)}” are too long. Shorten the notes, then try again.`,
      )
    return full !== undefined
  }

  /**
   * Edits the current state of tasks, in the order of calls. Notes contain several values that are written together, and the view
   * shows an edit only a frame later.
   */
  #onCurrent<Lines extends readonly TaskLine[]>(
    shown: Lines,
    edit: (lines: Lines, turn: EditTurn) => Promise<void>,
  ): Promise<void> {
    const { replica } = this.#app
    const current = (line: TaskLine): TaskLine => {
      const row = replica.peek(line.key)
      return { ...line, ...(row && linesOf([row], () => line.domKey)[0]) }
    }
    return replica.inTurn((turn) => edit(shown.map(current) as readonly TaskLine[] as Lines, turn))
  }

  async #change(
    line: TaskLine,
    patch: Record<string, string | null>,
    label: string,
    text: string,
    turn: EditTurn,
    upon?: Upon,
  ): Promise<void> {
    await this.#app.edit([{ kind: 'change', key: line.key, patch, upon }], { label, turn }, { text })
  }

  /** Returns the row to focus after these are removed, or null if the current row isn't among them. */
  #leaving(lines: readonly TaskLine[]): string | null {
    const { currentKey } = this.#model
    return lines.some((line) => line.domKey === currentKey) ? this.#model.neighbour(lines) : null
  }

  #arrive(next: string | null): void {
    if (next === null) return
    this.#model.chosen = new Set()
    // If the row is still displayed, as with completed tasks shown, it keeps the focus.
    if (this.#model.current === undefined || !this.#model.current.done)
      this.#model.moveTo(next, { quiet: this.#model.editing !== null })
  }
}
