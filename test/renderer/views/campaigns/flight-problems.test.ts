import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { flightProblems } from '../../../../src-renderer/views/campaigns/flight-problems'

const facts = factsOf()
const now = Date.parse('2026-03-01T10:00:00Z')
const context = { zone: 'UTC', hour12: false, today: Date.parse('2026-03-01') }
const campaign = { startDate: '2026-02-01', endDate: '2026-04-30' }
const around = { facts: facts.of('campaigns'), value: campaign }
const slot = (startDate: string, endDate: string, ...pricingPeriods: JsonObject[]): JsonObject => ({
  pricingSchedule: { startDate, endDate, pricingPeriods },
})
const words = (
  collection: 'campaigns' | 'placements' | 'placementGroups' | 'ads',
  record: JsonObject,
  base: JsonObject | null = null,
): string[] =>
  flightProblems(facts.of(collection), record, {
    ...{ now, context, base },
    ...(collection !== 'campaigns' && { around }),
  }).map((one) => one.words)

describe("a campaign's dates", () => {
  it('must end after the start, and today or later if new or changed', () => {
    expect(words('campaigns', { startDate: '2026-03-01', endDate: '2026-03-02' })).toEqual([])
    expect(words('campaigns', { startDate: '2026-03-05', endDate: '2026-03-05' })).toEqual([
      'End date must be after the start date',
    ])
    const over = { startDate: '2026-01-01', endDate: '2026-02-28' }
    expect(words('campaigns', over)).toEqual(['End date has passed. Choose today or later'])
    expect(words('campaigns', { ...over, endDate: '2026-03-01' })).toEqual([])
    expect(words('campaigns', { ...over, name: 'Other' }, over)).toEqual([])
    expect(words('campaigns', { ...over, endDate: '2026-02-20' }, over)).toHaveLength(1)
  })
})

describe.each(['placements', 'placementGroups'] as const)('of %s', (collection) => {
  it('must keep a new or moved flight at least a day long and within the campaign', () => {
    expect(words(collection, slot('2026-02-01', '2026-02-01'))).toEqual([])
    const back = { startDate: '2026-02-02', endDate: '2026-02-01' }
    expect(words(collection, slot(back.startDate, back.endDate, back))).toEqual([
      'End date can’t be before the start date',
    ])
    const outside = slot('2026-01-31', '2026-05-01')
    expect(words(collection, outside)).toEqual([
      'Start date is before the campaign starts (Sun 1 Feb)',
      'End date is after the campaign ends (Thu 30 Apr)',
    ])
    expect(words(collection, { ...outside, name: 'Other' }, outside)).toEqual([])
  })

  it('must keep each pricing period within the flight, ending no sooner than it starts', () => {
    const days = ['2026-02-10', '2026-02-20'] as const
    expect(words(collection, slot(...days, { startDate: days[0], endDate: days[1] }, {}))).toEqual([])
    expect(
      words(
        collection,
        slot(
          ...days,
          { startDate: '2026-02-12', endDate: '2026-02-11' },
          { startDate: '2026-02-01' },
          { endDate: '2026-03-01' },
        ),
      ),
    ).toEqual([
      'Pricing periods: entry 1 ends before it starts',
      'Pricing periods: entry 2 starts before the flight',
      'Pricing periods: entry 3 ends after the flight',
    ])
  })

  it('move the only pricing period along with the flight', () => {
    const period = { startDate: '2026-02-10', endDate: '2026-02-20' }
    const before = slot('2026-02-10', '2026-02-20', period)
    expect(words(collection, slot('2026-02-11', '2026-02-19', period), before)).toEqual([])
  })
})

describe("an ad's dates", () => {
  const times = { startTime: '2026-03-02T00:00:00.000Z', endTime: '2026-03-10T00:00:00.000Z' }
  it('must end after the start, and in the future if new or changed', () => {
    expect(words('ads', times)).toEqual([])
    expect(words('ads', { ...times, endTime: times.startTime })).toEqual(['End time must be after the start time'])
    const over = { startTime: '2026-02-01T00:00:00.000Z', endTime: '2026-03-01T10:00:00.000Z' }
    expect(words('ads', over)).toEqual(['End time has passed. Choose a later one'])
    expect(words('ads', { ...over, active: false }, over)).toEqual([])
  })

  it('must end a creative after it starts', () => {
    const creativeAssignments = [{ startTime: times.endTime, endTime: times.startTime }, { endTime: times.startTime }]
    expect(words('ads', { ...times, creativeRotation: { creativeAssignments } })).toEqual([
      'Creatives: entry 1 must end after it starts',
    ])
  })
})
