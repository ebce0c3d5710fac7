import type { JsonObject } from '../json'

const dayMs = 86_400_000

/** Fields that give a task its place among days. Days are wall midnights. */
export interface DatedTask {
  due: number | null
  done: boolean
  /** Instant of its completion, or null. */
  completedAt: number | null
}

/** Tasks of one day. */
export interface TaskDay<T> {
  day: number
  tasks: T[]
}

/** The due day of a task, or null. The service keeps only the date of `due`. */
export function dueDay(value: JsonObject): number | null {
  const at = instantIn(value, 'due')
  return at === null ? null : Math.floor(at / dayMs) * dayMs
}

/** Instant of a task's completion, or null. */
export const completedAt = (value: JsonObject): number | null => instantIn(value, 'completed')

/** False for tasks that were deleted, or cleared after completion. */
export const isShownTask = (value: JsonObject | null): value is JsonObject =>
  value !== null && value['deleted'] !== true && value['hidden'] !== true

/** Groups open tasks by how soon they’re due, and keeps their order. */
export function byUrgency<T extends DatedTask>(
  tasks: readonly T[],
  today: number,
): { overdue: T[]; today: T[]; next7: T[]; later: T[]; undated: T[] } {
  const groups = { overdue: [] as T[], today: [] as T[], next7: [] as T[], later: [] as T[], undated: [] as T[] }
  for (const task of tasks) {
    if (task.done) continue
    if (task.due === null) groups.undated.push(task)
    else if (task.due < today) groups.overdue.push(task)
    else if (task.due === today) groups.today.push(task)
    else if (task.due <= today + 7 * dayMs) groups.next7.push(task)
    else groups.later.push(task)
  }
  return groups
}

/** Every one of the `count` days after today, and later days that have open tasks. */
export function upcomingDays<T extends DatedTask>(tasks: readonly T[], today: number, count: number): TaskDay<T>[] {
  const byDay = new Map<number, T[]>()
  for (let at = 1; at <= count; at++) byDay.set(today + at * dayMs, [])
  for (const task of tasks) {
    if (task.done || task.due === null || task.due <= today) continue
    const own = byDay.get(task.due)
    if (own) own.push(task)
    else byDay.set(task.due, [task])
  }
  return [...byDay].map(([day, tasks]) => ({ day, tasks })).sort((a, b) => a.day - b.day)
}

/**
 * Completed tasks by day, the newest first.
 * @param dayOf the day of an instant
 */
export function logbookDays<T extends DatedTask>(
  tasks: readonly T[],
  dayOf: (instant: number) => number,
): TaskDay<T>[] {
  const done = tasks.filter((task) => task.done && task.completedAt !== null)
  const byDay = new Map<number, T[]>()
  for (const task of done.sort((a, b) => b.completedAt! - a.completedAt!)) {
    const day = dayOf(task.completedAt!)
    const own = byDay.get(day)
    if (own) own.push(task)
    else byDay.set(day, [task])
  }
  return [...byDay].map(([day, tasks]) => ({ day, tasks }))
}

function instantIn(value: JsonObject, name: string): number | null {
  const text = value[name]
  const at = typeof text === 'string' ? Date.parse(text) : NaN
  return Number.isFinite(at) ? at : null
}
