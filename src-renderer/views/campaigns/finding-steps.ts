import type { FixForAll } from '#shared/checks/check'
import { bulkWrite } from './bulk'
import { columnOf, severityWords } from './findings.svelte'
import type { CampaignsModel } from './model.svelte'

/** Applies a fix as one undo step. */
export const applyFix = (model: CampaignsModel, { words, edits }: FixForAll): Promise<void> =>
  bulkWrite(model, { title: words, verb: `${words}:`, past: 'fixed', edits })

type Place = readonly [row: number, column: number]

/** Goes to the next or previous cell of the list with a finding, and says what it is. */
export function stepToFinding(model: CampaignsModel, by: 1 | -1): void {
  const { rows, columns, selection, app, findings } = model
  if (!rows) return
  const paths = columns.map(({ path }) => path)
  const places = [...new Set(findings.all.map(({ record }) => record.key))]
    .flatMap((key): Place[] => {
      const row = rows.find(key)
      return row < 0 ? [] : [...findings.of(key)!.keys()].map((path): Place => [row, columnOf(paths, path)])
    })
    .sort(([a, x], [b, y]) => a - b || x - y)
  const isAfter = ([row, column]: Place): boolean =>
    row === selection.row ? column > selection.column : row > selection.row
  const isBefore = ([row, column]: Place): boolean =>
    row === selection.row ? column < selection.column : row < selection.row
  const next = by > 0 ? (places.find(isAfter) ?? places[0]) : ([...places].reverse().find(isBefore) ?? places.at(-1))
  if (!next) return sayNone(model)
  model.moveTo(...next)
  model.selected.arrive()
  app.announce(findingHere(model))
}

/** What’s wrong in the current cell, such as `Error: Ends after the campaign`. Empty for nothing. */
export function findingHere({ rows, columns, selection, length, findings }: CampaignsModel): string {
  if (!rows || selection.row >= length) return ''
  const paths = columns.map(({ path }) => path)
  const own = [...(findings.of(rows.key(selection.row)) ?? [])]
  const [, found] = own.find(([path]) => columnOf(paths, path) === selection.column) ?? []
  return found ? `${severityWords[found.rule.severity]}: ${found.words}` : ''
}

/** Says that there’s no finding to go to, and leads to where there are or may be some. */
function sayNone(model: CampaignsModel): void {
  const { app, findings } = model
  const isChecked = findings.count !== null || findings.all.length > 0
  const action = {
    label: isChecked ? 'Show findings' : 'Check everything',
    run: () => {
      model.panel = 'findings'
      if (!isChecked) void findings.checkAll()
    },
  }
  if (findings.running) app.toasts.show('Still checking. Try again in a moment.')
  else app.toasts.show(`No errors or warnings in ${isChecked ? 'this list' : 'your changes'}`, { action })
}
