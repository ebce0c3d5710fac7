import { fieldAt } from '#shared/fields/path'
import { eitherWords } from '#shared/list-words'
import type { Work } from '../../replica/api'
import { counted } from '../../ui/counted'
import type { CellOf } from './cells'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { fieldName, type Formula } from './name-formula'
import { previewOf, type Places, type Preview } from './replace'
import { frameYieldOf } from './frame-yield'

export interface FormulaPreview extends Preview {
  /** Number of rows whose text stays the same. */
  same: number
  /** Keys of rows whose text another row of the list has, within what they both belong to. */
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
  const placeOf = (cell: CellOf, text: string): string =>
    JSON.stringify([owner === undefined ? null : (cell(owner) ?? null), text])
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
      const place = placeOf(row.cell, text)
      const known = keysByText.get(place)
      if (known) known.push(row.key)
      else if (text !== '') keysByText.set(place, [row.key])
      return text
    },
    work,
  )
  const taken = await takenBy(model, column, { from, to }, placeOf, work)
  const duplicates = new Set(
    [...keysByText].filter(([place, keys]) => keys.length > 1 || taken.has(place)).flatMap(([, keys]) => keys),
  )
  return { ...preview, same, duplicates, empty, long, maxLength }
}

/** The texts of the list’s other rows, as far as they’re in memory. */
async function takenBy(
  model: CampaignsModel,
  { path }: GridColumn,
  { from, to }: Pick<Places, 'from' | 'to'>,
  placeOf: (cell: CellOf, text: string) => string,
  { signal }: Work,
): Promise<ReadonlySet<string>> {
  const { rows } = model
  const taken = new Set<string>()
  const yielder = frameYieldOf(signal)
  for (let at = 0; at < (rows?.length ?? 0); at++) {
    const cell = model.cell(at, rows)
    if (at < from || at > to) taken.add(placeOf(cell, String(cell(path) ?? '')))
    if (yielder.due) await yielder.take()
  }
  return taken
}

/** Summary of a preview, with warnings. */
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
    ...(long.size > 0
      ? [`${long.size.toLocaleString('en')} longer than ${maxLength!.toLocaleString('en')} characters`]
      : []),
    ...[...counts].map(([words, count]) => `${count.toLocaleString('en')} with ${words}`),
  ].join(' · ')
}

/** `no size`, `no size or site` */
export const emptyWords = (columns: readonly GridColumn[]): string => `no ${eitherWords(columns.map(fieldName))}`
