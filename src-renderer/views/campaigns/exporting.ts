import type { FigureKind } from '#shared/figures/kinds'
import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import type { ExportChoice } from '#shared/reports/export-presets'
import type { TableRowsSent } from '#shared/reports/export-table'
import { momentName, nameFrom, type NameParts } from '#shared/reports/file-names'
import { formats } from '../../context/export-formats'
import { exportShown, type ShownTable } from '../../context/export-table'
import type { Command } from '../../context/context'
import type { ExportEnd } from '../../context/export-presets.svelte'
import type { Row, TableRows, Work } from '../../replica/api'
import type { MenuItem } from '../../ui/Menu.svelte'
import { cellText } from './cell-text'
import type { GridColumn } from './columns'
import { cellsFromDisk } from './disk-cells'
import { conditionWords } from './filters'
import { titleOfKind } from './kinds'
import type { CampaignsModel, StateFilter } from './model.svelte'

const stateWords: Readonly<Partial<Record<StateFilter, string>>> = {
  living: 'without what is archived',
  drafts: 'drafts',
  needsYou: 'what needs you',
  archived: 'archived',
}

const kindOf = ({ path, kind, right }: GridColumn): FigureKind => {
  if (path === 'fx.cost' || kind === 'money') return 'money'
  if (kind === 'number' || (kind === 'computed' && right)) return 'number'
  if (kind === 'date') return 'day'
  return parseableId.test(path) ? 'id' : 'text'
}
const parseableId = /^(?:id|accountId|subAccountId|profileId)$/

type Cell = TableRowsSent[number][number]

/** What stands in a cell: figures as figures, all else as a person would type it. */
function valueOf(
  model: CampaignsModel,
  column: GridColumn,
  key: string,
  cell: (path: string) => Json | undefined,
): Cell {
  const text = cellText(model, column, key, cell)
  if (text === '') return null
  const kind = kindOf(column)
  if (kind !== 'money' && kind !== 'number') return text
  const digits = text.replaceAll(',', '').replace('\u2212', '-')
  if (kind === 'money' || !/^-?\d{1,15}$/.test(digits)) return digits
  return Number(digits)
}

/** The grid as it is shown: its columns, what narrows it, its order. */
function shownGrid(model: CampaignsModel, rows: TableRows): ShownTable {
  const { columns, conditions, state, words, sort, kind, app } = model
  const head = columns.find(({ path }) => path === sort?.column)?.head
  const title = titleOfKind(kind)
  const fromDisk = columns.filter(({ held }) => !held)
  let read: ReadonlyMap<string, readonly Cell[]> | undefined
  const prepare = async (work: Work): Promise<void> => {
    const keys = Array.from({ length: rows.length }, (_unused, at) => rows.key(at))
    const take = (key: string, { value }: Row): Cell[] =>
      fromDisk.map((column) => valueOf(model, column, key, (path) => valueAt(value ?? undefined, path)))
    read = await cellsFromDisk(app.replica, keys, take, work)
  }
  return {
    suggestedName: title,
    title,
    about: [
      ...(words.trim() ? [['Search', words.trim()] as [string, string]] : []),
      ...(state !== 'all' ? [['Shown', stateWords[state] ?? state] as [string, string]] : []),
      ...conditions.map((one): [string, string] => ['Filter', conditionWords(model, one)]),
      ...(sort && head ? [['Sorted by', `${head}${sort.down ? ', largest first' : ''}`] as [string, string]] : []),
    ],
    columns: columns.map((column) => ({ head: column.head, kind: kindOf(column) })),
    length: rows.length,
    of: rows.total,
    ...(fromDisk.length > 0 && { prepare }),
    rows: (from, count) =>
      Array.from({ length: count }, (_unused, at) => {
        const key = rows.key(from + at)
        const cell = model.cell(from + at, rows)
        const own = read?.get(key)
        let next = 0
        return columns.map((column) => (column.held ? valueOf(model, column, key, cell) : (own?.[next++] ?? null)))
      }),
  }
}

/** Nothing where no rows are there yet. */
function start(model: CampaignsModel, format: (typeof formats)[number] | undefined): void {
  const { rows, app } = model
  if (rows) void exportShown(app, shownGrid(model, rows), format)
}

export const exportItems = (model: CampaignsModel): MenuItem[] =>
  formats.map((format) => ({ label: `${format.label}…`, run: () => start(model, format) }))

/** What places in names of files stand for. */
export const namePartsOf = (model: CampaignsModel): NameParts => ({
  report: titleOfKind(model.kind),
  account: model.app.account.label,
  run: momentName(model.app.clock.now, model.app.preferences.zone),
  view: model.narrowed ? 'filtered' : '',
})

/** Writes the grid as was chosen: as it is shown, or all rows of its kind in its columns and its order. */
export async function exportByChoice(
  model: CampaignsModel,
  { format, rows, template, folder, ...more }: ExportChoice,
): Promise<ExportEnd> {
  const { app, kind, query } = model
  if (!model.rows || format === 'svg' || format === 'png') return { how: 'none' }
  const parts = namePartsOf(model)
  const all = rows === 'all'
  const { where: _where, marks: _marks, words: _words, ...unnarrowed } = query
  const shown = all ? await app.replica.table(kind.name, unnarrowed) : model.rows
  const table = shownGrid(model, shown)
  return exportShown(
    app,
    {
      ...table,
      about: all ? table.about.filter(([name]) => name === 'Sorted by') : table.about,
      suggestedName: nameFrom(template, all ? { ...parts, view: '' } : parts),
    },
    { format, ...more },
    folder,
  )
}

/** The window draws the rows in sight alone: all of them are printed from a document. */
export const printCommand = (model: CampaignsModel): Command => ({
  id: 'campaigns.print',
  title: 'Print this list as PDF…',
  group: 'Campaigns',
  keys: ['Ctrl+P'],
  when: () => model.length > 0,
  run: () =>
    start(
      model,
      formats.find(({ format }) => format === 'pdf'),
    ),
})
