import { joinNotes, mergeNotes } from '#shared/domain/merge-notes'
import { dueDay } from '#shared/domain/task-days'
import { extrasLine, readNotes, writeNotes } from '#shared/domain/task-notes'
import { withTask } from '#shared/domain/time-blocks'
import type { JsonObject } from '#shared/json'
import { meetsCondition } from '#shared/mutation/creation-condition'
import { services } from '#shared/wire/services'
import type { Change, HistoryItem, Replica, Row } from '../replica/api'
import { longDate } from '../ui/dates'
import { subtasksOf, textOf } from './repeating-tasks'
import { blocksOf } from './time-blocks'

/** Maximum number of characters in a task’s notes. */
const maxNotes = services.tasks.schemas['Task']?.fields['notes']?.maxLength ?? Number.POSITIVE_INFINITY
/** How long after it was sent a successor may turn out to be a second one, in milliseconds. */
const mayBeSecond = 86_400_000

export interface Joined {
  /** IDs of the creations that this handles. */
  creations: string[]
  /** Changes that leave one task with what was typed on both sides. Empty if it has all. */
  changes: Change[]
}

/** True if there may be second successors, before the history is read. */
export const haveRepeating = (tasks: readonly Row[]): boolean => tasks.some((task) => nextKey(task) !== undefined)

/**
 * Next tasks that two computers added for one repeating task. If this one came second, the other’s was taken for its own. If
 * both were sent at the same moment, every computer keeps the one with the lower ID, and the one that created the other deletes
 * it. What was typed into one’s notes, due date, subtasks, or time blocks goes to the task that stays.
 * @param done IDs of creations to leave out
 */
export function secondSuccessors(
  replica: Pick<Replica, 'rows' | 'peek' | 'items'>,
  history: readonly HistoryItem[],
  now: number,
  done: ReadonlySet<string> = new Set(),
): Joined[] {
  const created = new Map(
    history
      .filter(
        ({ entry, how, at }) =>
          entry.once?.['notes'] && how !== 'withdrawn' && now - at < mayBeSecond && !done.has(entry.id),
      )
      .map((item) => [item.entry.recordId, item]),
  )
  const groups = new Map<string, Row[]>()
  for (const task of replica.rows('tasks')) {
    const what = nextKey(task)
    if (what !== undefined) groups.set(what, [...(groups.get(what) ?? []), task])
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.sort((a, b) => (a.id < b.id ? -1 : 1))
    const notes = textOf(first!.value, 'notes')
    const item = created.get(first!.id)
    const adopted = item?.receipt?.theirs.includes('notes') ? item : undefined
    const seconds = others.flatMap((task) => {
      const own = created.get(task.id)
      return own && !own.receipt && meetsCondition(first!.value!, own.entry.once!) ? [{ task, own }] : []
    })
    if (!adopted && seconds.length === 0) return []
    const whole = adopted ? joined(adopted, textOf(adopted.entry.patch, 'notes'), notes) : notes
    const fits = whole.length <= maxNotes
    let patch: JsonObject = fits && whole !== notes ? { notes: whole } : {}
    const changes: Change[] = fits ? [] : [taskForNotes(first!, adopted!)]
    for (const { task, own } of seconds) {
      const more = absorbed(replica, { notes, ...patch }, first!, task, own, now)
      patch = { ...patch, ...more.patch }
      changes.push(...more.changes)
    }
    return [
      {
        creations: [...(adopted ? [adopted.entry.id] : []), ...seconds.map(({ own }) => own.entry.id)],
        changes: [
          ...(Object.keys(patch).length > 0 ? [{ kind: 'change', key: first!.key, patch } satisfies Change] : []),
          ...changes,
        ],
      },
    ]
  })
}

/** Notes with what both sides made of those they come from. */
function joined({ entry }: HistoryItem, mine: string, theirs: string): string {
  const once = entry.once?.['notes']
  const from = once && 'has' in once ? once.from : undefined
  return (from === undefined ? undefined : mergeNotes(from, mine, theirs)) ?? joinNotes(theirs, mine)
}

/** A task next to the one that was taken for its own, with the notes that don’t fit there. It doesn’t repeat. */
function taskForNotes(first: Row, { entry }: HistoryItem): Change {
  const { text, extras } = readNotes(textOf(entry.patch, 'notes'))
  const { repeat: _repeat, ...rest } = extras
  const inside = textOf(first.value, 'parent')
  return {
    kind: 'create',
    collection: 'tasks',
    parent: first.parent,
    value: {
      title: textOf(first.value, 'title'),
      notes: writeNotes({ text, extras: rest }),
      status: 'needsAction',
      ...(entry.patch['due'] !== undefined && { due: entry.patch['due'] }),
    },
    place: { previous: first.id, ...(inside !== '' && { parent: inside }) },
  }
}

/**
 * Changes that move what a second task has to the first one, and delete it, and the first one’s notes and due date where they
 * change. None if its notes don’t fit there.
 */
function absorbed(
  replica: Pick<Replica, 'rows' | 'peek' | 'items'>,
  before: { notes: string },
  first: Row,
  task: Row,
  own: HistoryItem,
  now: number,
): { patch: JsonObject; changes: Change[] } {
  let notes = joined(own, textOf(task.value, 'notes'), before.notes)
  const moved: JsonObject = {}
  const [due, kept, created] = [task.value!, first.value!, own.entry.patch].map(dueDay) as [
    number | null,
    number | null,
    number | null,
  ]
  if (due !== created && due !== kept) {
    if (kept === created) moved['due'] = task.value!['due'] ?? null
    else if (due !== null) notes = joinNotes(notes, `Also due ${longDate(due)}`)
  }
  if (notes.length > maxNotes) return { patch: {}, changes: [] }
  const there = subtasksOf(replica, first)
  const subtasks = subtasksOf(replica, task).flatMap(({ key, value }): Change[] => {
    const at = there.findIndex(({ value: other }) =>
      ['title', 'notes'].every((field) => textOf(other, field) === textOf(value, field)),
    )
    if (at < 0) return [{ kind: 'action', key, action: { name: 'moveTask', parent: first.id } }]
    const [same] = there.splice(at, 1)
    if (value!['status'] !== 'completed' || same!.value!['status'] === 'completed') return []
    return [{ kind: 'change', key: same!.key, patch: { status: 'completed', completed: value!['completed'] ?? null } }]
  })
  const blocks = [...new Set(blocksOf(replica, [task.id], now).map(({ rowKey }) => rowKey))].flatMap(
    (key): Change[] => {
      const value = replica.peek(key)?.value
      return value ? [{ kind: 'change', key, patch: withTask(value, first.id) }] : []
    },
  )
  return {
    patch: { ...moved, ...(notes !== before.notes && { notes }) },
    changes: [...subtasks, ...blocks, { kind: 'delete', key: task.key }],
  }
}

/** Equal for open repeating tasks of which one is enough. Undefined for other tasks, and for those with pending changes. */
function nextKey({ value, parent, mark }: Row): string | undefined {
  if (mark !== 'synced' || textOf(value, 'status') !== 'needsAction' || value?.['deleted'] === true) return undefined
  const { repeat } = readNotes(textOf(value, 'notes')).extras
  return repeat && JSON.stringify([parent, textOf(value, 'parent'), textOf(value, 'title'), extrasLine({ repeat })])
}
