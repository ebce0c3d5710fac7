import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { DeliveredDays } from '#shared/pacing/delivered-days'
import { dayNumber } from '#shared/pacing/pacing'
import type { RecordFile } from '#shared/pacing/record-pacing'
import { computedColumns } from '../../../../src-renderer/views/campaigns/computed'
import { pacingCell } from '../../../../src-renderer/views/campaigns/pacing-cell'

const from = dayNumber('2026-03-01')!
const booked = (id: string, units: number): JsonObject => ({
  id,
  name: `Placement ${id}`,
  pricingSchedule: {
    pricingType: 'PRICING_TYPE_CPM',
    pricingPeriods: [{ startDate: '2026-03-01', endDate: '2026-03-20', units: String(units) }],
  },
})
/** Ten days of 40 impressions of placement 1. */
const file: RecordFile = {
  days: new DeliveredDays({
    ids: ['1'],
    names: ['One'],
    starts: Uint32Array.of(0, 10),
    days: Int32Array.from({ length: 10 }, (_unused, at) => from + at),
    metrics: { impressions: new Float64Array(10).fill(40) },
    activities: {},
    left: 0,
  }),
  from,
  asOf: from + 9,
  narrowed: false,
}

it('the pacing of a placement has a word, a percentage, and a sentence', () => {
  // 500 are due.
  expect(pacingCell(booked('1', 1_000), undefined, file)).toEqual({
    state: 'behind',
    words: 'Behind',
    percent: 80,
    sentence: 'Behind by 100 impressions (80% of plan). 10 days left. Needs 60 a day, but delivers 40.',
  })
})

it('a placement that can’t be judged has the reason only', () => {
  const why = (...about: Parameters<typeof pacingCell>): string => {
    const { words, percent, sentence } = pacingCell(...about)
    expect([words, percent]).toEqual([undefined, undefined])
    return sentence
  }
  expect(why(booked('1', 1_000), undefined, undefined)).toBe('No daily data yet.')
  expect(why(booked('1', 0), undefined, file)).toBe('No goal booked. 400 impressions so far.')
  expect(why(booked('1', 0), booked('9', 1_000), file)).toMatch(/^The goal is booked on “Placement 9”/)
  expect(why(booked('2', 1_000), undefined, { ...file!, narrowed: true })).toMatch(/don’t include this placement/)
})

it('columns show the pacing of their row, once it’s known', () => {
  const cell = pacingCell(booked('1', 1_000), undefined, file)
  const shown = (known: ReadonlyMap<string, typeof cell> | null, id: string): unknown[] => {
    const zone = { today: '2026-03-11', zone: 'UTC' }
    const none = (): undefined => undefined
    const paths = ['fx.pacing', 'fx.pace']
    const columns = computedColumns(
      'placements',
      paths,
      zone,
      none,
      () => true,
      none,
      () => known,
    )
    return paths.map((path) => columns[path]!(none, recordKey('placements', '7', id)))
  }
  expect(shown(new Map([['1', cell]]), '1')).toEqual(['Behind', 80])
  expect(shown(new Map([['1', cell]]), '2')).toEqual([undefined, undefined])
  expect(shown(null, '1')).toEqual([undefined, undefined])
})
