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
  return tasks.flatMap((task): Change[] => {
    const next = successor(replica, task, today)
    return [
      { kind: 'change', key: task.key, patch: { status: 'completed', completed, ...next?.patch } },
      ...(next?.creation ? [next.creation] : []),
    ]
  })
}

/** Changes that create what follows tasks which another app completed. Such an app leaves the rule in their notes. */
export function following(replica: Pick<Replica, 'rows'>, tasks: readonly Row[], today: number): Change[] {
  return tasks.flatMap((task): Change[] => {
    const next = task.value?.['status'] === 'completed' ? successor(replica, task, today) : undefined
    if (!next) return []
    const handedOn: Change = { kind: 'change', key: task.key, patch: next.patch }
    return next.creation ? [handedOn, next.creation] : [handedOn]
  })
}

/** The notes of a task that hands its rule on, and the creation of the next one unless it’s there. */
function successor(
  replica: Pick<Replica, 'rows'>,
  { key, parent: list, value }: Row,
  today: number,
): { patch: JsonObject; creation?: Change } | undefined {
  const notes = textOf(value, 'notes')
  const { text, extras } = readNotes(notes)
  const { repeat, ...rest } = extras
  if (!repeat || !value) return undefined
  const left = writeNotes({ text, extras: rest })
  const patch = { notes: left === '' ? null : left }
  const [title, rule] = [textOf(value, 'title'), extrasLine(extras)]
  const isNext = (row: Row): boolean =>
    row.key !== key &&
    textOf(row.value, 'title') === title &&
    textOf(row.value, 'status') === 'needsAction' &&
    extrasLine(readNotes(textOf(row.value, 'notes')).extras) === rule
  if (replica.rows('tasks', list!).some(isNext)) return { patch }
  const due = nextDue(repeat, dueDay(value) ?? today, today)
  const parent = textOf(value, 'parent')
  return {
    patch,
    creation: {
      kind: 'create',
      collection: 'tasks',
      parent: list,
      value: { title, notes, status: 'needsAction', due: `${dateOfWall(due)}T00:00:00.000Z` },
      place: parent === '' ? {} : { parent },
      once: { title: { is: title }, status: { is: 'needsAction' }, notes: { ends: rule } },
    },
  }
}
