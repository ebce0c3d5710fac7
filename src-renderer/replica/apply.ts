import {
  collectionOf,
  parseRecordKey,
  recordKey,
  type Collection,
  type CollectionName,
} from '#shared/domain/collections'
import { keptForm } from '#shared/domain/deleted-forms'
import type { Facts } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { Cursor } from '#shared/ipc/cursor'
import type { RemoteRecord } from '#shared/mutation/entry'
import { firstCheckAfter } from './check-result'
import type { Commits } from './commits'
import type { Memory } from './memory'
import { askAboutReach, reaching } from './reach'
import { followGone, noteGone, notesGone } from './deleted'
import { keyOfParent } from './id-names'
import { takeRecord } from './records'
import { readStored } from './read-stored'
import type { Store } from './store'
import type { Tx } from './tx'

/** Number of rows per transaction, small enough that no frame is missed. */
const slice = 500

export interface ApplyDeps {
  memory: Memory
  commits: Commits
  store: Store
  now: () => number
  /** Timer for the pauses between two slices. */
  setTimer: (work: () => void, ms: number) => unknown
}

export interface Finish {
  cursorKey: string
  cursor?: Cursor
  /** Number of records in the last complete read. */
  records?: number
  /** Listed IDs of records that don't name the target themselves. */
  brought?: ReadonlySet<string>
  /** Keys of local records that no longer exist. */
  gone?: readonly string[]
}

/**
 * Stores a page of records in slices. `finishPull` stores the cursor last, so a crash costs a repeated read but no
 * data. Records of a `full` listing are written together, so that they share blocks.
 */
export async function applyRecords(deps: ApplyDeps, records: readonly RemoteRecord[], full = false): Promise<void> {
  // Write one slice while the next one is applied to memory.
  const written: Promise<void>[] = []
  for (let at = 0; at < records.length; at += slice) {
    const part = records.slice(at, at + slice)
    const more = full && at + slice < records.length
    const known = await knownIn(deps, part)
    const left = await goneIn(deps, part)
    const take = (tx: Tx, record: RemoteRecord): void => {
      const before = left.get(keyOf(record))
      if (before) noteGone(tx, record, before, deps.now())
      else followGone(tx, record)
      if (known) askAboutReach(tx, record, known(keyOf(record)))
      takeRecord(tx, record, full)
    }
    const { saved } = deps.commits.run('sync', (tx) => part.forEach((record) => take(tx, record)), { more })
    if (more) await new Promise<void>((resolve) => deps.setTimer(resolve, 0))
    else await Promise.all(written)
    written.push(saved)
  }
  // Rolling back an edit that can't be saved also rolls back everything applied after it, including earlier slices.
  await Promise.all(written)
}

const keyOf = ({ collection, parent, id }: RemoteRecord): string => recordKey(collection, parent, id)

/** True if the user may restore records that were deleted there. */
function isRestorable(memory: Memory, { collection, parent }: RemoteRecord): boolean {
  const facts = memory.facts.of(collection)
  const holder = keyOfParent(facts, parent)
  const only = facts.keepsDeleted?.only
  const said = only && holder !== undefined ? memory.row(holder)?.value?.[only.field] : undefined
  return !only || (typeof said === 'string' && only.values.includes(said))
}

/** Local versions of records that the service no longer has. */
async function goneIn(deps: ApplyDeps, records: readonly RemoteRecord[]): Promise<ReadonlyMap<string, JsonObject>> {
  const { memory } = deps
  const gone = records.filter(
    (record) => record.value === null && notesGone(memory, record.collection) && isRestorable(memory, record),
  )
  const keys = gone.map(keyOf)
  const rows = await readStored(deps, keys)
  return new Map(
    keys.flatMap((key, at): [string, JsonObject][] => {
      const base = rows[at]?.base
      return base && keptForm(collectionOf(key), parseRecordKey(key).id, base) ? [[key, base]] : []
    }),
  )
}

/** Local versions of records. Undefined if no pending entry would remove any of them. */
async function knownIn(
  deps: ApplyDeps,
  records: readonly RemoteRecord[],
): Promise<((key: string) => JsonObject | undefined) | undefined> {
  const { memory } = deps
  if (![...new Set(records.map(({ parent }) => parent))].some((parent) => reaching(memory, parent).length > 0)) return
  const keys = records.map(keyOf).filter((key) => !memory.stored.has(key))
  const rows = new Map((await readStored(deps, keys)).map((row, at) => [keys[at], row]))
  return (key) => (memory.stored.get(key) ?? rows.get(key))?.base
}

/** Ends a pull: removes deleted records except those with pending edits, and stores the cursor. */
export async function finishPull(deps: ApplyDeps, finish: Finish): Promise<void> {
  const { gone = [], cursor, cursorKey, records, brought } = finish
  await removeRows(deps, gone, (tx) => {
    tx.putPage(cursorKey, null)
    if (!deps.memory.cursors.has(cursorKey)) tx.putCheckDue(cursorKey, deps.now() + firstCheckAfter)
    if (brought) tx.putBrought(cursorKey, brought.size > 0 ? brought : null)
    if (cursor)
      tx.putCursor({ key: cursorKey, cursor, pulledAt: deps.now(), ...(records !== undefined && { records }) })
    else tx.removeCursor(cursorKey)
  })
}

/**
 * Removes everything inside deleted records of a collection, such as calendars. Pending edits stay and become conflicts.
 */
export async function dropOrphans(deps: ApplyDeps, holder: CollectionName): Promise<boolean> {
  const { cursors, pages, brought } = deps.memory
  const held = heldBy(deps.memory.facts).get(holder)
  // Most collections contain nothing, and a download has thousands of cursors.
  if (!held) return false
  let dropped = false
  const keys = new Set<string>()
  for (const kept of [cursors, pages, brought])
    for (const key of kept.keys()) if (held.has(collectionOf(key))) keys.add(key)
  for (const cursorKey of keys) {
    const facts = held.get(collectionOf(cursorKey))!
    const { collection, parent, id } = parseRecordKey(cursorKey)
    const beside = facts.listedIn === holder
    const owner = beside ? recordKey(holder, null, id) : keyOfParent(facts, parent)
    if (!owner || deps.memory.row(owner)) continue
    const keys = beside ? [recordKey(collection, null, id)] : await deps.store.rowKeys(collection, parent)
    await removeRows(deps, keys, (tx) => {
      tx.removeCursor(cursorKey)
      tx.putPage(cursorKey, null)
      tx.putBrought(cursorKey, null)
      if (deps.memory.checksDue.has(cursorKey)) tx.putCheckDue(cursorKey, null)
    })
    deps.memory.drops++
    dropped = true
  }
  return dropped
}

const known = new WeakMap<Facts, ReadonlyMap<CollectionName, ReadonlyMap<CollectionName, Collection>>>()

/** Collections whose lists or records belong to records of another collection, by that collection. */
function heldBy(facts: Facts): ReadonlyMap<CollectionName, ReadonlyMap<CollectionName, Collection>> {
  let held = known.get(facts)
  if (!held) {
    const found = new Map<CollectionName, Map<CollectionName, Collection>>()
    for (const one of facts.all)
      for (const holder of [one.listedIn, one.parent?.collection])
        if (holder) found.set(holder, (found.get(holder) ?? new Map<CollectionName, Collection>()).set(one.name, one))
    known.set(facts, (held = found))
  }
  return held
}

/** Removes local rows in slices. Their pending edits stay. */
export async function removeRows(deps: ApplyDeps, keys: readonly string[], last: (tx: Tx) => void): Promise<void> {
  for (let at = 0; ; at += slice) {
    const part = keys.slice(at, at + slice)
    const ends = at + slice >= keys.length
    await deps.commits.run('sync', (tx) => {
      for (const key of part) tx.removeRow(key)
      if (ends) last(tx)
    }).saved
    if (ends) return
  }
}
