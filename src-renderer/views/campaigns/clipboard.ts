import { parse } from 'csv-parse/browser/esm/sync'
import { stringify } from 'csv-stringify/browser/esm/sync'
import type { Collection } from '#shared/facts/collection'
import { listWords } from '#shared/list-words'
import { guardedNumber, unguarded } from '#shared/results/formula-guard'
import type { TableRows } from '../../replica/api'
import { counted } from '../../ui/counted'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { clearWord, pastedHeads } from './pasted-heads'
import { datesLike, headRows } from './sheet-lines'
import { planLine } from './sheet-match'
import { pastedSource } from './sheet-source'
import { rowTexts } from './cell-text'
import { bulkWrite } from './bulk'
import { gathered, seenIn, type CellEdit } from './writing'

/** Maximum number of cells to copy at once. */
const maxCells = 1_000_000

/**
 * The selected cells as displayed, with headers if whole rows are selected. Several cells are escaped against formulas,
 * because they usually go to a spreadsheet. `pasteCells` unescapes them. A single cell may go anywhere, so it isn't
 * escaped.
 */
export function copiedCells(model: CampaignsModel): string | undefined {
  const { rows, columns, selection, app } = model
  if (!rows || model.length === 0) return undefined
  const { top, bottom, left, right } = selection.range
  const wanted = selection.wholeRows ? columns : columns.slice(left, right + 1)
  const count = (Math.min(bottom, rows.length - 1) - top + 1) * wanted.length
  if (count > maxCells) {
    app.toasts.show(`Can’t copy ${count.toLocaleString('en')} cells at once. Select fewer`)
    return undefined
  }
  const lines: string[][] = selection.wholeRows ? [wanted.map(({ head }) => head)] : []
  const textsOf = rowTexts(model, model.kind, wanted)
  for (let row = top; row <= Math.min(bottom, rows.length - 1); row++) {
    const textOf = textsOf(rows.key(row), model.cell(row))
    lines.push(wanted.map((_column, at) => textOf(at)))
  }
  app.announce(`${count.toLocaleString('en')} ${count === 1 ? 'cell' : 'cells'} copied`)
  const cells = count === 1 ? lines : lines.map((line) => line.map(guardedNumber))
  return stringify(cells, { delimiter: '\t', record_delimiter: '\n', quote_record_delimiter: true }).replace(/\n$/, '')
}

/** Minimum number of characters to parse at once. A piece extends to the end of its last row. */
const piece = 32_768

/** End of the row that contains a position. Line breaks inside quotes don't end a row. */
function endOfRow(text: string, from: number, goal: number): number {
  let quoted = false
  let begins = true
  for (let at = from; at < text.length; at++) {
    const sign = text[at]
    if (quoted) quoted = sign !== '"'
    else if (sign === '"' && (begins || text[at - 1] === '"')) quoted = true
    else if ((sign === '\n' || (sign === '\r' && text[at + 1] !== '\n')) && at >= goal) return at + 1
    begins = sign === '\t' || sign === '\n' || sign === '\r'
  }
  return text.length
}

/** Rows of tab-separated cells, parsed lazily. */
function* cellsIn(text: string): Generator<string[]> {
  const whole = text.replace(/\r?\n$/, '')
  // Without quotes, each line is a row.
  const read = whole.includes('"') ? quotedIn : linesIn
  let from = 0
  do {
    const end = endOfRow(whole, from, from + piece)
    const rows = whole.slice(from, end)
    yield* read(end < whole.length ? rows.replace(/\r?\n$|\r$/, '') : rows)
    from = end
  } while (from < whole.length)
}

const linesIn = (text: string): string[][] => text.split(/\r\n|\n|\r/).map((line) => line.split('\t'))

function quotedIn(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: '\t',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    })
  } catch {
    return linesIn(text)
  }
}

/** Maximum number of ignored columns to name. */
const maxNamed = 3

/**
 * Pastes rows of cells whose first line names columns into the selected row and those below. An empty cell changes
 * nothing.
 */
async function pasteByHeads(
  model: CampaignsModel,
  lines: readonly (readonly string[])[],
  heads: readonly (GridColumn | undefined)[],
): Promise<void> {
  const { rows, selection } = model
  if (!rows) return
  const { top } = selection.range
  const counts = { beyond: 0 }
  const ignored = heads.flatMap((column, at) =>
    !column || column.kind === 'computed' ? [unguarded(lines[0]?.[at] ?? '').trim()] : [],
  )
  const named = ignored.filter((head) => head !== '').slice(0, maxNamed)
  const written = writerOf(heads, () => lines.slice(1))
  function* edits(rows: TableRows): Generator<CellEdit> {
    for (const [down, line] of lines.slice(1).entries()) {
      const row = top + down
      if (row >= rows.length) {
        counts.beyond++
        continue
      }
      const key = rows.key(row)
      const cell = model.cell(row, rows)
      for (const [across, cellText] of line.entries()) {
        const column = heads[across]
        const typed = written(across, unguarded(cellText))
        if (!column || column.kind === 'computed' || typed.trim() === '') continue
        const value = typed.trim() === clearWord ? '' : typed
        yield { key, path: column.path, text: value, ...seenIn(model, key, column, cell) }
      }
    }
  }
  await bulkWrite(model, {
    ...{ title: 'Pasting', verb: 'Paste into', past: 'changed' },
    edits: ({ signal }) => gathered(edits(rows), signal),
    notes: () => [
      ...(counts.beyond > 0 ? [`${counted(counts.beyond, 'row')} didn’t fit`] : []),
      ...(ignored.length > 0
        ? [`${counted(ignored.length, 'column')} ignored${named.length > 0 ? `: ${listWords(named)}` : ''}`]
        : []),
    ],
  })
}

/** Writes pasted texts so that dates such as 7/1/2026 have the order that others of their column show. */
function writerOf(columns: readonly (GridColumn | undefined)[], lines: () => Iterable<readonly string[]>) {
  const writers: ((text: string) => string)[] = []
  function* textsAt(at: number): Generator<string> {
    for (const line of lines()) yield line[at] ?? ''
  }
  const writerAt = (at: number): ((text: string) => string) => {
    const kind = columns[at]?.kind
    return kind === 'date' || kind === 'moment' ? datesLike(textsAt(at)) : (text) => text
  }
  return (at: number, text: string): string => (writers[at] ??= writerAt(at))(text)
}

/** The rows that are pasted with their header, which may be below a title or merged headers. */
function linesByHeads(model: CampaignsModel, text: string) {
  const learned = model.app.settings.values.sheetHeads[model.kind.name]
  let at = 0
  for (const line of cellsIn(text)) {
    const heads = pastedHeads(model.kind, model.columns, line, learned)
    if (heads) {
      const lines = [...cellsIn(text)].slice(at)
      return lines.length > 1 ? { heads, lines } : undefined
    }
    if (++at === headRows) return undefined
  }
  return undefined
}

/** True if the columns say which records rows are about, by ID, plan line, or title. */
function namesRecords({ idFields, title }: Collection, columns: readonly (GridColumn | undefined)[]): boolean {
  const isThere = (path: string): boolean => columns.some((column) => column?.path === path)
  return idFields.every(isThere) || [planLine, title ?? ''].some(isThere)
}

/** Pastes rows of cells, starting at the selected cell. A single value fills the whole selection. */
export async function pasteCells(model: CampaignsModel, text: string): Promise<void> {
  const { rows, columns, selection, app } = model
  if (!rows || model.length === 0) return
  if (text === '') return void app.toasts.show('Nothing to paste')
  const { top, bottom, left, right } = selection.range
  const plain = text.replace(/^\ufeff/, '')
  const byHeads = linesByHeads(model, plain)
  if (byHeads) {
    const { heads, lines } = byHeads
    // Rows that name their record may be anywhere, so they're shown before anything changes.
    if (namesRecords(model.kind, heads)) return void (model.importing = pastedSource(lines))
    return pasteByHeads(model, lines, heads)
  }
  const counts = { nowhere: 0, beyond: 0 }
  const written = writerOf(columns.slice(left), () => cellsIn(plain))
  // Use the current rows, because the list may be re-sorted during the paste.
  function* edits(rows: TableRows): Generator<CellEdit> {
    let down = 0
    for (const line of filled(cellsIn(plain), bottom - top + 1, right - left + 1)) {
      const row = top + down++
      if (row >= rows.length) {
        counts.beyond++
        continue
      }
      const key = rows.key(row)
      const cell = model.cell(row, rows)
      for (const [across, text] of line.entries()) {
        const column = columns[left + across]
        if (column && column.kind !== 'computed')
          yield { key, path: column.path, text: written(across, unguarded(text)), ...seenIn(model, key, column, cell) }
        else if (text.trim() !== '') counts.nowhere++
      }
    }
  }
  await bulkWrite(model, {
    ...{ title: 'Pasting', verb: 'Paste into', past: 'changed' },
    edits: ({ signal }) => gathered(edits(rows), signal),
    notes: () => {
      const { beyond, nowhere } = counts
      const notes: string[] = []
      if (beyond > 0) notes.push(`${counted(beyond, 'row')} didn’t fit`)
      if (nowhere > 0) notes.push(`${counted(nowhere, 'cell')} skipped in computed or missing columns`)
      return notes
    },
  })
}

/** The rows, or a single cell repeated to fill the selection. */
function* filled(rows: Iterator<string[]>, height: number, width: number): Generator<string[]> {
  const first = rows.next()
  if (first.done) return
  let next = rows.next()
  if (next.done && first.value.length === 1) {
    const line = Array.from({ length: width }, () => first.value[0]!)
    for (let row = 0; row < height; row++) yield line
    return
  }
  yield first.value
  for (; !next.done; next = rows.next()) yield next.value
}
