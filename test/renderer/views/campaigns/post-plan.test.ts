import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Row } from '../../../../src-renderer/replica/api'
import { changeText, plannedRow } from '../../../../src-renderer/views/campaigns/post-plan'

const ads = factsOf().of('ads')
const context = {
  ...{ zone: 'Europe/Berlin', hour12: false, today: Date.UTC(2026, 5, 1) },
  nameOf: (_collection: string, id: string) => `Creative ${id}`,
}
const path = 'creativeRotation.creativeAssignments'
const texts = (before: JsonObject[], after: JsonObject[]): string[] =>
  [before, after].map((side) => changeText(ads, { path, before, after }, side, context))
const shows = (creativeId: string, more: JsonObject = {}): JsonObject => ({ active: true, creativeId, ...more })

it('a list of parts shows in which parts and fields its sides differ', () => {
  expect(texts([shows('1', { weight: 2 }), shows('2')], [shows('1', { weight: 3 }), shows('2')])).toEqual([
    'Weight: 2 (Creative 1)',
    'Weight: 3 (Creative 1)',
  ])
  expect(texts([shows('1')], [shows('1', { endTime: '2026-06-30T21:59:00Z' })])).toEqual([
    'empty (Creative 1)',
    'End time: Tue 30 Jun 23:59 (Creative 1)',
  ])
  expect(texts([shows('1'), shows('2')], [shows('2'), shows('3')])).toEqual(['Creative 1', 'Creative 3'])
  expect(texts([shows('1')], [shows('1'), shows('2')])).toEqual(['1 entry', '2 entries: Creative 2'])
  expect(texts([shows('1'), shows('2')], [shows('2'), shows('1')])).toEqual(['2 entries', '2 entries'])
  // Without a counterpart, such as in a new record.
  expect(changeText(ads, { path, before: undefined, after: [shows('1')] }, [shows('1')], context)).toBe('Creative 1')
})

it('a deleted record is named as it was', () => {
  const facts = factsOf()
  const model = {
    app: { replica: { facts } },
    marks: new Map(),
    namesAround: () => () => undefined,
    titleOf: ({ value, base }: Row) => String((value ?? base)?.['name']),
  }
  const entry = {
    id: '1',
    kind: 'delete',
    collection: 'eventTags',
    parent: '7',
    recordId: '3',
    base: { name: 'Pixel' },
  }
  const limits = { times: 10, amount: 10_000 }
  const row = plannedRow(model as never, { ...entry, patch: {} } as unknown as OutboxEntry, undefined, limits)
  expect(row.title).toBe('Pixel')
})

it('another change of a new record neither costs anything nor has a flight of its own', () => {
  const facts = factsOf()
  const pricingSchedule = {
    ...{ startDate: '2026-07-01', endDate: '2026-07-31', pricingType: 'PRICING_TYPE_CPM' },
    pricingPeriods: [{ startDate: '2026-07-01', endDate: '2026-07-31', units: '1000', rateOrCostNanos: '5000000000' }],
  }
  const common = { collection: 'placementGroups', parent: '7', recordId: 'local:1' }
  const made = { ...common, id: '1', kind: 'create', base: null, patch: { name: 'Package', pricingSchedule } }
  const value = { ...made.patch, primaryPlacementId: 'local:2' }
  const changed = { ...common, id: '2', kind: 'change', base: made.patch, patch: { primaryPlacementId: 'local:2' } }
  const key = recordKey('placementGroups', '7', 'local:1')
  const row = { ...common, key, base: null, value, id: 'local:1' } as unknown as Row
  const model = {
    ...{ app: { replica: { facts, rows: () => [], peek: () => undefined }, clock: { now: 0 } }, context },
    ...{ marks: new Map([[key, { entries: [made, changed] }]]), namesAround: () => () => undefined, titleOf: () => '' },
  }
  const limits = { times: 10, amount: 1 }
  const planned = (entry: object): object => plannedRow(model as never, entry as OutboxEntry, row, limits)
  expect(planned(made)).toMatchObject({ cost: { before: undefined, after: '5000000000' }, days: { after: 31 } })
  const again = planned(changed)
  expect(again).toMatchObject({ changes: [{ path: 'primaryPlacementId' }], jumps: [] })
  expect(again).not.toHaveProperty('cost')
  expect(again).not.toHaveProperty('days')
})

it.each([
  ['the same field', { name: 'Theirs' }, true],
  ['it to the same value', { name: 'Mine' }, undefined],
  ['another field', { name: 'Before', comment: 'Theirs' }, undefined],
])('a draft says that someone else has changed %s', (_what, theirs, contested) => {
  const common = { collection: 'placements', parent: '7', recordId: '3' }
  const entry = { ...common, id: '1', kind: 'change', base: { name: 'Before' }, patch: { name: 'Mine' } }
  const key = recordKey('placements', '7', '3')
  const row = { ...common, key, base: theirs, value: { ...theirs, name: 'Mine' }, id: '3' } as unknown as Row
  const model = {
    ...{ app: { replica: { facts: factsOf(), rows: () => [], peek: () => undefined }, clock: { now: 0 } }, context },
    ...{ marks: new Map([[key, { entries: [entry] }]]), namesAround: () => () => undefined, titleOf: () => '' },
  }
  const limits = { times: 10, amount: 1 }
  expect(plannedRow(model as never, entry as unknown as OutboxEntry, row, limits).contested).toBe(contested)
})
