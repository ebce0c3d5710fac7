import { fieldNameInside } from '#shared/fields/field-name'
import { anyPosition } from '#shared/fields/path'
import { sameJson, type Json } from '#shared/json'
import { firstNames, listWords } from '#shared/list-words'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { attempt } from '../../context/attempt'
import type { AppContext } from '../../context/context'
import { rulesOf, setRules } from '../../context/saved-conflict-rules'
import type { ConflictRule, RuledConflict } from '../../context/settings.svelte'
import type { SeenConflict } from '../../replica/api'
import { counted } from '../../ui/counted'
import { openQuestions } from './conflict-groups'
import { ruledChoice, ruledSide, ruleFor, withRules } from './conflict-rules'
import { titleOfEntry } from './entry-labels'

type Account = Pick<AppContext, 'settings' | 'account'>

/** Number of conflicts that are remembered as resolved by a rule. Their undo steps are long gone after that many. */
const mostRemembered = 2_000

/** Adds rules, which also decide conflicts that other rules resolved before the user undid that. */
export function addRules(app: AppContext, added: readonly ConflictRule[]): void {
  const all = withRules(rulesOf(app), added)
  const again = new Set(ruledConflicts(app, all, added).map(({ entry }) => editOf(entry)))
  remember(
    app,
    ruledBefore(app).filter(({ edit }) => !again.has(edit)),
  )
  setRules(app, all)
}

/** Names an edit by its record and time. Its entry gets another ID when a resolution that ended it is undone. */
const editOf = (entry: OutboxEntry): string => `${ownKey(entry)} ${entry.madeAt}`

const remember = ({ settings, account }: Account, conflicts: readonly RuledConflict[]): void =>
  settings.set({
    ruledConflicts: { ...settings.values.ruledConflicts, [account.id]: conflicts.slice(-mostRemembered) },
  })
const ruledBefore = ({ settings, account }: Account): readonly RuledConflict[] =>
  settings.values.ruledConflicts[account.id] ?? []
const inConflict = ({ replica }: AppContext): OutboxEntry[] =>
  replica.outbox().filter(({ state, conflict }) => state === 'needsYou' && conflict)

/** Decisions of the rules about a conflict, to recognize it later. */
const ruledOf = (entry: OutboxEntry, rules: readonly ConflictRule[]): RuledConflict => ({
  edit: editOf(entry),
  places: openQuestions(entry).flatMap((question) => {
    const rule = ruleFor(entry, question, rules)
    return rule ? [{ path: question.name, base: question.place?.base ?? null, keep: rule.keep }] : []
  }),
})

/** The remembered conflict that is back, because someone undid its resolution. Another one of the same edit isn't. */
function undoneBy(entry: OutboxEntry, before: readonly RuledConflict[]): RuledConflict | undefined {
  const edit = editOf(entry)
  const own = before.filter((one) => one.edit === edit)
  if (own.length === 0) return undefined
  const questions = new Map(openQuestions(entry).map(({ name, place }) => [name, place?.base ?? null]))
  return own.find(({ places }) =>
    places.some(({ path, base }) => questions.has(path) && sameJson(questions.get(path), (base ?? null) as Json)),
  )
}

/**
 * Conflicts that rules decide. One that a rule has resolved before is back because someone undid that, so only rules `added` now
 * decide it.
 */
export function ruledConflicts(
  app: AppContext,
  rules: readonly ConflictRule[],
  added: readonly ConflictRule[] = [],
): SeenConflict[] {
  const before = ruledBefore(app)
  return inConflict(app).flatMap((entry) => {
    const decides = (): boolean => openQuestions(entry).some((one) => ruledSide(entry, one, added) !== undefined)
    const choice = !undoneBy(entry, before) || decides() ? ruledChoice(entry, rules) : undefined
    return choice ? [{ entry, choice }] : []
  })
}

/** Notes which resolutions someone undid, as people decide about those. */
function noteUndone(app: AppContext): void {
  const before = ruledBefore(app)
  const undone = new Set(
    inConflict(app).flatMap((entry) => {
      const one = undoneBy(entry, before)
      return one && !one.undone ? [one] : []
    }),
  )
  if (undone.size > 0)
    remember(
      app,
      before.map((one) => (undone.has(one) ? { ...one, undone: true } : one)),
    )
}

/** Resolves what the rules of an account decide, as one undo step, and says so. */
export async function resolveRuled(app: AppContext): Promise<void> {
  const { replica, toasts } = app
  noteUndone(app)
  const rules = rulesOf(app)
  const conflicts = ruledConflicts(app, rules)
  if (conflicts.length === 0) return
  const label = `Resolve ${counted(conflicts.length, 'conflict')}`
  const resolution = await attempt(toasts, replica.resolveAll(conflicts, { label }), {
    failed: 'Couldn’t apply your conflict rules.',
    kept: 'The conflicts are unchanged.',
  })
  if (!resolution) return
  const left = new Set(resolution.left)
  const done = conflicts.flatMap(({ entry }) => (left.has(entry.id) ? [] : [entry]))
  if (done.length === 0) return
  remember(app, [...ruledBefore(app), ...done.map((entry) => ruledOf(entry, rules))])
  const names = listWords(firstNames(done.map((entry) => `“${titleOfEntry(entry)}”`)))
  const text = `${counted(done.length, 'conflict')} resolved by your rules: ${names}`
  app.announce(text)
  toasts.show(text, { action: { label: 'Undo', run: () => void app.undo(resolution.group) } })
}

/** Says which rules resolved conflicts of finished edits: `Resolved by your rules: kept theirs for end date`. */
export function ruledWords(app: Account, entries: readonly OutboxEntry[]): string | undefined {
  const collectionsByEdit = new Map(entries.map((entry) => [editOf(entry), entry.collection]))
  const kept = new Set<string>()
  const edits = new Set<string>()
  for (const { edit, places, undone } of ruledBefore(app)) {
    const collection = collectionsByEdit.get(edit)
    if (!collection || undone) continue
    edits.add(edit)
    for (const { path, keep } of places)
      kept.add(`kept ${keepWords[keep]} for ${fieldNameInside(anyPosition(path).replaceAll('*', '0'), collection)}`)
  }
  if (edits.size === 0) return undefined
  const count = entries.length === 1 ? 'Resolved' : `${edits.size.toLocaleString('en')} resolved`
  return `${count} by your rules: ${listWords([...kept])}`
}

const keepWords = { mine: 'yours', theirs: 'theirs', newer: 'the newer value' } as const satisfies Record<
  ConflictRule['keep'],
  string
>
