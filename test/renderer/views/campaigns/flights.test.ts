import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { cutTo, movedBy, movedPlaces, spanOf } from '../../../../src-renderer/views/campaigns/flights'

const facts = factsOf()
const [campaigns, placements, ads] = [facts.of('campaigns'), facts.of('placements'), facts.of('ads')]
const slot = (start: string, end: string, ...periods: [string, string][]): JsonObject => ({
  name: '2026-01-01',
  pricingSchedule: {
    startDate: start,
    endDate: end,
    testingStartDate: start,
    pricingPeriods: periods.map(([startDate, endDate]) => ({ startDate, endDate, units: '1' })),
  },
})

describe('shifting dates by days', () => {
  it('shifts all dates of a record and its parts, and nothing else', () => {
    expect(movedBy(placements, slot('2026-02-27', '2026-03-10', ['2026-02-27', '2026-03-10']), 2, 'UTC')).toEqual(
      slot('2026-03-01', '2026-03-12', ['2026-03-01', '2026-03-12']),
    )
    expect(movedBy(campaigns, { startDate: '2026-03-01', endDate: '2026-03-02' }, -1, 'UTC')).toEqual({
      startDate: '2026-02-28',
      endDate: '2026-03-01',
    })
  })

  it('keeps the time of day across a clock change', () => {
    const ad = {
      startTime: '2026-03-20T05:00:00.000Z',
      creativeRotation: { creativeAssignments: [{ creativeId: '1', endTime: '2026-03-21T22:59:00.000Z' }] },
    }
    expect(movedBy(ads, ad, 10, 'Europe/Berlin')).toEqual({
      startTime: '2026-03-30T04:00:00.000Z',
      creativeRotation: { creativeAssignments: [{ creativeId: '1', endTime: '2026-03-31T21:59:00.000Z' }] },
    })
    expect(spanOf(ads, ad)).toBeUndefined()
  })
})

describe('the places that a moved flight changes', () => {
  it('are its ends first, then every other date', () => {
    const pricingPeriods = [
      { startDate: '2026-06-01', endDate: '2026-06-03', units: '1' },
      { startDate: '2026-06-04', endDate: '2026-06-06', units: '2' },
    ]
    const value = {
      name: '2026-06-01',
      pricingSchedule: { pricingPeriods, endDate: '2026-06-06', startDate: '2026-06-01' },
    }
    expect(movedPlaces(placements, value, -3, 'UTC')).toEqual([
      { path: 'pricingSchedule.endDate', value: '2026-06-03' },
      { path: 'pricingSchedule.startDate', value: '2026-05-29' },
      { path: 'pricingSchedule.pricingPeriods.0.startDate', value: '2026-05-29' },
      { path: 'pricingSchedule.pricingPeriods.0.endDate', value: '2026-05-31' },
      { path: 'pricingSchedule.pricingPeriods.1.startDate', value: '2026-06-01' },
      { path: 'pricingSchedule.pricingPeriods.1.endDate', value: '2026-06-03' },
    ])
    expect(movedPlaces(placements, value, 0, 'UTC')).toEqual([])
  })
})

describe('trimming a flight', () => {
  const around = { start: '2026-03-01', end: '2026-03-31' }
  it('fits it and its pricing periods into the outer range', () => {
    const before = slot('2026-02-01', '2026-04-30', ['2026-02-01', '2026-02-20'], ['2026-02-21', '2026-04-30'])
    expect(cutTo(placements, before, around)).toMatchObject({
      pricingSchedule: {
        startDate: '2026-03-01',
        endDate: '2026-03-31',
        pricingPeriods: [
          { startDate: '2026-03-01', endDate: '2026-03-01' },
          { startDate: '2026-03-01', endDate: '2026-03-31' },
        ],
      },
    })
  })
  it('returns the same record when everything fits', () => {
    const within = slot('2026-03-01', '2026-03-31', ['2026-03-01', '2026-03-31'])
    expect(cutTo(placements, within, around)).toBe(within)
  })
})
