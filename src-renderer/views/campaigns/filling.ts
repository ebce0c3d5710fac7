import { valueAt } from '#shared/fields/path'
import type { Work } from '../../replica/api'
import { bulkWrite } from './bulk'
import { cellText } from './cell-text'
import type { GridColumn } from './columns'
import type { CampaignsModel } from './model.svelte'
import { readAll } from './records'
import { breathOf, seenIn, type CellEdit } from './writing'

const withParts = new Set<GridColumn['kind']>(['part', 'parts', 'map', 'any', 'computed'])

/** Cells of columns in the selected rows, as they are shown at this moment. */
function shownCells(
  model: CampaignsModel,
  columns: readonly GridColumn[],
  from: number,
): { key: string; column: GridColumn; edit: CellEdit }[] {
  const { top } = model.selection.range
  return model
    .selectedKeys()
    .slice(from)
    .flatMap((key, at) => {
      const cell = model.cell(top + from + at)
      return columns.map((column) => ({ key, column, edit: { key, path: column.path, ...seenIn(column, cell) } }))
    })
}

/** What stands in the first of the selected rows, in all of them. */
export async function fillDown(model: CampaignsModel): Promise<void> {
  const { left, right } = model.selection.range
  const [first] = model.selectedKeys()
  const columns = model.columns.slice(left, right + 1).filter(({ kind }) => !withParts.has(kind))
  const cells = shownCells(model, columns, 1)
  const from = first === undefined ? undefined : (await readAll(model.app.replica, [first])).get(first)
  if (!from || columns.length === 0) return model.app.announce('There is nothing here that can be filled down')
  const values = new Map(columns.map(({ path }) => [path, valueAt(from.value!, path) ?? null]))
  const edits = cells.map(({ column, edit }) => ({ ...edit, value: values.get(column.path)! }))
  await bulkWrite(model, { title: 'Filling down', verb: 'Fill down', past: 'filled', edits })
}

/** What stands in the first of the selected columns, as people read it, in all of them. */
export async function fillRight(model: CampaignsModel): Promise<void> {
  const { left, right } = model.selection.range
  const [first, ...others] = model.columns.slice(left, right + 1)
  if (!first) return
  const cells = shownCells(
    model,
    others.filter(({ kind }) => kind !== 'computed'),
    0,
  )
  const keys = model.selectedKeys()
  const edits = async (work: Work): Promise<CellEdit[]> => {
    const rows = await readAll(model.app.replica, keys, { signal: work.signal })
    const breath = breathOf(work.signal)
    const texts = new Map<string, string>()
    for (const [key, { value }] of rows) {
      texts.set(
        key,
        cellText(model, first, key, (path) => valueAt(value!, path)),
      )
      if (breath.due) await breath.take()
    }
    return cells.flatMap(({ key, edit }) => (texts.has(key) ? [{ ...edit, text: texts.get(key)! }] : []))
  }
  await bulkWrite(model, { title: 'Filling right', verb: 'Fill right in', past: 'filled', edits })
}
