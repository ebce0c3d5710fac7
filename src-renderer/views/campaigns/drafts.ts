import type { Facts } from '#shared/facts/facts'
import type { OutboxEntry } from '#shared/mutation/entry'
import { titleOfKind } from './kinds'

export interface DraftCount {
  title: string
  made: number
  changed: number
  ended: number
}

/** Number of records that drafts create, change, or delete, by kind, with the largest first. */
export function countDrafts(facts: Facts, drafts: readonly OutboxEntry[]): DraftCount[] {
  const counts = new Map<string, DraftCount>()
  for (const { collection, kind } of drafts) {
    const known = counts.get(collection)
    const count = known ?? { title: titleOfKind(facts.of(collection)), made: 0, changed: 0, ended: 0 }
    if (!known) counts.set(collection, count)
    if (kind === 'create') count.made += 1
    else if (kind === 'delete') count.ended += 1
    else count.changed += 1
  }
  return [...counts.values()].sort((a, b) => b.made + b.changed + b.ended - (a.made + a.changed + a.ended))
}
