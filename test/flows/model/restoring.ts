import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { parseInstanceId } from '#shared/domain/instances'
import type { DeletedItem } from '../../../src-renderer/replica/api'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { ConflictChoice } from '../../../src-renderer/replica/api'
import type { Made } from './campaigns'
import { listMade, madeIn, type Claims } from './claims'
import type { Device } from './device'
import { pickFrom, type Hands } from './hands'
import { wordsIn } from './ledger'
import type { Planning } from './planning'
import { isBelow } from './task-tree'

const from = Date.UTC(2026, 2, 1)
const to = Date.UTC(2026, 3, 1)

/** People who delete records, restore them, and undo how they resolved conflicts. */
export class Restoring {
  /** Words of both sides of conflicts, by the word of the step that resolved them. */
  private readonly resolved = new Map<string, ReadonlySet<string>>()

  constructor(
    private readonly hands: Hands,
    private readonly planning: Planning,
    private readonly claims: Claims,
  ) {}

  /**
   * Someone deletes a record, or restores one that they or others deleted and often edits it.
   * @param takeOver makes this the random stream of the step, too
   */
  async act(device: Device, random: () => number, restores: boolean, takeOver: () => void): Promise<void> {
    const { hands } = this
    const gone = restorable(device)
    if (gone.length === 0 || !restores || random() < 0.3) {
      takeOver()
      await hands.edit(device, () => (random() < 0.08 ? this.planning.deleteList(device) : this.delete(device)))
      return
    }
    const key = pickFrom(random, gone)
    claimRestored(this.claims, device, key)
    const back = await hands.edit(device, () => ({ what: 'restore', changes: [{ kind: 'restore', key }] }))
    const restored = back?.[0]
    if (restored === undefined || random() < 0.3) return
    const field = key.startsWith('events') ? 'location' : 'title'
    await hands.edit(device, (marker) => ({
      what: 'edit restored',
      changes: [{ kind: 'change', key: restored, patch: { [field]: marker } }],
      promise: { field },
    }))
  }

  /** A label for a step that resolves a conflict, by which undo is judged. */
  labelFor(entry: OutboxEntry): string {
    const label = `Resolve ${this.resolved.size + 1}`
    this.resolved.set(label, wordsIn([entry.patch, entry.conflict?.remote]))
    return label
  }

  /** Resolves a conflict as one of many. */
  resolve(device: Device, entry: OutboxEntry, choice: ConflictChoice): Promise<unknown> {
    const label = this.hands.mark(device.name)
    this.resolved.set(label, wordsIn([entry.patch, entry.conflict?.remote]))
    return device.replica.resolveAll([{ entry, choice }], { label })
  }

  /** Words of both sides of the conflicts that a step resolved. */
  resolvedBy(label: string): Iterable<string> {
    return this.resolved.get(label) ?? []
  }

  private delete({ replica }: Device): Made | undefined {
    const tasks = replica.rows('tasks')
    const gone = [
      ...replica.items(from, to).map(({ rowKey }) => [rowKey]),
      ...tasks.map(({ key, id }) => [key, ...tasks.filter((task) => isBelow(tasks, task, id)).map((task) => task.key)]),
    ]
    if (gone.length === 0) return undefined
    const ends = pickFrom(this.hands.random, gone)
    return { what: 'delete', changes: [{ kind: 'delete', key: ends[0]! }], promise: { ends } }
  }
}

/** Someone is about to restore a deleted record. */
export function claimRestored(claims: Claims, device: Device, key: string): void {
  const deleted = device.replica.deleted().find((one) => one.key === key)
  if (deleted) claimBack(claims, device, deleted.items)
}

/** True if a deleted list is about to be created again, or an occurrence as an event of its own. */
export const isCreated = ({ replica }: Device, { collection, id, value }: DeletedItem): boolean =>
  (collection === 'tasklists' || parseInstanceId(id) !== undefined) &&
  replica.outbox().some(({ kind, patch, collection: created }) => {
    const isSame = collection === 'tasklists' ? patch.title === value.title : madeIn(patch) === madeIn(value)
    return kind === 'create' && created === collection && isSame
  })

/** Someone brings back a deleted record. A list and its contents can only be created again. */
export function claimBack(claims: Claims, device: Device, items: readonly DeletedItem[]): void {
  if (items.at(-1)?.collection !== 'tasklists') {
    for (const item of items) claims.restored(device, item)
    return
  }
  const seen = new Map<string | undefined, number>()
  for (const { collection, value } of items) {
    const made = collection === 'tasklists' ? listMade(value.title) : madeIn(value)
    const copy = seen.get(made) ?? 0
    claims.add(device, made, copy)
    seen.set(made, copy + 1)
  }
}

/** Keys of the deleted records that someone may restore. */
function restorable({ replica }: Device): string[] {
  const isThere = (key: string): boolean => replica.peek(key)?.value !== null
  return replica.deleted().flatMap(({ key, items }) => {
    const { collection, parent } = parseRecordKey(key)
    const within = items.at(-1)?.place?.parent
    // Restored apart from a parent whose deletion isn't sent, and may never be, it's there twice.
    const isAlone = within === undefined || isThere(recordKey(collection, parent, within))
    return /^(events|tasks|tasklists)$/.test(collection) && isAlone ? [key] : []
  })
}
