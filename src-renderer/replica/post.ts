import type { OutboxEntry } from '#shared/mutation/entry'
import { orderPosts } from './posting-order'
import type { Tx } from './tx'

/** Posts the drafts with these IDs and every draft they depend on, or all drafts. Returns their number. */
export function post(tx: Tx, ids?: readonly string[]): number {
  const { outbox } = tx.memory
  orderPosts(tx)
  const wanted = [...(ids ?? outbox.list().map(({ id }) => id))]
  const found = new Map<string, OutboxEntry>()
  for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
    const entry = outbox.get(id)
    if (!entry || found.has(id)) continue
    found.set(id, entry)
    wanted.push(...entry.dependsOn)
  }
  const drafts = [...found.values()].filter(({ held }) => held)
  for (const { held: _held, ...entry } of drafts) tx.putEntry(entry)
  // What was posted earlier may need them.
  if (drafts.length > 0) orderPosts(tx)
  return drafts.length
}
