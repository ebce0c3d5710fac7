import { isNumeric, type ColumnAbout } from '#shared/results/result-columns'
import type { TableShape } from '#shared/results/questions'
import { isOver, type Run } from '#shared/reports/runs'
import type { ContextMenuContent } from '../../ui/context-menu.svelte'
import { counted } from '../../ui/counted'
import { quotedValue } from '../../ui/menu-item'
import type { ResultFilter } from './grid/conditions'
import type { ResultTable } from './grid/table.svelte'
import { canRun, type ListedReport, type ReportsModel, type Tab } from './model.svelte'
import { retryOptions } from './run-words'

/** Menu of a report in the list, or of several selected ones. */
export function reportMenu(model: ReportsModel, report: ListedReport): ContextMenuContent {
  const { commands } = model.app
  const { picked } = model
  if (picked.size > 1)
    return {
      label: counted(picked.size, 'report'),
      groups: [[commands.item('reports.exportMany')], [{ label: 'Clear selection', run: () => picked.clear() }]],
    }
  const { active } = report
  const show = (tab: Tab, label: string, id: string) => ({
    ...commands.item(id, { label, disabled: false }),
    run: () => model.choose(report.key, { tab }),
  })
  return {
    label: report.name,
    groups: [
      [
        ...(active ? [{ label: 'Stop run', run: () => void model.stop(active) }] : []),
        ...(canRun(report)
          ? [commands.item('reports.run', { disabled: false, run: () => void model.run(report) })]
          : []),
      ],
      [
        show('results', 'Show results', 'reports.results'),
        show('definition', 'Show definition', 'reports.definition'),
        show('runs', 'Show runs', 'reports.runs'),
      ],
      ...(report.gone
        ? []
        : [
            [commands.item('reports.duplicate', { disabled: false, run: () => void model.duplicate(report) })],
            [{ label: 'Delete report', danger: true, run: () => void model.delete(report) }],
          ]),
    ].filter((group) => group.length > 0),
  }
}

/** Menu of a run. @param about what the list does with it */
export function runMenu(
  model: ReportsModel,
  run: Run,
  { label, open, remove }: { label: string; open: () => void; remove: () => void },
): ContextMenuContent {
  const over = isOver(run.state)
  return {
    label,
    groups: [
      [
        { label: 'Show results', disabled: !run.hasFile, run: open },
        ...(over
          ? retryOptions(run).map((one) => ({ label: one.label, run: () => void model.again(run, one.rerun) }))
          : [
              ...(run.next ? [{ label: 'Check now', run: () => void model.again(run) }] : []),
              { label: 'Stop', run: () => void model.stop(run) },
            ]),
      ],
      [
        {
          label: run.pinned ? 'Unpin run' : 'Pin run',
          disabled: !over || !run.hasFile,
          run: () => void model.pin(run),
        },
        { label: 'Show in folder', disabled: !over || !run.hasFile, run: () => void model.reveal(run) },
      ],
      [{ label: 'Delete from this computer', danger: true, disabled: !over, run: remove }],
    ],
  }
}

/** Menu of several selected runs. */
export function runsMenu({ app: { commands } }: ReportsModel, count: number): ContextMenuContent {
  return {
    label: counted(count, 'run'),
    groups: [
      [commands.item('reports.exportRuns'), commands.item('reports.pinRuns')],
      [commands.item('reports.removeRuns', { danger: true })],
    ],
  }
}

interface ResultHands {
  copy: () => void
  open?: (() => void) | undefined
  filter: (column: string) => void
  statistics: (column: string) => void
  columns: () => void
}

/** Menu of a cell of results, or without `cell` of a column’s head. */
export function resultMenu(
  results: ResultTable,
  column: ColumnAbout,
  hands: ResultHands,
  cell?: string,
): ContextMenuContent {
  const { head, kind } = column
  const { viewShape } = results
  const reshape = (more: Partial<TableShape>): void => void results.reshape({ ...results.shape, ...more })
  const isGrouped = viewShape.group.length > 0 || viewShape.pivot !== undefined
  const only = (how: 'is' | 'isNot'): void => {
    const filter: ResultFilter = { column: head, condition: { how, texts: [cell!] } }
    reshape({ filters: [...results.shape.filters, filter] })
  }
  const sort = (label: string, descending: boolean) => ({
    label,
    run: () => reshape({ sort: [{ column: head, descending }] }),
  })
  // Filters apply to the rows of the file, and no one looks for an exact number.
  const narrows = !!cell && !isNumeric(kind) && (!isGrouped || viewShape.group.includes(head))
  return {
    label: cell === undefined || cell === '' ? head : `${head}: ${cell}`,
    groups: [
      cell === undefined
        ? []
        : [
            ...(hands.open ? [{ label: 'Open', keys: 'Enter', run: hands.open }] : []),
            { label: 'Copy', keys: 'Ctrl+C', run: hands.copy },
          ],
      narrows
        ? [
            { label: `Show only ${quotedValue(cell)}`, run: () => only('is') },
            { label: `Hide ${quotedValue(cell)}`, run: () => only('isNot') },
          ]
        : [],
      [sort('Sort ascending', false), sort('Sort descending', true)],
      [
        { label: 'Filter rows…', keys: '/', run: () => hands.filter(head) },
        { label: 'Column statistics', keys: 'i', run: () => hands.statistics(head) },
        { label: 'Columns…', run: hands.columns },
      ],
    ].filter((group) => group.length > 0),
  }
}
