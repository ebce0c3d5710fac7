import { counted } from '../../ui/counted'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Rehearsal } from '../../replica/api'
import type { PlannedRow } from './post-plan'

/** How a rehearsal ended for a row. */
export type RehearsedAs = 'accepted' | 'rejected' | 'asked' | 'waiting' | 'untried'

/** How a rehearsal ended for an entry. */
export function rehearsedAs({ left, untried }: Rehearsal, { id }: Pick<OutboxEntry, 'id'>): RehearsedAs {
  const entry = left.get(id)
  if (!entry) return 'accepted'
  if (untried.has(id)) return 'untried'
  if (entry.state !== 'needsYou') return 'waiting'
  return entry.conflict ? 'asked' : 'rejected'
}

/** Words of each row. */
export const rehearsedWords: Readonly<Record<RehearsedAs, string>> = {
  accepted: 'Accepted',
  rejected: 'Rejected',
  asked: 'Conflict',
  waiting: 'Waiting for another change',
  untried: 'Not simulated',
}

const sentences: Readonly<Record<RehearsedAs, string>> = {
  accepted: 'would be accepted',
  rejected: 'would be rejected',
  asked: 'would conflict',
  waiting: 'would wait for other changes',
  untried: 'couldn’t be simulated',
}
const order: readonly RehearsedAs[] = ['accepted', 'rejected', 'asked', 'waiting', 'untried']

/** “498 drafts would be accepted, 2 would be rejected.” */
export function rehearsalWords(rows: readonly PlannedRow[], rehearsal: Rehearsal): string {
  const counts = new Map<RehearsedAs, number>()
  for (const { entry } of rows) {
    const as = rehearsedAs(rehearsal, entry)
    counts.set(as, (counts.get(as) ?? 0) + 1)
  }
  const parts = order.flatMap((as) => {
    const count = counts.get(as)
    return count === undefined ? [] : [{ count, words: sentences[as] }]
  })
  const text = parts.map(({ count, words }, at) =>
    at === 0 ? `${counted(count, 'draft')} ${words}` : `${count.toLocaleString('en')} ${words}`,
  )
  return `${text.join(', ')}.`
}
