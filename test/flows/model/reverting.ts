import { parseRecordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Change } from '../../../src-renderer/replica/api'
import { revertOf } from '../../../src-renderer/views/sync/revert'
import { listMade, madeIn, type Claims } from './claims'
import type { Device } from './device'
import { pickFrom, type Hands } from './hands'
import { wordsIn, type Ledger } from './ledger'
import { eventsIn } from './planning'
import { claimRestored } from './restoring'
import { isBelow } from './task-tree'

/** How many finished changes people look at. */
const listed = 40

/** People who revert finished changes of their own. */
export class Reverting {
  /** Words that a revert removed although the change hadn't written them. */
  readonly removed: string[] = []

  constructor(
    private readonly hands: Hands,
    private readonly claims: Claims,
    private readonly ledger: Ledger,
  ) {}

  /** Someone reverts a change, or a whole step. @param restores false if they must not bring back what was deleted */
  async act(device: Device, random: () => number, restores: boolean): Promise<void> {
    const { replica } = device
    const history = await replica.history(listed)
    const fitting = history.filter(({ entry }) => restores || entry.kind !== 'delete')
    const able = fitting.filter((item) => revertOf(replica, item).length > 0)
    if (able.length === 0) return
    const first = pickFrom(random, able)
    const isWhole = random() < 0.3
    const items = isWhole ? able.filter(({ entry }) => entry.group === first.entry.group) : [first]
    const changes = items.flatMap((item) => revertOf(replica, item))
    // Who restored a record saw what it contained.
    const restored = changes.flatMap((change) => (isDeletion(change) ? [change.created] : []))
    const undone = wordsIn([items.map(({ entry }) => [entry.patch, entry.conflict?.remote]), restored])
    const changed = changes.flatMap((change) => (isDeletion(change) || !('key' in change) ? [] : [change.key]))
    const before = await wordsOf(replica, changed)
    const ends = (await Promise.all(changes.map((change) => endedBy(device, change)))).flat()
    this.claim(device, changes)
    const keys = await this.hands.edit(device, () => ({
      what: isWhole ? 'revert step' : `revert ${first.entry.kind}`,
      changes,
      promise: { ends, replaces: [...undone] },
    }))
    if (!keys) return
    // What is asked about is hidden, and stays unless someone agrees.
    const asked = new Set(replica.outbox().flatMap(({ conflict }) => conflict?.unseen ?? []))
    // Without a pending edit, an occurrence is the series' again, or not known if that isn't.
    const isHidden = (key: string): boolean =>
      asked.has(replica.realKey(key)) || !replica.peek(replica.realKey(key))?.value
    const known = changed.flatMap((key, at) => (isHidden(key) ? [] : [...before[at]!]))
    const after = new Set((await wordsOf(replica, changed)).flatMap((words) => [...words]))
    const gone = known.filter((word) => !after.has(word) && !undone.has(word))
    // Others may have removed one meanwhile.
    for (const word of gone)
      if (this.ledger.isThere(word) || !this.ledger.reached(word)) this.removed.push(`${word} on ${device.name}`)
  }

  private claim(device: Device, changes: readonly Change[]): void {
    for (const change of changes)
      if (change.kind === 'restore') claimRestored(this.claims, device, change.key)
      else if (change.kind === 'create')
        this.claims.add(device, change.collection === 'tasklists' ? listMade(change.value.title) : madeIn(change.value))
  }
}

const wordsOf = async (replica: Device['replica'], keys: readonly string[]): Promise<Set<string>[]> =>
  Promise.all(keys.map(async (key) => wordsIn((await replica.read(key))?.value)))

const isDeletion = (change: Change): change is Extract<Change, { created: JsonObject }> =>
  change.kind === 'revert' && 'created' in change

/** Keys of what goes with a record that is deleted again. */
async function endedBy(device: Device, change: Change): Promise<string[]> {
  if (!isDeletion(change)) return []
  const { replica } = device
  const key = replica.realKey(change.key)
  const { collection, parent, id } = parseRecordKey(key)
  if (collection === 'calendars') return [key, ...(await eventsIn(device, id))]
  if (collection === 'tasklists') return [key, ...replica.rows('tasks', id).map((row) => row.key)]
  const inside = collection === 'tasks' && parent !== null ? replica.rows('tasks', parent) : []
  return [key, ...inside.filter((task) => isBelow(inside, task, id)).map((task) => task.key)]
}
