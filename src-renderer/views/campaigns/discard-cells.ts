import { fieldChanges } from '#shared/changes/field-changes'
import { parseRecordKey } from '#shared/domain/collections'
import { sameJson } from '#shared/json'
import { grouped, type CellEdit } from './writing'
import { bulkWrite } from './bulk'
import { placeShown, wasAt } from './draft-marks'
import type { CampaignsModel } from './model.svelte'

/** Changed cells of the selection, with what the service has there. */
function selectedChanges(model: CampaignsModel): CellEdit[] {
  const { columns, selection, marks } = model
  const { left, right } = selection.range
  const wanted = selection.wholeRows ? columns : columns.slice(left, right + 1)
  return model.selectedKeys().flatMap((key) => {
    const mark = marks.get(key)
    return wanted.flatMap((column): CellEdit[] => {
      const path = mark ? placeShown(mark, column.path) : column.path
      const was = wasAt(mark, path)
      return was ? [{ key, path, value: was.before }] : []
    })
  })
}

/** True if the selection has a changed cell. Looks no further than the first. */
export function canDiscardCells(model: CampaignsModel): boolean {
  if (model.marks.size === 0) return false
  const { top, bottom } = model.selection.range
  // A large selection is only searched when its changes are discarded.
  return bottom - top > 500 || selectedChanges(model).length > 0
}

/** Gives the changed cells of the selection the values that the service has. */
export async function discardCells(model: CampaignsModel): Promise<void> {
  const edits = selectedChanges(model)
  if (edits.length === 0) return void model.app.toasts.show('No changed cells selected')
  await discardPlaces(model, edits)
}

/** Does so with changes from the list, wherever they are. */
export const discardPlaces = (model: CampaignsModel, edits: readonly CellEdit[]): Promise<void> =>
  bulkWrite(model, {
    ...{ title: 'Discarding', verb: 'Discard changes to', past: 'restored' },
    edits: [...grouped(edits)].flatMap(([key, own]) => wholly(model, key, own)),
  })

/**
 * A field of which no change is left gets what its pending change began with, which ends the change. Then it shows what
 * the service has.
 */
function wholly({ app, marks }: CampaignsModel, key: string, edits: readonly CellEdit[]): readonly CellEdit[] {
  const mark = marks.get(key)
  if (!mark) return edits
  const { before, after, began } = mark
  const facts = app.replica.facts.of(parseRecordKey(key).collection)
  const topOf = (path: string): string => path.split('.')[0]!
  const isWithin = (path: string): boolean => edits.some((one) => path === one.path || path.startsWith(`${one.path}.`))
  const kept = new Set(fieldChanges(facts, before, after).flatMap(({ path }) => (isWithin(path) ? [] : [topOf(path)])))
  const isMoved = (field: string): boolean => !kept.has(field) && !sameJson(before[field], began[field])
  const moved = new Set(edits.map(({ path }) => topOf(path)).filter(isMoved))
  const back = fieldChanges(facts, after, began).filter(({ path }) => moved.has(topOf(path)))
  return [
    ...edits.filter(({ path }) => !moved.has(topOf(path))),
    ...back.map(({ path, after: value }): CellEdit => ({ key, path, value: value ?? null })),
  ]
}
