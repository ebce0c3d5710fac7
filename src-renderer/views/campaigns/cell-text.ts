import { collectionOf } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { cellWriter, type CellOf, type CellWriter } from './cells'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { typedText } from './typed'

/** Column kinds that people type as words rather than as stored. */
const worded: ReadonlySet<GridColumn['kind']> = new Set(['choice', 'reference', 'yesNo'])

type TextModel = Pick<CampaignsModel, 'app' | 'contextOf'>

/**
 * Formats values of one kind, column by column, so that typing the text gives the same value: names for IDs, words for
 * listed values. Looks up the columns once, so the result survives a change of the displayed kind.
 */
export function rowTexts(
  model: TextModel,
  kind: Collection,
  columns: readonly GridColumn[],
): (key: string, cell: CellOf) => (column: number, cell?: CellOf) => string {
  const writers = columns.map(({ path, typed, kind: written }): CellWriter => {
    // An ID that is also a reference, such as an association's creative, identifies the record.
    if (written === 'reference' && kind.idFields.includes(path)) return (cell) => String(cell(path) ?? '')
    return typed && !worded.has(written)
      ? (cell, { zone }) => typedText(written, cell(path), zone)
      : cellWriter(model.app.replica.facts, kind, path)
  })
  return (key, own) => {
    const context = model.contextOf(key)
    return (column, cell = own) => writers[column]!(cell, context)
  }
}

/** Formats one cell as people type it. */
export const cellText = (model: TextModel, column: GridColumn, key: string, cell: CellOf): string =>
  rowTexts(model, model.app.replica.facts.of(collectionOf(key)), [column])(key, cell)(0)
