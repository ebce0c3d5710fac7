import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { traffickingRemarks } from '#shared/facts/remarks/trafficking'
import type { CollectionName } from '#shared/facts/names'
import type { Json, JsonObject } from '#shared/json'
import {
  computedColumns,
  computedPathsOf,
  costOf,
  countedBy,
  headOfComputed,
  isComputed,
  phaseOf,
} from '../../../../src-renderer/views/campaigns/computed'

const here = { today: '2026-06-10', zone: 'Europe/Berlin' }

describe('the phase of a flight', () => {
  const at = (start?: string, end?: string): string | undefined => phaseOf(start, end, '2026-06-10')
  it('depends on its days, including the last', () => {
    expect(at('2026-06-11', '2026-07-01')).toBe('Upcoming')
    expect(at('2026-06-10', '2026-07-01')).toBe('Live')
    expect(at('2026-05-01', '2026-06-17')).toBe('Live')
    expect(at('2026-05-01', '2026-06-16')).toBe('Ending')
    expect(at('2026-05-01', '2026-06-10')).toBe('Ending')
    expect(at('2026-05-01', '2026-06-09')).toBe('Ended')
  })
  it('is open without a start or end', () => {
    expect(at('2026-05-01')).toBe('Live')
    expect(at(undefined, '2026-06-01')).toBe('Ended')
    expect(at()).toBeUndefined()
  })
})

describe('the cost of a pricing type', () => {
  it('is per thousand impressions, per unit, or flat', () => {
    expect(costOf('PRICING_TYPE_CPM', '250000', '4000000000')).toBe('1000000000000')
    expect(costOf('PRICING_TYPE_CPC', '300', '500000000')).toBe('150000000000')
    expect(costOf('PRICING_TYPE_FLAT_RATE_CLICKS', undefined, '9000000000')).toBe('9000000000')
  })
  it('is exact at any size', () => {
    expect(costOf('PRICING_TYPE_CPA', '9007199254740993', '1000000001')).toBe('9007199263748192254740993')
  })
  it('is empty when the pricing has none', () => {
    for (const [type, units, rate] of [
      [undefined, '1', '1'],
      ['PRICING_TYPE_CPM', undefined, '1'],
      ['PRICING_TYPE_CPM', 'x', '1'],
      ['PRICING_TYPE_CPM', '1', undefined],
      ['PRICING_TYPE_CPM', '1', '-1'],
    ])
      expect(costOf(type, units, rate)).toBeUndefined()
  })
})

describe('a placement with several prices', () => {
  const list = 'pricingSchedule.pricingPeriods'
  const [units, rate] = [`${list}.0.units`, `${list}.0.rateOrCostNanos`]
  const price = (count: string | undefined, nanos: string): JsonObject => ({
    ...(count !== undefined && { units: count }),
    rateOrCostNanos: nanos,
  })
  const shown = (type: string, prices: readonly JsonObject[]): unknown[] => {
    const cells: JsonObject = { 'pricingSchedule.pricingType': type, [list]: [...prices] }
    const [first] = prices
    if (first?.['units'] !== undefined) cells[units] = first['units']
    if (first) cells[rate] = first['rateOrCostNanos']!
    const columns = computedColumns('placements', [units, rate, 'fx.cost'], here, () => undefined)
    return [units, rate, 'fx.cost'].map((path) => columns[path]!((at): Json | undefined => cells[at], 'x'))
  }
  it('shows the units and the cost of all, and how many there are', () => {
    const prices = [price('1000', '5000000000'), price('2000', '7000000000'), price('3000', '1000000000')]
    expect(shown('PRICING_TYPE_CPM', prices)).toEqual(['6000', '3 prices', '22000000000'])
    expect(shown('PRICING_TYPE_CPM', prices.slice(0, 1))).toEqual(['1000', '5000000000', '5000000000'])
    expect(shown('PRICING_TYPE_CPM', [])).toEqual([undefined, undefined, undefined])
  })
  it('shows no sum of which a part is missing', () => {
    const prices = [price('1000', '5000000000'), price(undefined, '7000000000')]
    expect(shown('PRICING_TYPE_CPM', prices)).toEqual([undefined, '2 prices', undefined])
    expect(shown('PRICING_TYPE_FLAT_RATE_CLICKS', prices)).toEqual([undefined, '2 prices', '12000000000'])
  })
})

describe('computed columns', () => {
  const key = recordKey('campaigns', '7', '11')
  const value = (kind: string, path: string, record: JsonObject, counts?: ReadonlyMap<string, number>): unknown =>
    computedColumns(kind as 'campaigns', [path], here, () => counts)[path]!((at): Json | undefined => record[at], key)
  it('match the sheets, each with a header', () => {
    const asked = Object.entries(traffickingRemarks.sheets).flatMap(([kind, { columns }]) =>
      columns.filter(({ path }) => isComputed(path)).map(({ path }) => ({ kind: kind as CollectionName, path })),
    )
    expect(asked.length).toBeGreaterThan(5)
    for (const { kind, path } of asked) {
      expect(headOfComputed(path), path).toMatch(/^[A-Z]/)
      expect(computedPathsOf(kind), kind).toContain(path)
      expect(computedColumns(kind, [path], here, () => undefined)[path], path).toBeTypeOf('function')
    }
  })
  it('show what was delivered only if all that adds up is here', () => {
    const totals = new Map([['11', 5_000]])
    const delivered = (kind: 'campaigns' | 'placements', id: string, isHere: boolean): unknown =>
      computedColumns(
        kind,
        ['fx.impressions'],
        here,
        () => totals,
        () => isHere,
        () => totals,
      )['fx.impressions']!(() => undefined, recordKey(kind, '7', id))
    expect(delivered('campaigns', '11', true)).toBe(5_000)
    expect(delivered('campaigns', '11', false)).toBeUndefined()
    // No delivery in the results isn't zero: they cover some days only.
    expect(delivered('campaigns', '12', true)).toBeUndefined()
    expect(delivered('placements', '11', false)).toBe(5_000)
    expect(delivered('placements', '12', true)).toBeUndefined()
  })
  it('count nothing as none only if it was downloaded', () => {
    const cell = (): undefined => undefined
    const shown = (isHere: boolean) =>
      computedColumns(
        'campaigns',
        ['fx.placements'],
        here,
        () => new Map(),
        () => isHere,
      )['fx.placements']!(cell, key)
    expect([shown(true), shown(false)]).toEqual([0, undefined])
  })
  it('use the days of a campaign, a price, or an ad', () => {
    expect(value('campaigns', 'fx.phase', { startDate: '2026-07-01' })).toBe('Upcoming')
    expect(value('placements', 'fx.phase', { 'pricingSchedule.endDate': '2026-06-01' })).toBe('Ended')
    expect(value('ads', 'fx.phase', { startTime: '2026-05-01T00:00:00Z', endTime: '2026-09-01T00:00:00Z' })).toBe(
      'Live',
    )
  })
  it('use your local date', () => {
    const ad = { startTime: '2026-05-01T00:00:00Z', endTime: '2026-06-10T02:00:00Z' }
    const phaseIn = (zone: string): Json | undefined =>
      computedColumns('ads', ['fx.phase'], { today: '2026-06-10', zone }, () => undefined)['fx.phase']!(
        (name) => (ad as JsonObject)[name],
        '',
      )
    expect(phaseIn('Europe/Berlin')).toBe('Ending')
    expect(phaseIn('America/Los_Angeles')).toBe('Ended')
  })
  it('show the level of an event tag', () => {
    expect(value('eventTags', 'fx.level', { campaignId: '1', advertiserId: '2' })).toBe('Campaign')
    expect(value('eventTags', 'fx.level', { advertiserId: '2' })).toBe('Advertiser')
    expect(value('eventTags', 'fx.level', {})).toBeUndefined()
  })
  it('count references to the row: empty before counting, zero without any', () => {
    expect(value('campaigns', 'fx.placements', {}, new Map([['11', 3]]))).toBe(3)
    expect(value('campaigns', 'fx.placements', {}, new Map())).toBe(0)
    expect(value('campaigns', 'fx.placements', {})).toBeUndefined()
    expect(countedBy('fx.placements', 'contentCategories')).toEqual({
      collection: 'placements',
      by: 'contentCategoryId',
    })
    expect(countedBy('fx.campaigns', 'advertisers')).toEqual({ collection: 'campaigns', by: 'advertiserId' })
    expect(countedBy('fx.activities', 'trackingActivityGroups')?.collection).toBe('trackingActivities')
    expect(countedBy('fx.phase', 'campaigns')).toBeUndefined()
  })
})
