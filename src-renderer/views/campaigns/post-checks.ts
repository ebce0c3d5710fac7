import { isLocalId, recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { CampaignsModel } from './model.svelte'
import { judgingOf, problemsOf, type Problem } from './problems'
import { readAll } from './records'
import { frameYieldOf } from './writing'

/** A draft that the service would reject, and why. */
export interface StoppedDraft {
  entry: OutboxEntry
  /** Key of the draft's record. */
  key: string
  title: string
  problems: Problem[]
}

const keyOf = ({ collection, parent, recordId }: OutboxEntry): string => recordKey(collection, parent, recordId)

/**
 * Finds drafts that the service would reject, given the current state of their records.
 * @throws the signal's reason
 */
export async function stoppedDrafts(
  model: CampaignsModel,
  drafts: readonly OutboxEntry[],
  signal: AbortSignal,
): Promise<StoppedDraft[]> {
  const { replica } = model.app
  const judged = drafts.filter(({ kind }) => kind === 'create' || kind === 'change')
  const rows = await readAll(replica, [...new Set(judged.map(keyOf))], { signal })
  const yielder = frameYieldOf(signal)
  const found: StoppedDraft[] = []
  for (const entry of judged) {
    const key = keyOf(entry)
    const row = rows.get(key)
    if (!row?.value) continue
    const facts = replica.facts.of(row.collection)
    const problems = problemsOf(facts, row.value, !isLocalId(row.id), judgingOf(model, row))
    if (problems.length > 0) found.push({ entry, key, title: model.titleOf(row), problems })
    if (yielder.due) await yielder.take()
  }
  return found
}

/** IDs of entries that can't be sent while `stuck` can't: these and everything that depends on them. */
export function heldUpBy(stuck: Iterable<string>, entries: readonly OutboxEntry[]): Set<string> {
  const found = new Set(stuck)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { id, dependsOn } of entries) if (dependsOn.some((other) => found.has(other))) found.add(id)
  }
  return found
}
