import { parse } from 'csv-parse/browser/esm/sync'
import { stringify } from 'csv-stringify/browser/esm/sync'
import { counted } from '../../ui/counted'
import type { CampaignsModel } from './model.svelte'
import { cellText } from './cell-text'
import { bulkWrite } from './bulk'
import { seenIn, type CellEdit } from './writing'

/** Cells that are taken to the clipboard at once. */
const most = 1_000_000

/** The selected cells as people read them, so that a spreadsheet takes them; with heads where rows are selected whole. */
export function copiedCells(model: CampaignsModel): string | undefined {
  const { rows, columns, selection, app } = model
  if (!rows || model.length === 0) return undefined
  const { top, bottom, left, right } = selection.range
  const wanted = selection.wholeRows ? columns : columns.slice(left, right + 1)
  const count = (Math.min(bottom, rows.length - 1) - top + 1) * wanted.length
  if (count > most) {
    app.announce(`${count.toLocaleString('en')} cells are too many to copy at once`)
    return undefined
  }
  const lines: string[][] = selection.wholeRows ? [wanted.map(({ head }) => head)] : []
  for (let row = top; row <= Math.min(bottom, rows.length - 1); row++) {
    const key = rows.key(row)
    const cell = model.cell(row)
    lines.push(wanted.map((column) => cellText(model, column, key, cell)))
  }
  app.announce(`${count.toLocaleString('en')} ${count === 1 ? 'cell' : 'cells'} copied`)
  return stringify(lines, { delimiter: '\t', record_delimiter: '\n' }).replace(/\n$/, '')
}

/** Rows of cells, as spreadsheets and files of values separated by tabs hold them. */
function cellsIn(text: string): string[][] {
  const whole = text.replace(/\r?\n$/, '')
  // Where nothing is quoted, each line is a row.
  if (!whole.includes('"')) return whole.split(/\r\n|\n|\r/).map((line) => line.split('\t'))
  try {
    return parse(whole, {
      delimiter: '\t',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    })
  } catch {
    return whole.split(/\r\n|\n|\r/).map((line) => line.split('\t'))
  }
}

/** Writes rows of cells into those from the selected one on; one value fills all that are selected. */
export async function pasteCells(model: CampaignsModel, text: string): Promise<void> {
  const { rows, columns, selection, app } = model
  if (!rows || model.length === 0) return
  if (text === '') return app.announce('There is nothing to paste')
  const lines = cellsIn(text.replace(/^\ufeff/, ''))
  const { top, bottom, left, right } = selection.range
  const one = lines.length === 1 && lines[0]!.length === 1
  const edits: CellEdit[] = []
  const height = one ? bottom - top + 1 : lines.length
  let nowhere = 0
  for (let down = 0; down < Math.min(height, rows.length - top); down++) {
    const row = top + down
    const cells = one ? Array.from({ length: right - left + 1 }, () => lines[0]![0]!) : lines[down]!
    const key = rows.key(row)
    const cell = model.cell(row)
    cells.forEach((text, across) => {
      const column = columns[left + across]
      if (column && column.kind !== 'computed') edits.push({ key, path: column.path, text, ...seenIn(column, cell) })
      else if (text.trim() !== '') nowhere += 1
    })
  }
  const beyond = Math.max(0, height - (rows.length - top))
  await bulkWrite(model, {
    ...{ title: 'Pasting', verb: 'Paste into', past: 'changed', edits },
    notes: [
      ...(beyond > 0 ? [`${beyond.toLocaleString('en')} more rows than there is room for`] : []),
      ...(nowhere > 0
        ? [`${counted(nowhere, 'cell')} meant for computed columns or none ${nowhere === 1 ? 'was' : 'were'} left out`]
        : []),
    ],
  })
}
