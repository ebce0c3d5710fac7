import { expect, it } from 'vitest'
import { DeliveredDays } from '#shared/pacing/delivered-days'
import { deliveredBy } from '../../../../src-renderer/views/campaigns/delivered'

const days = new DeliveredDays({
  ids: ['1', '2'],
  names: ['One', 'Two'],
  starts: Int32Array.of(0, 2, 3),
  days: Int32Array.of(100, 102, 101),
  metrics: { impressions: Float64Array.of(5, 7, 9) },
  activities: {},
} as never)

it('what placements delivered is summed up to the last full day', () => {
  const totals = deliveredBy({ days, asOf: 101, narrowed: false }, 'impressions')
  expect([...totals!]).toEqual([
    ['1', 5],
    ['2', 9],
  ])
  expect(deliveredBy({ days, asOf: 101, narrowed: false }, 'clicks')!.size).toBe(0)
})

it('filtered results have no totals, because they may lack a part of them', () => {
  expect(deliveredBy({ days, asOf: 101, narrowed: true }, 'impressions')).toBeUndefined()
})
