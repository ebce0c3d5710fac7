import { positionBetween, type Place, type PlacedTask } from '#shared/domain/task-order'
import type { Memory } from '../replica/memory'
import { SortedIds } from '../replica/sorted-ids'

/**
 * The visible tasks of one list in order, updated incrementally: the rules of `domain/task-order` at the cost of one task.
 */
export class TaskList {
  private readonly tasks = new Map<string, PlacedTask>()
  /** Tasks by the parent they name. They're at top level while it's missing. */
  private readonly children = new Map<string, SortedIds>()
  private readonly top = new SortedIds()

  get size(): number {
    return this.tasks.size
  }

  has(id: string): boolean {
    return this.tasks.has(id)
  }

  set(task: PlacedTask): void {
    const known = this.tasks.get(task.id)
    if (known && known.parent === task.parent && known.position === task.position) return
    if (known) this.leave(known)
    this.tasks.set(task.id, task)
    this.enter(task)
    // Tasks that name it as their parent are now below it.
    if (!known) for (const at of this.children.get(task.id) ?? []) this.top.delete(at)
  }

  delete(id: string): void {
    const task = this.tasks.get(id)
    if (!task) return
    this.leave(task)
    this.tasks.delete(id)
    for (const at of this.children.get(id) ?? []) this.top.add(at)
  }

  placeOf(id: string): Place {
    const task = this.tasks.get(id)
    if (!task) return {}
    const parent = task.parent !== undefined && this.tasks.has(task.parent) ? task.parent : undefined
    const previous = this.row(parent).before(spotOf(task))
    return { ...(parent !== undefined && { parent }), ...(previous !== undefined && { previous: idAt(previous) }) }
  }

  /** A position text that sorts right at this place until the service gives its own. */
  positionAt(place: Place, moving: string): string {
    const row = this.row(place.parent)
    const own = this.tasks.get(moving)
    const without = own && spotOf(own)
    const besides = (at: string | undefined, next: (at: string) => string | undefined): string | undefined =>
      at !== undefined && at === without ? next(at) : at
    const previous = place.previous === moving ? undefined : this.tasks.get(place.previous ?? '')
    const found = previous && row.has(spotOf(previous)) ? spotOf(previous) : undefined
    const after = place.previous === undefined ? undefined : (found ?? besides(row.last, (last) => row.before(last)))
    const next = besides(after === undefined ? row.first : row.after(after), (at) => row.after(at))
    return positionBetween(positionOf(after) ?? '', next === undefined ? undefined : positionOf(next))
  }

  /** Ids of all tasks below one, parents before their children. */
  descendants(id: string): string[] {
    return [...(this.children.get(id) ?? [])].map(idAt).flatMap((child) => [child, ...this.descendants(child)])
  }

  /** Ids of all tasks, parents before their children. */
  all(): string[] {
    return [...this.top].map(idAt).flatMap((id) => [id, ...this.descendants(id)])
  }

  private row(parent: string | undefined): SortedIds {
    return parent === undefined ? this.top : (this.children.get(parent) ?? nothing)
  }

  private enter(task: PlacedTask): void {
    const { parent } = task
    if (parent !== undefined) {
      let row = this.children.get(parent)
      if (!row) this.children.set(parent, (row = new SortedIds()))
      row.add(spotOf(task))
    }
    if (parent === undefined || !this.tasks.has(parent)) this.top.add(spotOf(task))
  }

  private leave(task: PlacedTask): void {
    this.top.delete(spotOf(task))
    if (task.parent === undefined) return
    const row = this.children.get(task.parent)
    row?.delete(spotOf(task))
    if (row?.size === 0) this.children.delete(task.parent)
  }
}

const nothing = new SortedIds()
/** Sorts by position, then by ID: no character of a position sorts before the one in between. */
const spotOf = (task: PlacedTask): string => `${task.position ?? ''}\0${task.id}`
const idAt = (spot: string): string => spot.slice(spot.indexOf('\0') + 1)
const positionOf = (spot: string | undefined): string | undefined => spot?.slice(0, spot.indexOf('\0'))

const lists = new WeakMap<Memory, Map<string, TaskList>>()

/** The tasks of a list of a replica, which `behaviors/tasks` keeps in order. */
export function tasksOf(memory: Memory, list: string): TaskList {
  let known = lists.get(memory)
  if (!known) lists.set(memory, (known = new Map()))
  let tasks = known.get(list)
  if (!tasks) known.set(list, (tasks = new TaskList()))
  return tasks
}
