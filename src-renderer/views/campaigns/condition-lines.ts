import type { Collection } from '#shared/facts/collection'
import type { Condition } from '../../replica/api'
import { conditionOf, draftOf, newDraft, patternProblems, readerOf, shownIn, type ConditionDraft } from './filters'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'

/** A condition in a list that people edit. */
export interface ConditionLine {
  id: number
  draft: ConditionDraft
  problem?: string | undefined
}

let next = 0
export const lineOf = (draft: ConditionDraft): ConditionLine => ({ id: next++, draft })
export const newLine = (column: Pick<GridColumn, 'path' | 'kind'>): ConditionLine => lineOf(newDraft(column))

/** Lines for conditions on known columns. */
export const linesFor = (
  model: Pick<CampaignsModel, 'context'>,
  columns: readonly GridColumn[],
  conditions: readonly Condition[],
): ConditionLine[] =>
  conditions.flatMap((condition) => {
    const column = columns.find(({ path }) => path === condition.column)
    return column ? [lineOf(draftOf(condition, column, shownIn(model, column)))] : []
  })

/** The conditions of lines, and the lines with their problems. Without conditions if there are any. */
export async function readLines(
  model: CampaignsModel,
  kind: Collection,
  columns: readonly GridColumn[],
  lines: readonly ConditionLine[],
): Promise<{ lines: readonly ConditionLine[]; conditions?: readonly Condition[] }> {
  const patterns = await patternProblems(lines.map(({ draft }) => draft))
  const read = lines.map(({ draft }) => {
    const column = columns.find(({ path }) => path === draft.path) ?? { path: draft.path, kind: 'text' as const }
    return conditionOf(draft, readerOf(model, kind, column))
  })
  const checked = lines.map((line, at): ConditionLine => {
    const one = read[at]!
    return { ...line, problem: patterns[at] ?? ('problem' in one ? one.problem : undefined) }
  })
  const isSound = checked.every(({ problem }) => problem === undefined)
  const conditions = read.filter((one): one is Condition => !('problem' in one))
  return { lines: checked, ...(isSound && { conditions }) }
}
