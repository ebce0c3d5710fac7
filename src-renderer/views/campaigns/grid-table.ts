import type { CellKind } from '#shared/results/result-columns'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import type { TablePage, TableRowsSent } from '#shared/reports/export-table'
import type { ShownTable } from '../../context/export-table'
import type { TableRows } from '../../replica/api'
import { sorted } from '../../replica/tables/order'
import { rowTexts } from './cell-text'
import { computedOf } from './computed'
import type { GridColumn } from './grid-columns'
import { titleOfKind } from './kinds'
import type { CampaignsModel } from './model.svelte'
import { frameYieldOf } from './frame-yield'
import { gathered } from './writing'

const kindOf = ({ path, kind, right }: GridColumn): CellKind => {
  if (kind === 'money' || computedOf(path)?.format === 'money') return 'money'
  if (kind === 'number' || (kind === 'computed' && right)) return 'number'
  if (kind === 'date') return 'day'
  return parseableId.test(path) ? 'id' : 'text'
}
const parseableId = /^(?:id|accountId|subAccountId|profileId)$/

type Cell = TableRowsSent[number][number]

/** Number of records to read at once. More would block the window's thread for too long. */
const batch = 100

/** The value of a cell: a number for numeric columns, otherwise the text a person would type. */
export function exportedCell(column: GridColumn, text: string): Cell {
  if (text === '') return null
  const kind = kindOf(column)
  if (kind !== 'money' && kind !== 'number') return text
  const digits = text.replaceAll(',', '').replace('\u2212', '-')
  if (kind === 'money' || !/^-?\d{1,15}$/.test(digits)) return digits
  return Number(digits)
}

/** Rows and columns to export, unaffected by later changes of the view. */
export function gridTable(
  model: CampaignsModel,
  {
    kind,
    columns,
    about,
    of,
  }: Pick<CampaignsModel, 'kind' | 'columns'> & Pick<ShownTable, 'about'> & Partial<Pick<ShownTable, 'of'>>,
  rows: TableRows,
): ShownTable {
  const title = titleOfKind(kind)
  const { zone } = model
  const { currency } = model.terms
  const kinds = columns.map(kindOf)
  const textsOf = rowTexts(model, kind, columns)
  let gone = 0
  const rowOf = (at: number, key: string, value?: JsonObject): Cell[] => {
    const textOf = textsOf(key, model.cell(at, rows))
    const onDisk = (path: string): Json | undefined => valueAt(value, path)
    return columns.map((column, place) => exportedCell(column, column.held ? textOf(place) : textOf(place, onDisk)))
  }
  /** Reads in disk order, so that each block is read once and none stays in memory. */
  async function* scattered(signal: AbortSignal): AsyncGenerator<TablePage & { done: number }> {
    const yielder = frameYieldOf(signal)
    const keys = await gathered(
      (function* () {
        for (let at = 0; at < rows.length; at++) yield rows.key(at)
      })(),
      signal,
    )
    const order = await sorted(keys.length, (a, b) => (keys[a]! < keys[b]! ? -1 : Number(keys[a] !== keys[b])), yielder)
    for (let from = 0; from < order.length; from += batch) {
      const places = [...order.subarray(from, from + batch)]
      const read = await model.app.replica.readAll(places.map((at) => keys[at]!))
      const page: TablePage & { at: number[] } = { rows: [], at: [] }
      for (const at of places) {
        const value = read.get(keys[at]!)?.value
        // Half a record could be mistaken for a complete one.
        if (!rows.isThere(at) || !value) {
          gone++
          continue
        }
        page.rows.push(rowOf(at, keys[at]!, value))
        page.at.push(at)
        if (yielder.due) await yielder.take()
      }
      yield { ...page, done: from + places.length }
    }
  }
  return {
    ...{ suggestedName: title, title },
    about: [
      ...about,
      ...(columns.some((column) => column.kind === 'moment') ? [['Time zone', zone] as [string, string]] : []),
      ...(currency !== undefined && kinds.includes('money') ? [['Currency', currency] as [string, string]] : []),
    ],
    columns: columns.map(({ head }, at) => ({
      ...{ head, kind: kinds[at]! },
      ...(kinds[at] === 'money' && currency !== undefined && { currency }),
    })),
    length: rows.length,
    of: of ?? rows.length,
    ...(columns.some(({ held }) => !held) && { scattered }),
    rows: (from, count) => {
      const found: Cell[][] = []
      for (let at = from; at < from + count; at++) {
        if (rows.isThere(at)) found.push(rowOf(at, rows.key(at)))
        else gone++
      }
      return found
    },
    notes: () =>
      gone === 0
        ? []
        : [
            gone === 1
              ? '1 row skipped because it was removed during the export.'
              : `${gone.toLocaleString('en')} rows skipped because they were removed during the export.`,
          ],
  }
}
