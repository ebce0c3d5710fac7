import { insideSentence } from '#shared/fields/heads'
import type { Command } from '../../../context/context'
import { headFor } from '../grid-columns'
import type { CampaignsModel } from '../model.svelte'
import { shiftFlights, type Grip } from '../shifting'

interface Actions {
  today: () => void
  zoom: (steps: number) => void
  fit: () => void
  /** Moves the flight of the current row into sight. */
  show: () => void
  /** The timeline. Keys such as Alt+← mean something else elsewhere. */
  element: () => Element | null
}

/** Commands that move flights: ID, title, key, what they move, and days. */
const moves: readonly (readonly [string, string, string | undefined, Grip, number])[] = [
  ['earlier', 'Move flights a day earlier', 'Alt+ArrowLeft', 'move', -1],
  ['later', 'Move flights a day later', 'Alt+ArrowRight', 'move', 1],
  ['end-earlier', 'End flights a day earlier', 'Alt+Shift+ArrowLeft', 'end', -1],
  ['end-later', 'End flights a day later', 'Alt+Shift+ArrowRight', 'end', 1],
  ['start-earlier', 'Start flights a day earlier', undefined, 'start', -1],
  ['start-later', 'Start flights a day later', undefined, 'start', 1],
]

/** Sort keys of rows: name, start date, and end date. */
export const timelineSorts = ({ kind }: Pick<CampaignsModel, 'kind'>): { path: string; head: string }[] =>
  [kind.title, kind.flight?.start, kind.flight?.end].flatMap((path) =>
    path === undefined ? [] : [{ path, head: headFor(kind, path) }],
  )

/** Commands of the timeline, for keys and the palette. */
export function timelineCommands(model: CampaignsModel, actions: Actions): Command[] {
  const group = 'Campaigns'
  const some = (): boolean => model.length > 0
  return [
    { id: 'campaigns.timeline.today', title: 'Show today', group, keys: ['t'], words: 'go now', run: actions.today },
    {
      id: 'campaigns.timeline.in',
      title: 'Zoom in',
      group,
      keys: ['+', '='],
      words: 'days weeks larger',
      run: () => actions.zoom(1),
    },
    {
      id: 'campaigns.timeline.out',
      title: 'Zoom out',
      group,
      keys: ['-'],
      words: 'weeks months smaller',
      run: () => actions.zoom(-1),
    },
    {
      id: 'campaigns.timeline.fit',
      title: 'Zoom to flights',
      group,
      keys: ['0'],
      words: 'fit all window',
      when: some,
      run: actions.fit,
    },
    {
      id: 'campaigns.timeline.flight',
      title: 'Scroll to the selected flight',
      group,
      keys: ['Enter'],
      words: 'show bar in sight',
      keysIn: actions.element,
      when: some,
      run: actions.show,
    },
    ...timelineSorts(model).map(({ path, head }): Command => ({
      id: `campaigns.timeline.sort.${path}`,
      title: `Sort by ${insideSentence(head)}`,
      group,
      words: 'order ascending descending',
      run: () => model.sortBy(path),
    })),
    ...moves.map(([id, title, key, grip, days]): Command => ({
      id: `campaigns.flights.${id}`,
      title,
      group,
      ...(key !== undefined && { keys: [key] }),
      words: 'shift dates',
      keysIn: actions.element,
      when: () => some() && model.kind.writable,
      run: () => void shiftFlights(model, model.selectedKeys(), grip, days),
    })),
  ]
}
