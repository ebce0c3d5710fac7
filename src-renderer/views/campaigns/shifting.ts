import { valueAt } from '#shared/fields/path'
import { bulkWrite, type BulkWork } from './bulk'
import type { CampaignsModel } from './model.svelte'
import { readAll } from './records'
import type { CellEdit } from './writing'

/** Paths of the selected dates and times, or of flights if whole rows are selected. */
export function selectedDates({ selection, columns, kind }: CampaignsModel): string[] {
  const { left, right } = selection.range
  if (selection.wholeRows) return kind.flight ? [kind.flight.start, kind.flight.end] : []
  return columns.slice(left, right + 1).flatMap((one) => (['date', 'moment'].includes(one.kind) ? [one.path] : []))
}

/** Moves the selected dates by a number of days. Empty cells stay empty. */
export async function shiftDates(model: CampaignsModel, days: number): Promise<void> {
  const paths = selectedDates(model)
  const keys = model.selectedKeys()
  const text = `${days < 0 ? '-' : '+'}${Math.abs(days)}d`
  const edits = async ({ signal, earlierEdits }: BulkWork): Promise<CellEdit[]> => {
    // A key that is pressed twice moves them twice.
    await earlierEdits
    const rows = await readAll(model.app.replica, keys, { signal })
    return [...rows].flatMap(([key, { value }]) =>
      paths.filter((path) => (valueAt(value!, path) ?? '') !== '').map((path) => ({ key, path, text })),
    )
  }
  await bulkWrite(model, { title: 'Moving dates', verb: 'Move', past: 'changed', edits })
}
