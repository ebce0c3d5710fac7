import { parseRecordKey } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import type { CellRange } from '../../ui/cell-selection.svelte'
import { bulkWrite, type BulkWork } from './bulk'
import { cellText } from './cell-text'
import { isOfSeveral, shownAt } from './computed'
import { hasParts, type GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { whyClosed } from './parse-cell'
import { readAll } from './records'
import { frameYieldOf } from './frame-yield'
import { gathered, seenIn, type CellEdit } from './writing'

/** The shown cells of the columns, in the rows of `keys`, which start at `top`. */
function* shownCells(
  model: CampaignsModel,
  columns: readonly GridColumn[],
  top: number,
  keys: readonly string[],
): Generator<Pick<CellEdit, 'key' | 'path' | 'upon'>> {
  const { rows } = model
  for (const [at, key] of keys.entries()) {
    const cell = model.cell(top + at, rows)
    for (const column of columns) yield { key, path: column.path, ...seenIn(model, key, column, cell) }
  }
}

/** Copies the first selected rows into the other selected rows, over and over. */
export async function fillDown(model: CampaignsModel, sources = 1): Promise<void> {
  const { top, left, right } = model.selection.range
  const keys = model.selectedKeys()
  const [firsts, others] = [keys.slice(0, sources), keys.slice(sources)]
  const columns = model.columns.slice(left, right + 1).filter(({ kind }) => !hasParts(kind))
  if (others.length === 0 || columns.length === 0) return void model.app.toasts.show('Nothing to fill down')
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    const seen = await gathered(shownCells(model, columns, top + firsts.length, others), signal)
    await earlierEdits
    const from = await readAll(model.app.replica, firsts)
    const sourceOf = new Map(others.map((key, at) => [key, from.get(firsts[at % firsts.length]!)]))
    return seen.flatMap((edit) => {
      const value = sourceOf.get(edit.key)?.value
      const cell = (path: string): Json | undefined => valueAt(value ?? undefined, path)
      return value && !isOfSeveral(cell, edit.path) ? [{ ...edit, value: cell(edit.path) ?? null }] : []
    })
  }
  await bulkWrite(model, { title: 'Filling down', verb: 'Fill down', past: 'filled', edits })
}

/** Copies the first selected columns, as displayed, into the other selected columns, over and over. */
export async function fillRight(model: CampaignsModel, sources = 1): Promise<void> {
  const { top, left, right } = model.selection.range
  const firsts = model.columns.slice(left, left + sources)
  const others = model.columns.slice(left + sources, right + 1)
  const sourceOf = new Map(others.map(({ path }, at) => [path, firsts[at % firsts.length]!]))
  const columns = others.filter(({ kind }) => kind !== 'computed')
  if (columns.length === 0) return void model.app.toasts.show('Nothing to fill right')
  const keys = model.selectedKeys()
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    const seen = await gathered(shownCells(model, columns, top, keys), signal)
    await earlierEdits
    const rows = await readAll(model.app.replica, keys, { signal })
    const yielder = frameYieldOf(signal)
    const filled: CellEdit[] = []
    for (const edit of seen) {
      const value = rows.get(edit.key)?.value
      if (value) {
        const text = cellText(model, sourceOf.get(edit.path)!, edit.key, (path) =>
          shownAt((at) => valueAt(value, at), path),
        )
        filled.push({ ...edit, text })
      }
      if (yielder.due) await yielder.take()
    }
    return filled
  }
  await bulkWrite(model, { title: 'Filling right', verb: 'Fill right in', past: 'filled', edits })
}

/** Cells that a fill goes to, beyond the selected ones. */
export interface Fill {
  way: 'down' | 'right'
  /** Number of rows or columns. */
  count: number
}

/**
 * The fill that a pointer asks for. Null within the selected cells.
 * @param at the cell at the pointer, and its distance from the corner of the selected cells, in CSS pixels
 */
export function fillTo(range: CellRange, at: { row: number; column: number; x: number; y: number }): Fill | null {
  const [down, right] = [at.row - range.bottom, at.column - range.right]
  if (down > 0 && (right <= 0 || at.y >= at.x)) return { way: 'down', count: down }
  return right > 0 ? { way: 'right', count: right } : null
}

/** Why a column can’t be filled, by the record of the first selected row. Undefined if it can. */
function whyNoFillIn(
  { app, kind, rows, selection }: CampaignsModel,
  { path, kind: written }: GridColumn,
): string | undefined {
  const { top } = selection.range
  const key = rows && top < rows.length ? rows.key(top) : undefined
  const closed = key !== undefined && whyClosed(kind, path, app.replica.peek(key)?.value, parseRecordKey(key).id)
  return closed || (hasParts(written) ? 'Edit this in the form' : undefined)
}

/** Why none of the selected cells can be filled from: they can’t be edited. Undefined if one can. */
export function whyNoFill(model: CampaignsModel): string | undefined {
  const { left, right } = model.selection.range
  const whys = model.columns.slice(left, right + 1).map((column) => whyNoFillIn(model, column))
  return whys.includes(undefined) ? undefined : whys[0]
}

/** Number of columns in which a fill changes cells. */
export function filledColumns(model: CampaignsModel, { way, count }: Fill): number {
  const { left, right } = model.selection.range
  const [from, to] = way === 'down' ? [left, right] : [right + 1, right + count]
  return model.columns.slice(from, to + 1).filter((column) => whyNoFillIn(model, column) === undefined).length
}

/** Extends the selection and fills the new cells from the selected ones. */
export async function fillBeyond(model: CampaignsModel, { way, count }: Fill): Promise<void> {
  const { top, bottom, left, right } = model.selection.range
  model.moveTo(top, left)
  model.moveTo(bottom + (way === 'down' ? count : 0), right + (way === 'right' ? count : 0), true)
  await (way === 'down' ? fillDown(model, bottom - top + 1) : fillRight(model, right - left + 1))
}
