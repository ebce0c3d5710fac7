import { fieldAt } from '#shared/fields/path'
import { eitherWords } from '#shared/list-words'
import type { Work } from '../../replica/api'
import { counted } from '../../ui/counted'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { fieldName, type Formula } from './name-formula'
import { previewOf, type Places, type Preview } from './replace'

export interface FormulaPreview extends Preview {
  /** Number of rows whose text stays the same. */
  same: number
  /** Keys of rows whose text another row has, within what they both belong to. */
  duplicates: ReadonlySet<string>
  /** Columns that are empty in a row, by its key. */
  empty: ReadonlyMap<string, readonly GridColumn[]>
  /** Keys of rows whose text is longer than the service allows. */
  long: ReadonlySet<string>
  /** Maximum number of characters that the service allows. */
  maxLength: number | undefined
}

/**
 * Previews what a formula writes into a column of rows `from` to `to`, inclusive. `start`: the number of the first row.
 * @throws the signal's reason
 */
export async function formulaPreview(
  model: CampaignsModel,
  formula: Formula,
  column: GridColumn,
  { from, to }: Pick<Places, 'from' | 'to'>,
  start: number,
  work: Work = {},
): Promise<FormulaPreview> {
  const { kind } = model
  const owner = kind.cuts.filter(({ field }) => field !== undefined).at(-1)?.field
  const maxLength = fieldAt(kind, column.path)?.maxLength
  const keysByText = new Map<string, string[]>()
  const empty = new Map<string, readonly GridColumn[]>()
  const long = new Set<string>()
  const reads = [...formula.columns.map(({ path }) => path), ...(owner === undefined ? [] : [owner])]
  let same = 0
  const preview = await previewOf(
    model,
    { from, to, columns: [column], reads },
    (before, row) => {
      const written = formula.write(row, start + row.at)
      const text = written.text.trim()
      if (written.empty.length > 0) empty.set(row.key, written.empty)
      if (maxLength !== undefined && text.length > maxLength) long.add(row.key)
      if (text === before) same++
      const place = JSON.stringify([owner === undefined ? null : (row.cell(owner) ?? null), text])
      keysByText.set(place, [...(keysByText.get(place) ?? []), row.key])
      return text
    },
    work,
  )
  const duplicates = new Set([...keysByText.values()].filter((keys) => keys.length > 1).flat())
  return { ...preview, same, duplicates, empty, long, maxLength }
}

/** What a preview changes and where to look twice. */
export function previewWords(
  { plan, same, duplicates, empty, long, maxLength }: FormulaPreview,
  { one, many }: { one: string; many: string },
): string {
  const counts = new Map<string, number>()
  for (const columns of empty.values())
    for (const column of columns) counts.set(emptyWords([column]), (counts.get(emptyWords([column])) ?? 0) + 1)
  return [
    plan.written === 0 ? 'No changes' : `Changes ${counted(plan.written, one, many)}`,
    ...(same > 0 ? [`${same.toLocaleString('en')} unchanged`] : []),
    ...(duplicates.size > 0 ? [counted(duplicates.size, 'duplicate')] : []),
    ...(long.size > 0 ? [`${long.size.toLocaleString('en')} longer than ${maxLength} characters`] : []),
    ...[...counts].map(([words, count]) => `${count.toLocaleString('en')} with ${words}`),
  ].join(' · ')
}

/** `no size`, `no size or site` */
export const emptyWords = (columns: readonly GridColumn[]): string => `no ${eitherWords(columns.map(fieldName))}`
