import { collectionOf } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { cellWriter, type CellOf, type CellWriter } from './cells'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { typedText } from './typed'

/** Kinds of columns of which people type words, not what is kept. */
const worded: ReadonlySet<GridColumn['kind']> = new Set(['choice', 'reference', 'yesNo'])

type TextModel = Pick<CampaignsModel, 'app' | 'contextOf'>

/**
 * Writes what stands in rows of one kind, column by column, so that typing it gives the same again: names for ids, words for
 * listed values. What the columns are is looked up once, and stays though another kind is shown meanwhile.
 */
export function rowTexts(
  model: TextModel,
  kind: Collection,
  columns: readonly GridColumn[],
): (key: string, cell: CellOf) => (column: number, cell?: CellOf) => string {
  const writers = columns.map(({ path, typed, kind: written }): CellWriter =>
    typed && !worded.has(written)
      ? (cell, { zone }) => typedText(written, cell(path), zone)
      : cellWriter(model.app.replica.facts, kind, path),
  )
  return (key, own) => {
    const context = model.contextOf(key)
    return (column, cell = own) => writers[column]!(cell, context)
  }
}

/** The same of one cell. */
export const cellText = (model: TextModel, column: GridColumn, key: string, cell: CellOf): string =>
  rowTexts(model, model.app.replica.facts.of(collectionOf(key)), [column])(key, cell)(0)
