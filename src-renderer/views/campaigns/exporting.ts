import { sentenceCase } from '#shared/fields/heads'
import { faultOf } from '#shared/fault'
import type { ExportChoice } from '#shared/reports/export-presets'
import type { TableFormat } from '#shared/reports/export-table'
import { momentName, nameFrom, type NameParts } from '#shared/reports/file-names'
import { formats } from '../../context/export-formats'
import { exportShown, notWritten, type ShownTable } from '../../context/export-table'
import type { Command } from '../../context/context'
import type { ExportEnd } from '../../context/export-presets.svelte'
import type { TableRows } from '../../replica/api'
import type { MenuItem } from '../../ui/Menu.svelte'
import { conditionWords } from './filters'
import { gridTable } from './grid-table'
import { titleOfKind } from './kinds'
import type { CampaignsModel } from './model.svelte'
import type { StateFilter } from './saved-views'

const stateWords: Readonly<Partial<Record<StateFilter, string>>> = {
  living: 'not archived',
  drafts: 'drafts and pending changes',
  needsYou: 'needs attention',
  archived: 'archived',
}

/** Rows that an export of all rows skips. */
const narrowingNames = new Set(['Search', 'Shown', 'Filter'])

/** A snapshot of the grid, because people may move on during the export. */
interface Shown extends Pick<CampaignsModel, 'kind' | 'columns' | 'query'> {
  about: [name: string, value: string][]
  /** Number of rows without search and filters, if it’s known and they’re used. */
  of?: number | undefined
  /** Null if the query for these rows hasn't finished. */
  rows: TableRows | null
}

function shownNow(model: CampaignsModel): Shown {
  const { kind, columns, conditions, state, words, sort, query, table, rows, scope, app } = model
  const within = scope.within === undefined ? undefined : app.replica.peek(scope.within)
  const head = columns.find(({ path }) => path === sort?.column)?.head
  return {
    ...{ kind, columns, query },
    about: [
      ...(within
        ? [[sentenceCase(app.replica.facts.of(within.collection).words.one), model.titleOf(within)] as [string, string]]
        : []),
      ...(words.trim() ? [['Search', words.trim()] as [string, string]] : []),
      ...(state !== 'all' ? [['Shown', stateWords[state] ?? state] as [string, string]] : []),
      ...conditions.map((one): [string, string] => ['Filter', conditionWords(model, one)]),
      ...(sort && head ? [['Sorted by', `${head}${sort.down ? ', descending' : ''}`] as [string, string]] : []),
    ],
    ...(model.narrowed && { of: model.inScope }),
    rows: table.looking ? null : rows,
  }
}

/** Writes the displayed rows, or all. Queries them first if needed. */
async function write(
  { app }: CampaignsModel,
  table: (rows: TableRows) => ShownTable,
  rows: TableRows | (() => Promise<TableRows>),
  format: TableFormat | undefined,
  folder?: string,
): Promise<ExportEnd> {
  try {
    const found = typeof rows === 'function' ? await rows() : rows
    return await exportShown(app, table(found), format, folder)
  } catch (error) {
    app.toasts.show(notWritten(faultOf(error)), { level: 'error' })
    return { how: 'none' }
  }
}

function start(model: CampaignsModel, format: (typeof formats)[number] | undefined): void {
  const shown = shownNow(model)
  const { kind, query } = shown
  const rows = shown.rows ?? (() => model.app.replica.table(kind.name, query))
  void write(model, (found) => gridTable(model, shown, found), rows, format)
}

export const exportItems = (model: CampaignsModel): MenuItem[] =>
  formats.map((format) => ({ label: `${format.label}…`, run: () => start(model, format) }))

/** Values of the placeholders in file names. */
export const namePartsOf = (model: CampaignsModel): NameParts => ({
  report: titleOfKind(model.kind),
  account: model.app.account.label,
  run: momentName(model.app.clock.now, model.zone),
  view: model.narrowed ? 'filtered' : '',
})

/** Exports the shown rows, or all rows of the kind with the shown columns and order. */
export async function exportByChoice(
  model: CampaignsModel,
  { format, rows, template, folder, ...more }: ExportChoice,
): Promise<ExportEnd> {
  if (format === 'svg' || format === 'png') return { how: 'none' }
  const shown = shownNow(model)
  const { kind, query } = shown
  const parts = namePartsOf(model)
  const all = rows === 'all'
  const { where: _where, marks: _marks, words: _words, ...unnarrowed } = query
  const about = all ? shown.about.filter(([name]) => !narrowingNames.has(name)) : shown.about
  const suggestedName = nameFrom(template, all ? { ...parts, view: '' } : parts)
  const look = (): Promise<TableRows> => model.app.replica.table(kind.name, all ? unnarrowed : query)
  return write(
    model,
    (found) => ({ ...gridTable(model, { ...shown, about, ...(all && { of: undefined }) }, found), suggestedName }),
    all ? look : (shown.rows ?? look),
    { format, ...more },
    folder,
  )
}

/** Prints from a document with all rows, because the window only draws the visible ones. */
export const printCommand = (model: CampaignsModel): Command => ({
  id: 'campaigns.print',
  title: 'Print this list as PDF…',
  group: 'Campaigns',
  keys: ['Ctrl+P'],
  printsWhole: true,
  when: () => model.length > 0,
  run: () =>
    start(
      model,
      formats.find(({ format }) => format === 'pdf'),
    ),
})
