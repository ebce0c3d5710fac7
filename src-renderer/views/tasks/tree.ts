import type { JsonObject } from '#shared/json'
import { completedAt, dueDay, isShownTask, type DatedTask } from '#shared/domain/task-days'
import { readNotes, tagsOf, type TaskExtras } from '#shared/domain/task-notes'
import { countTags, tagKey } from '#shared/domain/task-tags'
import type { Place, PlacedTask } from '#shared/domain/task-order'
import type { Row } from '../../replica/api'

/** A task as the view draws it. */
export interface TaskLine extends PlacedTask, DatedTask {
  key: string
  /** Stays the same when a local ID is replaced by the server's. */
  domKey: string
  list: string
  title: string
  /** Without the line of its extras. */
  notes: string
  extras: TaskExtras
  /** Minutes of the due day, or null. */
  time: number | null
  /** Also those in the title, with `#`. */
  tags: readonly string[]
  /** 1 is top level. */
  level: number
  /** Place among siblings, from 1, and how many there are. */
  place: number
  of: number
  children: number
  row: Row
}

const text = (value: JsonObject, name: string): string => (typeof value[name] === 'string' ? value[name] : '')

export const dueText = (day: number): string => new Date(day).toISOString()

/** Rows that a user sees: not deleted, not cleared away. */
export function linesOf(rows: readonly Row[], domKey: (key: string) => string = (key) => key): TaskLine[] {
  const lines: TaskLine[] = []
  for (const row of rows) {
    const value = row.value
    if (!isShownTask(value)) continue
    const { text: notes, extras } = readNotes(text(value, 'notes'))
    const due = dueDay(value)
    const title = text(value, 'title')
    lines.push({
      key: row.key,
      domKey: domKey(row.key),
      list: row.parent ?? '',
      id: row.id,
      ...(typeof value['parent'] === 'string' && { parent: value['parent'] }),
      ...(typeof value['position'] === 'string' && { position: value['position'] }),
      title,
      notes,
      extras,
      time: due === null ? null : (extras.time ?? null),
      tags: tagsOf(title, extras),
      due,
      done: value['status'] === 'completed',
      completedAt: completedAt(value),
      level: 1,
      place: 1,
      of: 1,
      children: 0,
      row,
    })
  }
  return lines
}

/** Subtasks of cleared tasks come last, by parent, because the service numbers the subtasks of each task separately. */
const amongSiblings = (a: PlacedTask, b: PlacedTask): number => {
  const [x, y] = [a.parent ?? '', b.parent ?? '']
  return x < y ? -1 : x > y ? 1 : byPosition(a, b)
}

const byPosition = (a: PlacedTask, b: PlacedTask): number => {
  const [x, y] = [a.position ?? '', b.position ?? '']
  return x < y ? -1 : x > y ? 1 : a.id < b.id ? -1 : 1
}

/** True for a subtask of a cleared task. It appears at the top level here but not on the server, so nothing can follow it. */
export const isLeftBehind = ({ level, parent }: TaskLine): boolean => level === 1 && parent !== undefined

/**
 * Where a task goes that's dropped on another open one. Undefined: it can't be dropped there.
 * @param nests false if the task has subtasks, so that it can't become one
 */
export function dropPlace(
  open: readonly TaskLine[],
  moving: TaskLine,
  target: TaskLine,
  where: 'before' | 'after' | 'inside',
  nests: boolean,
): Place | undefined {
  const others = open.filter((line) => line.key !== moving.key && !isLeftBehind(line))
  if (!others.includes(target) || (!nests && (where === 'inside' || target.level > 1))) return undefined
  const under = target.level > 1 && target.parent !== undefined ? { parent: target.parent } : {}
  if (where === 'inside') {
    if (target.level > 1) return undefined
    const last = others.filter((line) => line.parent === target.id).at(-1)
    return { parent: target.id, ...(last && { previous: last.id }) }
  }
  if (where === 'after') return target.children > 0 && nests ? { parent: target.id } : { ...under, previous: target.id }
  const siblings = others.filter((line) => line.level === target.level && line.parent === target.parent)
  const previous = siblings[siblings.indexOf(target) - 1]
  return { ...under, ...(previous && { previous: previous.id }) }
}

/** Tasks of one list in order, with subtasks below their parent. A task with a missing parent counts as top-level. */
export function asTree(lines: readonly TaskLine[]): TaskLine[] {
  const ids = new Set(lines.map((line) => line.id))
  const below = new Map<string, TaskLine[]>()
  for (const line of lines) {
    const parent = line.parent !== undefined && ids.has(line.parent) ? line.parent : ''
    const siblings = below.get(parent)
    if (siblings) siblings.push(line)
    else below.set(parent, [line])
  }
  const ordered: TaskLine[] = []
  const walk = (parent: string, level: number): void => {
    const siblings = below.get(parent)
    if (!siblings) return
    below.delete(parent)
    siblings.sort(amongSiblings).forEach((line, index) => {
      const children = below.get(line.id)?.length ?? 0
      ordered.push({ ...line, level, place: index + 1, of: siblings.length, children })
      walk(line.id, level + 1)
    })
  }
  walk('', 1)
  // Parents that go round in a circle still show.
  for (const rest of [...below.values()]) ordered.push(...rest.map((line) => ({ ...line, level: 1 })))
  return ordered
}

/** Open lines, and done ones that still have something open below. */
export function withOpenBelow(lines: readonly TaskLine[]): TaskLine[] {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const kept = new Set<string>()
  for (const line of lines) {
    if (line.done) continue
    for (
      let at: TaskLine | undefined = line;
      at && !kept.has(at.id);
      at = at.parent === undefined ? undefined : byId.get(at.parent)
    )
      kept.add(at.id)
  }
  return lines.filter((line) => kept.has(line.id))
}

/** Newest first. */
export function asCompleted(lines: readonly TaskLine[]): TaskLine[] {
  const when = (line: TaskLine): string => String(line.row.value?.['completed'] ?? '')
  return numbered([...lines].sort((a, b) => (when(a) > when(b) ? -1 : when(a) < when(b) ? 1 : byPosition(a, b))))
}

/** Sorts lines by due day, then by time, then those without a time by position. */
export function byDue(lines: readonly TaskLine[]): TaskLine[] {
  return numbered(lines.filter((line) => line.due !== null).sort(inTime))
}

/** After every time of a day. */
const untimed = 1440
const inTime = (a: TaskLine, b: TaskLine): number =>
  (a.due ?? 0) - (b.due ?? 0) || (a.time ?? untimed) - (b.time ?? untimed) || byPosition(a, b)

/** Open lines with a tag, those that are due first. */
export const withTag = (lines: readonly TaskLine[], tag: string): TaskLine[] =>
  numbered(
    lines
      .filter((line) => !line.done && hasTag(line, tag))
      .sort(
        (a, b) => Number(a.due === null) - Number(b.due === null) || (a.due === null ? byPosition(a, b) : inTime(a, b)),
      ),
  )

export const hasTag = ({ tags }: TaskLine, tag: string): boolean => tags.some((own) => tagKey(own) === tagKey(tag))

/** Tags of open tasks with how many have them, by name. */
export const openTags = (lines: readonly TaskLine[]): { tag: string; count: number }[] =>
  countTags(lines.filter(({ done }) => !done).map(({ tags }) => tags))

/** Numbers lines for screen readers, as a list of their own. */
export const numbered = (lines: readonly TaskLine[]): TaskLine[] =>
  lines.map((line, index) => ({ ...line, place: index + 1, of: lines.length }))

/** Tasks without a selected ancestor, because subtasks move along with their parent. */
export function topmost(chosen: readonly TaskLine[], all: readonly TaskLine[]): TaskLine[] {
  const keys = new Set(chosen.map((line) => line.key))
  const byId = new Map(all.map((line) => [`${line.list}\n${line.id}`, line]))
  return chosen.filter((line) => {
    const seen = new Set<string>()
    for (let at: TaskLine | undefined = line; at?.parent !== undefined && !seen.has(at.key);) {
      seen.add(at.key)
      at = byId.get(`${at.list}\n${at.parent}`)
      if (at && keys.has(at.key)) return false
    }
    return true
  })
}

/** The open tasks below these, which are completed along. */
export function below(line: TaskLine, all: readonly TaskLine[]): TaskLine[] {
  const children = all.filter((other) => other.list === line.list && other.parent === line.id && other.key !== line.key)
  return children.flatMap((child) => [child, ...below(child, all)])
}
