import { isLocalId, recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CampaignsModel } from './model.svelte'
import { judgingOf, problemsOf, type Problem } from './problems'
import { readAll } from './records'
import { breathOf } from './writing'

/** A draft that the service would refuse, and why. */
export interface StoppedDraft {
  entry: OutboxEntry
  /** Of its record. */
  key: string
  title: string
  problems: Problem[]
}

const keyOf = ({ collection, parent, recordId }: OutboxEntry): string => recordKey(collection, parent, recordId)

/** Those of drafts that the service would refuse, by what their records say now. @throws what the signal says */
export async function stoppedDrafts(
  model: CampaignsModel,
  drafts: readonly OutboxEntry[],
  signal: AbortSignal,
): Promise<StoppedDraft[]> {
  const { replica } = model.app
  const judged = drafts.filter(({ kind }) => kind === 'create' || kind === 'change')
  const rows = await readAll(replica, [...new Set(judged.map(keyOf))], { signal })
  const breath = breathOf(signal)
  const found: StoppedDraft[] = []
  for (const entry of judged) {
    const key = keyOf(entry)
    const row = rows.get(key)
    if (!row?.value) continue
    const facts = replica.facts.of(row.collection)
    const problems = problemsOf(facts, row.value, !isLocalId(row.id), judgingOf(model, row))
    if (problems.length > 0) found.push({ entry, key, title: model.titleOf(row), problems })
    if (breath.due) await breath.take()
  }
  return found
}

/** Ids of entries that cannot go while these cannot: they and all that wait for them. */
export function heldUpBy(stuck: Iterable<string>, entries: readonly OutboxEntry[]): Set<string> {
  const found = new Set(stuck)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { id, dependsOn } of entries) if (dependsOn.some((other) => found.has(other))) found.add(id)
  }
  return found
}
