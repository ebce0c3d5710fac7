import { dueDay } from '#shared/domain/task-days'
import { extrasLine, nextDue, readNotes, writeNotes } from '#shared/domain/task-notes'
import { dateOfWall } from '#shared/time/zones'
import type { JsonObject } from '#shared/json'
import type { Change, Replica, Row } from '../replica/api'

const textOf = (value: JsonObject | null | undefined, field: string): string => {
  const text = value?.[field]
  return typeof text === 'string' ? text : ''
}

/** What reopens a completed task. */
export const reopened: JsonObject = { status: 'needsAction', completed: null }

/** The end of a message about completed tasks, of which some repeat. */
export function againWords(changes: readonly Change[]): string {
  const added = changes.filter(({ kind }) => kind === 'create').length
  return added === 0 ? '' : added === 1 ? ', next one added' : `, ${added} next ones added`
}

/**
 * Changes that complete tasks. A repeating one hands its rule on to a new task with the next due date: there’s always one open
 * task with the rule, so computers that complete the same task create one successor.
 * @param today a wall midnight
 */
export function completing(
  replica: Pick<Replica, 'rows'>,
  tasks: readonly Row[],
  now: number,
  today: number,
): Change[] {
  const completed = new Date(now).toISOString()
  const ending = new Set(tasks.map(({ key }) => key))
  return continued(tasks, (task) => {
    const next = successor(replica, task, today, ending)
    const change: Change = {
      kind: 'change',
      key: task.key,
      patch: { status: 'completed', completed, ...next?.patch },
    }
    return { change, next }
  })
}

/** Changes that create what follows tasks which another app completed. Such an app leaves the rule in their notes. */
export function following(replica: Pick<Replica, 'rows'>, tasks: readonly Row[], today: number): Change[] {
  const completed = tasks.filter(({ value }) => value?.['status'] === 'completed')
  return continued(completed, (task) => {
    const next = successor(replica, task, today, new Set())
    return { ...(next && { change: { kind: 'change', key: task.key, patch: next.patch } }), next }
  })
}

/** The change of each task, and the creation of the next one after the last of those that are equal. */
function continued(
  tasks: readonly Row[],
  end: (task: Row) => { change?: Change; next: Successor | undefined },
): Change[] {
  const ends = tasks.map(end)
  const last = new Map(ends.flatMap((one) => (one.next ? [[one.next.what, one]] : [])))
  return ends.flatMap((one) => [
    ...(one.change ? [one.change] : []),
    ...(one.next?.creation && last.get(one.next.what) === one ? [one.next.creation] : []),
  ])
}

interface Successor {
  /** Equal for tasks that have one successor. */
  what: string
  /** The notes of the task that hands its rule on. */
  patch: JsonObject
  creation?: Change
}

/** The successor of a repeating task. Has no creation if it’s there. `ending`: keys of open tasks that are completed, too. */
function successor(
  replica: Pick<Replica, 'rows'>,
  { key, parent: list, value }: Row,
  today: number,
  ending: ReadonlySet<string>,
): Successor | undefined {
  const notes = textOf(value, 'notes')
  const { text, extras } = readNotes(notes)
  const { repeat, ...rest } = extras
  if (!repeat || !value) return undefined
  const left = writeNotes({ text, extras: rest })
  const patch = { notes: left === '' ? null : left }
  const [title, parent, rule] = [textOf(value, 'title'), textOf(value, 'parent'), extrasLine(extras)]
  const what = JSON.stringify([list, parent, title, rule])
  const isNext = (row: Row): boolean =>
    row.key !== key &&
    !ending.has(row.key) &&
    textOf(row.value, 'title') === title &&
    textOf(row.value, 'parent') === parent &&
    textOf(row.value, 'status') === 'needsAction' &&
    extrasLine(readNotes(textOf(row.value, 'notes')).extras) === rule
  if (replica.rows('tasks', list!).some(isNext)) return { what, patch }
  const due = nextDue(repeat, dueDay(value) ?? today, today)
  return {
    what,
    patch,
    creation: {
      kind: 'create',
      collection: 'tasks',
      parent: list,
      value: {
        title,
        notes: withLastLine(notes, rule),
        status: 'needsAction',
        due: `${dateOfWall(due)}T00:00:00.000Z`,
      },
      place: parent === '' ? {} : { parent },
      once: { title: { is: title }, parent: { is: parent }, status: { is: 'needsAction' }, notes: { ends: rule } },
      // Until the completion arrives, the completed task looks like the next one to the service.
      afterPrevious: true,
    },
  }
}

/** Notes with the rule as every computer writes it. They get no longer, because the service limits them. */
const withLastLine = (notes: string, line: string): string =>
  [...notes.trimEnd().split('\n').slice(0, -1), line].join('\n')
