import type { JsonObject } from '#shared/json'
import type { ModelRecords } from './records'
import { fail } from './refusal'
import type { Shelf } from './shelf'

/** Distance of tasks that are added at an end of a list. */
const gap = 1_048_576n
const middle = 50_000_000_000_000_000_000n
const positionText = (position: bigint): string => position.toString().padStart(20, '0')

/** A position of 20 digits between two others. Undefined if none is free. */
function positionBetween(before: bigint | undefined, after: bigint | undefined): bigint | undefined {
  if (before === undefined) return after === undefined ? middle : after - gap
  if (after === undefined) return before + gap
  return after - before > 1n ? (before + after) / 2n : undefined
}

/**
 * Tasks have two levels, and siblings one order.
 * @param task moves there, from this shelf
 */
export function checkPlace(shelf: Shelf, { parent, previous }: JsonObject, task?: string, from = shelf): void {
  const find = (id: unknown, name: string): JsonObject => {
    const found = shelf.held.get(String(id))
    if (!found || found.deleted || found.value.hidden || id === task) return fail('invalid', `No such ${name}`)
    return found.value
  }
  if (previous !== undefined && find(previous, 'previous').parent !== parent) fail('invalid', 'No such previous')
  const isHidden = task !== undefined && from.held.get(task)!.value.hidden
  if (isHidden && (parent !== undefined || previous !== undefined)) fail('invalid', 'A hidden task has no place')
  if (parent === undefined) return
  if (find(parent, 'parent').parent !== undefined) fail('invalid', 'A subtask cannot have subtasks')
  const hasSubtasks = [...from.held.values()].some(({ deleted, value }) => !deleted && value.parent === task)
  if (task !== undefined && hasSubtasks) fail('invalid', 'A task with subtasks cannot become a subtask')
}

export function moveTask(records: ModelRecords, params: JsonObject): JsonObject {
  const list = String(params.tasklist)
  const id = String(params.task)
  const from = records.shelf(`tasks ${list}`)
  records.find(from, 'tasks', id)
  const destination = typeof params.destinationTasklist === 'string' ? params.destinationTasklist : list
  if (!records.alive('tasklists', destination)) fail('notFound')
  const to = records.shelf(`tasks ${destination}`)
  checkPlace(to, params, id, from)
  if (destination !== list) {
    const carry = (task: string): void => {
      const { value } = from.held.get(task)!
      from.put(task, { ...records.fresh(value), deleted: true })
      records.write(to, task, value)
      for (const [key, held] of from.held) if (!held.deleted && held.value.parent === task) carry(key)
    }
    carry(id)
  }
  return place(records, to, id, params)
}

export function place(records: ModelRecords, shelf: Shelf, id: string, params: JsonObject): JsonObject {
  const parent = typeof params.parent === 'string' ? params.parent : undefined
  const { parent: _old, ...value } = shelf.held.get(id)!.value
  const row = [...shelf.held.values()]
    .filter((held) => !held.deleted && held.value.id !== id && (held.value.parent ?? undefined) === parent)
    .sort((a, b) => (String(a.value.position) < String(b.value.position) ? -1 : 1))
  const at = typeof params.previous === 'string' ? row.findIndex((held) => held.value.id === params.previous) + 1 : 0
  const [before, after] = [row[at - 1], row[at]].map((held) => held && BigInt(String(held.value.position)))
  const free = positionBetween(before, after)
  // Siblings that leave no position free are spread out again.
  if (free === undefined) {
    row.splice(at, 0, { value: { ...value, ...(parent && { parent }) }, sequence: 0, deleted: false })
    row.forEach((held, index) => {
      const position = positionText(middle + BigInt(index) * gap)
      records.write(shelf, String(held.value.id), { ...held.value, position })
    })
  } else records.write(shelf, id, { ...value, ...(parent && { parent }), position: positionText(free) })
  return shelf.held.get(id)!.value
}

export function clearCompleted(records: ModelRecords, shelf: Shelf): void {
  for (const [key, { value, deleted }] of shelf.held)
    if (!deleted && value.status === 'completed' && !value.hidden) {
      records.write(shelf, key, { ...value, hidden: true })
      shelf.hides(key, value)
    }
}
