import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import type { Work } from '../../replica/api'
import { cellText } from './cell-text'
import type { CellOf } from './cells'
import type { GridColumn } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { readAll } from './records'
import { frameYieldOf } from './frame-yield'
import { planWrites, type CellEdit, type Plan } from './writing'

export interface ReplaceQuery {
  find: string
  by: string
  /**
   * `text` matches anywhere in a cell, `whole` matches the complete cell, and `pattern` is a regular expression with
   * `$1` for its groups.
   */
  how: 'text' | 'whole' | 'pattern'
  matchCase: boolean
}

/** A cell before and after. */
export interface Replacement {
  edit: CellEdit
  before: string
  after: string
}

export interface Preview {
  edits: CellEdit[]
  /** The first replacements. */
  shown: Replacement[]
  plan: Pick<Plan, 'written' | 'refused'> & { records: number }
}

/** Maximum number of replacements in the preview. */
const maxShown = 100
/** Number of records to read at once for columns that aren't in memory. */
const batch = 200

/** The row of a previewed cell. */
export interface PreviewRow {
  key: string
  /** Position among the previewed rows. */
  at: number
  cell: CellOf
}

/** Returns the new text of a cell. Undefined if it has none. */
export type Replace = (text: string, row: PreviewRow) => string | undefined

/** Cells of rows `from` to `to`, inclusive. */
export interface Places {
  from: number
  to: number
  columns: readonly GridColumn[]
  /** Paths of other columns whose values the replacement needs. */
  reads?: readonly string[]
}

/** Returns the replacement function, or why the expression is invalid. */
export async function replacer({
  find,
  by,
  how,
  matchCase,
}: ReplaceQuery): Promise<{ replace: (text: string) => string | undefined } | { problem: string }> {
  if (how === 'pattern') {
    const { readExpression } = await import('#shared/fields/expression')
    const read = readExpression(find, matchCase)
    return 'problem' in read ? read : { replace: (text) => read.replace(text, by) }
  }
  const source = find.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  const expression = new RegExp(how === 'whole' ? `^(?:${source})$` : source, matchCase ? 'gu' : 'giu')
  return {
    replace: (text) => {
      const after = text.replace(expression, () => by)
      return after === text ? undefined : after
    },
  }
}

/**
 * Previews the replacement of cells.
 * @throws the signal's reason
 */
export async function previewOf(
  model: CampaignsModel,
  { from, to, columns, reads = [] }: Places,
  replace: Replace,
  { signal, onprogress }: Work = {},
): Promise<Preview> {
  const { rows } = model
  const found: Replacement[] = []
  const wanted = columns.filter(({ kind }) => kind !== 'computed')
  const inRows = new Set(rows?.columns)
  const fromDisk = [...wanted.map(({ path }) => path), ...reads].some((path) => !inRows.has(path))
  const yielder = frameYieldOf(signal)
  const last = rows ? Math.min(to, rows.length - 1) : -1
  for (let at = from; at <= last; at += batch) {
    signal?.throwIfAborted()
    const keys = Array.from({ length: Math.min(batch, last - at + 1) }, (_unused, index) => rows!.key(at + index))
    const records = fromDisk ? await readAll(model.app.replica, keys) : undefined
    for (const [index, key] of keys.entries()) {
      const held = model.cell(at + index, rows)
      const record = records?.get(key)?.value
      const cell = (path: string): Json | undefined =>
        inRows.has(path) ? held(path) : valueAt(record ?? undefined, path)
      for (const column of wanted) {
        const before = cellText(model, column, key, cell)
        const after = replace(before, { key, at: at - from + index, cell })
        if (after === undefined || after === before) continue
        // Without a sequence: the preview showed the value, so even your own later edit of it counts as unseen.
        const upon = { values: { [column.path]: cell(column.path) ?? null } }
        const edit: CellEdit = { key, path: column.path, text: after, upon }
        found.push({ edit, before, after })
      }
      if (yielder.due) await yielder.take()
    }
    onprogress?.(at - from + keys.length, last - from + 1)
  }
  const edits = found.map(({ edit }) => edit)
  const { written, refused, changes } = await planWrites(model, edits, { signal, onprogress })
  const closed = new Set(refused.map(({ key, path }) => `${key} ${path}`))
  const shown = found.filter(({ edit: { key, path } }) => !closed.has(`${key} ${path}`)).slice(0, maxShown)
  return { edits, shown, plan: { written, refused, records: changes.length } }
}
