import type { Json } from '#shared/json'
import { cellWords, type CellOf } from './cells'
import type { GridColumn } from './columns'
import type { CampaignsModel } from './model.svelte'
import { typedText } from './typed'

/** What stands in a cell, so that typing it gives the same again: names for ids, words for listed values. */
export function cellText(model: CampaignsModel, column: GridColumn, key: string, cell: CellOf): string {
  const value: Json | undefined = cell(column.path)
  const context = model.contextOf(key)
  return column.typed && !['choice', 'reference', 'yesNo'].includes(column.kind)
    ? typedText(column.kind, value, context.zone)
    : cellWords(model.app.replica.facts, model.kind, column.path, cell, context)
}
