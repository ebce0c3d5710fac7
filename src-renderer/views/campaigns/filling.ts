import { valueAt } from '#shared/fields/path'
import { counted } from '../../ui/counted'
import { cellText } from './cell-text'
import type { GridColumn } from './columns'
import type { CampaignsModel } from './model.svelte'
import { readAll } from './records'
import { writeCells, type CellEdit, type Written } from './writing'

const withParts = new Set<GridColumn['kind']>(['part', 'parts', 'map', 'any', 'computed'])

/** What stands in the first of the selected rows, in all of them. */
export async function fillDown(model: CampaignsModel): Promise<void> {
  const { left, right } = model.selection.range
  const [first, ...others] = model.selectedKeys()
  const columns = model.columns.slice(left, right + 1).filter(({ kind }) => !withParts.has(kind))
  const from = first === undefined ? undefined : (await readAll(model.app.replica, [first])).get(first)
  if (!from || columns.length === 0) return model.app.announce('There is nothing here that can be filled down')
  const values = columns.map(({ path }) => ({ path, value: valueAt(from.value!, path) ?? null }))
  tell(
    model,
    await writeCells(
      model,
      others.flatMap((key) => values.map((one) => ({ key, ...one }))),
      { verb: 'Fill down' },
    ),
  )
}

/** What stands in the first of the selected columns, as people read it, in all of them. */
export async function fillRight(model: CampaignsModel): Promise<void> {
  const { left, right } = model.selection.range
  const [first, ...others] = model.columns.slice(left, right + 1)
  if (!first) return
  const keys = model.selectedKeys()
  const rows = await readAll(model.app.replica, keys)
  const edits = keys.flatMap((key): CellEdit[] => {
    const record = rows.get(key)?.value
    const text = record ? cellText(model, first, key, (path) => valueAt(record, path)) : ''
    return record ? others.filter(({ kind }) => kind !== 'computed').map(({ path }) => ({ key, path, text })) : []
  })
  tell(model, await writeCells(model, edits, { verb: 'Fill right in' }))
}

function tell({ app }: CampaignsModel, { written, refused }: Written): void {
  const [first] = refused
  if (first)
    app.toasts.show(`${counted(written, 'cell')} filled, ${refused.length} stayed as they were: ${first.why}`, {
      level: 'error',
    })
  else app.announce(`${counted(written, 'cell')} filled`)
}
