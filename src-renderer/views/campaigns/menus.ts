import { copyText } from '../../context/copy-text'
import type { ContextMenuContent } from '../../ui/context-menu.svelte'
import { counted } from '../../ui/counted'
import { quotedValue, type MenuGroups, type MenuItem } from '../../ui/menu-item'
import type { Condition } from '../../replica/api'
import { cellText } from './cell-text'
import { copiedCells } from './clipboard'
import { ownerOf } from './copy-elsewhere'
import type { GridColumn } from './grid-columns'
import { titleOfKind } from './kinds'
import type { CampaignsModel } from './model.svelte'
import { selectedDates } from './shifting'

/** Menu of the selected cells and rows. @param name the current row’s */
export function selectionMenu(model: CampaignsModel, name: string): ContextMenuContent {
  const { commands, replica } = model.app
  const { top, bottom } = model.selection.range
  const count = bottom - top + 1
  const item = (id: string, more: Partial<MenuItem> = {}): MenuItem => commands.item(id, more)
  const { words } = replica.facts.of(model.kind.name)
  return {
    label: count > 1 ? counted(count, words.one, words.many) : name || titleOfKind(model.kind),
    groups: [
      [
        item('campaigns.form', count > 1 ? { label: `Edit ${counted(count, words.one, words.many)}` } : {}),
        ...(model.around.includes(model.kind) ? [item('campaigns.enter')] : []),
      ],
      [
        { label: 'Copy', keys: 'Ctrl+C', run: () => void copyCells(model) },
        item('campaigns.fill.down'),
        item('campaigns.fill.right'),
        item('campaigns.replace'),
        item('campaigns.formula'),
        item('campaigns.discard-cells'),
        ...(model.kind.writable && selectedDates(model).length > 0
          ? [{ label: 'Move dates', items: moves.map(([id, label]) => item(`campaigns.dates.${id}`, { label })) }]
          : []),
      ],
      cellFilters(model),
      [
        item('campaigns.duplicate'),
        ...(model.around.includes(model.kind) ? [item('campaigns.duplicate.all')] : []),
        ...(ownerOf(model.kind) ? [item('campaigns.duplicate.elsewhere')] : []),
      ],
      layoutItems(model),
      ...(model.drafts > 0 ? [[item('campaigns.post'), item('campaigns.rehearse')]] : []),
      [item('campaigns.unarchive'), item('campaigns.end', { danger: true })],
    ].filter((group) => group.length > 0),
  }
}

const moves = [
  ['later', '1 day later'],
  ['week-later', '1 week later'],
  ['earlier', '1 day earlier'],
  ['week-earlier', '1 week earlier'],
] as const

/** The layouts of the list, in a menu of their own. None if there's only one. */
export function layoutItems({ app, layouts }: Pick<CampaignsModel, 'app' | 'layouts'>): MenuGroups[number] {
  if (layouts.length < 2) return []
  const items = layouts.map(({ value, label }) => app.commands.item(`campaigns.layout.${value}`, { label }))
  return [{ label: 'Show as', items }]
}

/** Filters by the value of the selected cell. None for several cells, or one that the list can’t compare. */
function cellFilters(model: CampaignsModel): MenuItem[] {
  const { columns, rows, selection } = model
  const { top, bottom, left, right } = selection.range
  const column = columns[left]
  if (!rows || !column?.held || column.kind === 'computed') return []
  if (selection.wholeRows || top !== bottom || left !== right) return []
  const cell = model.cell(top)
  const value = cell(column.path)
  if (value === '' || (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')) return []
  const { path } = column
  const shown = quotedValue(cellText(model, column, rows.key(top), cell))
  const add = (condition: Condition) => (): void => model.setConditions([...model.conditions, condition])
  return [
    { label: `Show only ${shown}`, run: add({ column: path, is: [String(value)] }) },
    { label: `Hide ${shown}`, run: add({ column: path, isNot: [String(value)] }) },
  ]
}

/** Menu of a column’s head. */
export function headMenu(model: CampaignsModel, column: GridColumn): ContextMenuContent {
  const { commands } = model.app
  return {
    label: column.head,
    groups: [
      [
        { label: 'Sort ascending', disabled: !column.held, run: () => model.sortBy(column.path, false) },
        { label: 'Sort descending', disabled: !column.held, run: () => model.sortBy(column.path, true) },
      ],
      [commands.item('campaigns.filter'), commands.item('campaigns.columns')],
    ],
  }
}

async function copyCells(model: CampaignsModel): Promise<void> {
  const text = copiedCells(model)
  if (text === undefined) return
  if (await copyText(model.app, text, { what: 'the cells', instead: 'Press Ctrl+C in the grid instead.' }))
    model.app.announce('Copied')
}
