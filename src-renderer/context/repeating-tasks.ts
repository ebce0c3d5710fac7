import { dueDay, isShownTask } from '#shared/domain/task-days'
import { extrasLine, nextDue, readNotes, repeatWords, withMarkerLast, writeNotes } from '#shared/domain/task-notes'
import { dateOfWall } from '#shared/time/zones'
import type { JsonObject } from '#shared/json'
import type { Once } from '#shared/mutation/entry'
import { meetsCondition } from '#shared/mutation/creation-condition'
import type { Change, Replica, Row } from '../replica/api'
import { counted } from '../ui/counted'
import { withSubtasks } from './time-blocks'

export const textOf = (value: JsonObject | null | undefined, field: string): string => {
  const text = value?.[field]
  return typeof text === 'string' ? text : ''
}

/** Changes that reopen a completed task. */
export const reopened: JsonObject = { status: 'needsAction', completed: null }

/** The end of a message about completed tasks: what else their changes complete, and which tasks they add. */
export function alongWords(tasks: readonly Row[], changes: readonly Change[]): string {
  const more = completions(changes) - tasks.length
  const added = successorCount(changes)
  return [
    more > 0 ? `, with ${counted(more, 'subtask')}` : '',
    added === 0 ? '' : added === 1 ? ', next task added' : `, ${added} next tasks added`,
  ].join('')
}

const completions = (changes: readonly Change[]): number =>
  changes.filter((change) => change.kind === 'change' && change.patch['status'] === 'completed').length

type Tasks = Pick<Replica, 'rows' | 'newLocalId'>

/** The number of next tasks among changes, without their subtasks. */
export const successorCount = (changes: readonly Change[]): number =>
  changes.filter((change) => change.kind === 'create' && change.after !== undefined).length

/**
 * Changes that complete open tasks, with their open subtasks. A repeating one hands its rule on to a new task with the next due date: there’s always one open
 * task with the rule, so computers that complete the same task create one successor. Its subtasks are copied to the successor.
 * @param today a wall midnight
 */
export function completing(replica: Tasks, tasks: readonly Row[], now: number, today: number): Change[] {
  const completed = new Date(now).toISOString()
  const together = [...tasks, ...tasks.flatMap((task) => openBelow(replica, task))]
  const ending = new Map(together.map((task) => [task.key, task]))
  return continued(replica, [...ending.values()], (task) => {
    const next = successor(replica, task, today, ending)
    const change: Change = {
      kind: 'change',
      key: task.key,
      patch: { status: 'completed', completed, ...next?.patch },
    }
    return { change, next }
  })
}

function openBelow(replica: Tasks, task: Row): Row[] {
  const ids = new Set(withSubtasks(replica, task))
  return replica
    .rows('tasks', task.parent ?? undefined)
    .filter(({ id, value }) => id !== task.id && ids.has(id) && isShownTask(value) && value['status'] !== 'completed')
}

/** Changes that create what follows tasks which another app completed. Such an app leaves the rule in their notes. */
export function following(replica: Tasks, tasks: readonly Row[], today: number): Change[] {
  const completed = tasks.filter(({ value }) => value?.['status'] === 'completed')
  return continued(replica, completed, (task) => {
    const next = successor(replica, task, today, new Map())
    return { ...(next && { change: { kind: 'change', key: task.key, patch: next.patch } }), next }
  })
}

/** The change of each task, and the creation of the next one after the last of those that are equal. */
function continued(
  replica: Tasks,
  tasks: readonly Row[],
  end: (task: Row) => { change?: Change; next: Successor | undefined },
): Change[] {
  const ends = tasks.map((task) => ({ task, ...end(task) }))
  const last = new Map(ends.flatMap((one) => (one.next ? [[one.next.what, one]] : [])))
  // A subtask comes back with the task above it.
  const copied = new Set<string>()
  const next = new Map<string, Change[]>()
  for (const one of ends) {
    const { task } = one
    if (!one.next?.creation || last.get(one.next.what) !== one) continue
    const inside = subtasksOf(replica, task)
    for (const { key } of inside) copied.add(key)
    next.set(task.key, [one.next.creation, ...copies(task, one.next.creation, inside)])
  }
  return ends.flatMap(({ task, change }) => [
    ...(change ? [change] : []),
    ...(copied.has(task.key) ? [] : (next.get(task.key) ?? [])),
  ])
}

/** The subtasks of a task in their order. The service knows one level. */
export const subtasksOf = (replica: Pick<Replica, 'rows'>, { id, parent: list }: Row): Row[] =>
  replica
    .rows('tasks', list!)
    .filter(({ value }) => value && value['parent'] === id && value['deleted'] !== true)
    .sort((a, b) => (textOf(a.value, 'position') < textOf(b.value, 'position') ? -1 : 1))

/** Creations of open subtasks like those of a task below its successor. Of equal ones, only the first. */
function copies(task: Row, creation: Creation, subtasks: readonly Row[]): Change[] {
  const shift = Date.parse(textOf(creation.value, 'due')) - (dueDay(task.value!) ?? Number.NaN)
  const seen = new Set<string>()
  const changes = subtasks.flatMap(({ value }): Change[] => {
    const [title, notes, due] = [textOf(value, 'title'), textOf(value, 'notes'), dueDay(value!)]
    const what = JSON.stringify([title, notes])
    if (seen.has(what)) return []
    seen.add(what)
    const later = due === null || Number.isNaN(shift) ? null : due + shift
    return [
      {
        kind: 'create',
        collection: 'tasks',
        parent: task.parent,
        value: {
          title,
          ...(notes !== '' && { notes }),
          status: 'needsAction',
          ...(later !== null && { due: `${dateOfWall(later)}T00:00:00.000Z` }),
        },
        place: { parent: creation.id! },
        once: { title: { is: title }, notes: { is: notes }, parent: { is: creation.id! } },
      },
    ]
  })
  // Each is added at the top.
  return changes.reverse()
}

type Creation = Extract<Change, { kind: 'create' }>

interface Successor {
  /** Equal for tasks that have one successor. */
  what: string
  /** The notes of the task that hands its rule on. */
  patch: JsonObject
  creation?: Creation
}

/** The successor of a repeating task. Has no creation if it’s there. `ending`: keys of open tasks that are completed, too. */
function successor(
  replica: Tasks,
  { key, id, parent: list, value, base }: Row,
  today: number,
  ending: ReadonlyMap<string, Row>,
): Successor | undefined {
  const notes = textOf(value, 'notes')
  const { text, extras } = readNotes(notes)
  const { repeat, ...rest } = extras
  if (!repeat || !value) return undefined
  const left = writeNotes({ text, extras: rest })
  const patch = { notes: left === '' ? null : left }
  const [title, parent, rule] = [textOf(value, 'title'), textOf(value, 'parent'), extrasLine(extras)]
  const due = `${dateOfWall(nextDue(repeat, dueDay(value) ?? today, today))}T00:00:00.000Z`
  const what = JSON.stringify([list, parent, title, rule, due])
  const [time, since] = [extras.time, textOf(value, 'due')]
  const once: Once = {
    title: { is: title },
    parent: { is: parent },
    status: { is: 'needsAction' },
    notes: { has: extrasLine({ repeat }), from: textOf(base, 'notes'), ...(time !== undefined && { time }) },
    ...(since !== '' && { due: { since, by: repeatWords(repeat) } }),
  }
  const isNext = (row: Row): boolean =>
    row.key !== key && !ending.has(row.key) && row.value !== null && meetsCondition(row.value, once)
  if (replica.rows('tasks', list!).some(isNext)) return { what, patch }
  return {
    what,
    patch,
    creation: {
      kind: 'create',
      collection: 'tasks',
      parent: list,
      id: replica.newLocalId(),
      value: {
        title,
        notes: withMarkerLast(notes, rule),
        status: 'needsAction',
        due,
      },
      place: { previous: id, ...(parent !== '' && { parent }) },
      once,
      // Until the completion arrives, the completed task looks like the next one to the service.
      after: key,
    },
  }
}
