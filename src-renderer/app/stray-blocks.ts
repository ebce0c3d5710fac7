import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { hasMoreThanTask, strayBlocks, withTask, withoutTask } from '#shared/domain/time-blocks'
import { laneOf } from '../context/lane-words'
import { blockDeletions, blocksAround, tasksById } from '../context/time-blocks'
import { isJsonObject, type JsonObject } from '#shared/json'
import { counted } from '../ui/counted'
import type { CalendarItem, Change, LaneStatus, Replica, Row, SyncStatus } from '../replica/api'

type Read = Pick<Replica, 'items' | 'rows' | 'readAll' | 'realKey'>

/** What a step removes or links again, in words. */
export interface Removal {
  changes: Change[]
  label: string
  text: string
}

/**
 * Identifies the last reading of the tasks, whatever other services do. Null while events arrive, because the last page is
 * soon enough for looking.
 */
export function readingOf(status: SyncStatus): string | null {
  const events = laneOf(status, 'calendar')?.phase
  if (events === 'firstSync' || events === 'pulling') return null
  const tasks = laneOf(status, 'tasks')
  return `${tasks?.phase} ${tasks?.lastPull} ${tasks?.unread?.length}`
}

/**
 * Finds time blocks whose task is gone, and second ones for the same task and time, as two computers can create them
 * offline. A block counts as stray only after all tasks were read again, because its task may arrive later than itself.
 */
export class StrayBlocks {
  /** Stray blocks, with the reading of tasks after which they count. */
  #seen = new Map<string, number>()
  /** Blocks that were handled once. If the user undoes the removal, they stay. */
  #done = new Set<string>()
  #pulls = 0
  #asked = 0
  #lastPull: number | null = null

  /**
   * Returns what to remove now, or null.
   * @param lane the state of the tasks
   * @param own the account's address: blocks of other people in shared calendars plan tasks that aren't known here
   */
  async look(replica: Read, lane: LaneStatus | undefined, now: number, own: string): Promise<Removal | null> {
    if (!lane || lane.phase !== 'idle' || lane.lastPull === null || (lane.unread?.length ?? 0) > 0) return null
    if (lane.lastPull !== this.#lastPull) {
      this.#lastPull = lane.lastPull
      this.#pulls++
    }
    const tasks = tasksById(replica)
    const found = strayBlocks(blocksAround(replica, now), (id) => tasks.has(id))
    const left = found.orphans.filter(
      ({ taskId, rowKey }) => !this.#done.has(rowKey) && tasks.has(laterId(replica, taskId!)),
    )
    for (const { rowKey } of left) this.#done.add(rowKey)
    const linked = left.length > 0 ? await linkAgain(replica, left, own) : null
    if (linked) return linked
    const { orphans, doubles } = found
    const strays = [...orphans, ...doubles].filter(({ rowKey }) => !this.#done.has(rowKey))
    const before = this.#seen
    // The reading under way may have begun earlier than the block came.
    this.#seen = new Map(strays.map(({ rowKey }) => [rowKey, before.get(rowKey) ?? this.#pulls + readings]))
    const ripe = strays.filter(({ rowKey, mark }) => mark === 'synced' && this.#seen.get(rowKey)! <= this.#pulls)
    if (ripe.length === 0) return null
    for (const { rowKey } of ripe) this.#done.add(rowKey)
    const rows = await replica.readAll(ripe.map(({ rowKey }) => rowKey))
    const isOwn = ({ rowKey }: CalendarItem): boolean => creatorOf(rows.get(rowKey)?.value) === own
    // A second block that someone added to is no mere copy.
    const isKept = (block: CalendarItem): boolean =>
      doubles.includes(block) && hasMoreThanTask(rows.get(block.rowKey)?.value ?? {})
    const removed = ripe.filter((block) => isOwn(block) && !isKept(block))
    return removed.length === 0 ? null : removalOf(rows, removed, orphans)
  }

  /** True, once for each reading of the tasks, if a block waits for another one. */
  asksAgain(): boolean {
    const waits = [...this.#seen.values()].some((pulls) => pulls > this.#pulls)
    if (!waits || this.#asked === this.#pulls) return false
    this.#asked = this.#pulls
    return true
  }
}

/** A reading that began after a block came, and the one under way at that time. */
const readings = 2

const creatorOf = (event: JsonObject | null | undefined): unknown =>
  isJsonObject(event?.['creator']) ? event['creator']['email'] : undefined

/** The new ID of a task that was recreated, because this user kept it after it was deleted elsewhere. */
const laterId = (replica: Read, taskId: string): string =>
  parseRecordKey(replica.realKey(recordKey('tasks', 'any', taskId))).id

/** Links the blocks of tasks that were made again under another ID. */
async function linkAgain(replica: Read, blocks: readonly CalendarItem[], own: string): Promise<Removal | null> {
  const rows = await replica.readAll(blocks.map(({ rowKey }) => rowKey))
  const changes = blocks.flatMap(({ rowKey, taskId }): Change[] => {
    const event = rows.get(rowKey)?.value
    if (!event || creatorOf(event) !== own) return []
    return [{ kind: 'change', key: rowKey, patch: withTask(event, laterId(replica, taskId!)) }]
  })
  const count = changes.length === 1 ? 'Time block' : counted(changes.length, 'time block')
  const text = `${count} linked to the task that you kept`
  return changes.length === 0 ? null : { changes, label: text, text }
}

function removalOf(
  rows: ReadonlyMap<string, Row>,
  blocks: readonly CalendarItem[],
  orphans: readonly CalendarItem[],
): Removal {
  const changes: Change[] = []
  for (const block of blocks) {
    const event = rows.get(block.rowKey)?.value
    if (!event) continue
    // What someone added to it stays, as an event like any other.
    if (hasMoreThanTask(event)) changes.push({ kind: 'change', key: block.rowKey, patch: withoutTask(event) })
    else changes.push(...blockDeletions([block]))
  }
  const [first] = blocks
  const title = first!.title.trim() || '(No title)'
  const isOrphan = orphans.includes(first!)
  if (blocks.length === 1)
    return {
      changes,
      label: `Remove ${isOrphan ? '' : 'second '}time block of *${title}*`,
      text: isOrphan
        ? `Time block of “${title}” removed, because its task was deleted`
        : `Second time block of “${title}” removed, because it was planned on two computers`,
    }
  return {
    changes,
    label: `Remove ${counted(blocks.length, 'time block')}`,
    text: `${counted(blocks.length, 'time block')} removed, because their tasks were deleted or planned twice`,
  }
}
