import type { Command } from '../../context/context'
import { canRun, isOnServer, type ListedReport, type ReportsModel } from './model.svelte'

interface Hands {
  /** Items to create or open something, the default first. */
  making: () => readonly { label: string; run: () => void }[]
  search: () => void
  filter: () => void
  sort: () => void
  statistics: () => void
  chart: () => void
  newer: () => void
  older: () => void
  prints: () => void
  many: () => void
  serverRuns: () => void
  hasGrid: () => boolean
}

/** Commands of the Reports view. */
export function reportCommands(model: ReportsModel, hands: Hands): Command[] {
  const group = 'Reports'
  const chosen = (run: (report: ListedReport) => void) => (): void => {
    if (model.chosen) run(model.chosen)
  }
  const isChosen = (): boolean => model.chosen !== undefined
  const { hasGrid } = hands
  return [
    ...hands.making().map(({ label, run }, at) => ({
      id: `reports.make.${at}`,
      title: label.replace('…', ''),
      group,
      ...(at === 0 && { keys: ['Ctrl+N'] }),
      words: 'create add make import',
      run,
    })),
    {
      id: 'reports.run',
      title: 'Run report',
      group,
      keys: ['Ctrl+Enter'],
      when: () => model.chosen !== undefined && canRun(model.chosen),
      run: chosen((report) => void model.run(report)),
    },
    {
      id: 'reports.stop',
      title: 'Stop run',
      group,
      when: () => model.chosen?.active !== undefined,
      run: chosen(({ active }) => active && void model.stop(active)),
    },
    {
      id: 'reports.serverRuns',
      title: 'Find runs on the server…',
      group,
      words: 'download schedule scheduled other people someone else',
      when: () => model.chosen !== undefined && isOnServer(model.chosen),
      run: hands.serverRuns,
    },
    {
      id: 'reports.duplicate',
      title: 'Duplicate report',
      group,
      keys: ['Ctrl+D'],
      when: () => model.chosen !== undefined && !model.chosen.gone,
      run: chosen((report) => void model.duplicate(report)),
    },
    {
      id: 'reports.toOverview',
      title: 'Show overview',
      group,
      keys: ['o'],
      keyOnly: true,
      run: () => model.turnTo('overview'),
    },
    { id: 'reports.allRuns', title: 'Show all runs', group, run: () => model.turnTo('runs') },
    { id: 'reports.find', title: 'Find reports', group, keys: ['f'], run: hands.search },
    { id: 'reports.filter', title: 'Filter rows…', group, keys: ['/'], when: hasGrid, run: hands.filter },
    { id: 'reports.sort', title: 'Sort by column', group, keys: ['s'], when: hasGrid, run: hands.sort },
    {
      id: 'reports.statistics',
      title: 'Show column statistics',
      group,
      keys: ['i'],
      words: 'mean median distinct most frequent',
      when: hasGrid,
      run: hands.statistics,
    },
    { id: 'reports.chart', title: 'Show or hide chart', group, keys: ['h'], when: hasGrid, run: hands.chart },
    { id: 'reports.newer', title: 'Next newer run', group, keys: [']'], when: hasGrid, run: hands.newer },
    { id: 'reports.older', title: 'Next older run', group, keys: ['['], when: hasGrid, run: hands.older },
    {
      id: 'reports.exportMany',
      title: 'Export selected reports…',
      group,
      keys: ['Ctrl+E'],
      words: 'several save files folder',
      when: () => model.picked.size > 1,
      run: hands.many,
    },
    {
      id: 'reports.print',
      title: 'Print results as PDF…',
      group,
      keys: ['Ctrl+P'],
      printsWhole: true,
      when: hasGrid,
      run: hands.prints,
    },
    {
      id: 'reports.results',
      title: 'Show results',
      group,
      keys: ['g'],
      when: isChosen,
      run: () => model.show({ tab: 'results' }),
    },
    {
      id: 'reports.definition',
      title: 'Show definition',
      group,
      keys: ['d'],
      when: isChosen,
      run: () => model.show({ tab: 'definition' }),
    },
    {
      id: 'reports.runs',
      title: 'Show runs',
      group,
      keys: ['r'],
      when: isChosen,
      run: () => model.show({ tab: 'runs' }),
    },
  ]
}
