/** Order and nesting of tasks. The service keeps siblings in the order of their `position` texts. */
export interface PlacedTask {
  id: string
  parent?: string
  position?: string
}

/** Position of a task: under `parent` (absent: top level), after `previous` (absent: first). */
export interface Place {
  parent?: string
  previous?: string
}

const order = (a: PlacedTask, b: PlacedTask): number => {
  const [x, y] = [a.position ?? '', b.position ?? '']
  return x < y ? -1 : x > y ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Ordered children of `parent`, or top-level tasks if undefined. A task with a missing parent counts as top-level. */
export function siblings<T extends PlacedTask>(tasks: readonly T[], parent: string | undefined): T[] {
  const ids = parent === undefined ? new Set(tasks.map((task) => task.id)) : undefined
  return tasks
    .filter((task) => (ids ? task.parent === undefined || !ids.has(task.parent) : task.parent === parent))
    .sort(order)
}

export function placeOf(tasks: readonly PlacedTask[], id: string): Place {
  const task = tasks.find((one) => one.id === id)
  const parent = task?.parent !== undefined && tasks.some((one) => one.id === task.parent) ? task.parent : undefined
  const row = siblings(tasks, parent)
  const previous = row[row.findIndex((one) => one.id === id) - 1]?.id
  return { ...(parent !== undefined && { parent }), ...(previous !== undefined && { previous }) }
}

/** Position text that sorts at this place until the service assigns its own. */
export function positionAt(tasks: readonly PlacedTask[], place: Place, moving?: string): string {
  const row = siblings(tasks, place.parent).filter((task) => task.id !== moving)
  const at = place.previous === undefined ? -1 : row.findIndex((task) => task.id === place.previous)
  const after = place.previous !== undefined && at === -1 ? row.length - 1 : at
  return positionBetween(row[after]?.position ?? '', row[after + 1]?.position)
}

/** Lowest digit of local positions. No position ends with it, so that there's always room below. */
const zero = 33
const beyond = 127

/** A text strictly between two position texts. No upper bound if `high` is undefined or not above `low`. */
export function positionBetween(low: string, high: string | undefined): string {
  let bound = high !== undefined && high > low ? high : undefined
  let text = ''
  for (let i = 0; ; i++) {
    const floor = i < low.length ? low.charCodeAt(i) : zero
    const ceiling = bound === undefined ? beyond : i < bound.length ? bound.charCodeAt(i) : zero
    if (ceiling - floor > 1) return text + String.fromCharCode(Math.floor((floor + ceiling) / 2))
    text += String.fromCharCode(floor)
    // The digits are adjacent. With the lower one, anything above the rest of `low` is below the bound.
    if (ceiling > floor) bound = undefined
    else if (bound !== undefined && i >= bound.length && i >= low.length) bound = undefined
  }
}

/** All descendants of a task, parents before children. */
export function descendants<T extends PlacedTask>(tasks: readonly T[], id: string): T[] {
  return siblings(tasks, id).flatMap((child) => [child, ...descendants(tasks, child.id)])
}

/** Place of a task as the last child of the sibling above. Undefined without one. */
export function indented(tasks: readonly PlacedTask[], id: string): Place | undefined {
  const { previous } = placeOf(tasks, id)
  if (previous === undefined) return undefined
  const last = siblings(tasks, previous).at(-1)?.id
  return { parent: previous, ...(last !== undefined && { previous: last }) }
}

/** Place of a task after its parent, one level up. Undefined at top level. */
export function outdented(tasks: readonly PlacedTask[], id: string): Place | undefined {
  const { parent } = placeOf(tasks, id)
  if (parent === undefined) return undefined
  const above = placeOf(tasks, parent).parent
  return { ...(above !== undefined && { parent: above }), previous: parent }
}

/** Place of a task one step up or down among its siblings. Undefined at the end. */
export function stepped(tasks: readonly PlacedTask[], id: string, direction: 'up' | 'down'): Place | undefined {
  const { parent } = placeOf(tasks, id)
  const row = siblings(tasks, parent)
  const at = row.findIndex((task) => task.id === id)
  const under = parent !== undefined ? { parent } : {}
  if (direction === 'down') return at + 1 < row.length ? { ...under, previous: row[at + 1]!.id } : undefined
  if (at <= 0) return undefined
  return at === 1 ? under : { ...under, previous: row[at - 2]!.id }
}
