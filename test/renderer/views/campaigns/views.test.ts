import { expect, it } from 'vitest'
import type { SavedView } from '../../../../src-renderer/views/campaigns/saved-views'
import { Views } from '../../../../src-renderer/views/campaigns/views.svelte'

const usual: SavedView = { name: 'usual', where: [], state: 'living' }
/** Only a newer version can read it. */
const newer = { name: 'Newer', where: [{ column: 'name', like: 'x' }], state: 'living' }

function open(stored: unknown, layout = 'grid') {
  const undo: (() => void)[] = []
  const settings = {
    values: { sheetViews: stored },
    set: (change: { sheetViews: unknown }) => Object.assign(settings.values, change),
  }
  const toasts = {
    show: (_text: string, { action }: { action?: { run: () => void } } = {}) => action && undo.push(action.run),
  }
  const list = {
    app: { settings, account: { id: 'one' }, toasts, announce: () => undefined },
    ...{ kind: { name: 'placements' }, choice: {}, conditions: [], chosenSort: undefined, state: 'living' },
    layout,
    zoom: 12,
  }
  const views = new Views(list as unknown as ConstructorParameters<typeof Views>[0])
  const kept = (): unknown => (settings.values.sheetViews as { one: { placements: unknown } }).one.placements
  return { views, kept, undo: () => undo.pop()?.() }
}

it('keeps views that only a newer version can read', () => {
  const { views, kept } = open({ one: { placements: [newer, usual] } })
  views.remove(views.list[0]!)
  expect(kept()).toEqual([newer])
})

it('undoes a change of case in a name', () => {
  const { views, kept, undo } = open({ one: { placements: [usual] } })
  views.rename(usual, 'Usual')
  expect(kept()).toEqual([{ ...usual, name: 'Usual' }])
  undo()
  expect(kept()).toEqual([usual])
})

it('saves the layout that the list has', () => {
  const { views, kept } = open({}, 'timeline')
  views.save('Flights')
  expect(kept()).toEqual([{ ...usual, name: 'Flights', layout: 'timeline', zoom: 12 }])
})
