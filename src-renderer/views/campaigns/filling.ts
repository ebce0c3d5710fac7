import { valueAt } from '#shared/fields/path'
import { bulkWrite, type BulkWork } from './bulk'
import { cellText } from './cell-text'
import { hasParts, type GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { readAll } from './records'
import { frameYieldOf, gathered, seenIn, type CellEdit } from './writing'

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

/** Copies the first selected row into the other selected rows. */
export async function fillDown(model: CampaignsModel): Promise<void> {
  const { top, left, right } = model.selection.range
  const [first, ...others] = model.selectedKeys()
  const columns = model.columns.slice(left, right + 1).filter(({ kind }) => !hasParts(kind))
  if (first === undefined || columns.length === 0) return model.app.announce('Nothing to fill down')
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    const seen = await gathered(shownCells(model, columns, top + 1, others), signal)
    await earlierEdits
    const from = (await readAll(model.app.replica, [first])).get(first)
    if (!from) return []
    const values = new Map(columns.map(({ path }) => [path, valueAt(from.value!, path) ?? null]))
    return seen.map((edit) => ({ ...edit, value: values.get(edit.path)! }))
  }
  await bulkWrite(model, { title: 'Filling down', verb: 'Fill down', past: 'filled', edits })
}

/** Copies the first selected column, as displayed, into the other selected columns. */
export async function fillRight(model: CampaignsModel): Promise<void> {
  const { top, left, right } = model.selection.range
  const [first, ...others] = model.columns.slice(left, right + 1)
  if (!first) return
  const columns = others.filter(({ kind }) => kind !== 'computed')
  const keys = model.selectedKeys()
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    const seen = await gathered(shownCells(model, columns, top, keys), signal)
    await earlierEdits
    const rows = await readAll(model.app.replica, keys, { signal })
    const yielder = frameYieldOf(signal)
    const texts = new Map<string, string>()
    for (const [key, { value }] of rows) {
      texts.set(
        key,
        cellText(model, first, key, (path) => valueAt(value!, path)),
      )
      if (yielder.due) await yielder.take()
    }
    return seen.flatMap((edit) => (texts.has(edit.key) ? [{ ...edit, text: texts.get(edit.key)! }] : []))
  }
  await bulkWrite(model, { title: 'Filling right', verb: 'Fill right in', past: 'filled', edits })
}
