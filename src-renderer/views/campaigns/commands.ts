import type { Command } from '../../context/context'
import { end, unarchive } from './ending'
import { stepToFinding } from './finding-steps'
import { showResults } from './show-results'
import { ownerOf } from './copy-elsewhere'
import { duplicate, duplicateElsewhere } from './making'
import { fillDown, fillRight } from './filling'
import { layouts, type Layout } from './layouts'
import type { CampaignsModel } from './model.svelte'
import { canDiscardCells, discardCells } from './discard-cells'
import { selectedDates, shiftDates } from './shifting'
import type { CellRange } from '../../ui/cell-selection.svelte'

interface Actions {
  search: () => void
  filter: () => void
  replace: () => void
  formula: () => void
  importSheet: () => void
  columns: () => void
  make: () => void
  tree: () => void
  grid: () => void
  layout: (layout: Layout) => void
  close: () => void
  form: () => void
  changes: () => void
  check: () => void
}

/** Commands that move the selected dates: ID, title, key, and days. */
const shifts: readonly (readonly [string, string, string, number])[] = [
  ['earlier', 'Move dates a day earlier', 'Alt+ArrowUp', -1],
  ['later', 'Move dates a day later', 'Alt+ArrowDown', 1],
  ['week-earlier', 'Move dates a week earlier', 'Alt+Shift+ArrowUp', -7],
  ['week-later', 'Move dates a week later', 'Alt+Shift+ArrowDown', 7],
]

/** Commands of the view, for keys and the palette. */
export function campaignActions(model: CampaignsModel, actions: Actions): Command[] {
  const group = 'Campaigns'
  const some = (): boolean => model.length > 0
  const range = (): CellRange => model.selection.range
  const here = (): string | undefined => model.columns[model.selection.column]?.path
  return [
    {
      id: 'campaigns.search',
      title: 'Search this list',
      group,
      keys: ['Ctrl+F'],
      words: 'find',
      run: actions.search,
    },
    {
      id: 'campaigns.filter',
      title: 'Filter this list…',
      group,
      keys: ['Ctrl+Shift+F'],
      words: 'narrow',
      run: actions.filter,
    },
    {
      id: 'campaigns.results',
      title: 'Show placement results',
      group,
      words: 'report delivery pacing',
      when: () => some() && model.kind.name === 'placements',
      run: () => showResults(model.app, model.selectedKeys()[0]),
    },
    { id: 'campaigns.columns', title: 'Choose columns…', group, words: 'arrange show hide', run: actions.columns },
    {
      id: 'campaigns.new',
      title: 'New record',
      group,
      keys: ['Ctrl+N'],
      words: 'create add make placement campaign ad',
      when: () => model.kind.insert !== undefined && model.scope.profile !== '',
      run: actions.make,
    },
    {
      id: 'campaigns.duplicate',
      title: 'Duplicate selected records',
      group,
      keys: ['Ctrl+D'],
      words: 'copy',
      when: () => some() && model.kind.insert !== undefined,
      run: () => void duplicate(model, model.selectedKeys(), false),
    },
    {
      id: 'campaigns.fill.down',
      title: 'Fill down',
      group,
      keys: ['Ctrl+D'],
      words: 'copy down repeat',
      when: () => some() && !model.selection.wholeRows && range().bottom > range().top,
      run: () => void fillDown(model),
    },
    {
      id: 'campaigns.fill.right',
      title: 'Fill right',
      group,
      words: 'copy right repeat',
      when: () => some() && !model.selection.wholeRows && range().right > range().left,
      run: () => void fillRight(model),
    },
    ...shifts.map(([id, title, key, days]): Command => ({
      id: `campaigns.dates.${id}`,
      title,
      group,
      keys: [key],
      words: 'shift flight move start end',
      when: () => some() && model.kind.writable && selectedDates(model).length > 0,
      run: () => void shiftDates(model, days),
    })),
    {
      id: 'campaigns.discard-cells',
      title: 'Discard cell change',
      group,
      keys: ['Ctrl+Alt+Z'],
      words: 'undo revert draft old value',
      when: () => some() && canDiscardCells(model),
      run: () => void discardCells(model),
    },
    {
      id: 'campaigns.changes',
      title: 'Show or hide changes',
      group,
      keys: ['Ctrl+J'],
      words: 'drafts list differences panel history discard revert',
      run: actions.changes,
    },
    {
      id: 'campaigns.check',
      title: 'Check everything',
      group,
      keys: ['F7'],
      words: 'find fix errors warnings rules validate',
      run: actions.check,
    },
    {
      id: 'campaigns.rules',
      title: 'Custom rules…',
      group,
      words: 'own custom findings conditions validate naming',
      when: () => model.scope.profile !== '',
      run: () => (model.ruling = {}),
    },
    {
      id: 'campaigns.finding.next',
      title: 'Next error or warning',
      group,
      keys: ['F8'],
      when: some,
      run: () => stepToFinding(model, 1),
    },
    {
      id: 'campaigns.finding.previous',
      title: 'Previous error or warning',
      group,
      keys: ['Shift+F8'],
      when: some,
      run: () => stepToFinding(model, -1),
    },
    {
      id: 'campaigns.replace',
      title: 'Find and replace…',
      group,
      keys: ['Ctrl+H'],
      words: 'search change text regular expression',
      when: () => some() && model.kind.writable,
      run: actions.replace,
    },
    {
      id: 'campaigns.formula',
      title: 'Fill with a formula…',
      group,
      keys: ['Ctrl+Shift+H'],
      words: 'name template pattern number append prepend prefix suffix change case upper lower rename',
      when: () => some() && model.kind.writable,
      run: actions.formula,
    },
    {
      id: 'campaigns.import',
      title: 'Import a spreadsheet…',
      group,
      keys: ['Ctrl+Shift+I'],
      words: 'open file csv tsv excel xlsx upload',
      when: () => model.kind.writable && model.scope.profile !== '',
      run: actions.importSheet,
    },
    {
      id: 'campaigns.duplicate.all',
      title: 'Duplicate with contents',
      group,
      keys: ['Ctrl+Shift+D'],
      words: 'copy campaign children placements ads',
      when: () => some() && model.around.includes(model.kind),
      run: () => void duplicate(model, model.selectedKeys(), true),
    },
    {
      id: 'campaigns.duplicate.elsewhere',
      title: 'Duplicate to another campaign or advertiser…',
      group,
      keys: ['Ctrl+Alt+D'],
      words: 'copy move paste other mapping',
      when: () => some() && model.kind.insert !== undefined && ownerOf(model.kind) !== undefined,
      run: () => void duplicateElsewhere(model, model.selectedKeys()),
    },
    {
      id: 'campaigns.end',
      title: 'Archive or delete selected records',
      group,
      keys: ['Ctrl+Delete'],
      // A new record can be deleted whatever its kind.
      when: () => some() && (model.kind.ends !== 'never' || model.kind.insert !== undefined),
      run: () => void end(model, model.selectedKeys()),
    },
    {
      id: 'campaigns.unarchive',
      title: 'Unarchive selected records',
      group,
      keys: ['Ctrl+Shift+U'],
      when: () => some() && model.kind.ends === 'archive',
      run: () => void unarchive(model, model.selectedKeys()),
    },
    {
      id: 'campaigns.form',
      title: 'Open record',
      group,
      keys: ['Ctrl+I'],
      words: 'edit inspector several bulk all',
      when: some,
      run: actions.form,
    },
    {
      id: 'campaigns.enter',
      title: 'Show contents',
      group,
      keys: ['Ctrl+ArrowRight'],
      words: 'placements of this campaign',
      keyOnly: true,
      when: () => some() && model.around.includes(model.kind),
      run: () => model.enter(model.selectedKeys()[0]!),
    },
    {
      id: 'campaigns.sort.up',
      title: 'Sort column ascending',
      group,
      keys: ['Alt+Shift+A'],
      when: () => some() && model.columns[model.selection.column]?.held === true,
      run: () => model.sortBy(here()!, false),
    },
    {
      id: 'campaigns.sort.down',
      title: 'Sort column descending',
      group,
      keys: ['Alt+Shift+D'],
      when: () => some() && model.columns[model.selection.column]?.held === true,
      run: () => model.sortBy(here()!, true),
    },
    {
      id: 'campaigns.post',
      title: 'Post drafts…',
      group,
      keys: ['Ctrl+Shift+Enter'],
      words: 'send changes service',
      when: () => model.drafts > 0 || model.isSaving,
      run: () => model.startPosting(),
    },
    {
      id: 'campaigns.rehearse',
      title: 'Simulate posting',
      group,
      keys: ['Ctrl+Shift+R'],
      words: 'try dry run test drafts rehearse sandbox',
      when: () => model.drafts > 0 || model.isSaving,
      run: () => model.startRehearsing(),
    },
    ...layouts.map(({ value, keys, words }): Command => ({
      id: `campaigns.layout.${value}`,
      title: `Show as ${value}`,
      group,
      keys: [keys],
      words: `layout view ${words}`,
      when: () => model.layouts.length > 1 && model.layouts.some((one) => one.value === value),
      run: () => actions.layout(value),
    })),
    { id: 'campaigns.tree', title: 'Go to the tree', group, keys: ['Alt+Shift+T'], run: actions.tree },
    { id: 'campaigns.grid', title: 'Go to the grid', group, keys: ['Alt+Shift+G'], run: actions.grid },
    {
      id: 'campaigns.close',
      title: 'Close record',
      group,
      keys: ['Escape'],
      keyOnly: true,
      when: () => model.open !== null || model.bulk !== null,
      run: actions.close,
    },
    {
      id: 'campaigns.stop',
      title: 'Stop bulk edit',
      group,
      keys: ['Escape'],
      words: 'cancel paste fill replace',
      when: () => model.work.busy,
      run: () => model.work.stop(),
    },
    {
      id: 'campaigns.stop.last',
      title: 'Stop and undo bulk edit',
      group,
      keys: ['Ctrl+Z'],
      keyOnly: true,
      when: () => model.work.isLast,
      run: () => model.work.undoLast(model.app.replica.undoSteps),
    },
  ]
}
