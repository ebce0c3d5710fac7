import { insideSentence } from '#shared/fields/heads'
import { parseRecordKey } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import { unchanged } from '../../context/account-words'
import type { AppContext } from '../../context/context'
import type { Ended } from '../../context/long-work.svelte'
import type { Edited, Work } from '../../replica/api'
import { counted } from '../../ui/counted'
import { headFor } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { skippedOf, withTexts, type SkippedCell } from './skipped.svelte'
import { writeCells, type CellEdit, type Plan } from './writing'

export interface BulkWork extends Work {
  /** Resolves once earlier edits are saved, such as that of the cell that was typed just before. */
  earlierEdits: Promise<void>
}

interface BulkWrite {
  /** Title while running, such as "Pasting". */
  title: string
  /** First words of the undo step's label, such as "Paste into". */
  verb: string
  /** Past participle for the message, such as "changed". */
  past: string
  /** Noun that the message counts, if it's records rather than cells, such as "flight". */
  records?: string
  /** Label of the undo step, given what it's about. */
  label?: (what: string) => string
  /** The edits, or a function that finds them. Keeps its place among other edits, however long the search takes. */
  edits: readonly CellEdit[] | ((work: BulkWork) => readonly CellEdit[] | Promise<readonly CellEdit[]>)
  /** Further notes for the message, such as cells that didn't fit. Called after all edits are known. */
  notes?: () => readonly string[]
}

/** Maximum number of reasons listed in a message. */
const maxReasons = 4

/** Writes many cells as one undo step, with progress and a message about the result. */
export async function bulkWrite(
  model: CampaignsModel,
  { title, verb, past, records, label, edits, notes }: BulkWrite,
): Promise<void> {
  const { app } = model
  const done = await longWork(
    model,
    title,
    async (work) => {
      let onturn = (): void => undefined
      const earlierEdits = new Promise<void>((resolve) => (onturn = resolve))
      const found = typeof edits === 'function' ? edits({ ...work, earlierEdits }) : edits
      const written = await writeCells(model, found, { verb, label, quiet: true, ...work, onturn })
      return { ...written, skipped: withTexts(written.refused, await found) }
    },
    ({ written, group }) => (written > 0 ? group : undefined),
  )
  if (!done || done.failed) return
  const { written, refused, skipped } = done
  const more = notes?.() ?? []
  const count = records === undefined ? counted(written, 'cell') : counted(done.records ?? 0, records)
  const parts = [`${count} ${past}`, ...more]
  const text = parts.join(', ') + refusalWords(refused) + (await onlyCellWords(model, skipped))
  if (refused.length > 0 || more.length > 0) {
    const [first] = skipped
    const show = first && {
      label: skipped.length > 1 ? 'Show all' : 'Show',
      run: () => (skipped.length > 1 ? showSkipped(model, skipped) : model.selected.reveal(first.key, first.path)),
      // The texts are nowhere else.
      stays: true,
    }
    return void app.toasts.show(text, { level: 'error', survivesAccountSwitch: true, ...(show && { action: show }) })
  }
  app.announce(text)
  const action = { label: 'Undo', run: () => void app.undo(done.group) }
  app.toasts.show(text, { survivesAccountSwitch: true, ...(written > 0 && { action }) })
}

/** Names the cell that was skipped, and the text for it, if there's just one. */
async function onlyCellWords(model: CampaignsModel, skipped: readonly SkippedCell[]): Promise<string> {
  const { app } = model
  const [only] = skipped
  if (!only || skipped.length > 1 || only.text === undefined) return ''
  const row = await app.replica.read(only.key).catch(() => null)
  if (!row?.value) return ''
  const head = insideSentence(headFor(app.replica.facts.of(row.collection), only.path))
  return ` (${head} of ${model.titleOf(row)}: “${only.text}”)`
}

/** Lists skipped cells in the view, which may be closed by now. */
function showSkipped({ app }: CampaignsModel, skipped: readonly SkippedCell[]): void {
  if (app.navigation.place.view !== 'campaigns')
    app.navigation.go('campaigns', { kind: parseRecordKey(skipped[0]!.key).collection })
  skippedOf(app.replica).show(skipped)
}

/** Changes many records as one undo step, with progress. Returns undefined if nothing changed, after a message says so. */
export async function editMany(
  model: CampaignsModel,
  title: string,
  ...[changes, options, receipt]: Parameters<AppContext['edit']>
): Promise<Edited | undefined> {
  const done = await longWork(
    model,
    title,
    (work) => model.app.edit(changes, options, receipt, work),
    (edited) => edited?.group,
  )
  return done ?? undefined
}

/**
 * Runs work on many records, with progress. Returns undefined if the work was stopped or couldn't read its data. Then
 * nothing has changed, and a message says so.
 * @param stepOf the undo step of finished work, which is undone if the work was stopped too late
 */
export async function longWork<T>(
  { app, work }: CampaignsModel,
  title: string,
  run: (how: Required<Work>) => Promise<T>,
  stepOf: (done: T) => string | undefined = () => undefined,
): Promise<T | undefined> {
  try {
    const ended = await work.run(title, run)
    if (!ended.stopped) return ended.value
    const step = ended.value === undefined ? undefined : stepOf(ended.value)
    // An error message says what prevented it.
    if (step !== undefined && !(await app.undo(step))) return undefined
    tellStopped(app, title)
    await undoMore(app, ended)
  } catch (error) {
    const text = `${title} failed. ${unchanged(faultOf(error).message)}`
    app.toasts.show(text, { level: 'error', survivesAccountSwitch: true })
  }
  return undefined
}

/** Undoes steps that were requested while work was stopping, but none that was made since. */
async function undoMore(app: AppContext, { more, seen }: Ended<unknown>): Promise<void> {
  for (let left = more; left > 0; left--) {
    const [step] = app.replica.undoSteps
    if (step === undefined || !seen.includes(step) || !(await app.undo(step))) return
  }
}

function tellStopped({ announce, toasts }: AppContext, title: string): void {
  const text = `${title} stopped. Nothing changed.`
  announce(text)
  toasts.show(text, { survivesAccountSwitch: true })
}

/** Reasons why cells were skipped, with counts, most frequent first. */
export function refusalCounts(refused: Plan['refused']): { why: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { why } of refused) counts.set(why, (counts.get(why) ?? 0) + 1)
  return [...counts].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count)
}

function refusalWords(refused: Plan['refused']): string {
  const reasons = refusalCounts(refused)
  const [first] = reasons
  if (!first) return ''
  const all = `. ${counted(refused.length, 'cell')} skipped`
  if (reasons.length === 1) return `${all}: ${first.why}`
  const listed = reasons.slice(0, maxReasons).map(({ why, count }) => `${why} (${count.toLocaleString('en')})`)
  const rest = reasons.slice(maxReasons).reduce((sum, { count }) => sum + count, 0)
  if (rest > 0) listed.push(`other reasons (${rest.toLocaleString('en')})`)
  return `${all}: ${listed.join(' · ')}`
}
