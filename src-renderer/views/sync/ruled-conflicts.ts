import { listWords } from '#shared/list-words'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { attempt } from '../../context/attempt'
import type { AppContext } from '../../context/context'
import { rulesOf, setRules } from '../../context/saved-conflict-rules'
import type { ConflictRule } from '../../context/settings.svelte'
import type { SeenConflict } from '../../replica/api'
import { counted } from '../../ui/counted'
import { openQuestions } from './conflict-groups'
import { ruledChoice, ruledSide, withRules } from './conflict-rules'
import { firstNames, titleOfEntry } from './entry-labels'

/** Number of edits that are remembered as resolved by a rule. Their undo steps are long gone after that many. */
const mostRemembered = 2_000

/** Adds rules, which also decide conflicts that other rules resolved before the user undid that. */
export function addRules(app: AppContext, added: readonly ConflictRule[]): void {
  const all = withRules(rulesOf(app), added)
  const again = new Set(ruledConflicts(app, all, added).map(({ entry }) => editOf(entry)))
  remember(
    app,
    ruledBefore(app).filter((edit) => !again.has(edit)),
  )
  setRules(app, all)
}

/** Names an edit by its record and time. Its entry gets another ID when a resolution that ended it is undone. */
const editOf = (entry: OutboxEntry): string => `${ownKey(entry)} ${entry.editedAt ?? entry.madeAt}`

const remember = ({ settings, account }: AppContext, edits: readonly string[]): void =>
  settings.set({
    ruledConflicts: { ...settings.values.ruledConflicts, [account.id]: edits.slice(-mostRemembered) },
  })
const ruledBefore = ({ settings, account }: AppContext): readonly string[] =>
  settings.values.ruledConflicts[account.id] ?? []

/**
 * Conflicts that rules decide. One that a rule has resolved before is back because someone undid that, so only rules `added` now
 * decide it.
 */
export function ruledConflicts(
  app: AppContext,
  rules: readonly ConflictRule[],
  added: readonly ConflictRule[] = [],
): SeenConflict[] {
  const before = new Set(ruledBefore(app))
  return app.replica.outbox().flatMap((entry) => {
    if (entry.state !== 'needsYou') return []
    const decides = (): boolean => openQuestions(entry).some((one) => ruledSide(entry, one, added) !== undefined)
    const choice = !before.has(editOf(entry)) || decides() ? ruledChoice(entry, rules) : undefined
    return choice ? [{ entry, choice }] : []
  })
}

/** Resolves what the rules of an account decide, as one undo step, and says so. */
export async function resolveRuled(app: AppContext): Promise<void> {
  const { replica, toasts } = app
  const conflicts = ruledConflicts(app, rulesOf(app))
  if (conflicts.length === 0) return
  const label = `Resolve ${counted(conflicts.length, 'conflict')}`
  const resolution = await attempt(toasts, replica.resolveAll(conflicts, { label }), {
    failed: 'Your conflict rules couldn’t be applied.',
    kept: 'The conflicts are unchanged.',
  })
  if (!resolution) return
  const left = new Set(resolution.left)
  const done = conflicts.flatMap(({ entry }) => (left.has(entry.id) ? [] : [entry]))
  if (done.length === 0) return
  remember(app, [...ruledBefore(app), ...done.map(editOf)])
  const names = listWords(firstNames(done.map((entry) => `“${titleOfEntry(entry)}”`)))
  const text = `${counted(done.length, 'conflict')} resolved by your rules: ${names}`
  app.announce(text)
  toasts.show(text, { action: { label: 'Undo', run: () => void app.undo(resolution.group) } })
}
