import { recordKey } from '#shared/domain/collections'
import { changedFields } from '#shared/merge/merge'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { Habits, Reach } from './habit'
import type { Memory } from './memory'
import { renewed } from './pending'
import type { Tx } from './tx'

/** What an entry does away with besides its own record, if anything. */
export function reachOf(habits: Pick<Habits, 'of' | 'action'>, entry: OutboxEntry): Reach | undefined {
  const { kind, action, collection } = entry
  const reach = action ? habits.action(action.name).reach : kind === 'create' ? undefined : habits.of(collection).reach
  return reach && (reach.when?.(entry) ?? kind !== 'change') ? reach : undefined
}

/** The parent of the records that an entry does away with, for the index of the outbox. */
export function reachedPlaces(habits: Pick<Habits, 'of' | 'action'>, entry: OutboxEntry): readonly string[] {
  const reach = reachOf(habits, entry)
  const place = reach && (reach.lies === 'inside' ? entry.recordId : entry.parent)
  return place === undefined || place === null ? [] : [place]
}

/** Waiting entries that do away with records of this parent. */
export const reaching = ({ outbox }: Memory, parent: string | null): readonly OutboxEntry[] =>
  parent === null ? [] : outbox.find('reaches', parent)

/**
 * Someone else added or changed what a waiting entry would do away with, and its author hasn't seen it: they are asked
 * first. To be called before the record is taken. `known`: what this computer had of it.
 */
export function askAboutReach(tx: Tx, record: RemoteRecord, known: RemoteRecord['value'] | undefined): void {
  const { memory } = tx
  const { collection, parent, id, value } = record
  if (!value) return
  const key = recordKey(collection, parent, id)
  const changed = known ? changedFields(memory.facts.of(collection).rules, known, value) : undefined
  if (changed?.length === 0) return
  for (const entry of reaching(memory, parent)) {
    const reach = reachOf(memory.habits, entry)
    if (!reach || entry.state === 'sending' || entry.conflict?.unseen?.includes(key)) continue
    // Without a row, what it hides was known when it was made.
    if (!known && entry.shows?.some((shown) => shown.key === key && shown.patch === null)) continue
    if (!reach.has({ memory, entry, record, ...(changed && { changed }) })) continue
    const row = memory.stored.get(ownKey(entry))
    const etag = row?.etag ?? entry.etag
    const conflict = entry.conflict ?? {
      remote: row?.base ?? entry.base ?? {},
      ...(etag !== undefined && { remoteEtag: etag }),
      fields: [],
      merged: {},
    }
    const unseen = [...(conflict.unseen ?? []), key]
    tx.putEntry({ ...renewed(entry), state: 'needsYou', conflict: { ...conflict, unseen } })
  }
}
