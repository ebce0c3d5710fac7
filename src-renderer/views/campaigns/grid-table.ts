import type { FigureKind } from '#shared/figures/kinds'
import { valueAt } from '#shared/fields/path'
import type { TableRowsSent } from '#shared/reports/export-table'
import type { ShownTable } from '../../context/export-table'
import type { Row, TableRows, Work } from '../../replica/api'
import { counted } from '../../ui/counted'
import { rowTexts } from './cell-text'
import type { GridColumn } from './columns'
import { cellsFromDisk } from './disk-cells'
import { titleOfKind } from './kinds'
import type { CampaignsModel } from './model.svelte'

const kindOf = ({ path, kind, right }: GridColumn): FigureKind => {
  if (path === 'fx.cost' || kind === 'money') return 'money'
  if (kind === 'number' || (kind === 'computed' && right)) return 'number'
  if (kind === 'date') return 'day'
  return parseableId.test(path) ? 'id' : 'text'
}
const parseableId = /^(?:id|accountId|subAccountId|profileId)$/

type Cell = TableRowsSent[number][number]

/** What stands in a cell: figures as figures, all else as a person would type it. */
function valueOf(column: GridColumn, text: string): Cell {
  if (text === '') return null
  const kind = kindOf(column)
  if (kind !== 'money' && kind !== 'number') return text
  const digits = text.replaceAll(',', '').replace('\u2212', '-')
  if (kind === 'money' || !/^-?\d{1,15}$/.test(digits)) return digits
  return Number(digits)
}

/** Rows of a kind in columns, to be written: as they were asked for, whatever is shown by then. */
export function gridTable(
  model: CampaignsModel,
  { kind, columns, about }: Pick<CampaignsModel, 'kind' | 'columns'> & Pick<ShownTable, 'about'>,
  rows: TableRows,
): ShownTable {
  const title = titleOfKind(kind)
  const textsOf = rowTexts(model, kind, columns)
  const fromDisk = columns.flatMap((column, at) => (column.held ? [] : [{ column, at }]))
  let read: ReadonlyMap<string, readonly Cell[]> | undefined
  let gone = 0
  const prepare = async (work: Work): Promise<void> => {
    const keys = Array.from({ length: rows.length }, (_unused, at) => rows.key(at))
    const take = (key: string, { value }: Row): Cell[] | undefined => {
      if (!value) return undefined
      const textOf = textsOf(key, (path) => valueAt(value, path))
      return fromDisk.map(({ column, at }) => valueOf(column, textOf(at)))
    }
    read = await cellsFromDisk(model.app.replica, keys, take, work)
  }
  return {
    ...{ suggestedName: title, title, about },
    columns: columns.map((column) => ({ head: column.head, kind: kindOf(column) })),
    length: rows.length,
    of: rows.total,
    ...(fromDisk.length > 0 && { prepare }),
    rows: (from, count) => {
      const found: Cell[][] = []
      for (let at = from; at < from + count; at++) {
        const key = rows.key(at)
        const own = read?.get(key)
        // Half of a record would be taken for all of it.
        if (!rows.isThere(at) || (read && !own)) {
          gone++
          continue
        }
        const textOf = textsOf(key, model.cell(at, rows))
        let next = 0
        found.push(
          columns.map((column, place) => (column.held ? valueOf(column, textOf(place)) : (own?.[next++] ?? null))),
        )
      }
      return found
    },
    notes: () =>
      gone === 0
        ? []
        : [
            `${counted(gone, 'row is', 'rows are')} left out: ${gone === 1 ? 'it was' : 'they were'} removed from this computer while the list was read.`,
          ],
  }
}
