import type { Finding } from '#shared/checks/rule'
import { checkAlone, checkedOf } from './checking'
import type { CampaignsModel } from './model.svelte'
import type { PlannedRow } from './post-plan'
import { readAll } from './records'

/**
 * Errors and warnings of own rules in records that a post would change.
 * @throws the signal's reason
 */
export async function postFindings(
  { app, rules, today }: Pick<CampaignsModel, 'app' | 'rules' | 'today'>,
  rows: readonly PlannedRow[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const own = (await rules.runnable()).filter(({ severity }) => severity !== 'hint')
  const kinds = new Set(own.flatMap((rule) => rule.kinds))
  const keys = new Set(rows.filter(({ entry }) => kinds.has(entry.collection)).map(({ key }) => key))
  if (keys.size === 0) return []
  const read = await readAll(app.replica, [...keys], { signal })
  return checkAlone(app.replica, [...read.values()].map(checkedOf), { today, own }, { signal })
}
