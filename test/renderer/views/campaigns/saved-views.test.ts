import { describe, expect, it } from 'vitest'
import {
  findView,
  isSameView,
  nameProblem,
  readViews,
  withView,
  type SavedView,
} from '../../../../src-renderer/views/campaigns/saved-views'

const full: SavedView = {
  name: 'Ends soon',
  shown: ['name', 'pricingSchedule.endDate'],
  where: [
    { column: 'compatibility', is: ['DISPLAY'] },
    { column: 'name', isNot: ['x'] },
    { column: 'name', has: 'radio' },
    { column: 'externalId', empty: true },
    { column: 'pricingSchedule.endDate', from: '2026-06-01', to: '2026-06-30' },
  ],
  state: 'all',
  sort: { column: 'name', down: true },
}
const usual: SavedView = { name: 'Usual', where: [], state: 'living' }

describe('saved views', () => {
  it('survive saving and loading, with every kind of filter', () => {
    const stored = { one: { placements: [full, usual] }, two: {} }
    expect(readViews(JSON.parse(JSON.stringify(stored)))).toEqual(stored)
  })

  it('keep their layout and zoom, and without one, show the grid', () => {
    const views = withView([], 'Flights', { ...usual, layout: 'timeline', zoom: 24 })
    expect(readViews(JSON.parse(JSON.stringify({ one: { placements: views } })))['one']!['placements']).toEqual([
      { ...usual, name: 'Flights', layout: 'timeline', zoom: 24 },
    ])
    expect(withView([], 'Usual', { ...usual, layout: 'grid', zoom: 24 })).toEqual([usual])
    expect(isSameView({ ...usual, layout: 'matrix' }, usual)).toBe(false)
    expect(isSameView({ ...usual, layout: 'grid' }, usual)).toBe(true)
    expect(isSameView({ ...usual, layout: 'timeline', zoom: 24 }, { ...usual, layout: 'timeline', zoom: 3 })).toBe(true)
    const odd = { ...usual, layout: 'circle', zoom: -1 }
    expect(readViews({ one: { placements: [odd] } })).toEqual({ one: { placements: [usual] } })
  })

  it('are left out one by one if they can’t be read', () => {
    for (const broken of [undefined, null, 7, 'x', []]) expect(readViews(broken)).toEqual({})
    const list = [
      7,
      { ...usual, name: ' ' },
      { ...usual, where: [{ column: 'name', like: 'x' }] },
      { ...usual, shown: [7], state: 'gone', sort: 'name' },
      { ...full, name: 'usual' },
    ]
    expect(readViews({ one: { placements: list, ads: 'x' }, two: 7 })).toEqual({
      one: { placements: [usual], ads: [] },
      two: {},
    })
  })

  it('have names that differ in more than case', () => {
    expect(nameProblem([full], ' ')).toBe('Enter a name')
    expect(nameProblem([full], 'ends SOON ')).toBe('Another view has this name')
    expect(nameProblem([full], 'Ends Soon', full.name)).toBeUndefined()
    expect(nameProblem([full], 'Ends later')).toBeUndefined()
  })

  it('are replaced or renamed in place, and sorted by name', () => {
    const views = withView([usual], ' Ends soon ', full)
    expect(views.map(({ name }) => name)).toEqual(['Ends soon', 'Usual'])
    expect(withView(views, 'Zoo', full, 'Ends soon').map(({ name }) => name)).toEqual(['Usual', 'Zoo'])
    expect(findView(withView(views, 'Usual', full), 'usual')).toEqual({ ...full, name: 'Usual' })
  })

  it('tell the list they were saved from from any other', () => {
    expect(isSameView(full, { ...full })).toBe(true)
    expect(isSameView(usual, { where: [], state: 'living', shown: undefined, sort: undefined })).toBe(true)
    for (const change of [
      { shown: ['name'] },
      { where: full.where.slice(1) },
      { state: 'living' as const },
      { sort: { column: 'name', down: false } },
    ])
      expect(isSameView(full, { ...full, ...change })).toBe(false)
  })
})
