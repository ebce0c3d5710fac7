import type { JsonObject } from '../json'

/**
 * A time block is an event that plans time for a task. It carries the ID of the task in a private extended property, which
 * other clients keep and don’t show.
 */
export const taskProperty = 'flightplanTask'

const maxIdLength = 200

/** The ID of the task that an event plans time for. */
export function taskIdOf(event: JsonObject): string | undefined {
  const own = (event['extendedProperties'] as { private?: Record<string, unknown> } | undefined)?.private
  const id = own?.[taskProperty]
  return typeof id === 'string' && id !== '' && id.length <= maxIdLength ? id : undefined
}

/** The fields that make a new event the time block of a task. */
export const taskFields = (taskId: string): JsonObject => ({
  extendedProperties: { private: { [taskProperty]: taskId } },
})

/** The patch that makes an event the time block of another task. */
export function withTask(event: JsonObject, taskId: string): JsonObject {
  const all = (event['extendedProperties'] ?? {}) as Record<string, JsonObject>
  return { extendedProperties: { ...all, private: { ...all['private'], [taskProperty]: taskId } } }
}

/** The patch that makes a time block an event like any other. */
export function withoutTask(event: JsonObject): JsonObject {
  const all = (event['extendedProperties'] ?? {}) as Record<string, JsonObject>
  const { [taskProperty]: _task, ...own } = all['private'] ?? {}
  return { extendedProperties: { ...all, private: own } }
}

const added = [
  'description',
  'location',
  'attendees',
  'attachments',
  'conferenceData',
  'recurrence',
  'recurringEventId',
]

/** True if someone added to a time block what its task doesn’t have, or it belongs to a series of blocks. */
export const hasMoreThanTask = (event: JsonObject): boolean =>
  added.some((field) => {
    const value = event[field]
    return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  })

const base32hex = '0123456789abcdefghijklmnopqrstuv'

/**
 * The event ID of a task’s time block. Computers that plan the same task create the same event, so that the service keeps
 * one. `turn` counts earlier blocks whose IDs are used up, because the service never gives one out twice.
 */
export function blockId(taskId: string, turn = 0): string {
  const text = `${taskId} ${turn}`
  let id = ''
  for (let part = 0; part < 4; part++) {
    let rest = hash(text, part)
    for (let digit = 0; digit < 6; digit++, rest = Math.floor(rest / 32)) id += base32hex[rest % 32]
  }
  return `fp${id}`
}

/** 32 bits of a text (MurmurHash3’s mixing), different for each seed. */
function hash(text: string, seed: number): number {
  let h = Math.imul(seed + 1, 0x9e3779b1)
  for (let at = 0; at < text.length; at++) {
    h = Math.imul(h ^ text.charCodeAt(at), 0x85ebca6b)
    h ^= h >>> 13
  }
  h = Math.imul(h ^ (h >>> 16), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Fields for comparing a block with others. */
export interface BlockLike {
  rowKey: string
  taskId?: string
  start: number
}

/** Blocks without their task, and all but one of those that plan the same task at the same time. */
export function strayBlocks<T extends BlockLike>(
  blocks: readonly T[],
  isThere: (taskId: string) => boolean,
): { orphans: T[]; doubles: T[] } {
  const orphans = new Map<string, T>()
  const doubles = new Map<string, T>()
  const first = new Map<string, T>()
  for (const block of blocks) {
    if (block.taskId === undefined) continue
    if (!isThere(block.taskId)) {
      orphans.set(block.rowKey, block)
      continue
    }
    const place = `${block.taskId} ${block.start}`
    const other = first.get(place)
    if (!other) first.set(place, block)
    else if (other.rowKey !== block.rowKey) {
      // By key, so that every computer keeps the same block.
      const [stays, goes] = other.rowKey < block.rowKey ? [other, block] : [block, other]
      first.set(place, stays)
      doubles.set(goes.rowKey, goes)
    }
  }
  return { orphans: [...orphans.values()], doubles: [...doubles.values()] }
}
