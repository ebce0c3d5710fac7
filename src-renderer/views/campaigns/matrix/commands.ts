import type { Checked } from '#shared/checks/rule'
import type { Command } from '../../../context/context'
import type { ContextMenuContent } from '../../../ui/context-menu.svelte'
import { counted } from '../../../ui/counted'
import { quotedValue } from '../../../ui/menu-item'
import { layoutItems, selectionMenu } from '../menus'
import type { CampaignsModel } from '../model.svelte'
import type { MatrixActions } from './actions.svelte'
import type { MatrixCells } from './cells.svelte'

/** Commands of the matrix, for keys and the palette. */
export function matrixCommands(
  model: CampaignsModel,
  actions: MatrixActions,
  cells: MatrixCells,
  element: () => Element | null,
): Command[] {
  const group = 'Campaigns'
  const has = (kind: string): boolean => {
    for (const { state } of cells.open()) if (state.kind === kind) return true
    return false
  }
  return [
    {
      id: 'campaigns.matrix.assign',
      title: 'Assign selected creatives',
      group,
      words: 'matrix add ad placement',
      when: () => has('possible'),
      run: () => actions.assign(),
    },
    {
      id: 'campaigns.matrix.remove',
      title: 'Remove selected assignments',
      group,
      words: 'matrix unassign take out ad placement creative',
      when: () => has('assigned'),
      run: () => actions.remove(),
    },
    {
      id: 'campaigns.matrix.fill',
      title: 'Fill matching…',
      group,
      keys: ['Ctrl+Enter'],
      keysIn: element,
      words: 'matrix assign all possible creatives placements ads',
      when: () => model.length > 0,
      run: () => actions.fill(),
    },
  ]
}

/** Maximum number of ads that the menu lists. */
const maxAds = 8

/** Menu of the selected cells, or of the selected rows if the name of one is the current cell. @param name the current row’s */
export function matrixMenu(model: CampaignsModel, cells: MatrixCells, name: string): ContextMenuContent {
  if (cells.selection.range.left === 0) return selectionMenu(model, name)
  const { commands } = model.app
  const ads = new Map<string, Checked>()
  for (const { state } of cells.open()) if (state.kind === 'assigned') for (const ad of state.ads) ads.set(ad.key, ad)
  const why = cells.count === 1 ? cells.why : undefined
  return {
    label: cells.count > 1 ? counted(cells.count, 'cell') : name,
    ...(why !== undefined && { note: why }),
    groups: [
      [
        commands.item('campaigns.matrix.assign', { label: 'Assign', keys: 'Space' }),
        commands.item('campaigns.matrix.remove', { label: 'Remove', keys: 'Space', danger: true }),
        commands.item('campaigns.matrix.fill'),
      ],
      [...ads.values()].slice(0, maxAds).map((ad) => ({
        label: `Open ad ${quotedValue(model.titleOf(ad))}`,
        run: () => model.selected.reveal(ad.key),
      })),
      [commands.item('campaigns.form', { label: 'Open placement' })],
      layoutItems(model),
    ].filter((items) => items.length > 0),
  }
}
