import { stringify } from 'csv-stringify/browser/esm/sync'
import { guardedNumber } from '#shared/results/formula-guard'
import type { ConversionBatch } from '#shared/search-ads/batch-questions'
import { ask } from '../../../bridge'
import { attempt } from '../../../context/attempt'
import type { AppContext } from '../../../context/context'
import { copyText } from '../../../context/copy-text'
import { counted } from '../../../ui/counted'
import { rowWords, type SeenRow } from './conversion-rows.svelte'

/** The last column of copied rows. No field has its name, so importing the rows again ignores it. */
const why = 'Problem'

const table = ({ head }: ConversionBatch, rows: readonly SeenRow[]): { columns: string[]; rows: string[][] } => ({
  columns: [...head, why],
  rows: rows.map((seen) => [...seen.row.cells, seen.kind === 'ready' ? '' : rowWords(seen, head)]),
})

/** Copies rows for a spreadsheet, with headers and the problem of each row, escaped against formulas. */
export async function copyRows(app: AppContext, batch: ConversionBatch, list: readonly SeenRow[]): Promise<void> {
  const { columns, rows } = table(batch, list)
  const text = stringify(
    [columns, ...rows].map((row) => row.map(guardedNumber)),
    { delimiter: '\t', record_delimiter: '\n' },
  )
  if (await copyText(app, text, { what: 'the rows', instead: 'Export them to a file instead.' }))
    app.toasts.show(`${counted(rows.length, 'row')} copied`)
}

/** Writes them to a file that the user chooses. */
export async function exportRows(app: AppContext, batch: ConversionBatch, list: readonly SeenRow[]): Promise<void> {
  const wanted = { suggestedName: `${batch.name}, unsent`, ...table(batch, list) }
  const saved = await attempt(app.toasts, ask(app.bridge, 'export/csv', wanted))
  if (saved) app.toasts.show(`Exported ${counted(saved.rows, 'row')} to ${saved.path}`)
}
