import type { Command } from '../../context/context'
import type { MenuGroups } from '../../ui/menu-item'
import type { CampaignsModel } from './model.svelte'
import type { SavedView } from './saved-views'

/** Purpose of the name dialog: a new view, or a new name for one. */
export type Naming = 'new' | SavedView

/** Longest name that the toolbar shows in full. */
const maxShown = 24

/** The name of the list's view as the toolbar shows it, or nothing if there is none. */
export function viewWords({ views: { current, isChanged } }: Pick<CampaignsModel, 'views'>): string {
  if (!current) return ''
  const name = current.name.length > maxShown ? `${current.name.slice(0, maxShown - 1).trimEnd()}…` : current.name
  return isChanged ? `${name} (changed)` : name
}

/** The menu of saved views. `ask`: asks for a name. */
export function viewGroups({ views }: CampaignsModel, ask: (naming: Naming) => void): MenuGroups {
  const { current } = views
  return [
    views.list.map((view) => ({
      label: view.name,
      checked: view.name === current?.name && !views.isChanged,
      run: () => views.apply(view),
    })),
    [
      { label: 'Save as new view…', disabled: views.isFull, run: () => ask('new') },
      ...(current
        ? [
            { label: `Update “${current.name}”`, disabled: !views.isChanged, run: () => views.update() },
            { label: `Rename “${current.name}”…`, run: () => ask(current) },
            { label: `Delete “${current.name}”`, danger: true, run: () => views.remove(current) },
          ]
        : []),
    ],
  ].filter((group) => group.length > 0)
}

/** Commands for saved views of all lists. */
export function viewCommands({ views, kinds }: CampaignsModel, ask: (naming: Naming) => void): Command[] {
  const group = 'Campaigns'
  const isApplied = (): boolean => views.current !== undefined
  return [
    {
      id: 'campaigns.view.save',
      title: 'Save view as…',
      group,
      words: 'filters columns sort layout preset',
      when: () => !views.isFull,
      run: () => ask('new'),
    },
    {
      id: 'campaigns.view.update',
      title: 'Update view',
      group,
      words: 'save filters columns sort',
      when: () => views.isChanged,
      run: () => views.update(),
    },
    {
      id: 'campaigns.view.rename',
      title: 'Rename view…',
      group,
      when: isApplied,
      run: () => views.current && ask(views.current),
    },
    {
      id: 'campaigns.view.delete',
      title: 'Delete view',
      group,
      when: isApplied,
      run: () => views.current && views.remove(views.current),
    },
    ...kinds.flatMap(({ name, words }) =>
      views.of(name).map((view, at): Command => ({
        id: `campaigns.view.${name}.${at}`,
        title: `Show ${words.many} view “${view.name}”`,
        group,
        words: 'saved filters columns',
        run: () => views.open(name, view),
      })),
    ),
  ]
}
