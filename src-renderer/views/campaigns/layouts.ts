import type { Collection } from '#shared/facts/collection'
import type { SettingValues } from '../../context/settings.svelte'

/** How a list is drawn. */
export type Layout = SettingValues['campaignLayout']

interface LayoutFacts {
  value: Layout
  label: string
  keys: string
  /** Finds its command. */
  words: string
  /** True if records of a kind can be drawn so. */
  offered: (kind: Pick<Collection, 'name' | 'flight'>) => boolean
}

/** Every layout, in the order of their keys. */
export const layouts: readonly LayoutFacts[] = [
  { value: 'grid', label: 'Grid', keys: 'Alt+1', words: 'columns table', offered: () => true },
  {
    value: 'timeline',
    label: 'Timeline',
    keys: 'Alt+2',
    words: 'flights gantt bars dates',
    // Only records with flights have a timeline.
    offered: ({ flight }) => flight !== undefined,
  },
  {
    value: 'matrix',
    label: 'Matrix',
    keys: 'Alt+3',
    words: 'assign assignments creatives ads cross',
    offered: ({ name }) => name === 'placements',
  },
]

/** The layouts of a kind. None but the grid is no choice. */
export const layoutsOf = (kind: Pick<Collection, 'name' | 'flight'>): readonly LayoutFacts[] =>
  layouts.filter(({ offered }) => offered(kind))
