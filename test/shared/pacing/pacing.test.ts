import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { dayNumber, pacingOf, periodsOf, type DailyDelivery, type Deliveries } from '#shared/pacing/pacing'
import { pacingRows } from '#shared/pacing/pacing-rows'

const start = dayNumber('2026-03-01')!
const date = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

const placement = (
  periods: { from: number; to: number; units: number; nanos?: string }[],
  pricingType = 'PRICING_TYPE_CPM',
  more: JsonObject = {},
): JsonObject => ({
  id: '1',
  name: 'Home page',
  pricingSchedule: {
    pricingType,
    startDate: date(periods[0]?.from ?? start),
    endDate: date(periods.at(-1)?.to ?? start),
    pricingPeriods: periods.map(({ from, to, units, nanos = '5000000000' }) => ({
      startDate: date(from),
      endDate: date(to),
      units: String(units),
      rateOrCostNanos: nanos,
    })),
  },
  ...more,
})
const evenly = (from: number, days: number, each: number): DailyDelivery[] =>
  Array.from({ length: days }, (_, at) => ({ day: from + at, impressions: each }))
const until = (asOf: number, days: DailyDelivery[], from = start): Deliveries => ({ from, asOf, days })

/** 48 days, 36 of them past: 188,000 of 305,600, including 42,700 in the last week. */
const worked = (): ReturnType<typeof pacingOf> =>
  pacingOf(
    placement([{ from: start, to: start + 47, units: 305_600 }]),
    until(start + 35, [...evenly(start, 28, 5_000), ...evenly(start + 28, 1, 5_300), ...evenly(start + 29, 7, 6_100)]),
  )

describe('pacing', () => {
  it('has a sentence', () => {
    expect(worked()).toMatchObject({
      state: 'behind',
      goal: 305_600,
      expected: 229_200,
      delivered: 188_000,
      gap: -41_200,
      daysLeft: 12,
      needed: 9_800,
      now: 6_100,
      forecast: 188_000 + 12 * 6_100,
    })
    expect(worked().sentence).toBe(
      'Behind by 41,200 impressions (82% of plan). 12 days left. Needs 9,800 a day, but delivers 6,100.',
    )
    expect(worked().cost).toBeCloseTo(188 * 5, 6)
    expect(worked().atRisk).toBeCloseTo(41.2 * 5, 6)
  })

  const at = (pace: number, done = 20, days = 40): string => {
    const goal = 1_000_000
    const each = (goal / days) * pace
    return pacingOf(
      placement([{ from: start, to: start + days - 1, units: goal }]),
      until(start + done - 1, evenly(start, done, each)),
    ).state
  }
  it.each([
    [0.799, 'farBehind'],
    [0.8, 'behind'],
    [0.949, 'behind'],
    [0.95, 'onPlan'],
    [1, 'onPlan'],
    [1.05, 'onPlan'],
    [1.051, 'ahead'],
    [1.2, 'ahead'],
    [1.21, 'farAhead'],
  ])('at %d of plan is %s', (pace, state) => {
    expect(at(pace)).toBe(state)
  })
  it('is stricter in the last tenth of the flight', () => {
    expect([at(0.97, 35), at(0.97, 36), at(1.03, 36), at(0.98, 36)]).toEqual(['onPlan', 'behind', 'ahead', 'onPlan'])
  })
  it("isn't rated too early, before the start, without a goal, or with a late file", () => {
    expect([at(0.1, 2), at(0.1, 3, 100), at(0.1, 5, 100), at(1, 0)]).toEqual([
      'tooEarly',
      'tooEarly',
      'farBehind',
      'notStarted',
    ])
    const record = placement([{ from: start, to: start + 27, units: 1_000 }])
    const late = pacingOf(record, until(start + 9, evenly(start + 4, 6, 10), start + 4))
    expect([late.state, late.atRisk]).toEqual(['incomplete', 0])
    expect(late.sentence).toContain('flight starts on 1 March, but the data starts on 5 March')
    expect(pacingOf(placement([{ from: start, to: start + 9, units: 0 }]), until(start + 5, [])).state).toBe('noGoal')
    expect(pacingOf({}, until(start, [])).sentence).toBe('No goal booked. 0 impressions so far.')
  })
  it('says how it ended', () => {
    const ended = (all: number): string =>
      pacingOf(placement([{ from: start, to: start + 9, units: 1_000 }]), until(start + 12, evenly(start, 1, all)))
        .state
    expect([ended(969), ended(970), ended(1_030), ended(1_031)]).toEqual(['short', 'delivered', 'delivered', 'over'])
  })
  it.each([
    ['PRICING_TYPE_CPM', 'impressions', 10_000, (10_000 * 5) / 1000],
    ['PRICING_TYPE_CPM_ACTIVEVIEW', 'viewable', 7_000, (7_000 * 5) / 1000],
    ['PRICING_TYPE_CPC', 'clicks', 50, 50 * 5],
    ['PRICING_TYPE_CPA', 'conversions', 4, 4 * 5],
    ['PRICING_TYPE_FLAT_RATE_IMPRESSIONS', 'impressions', 10_000, 5 / 2],
    ['PRICING_TYPE_FLAT_RATE_CLICKS', 'clicks', 50, 5 / 2],
  ])('%s counts %s', (type, measure, delivered, cost) => {
    const day = { day: start, impressions: 10_000, viewable: 7_000, clicks: 50, conversions: 4 }
    const pacing = pacingOf(placement([{ from: start, to: start + 9, units: 1_000 }], type), until(start + 4, [day]))
    expect([pacing.measure, pacing.delivered]).toEqual([measure, delivered])
    expect(pacing.cost).toBeCloseTo(cost, 6)
  })
  it('sums pricing periods at their own prices', () => {
    const record = placement([
      { from: start, to: start + 9, units: 1_000, nanos: '1000000000' },
      { from: start + 10, to: start + 29, units: 4_000, nanos: '3000000000' },
    ])
    const pacing = pacingOf(record, until(start + 14, evenly(start, 15, 100)))
    expect(pacing).toMatchObject({ goal: 5_000, expected: 2_000, delivered: 1_500, daysLeft: 15 })
    expect(pacing.cost).toBeCloseTo((1_000 * 1 + 500 * 3) / 1000, 9)
    expect(pacing.atRisk).toBeCloseTo((500 * 3) / 1000, 9)
  })
  it("skips invalid periods and uses the schedule's dates if a period has none", () => {
    const record = {
      pricingSchedule: {
        startDate: '2026-03-01',
        endDate: '2026-03-10',
        pricingPeriods: [
          { units: '100' },
          { startDate: '2026-02-30', endDate: '2026-03-01' },
          7,
          null,
          { startDate: '2026-03-05', endDate: '2026-03-01' },
        ],
      },
    }
    expect(periodsOf(record)).toEqual([{ from: start, to: start + 9, units: 100, price: 0 }])
  })

  const anyDays = fc.array(
    fc.record({ day: fc.integer({ min: start - 20, max: start + 80 }), impressions: fc.nat(1e6) }),
  )
  it('expects the amount due, up to the goal', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ days: fc.integer({ min: 1, max: 60 }), gap: fc.nat(5), units: fc.nat(1e9) }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: start - 5, max: start + 200 }),
        anyDays,
        (parts, asOf, days) => {
          let from = start
          const periods = parts.map((part) => {
            const period = { from, to: from + part.days - 1, units: part.units }
            from = period.to + 1 + part.gap
            return period
          })
          const pacing = pacingOf(placement(periods), until(asOf, days, start - 30))
          expect(pacing.expected).toBeLessThanOrEqual(pacing.goal * (1 + 1e-9))
          expect(pacing.gap).toBeCloseTo(pacing.delivered - pacing.expected, 3)
          if (asOf >= pacing.to!) expect([Math.round(pacing.expected), pacing.daysLeft]).toEqual([pacing.goal, 0])
          if (asOf < start) expect(pacing.expected).toBe(0)
          for (const value of Object.values(pacing))
            if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
          expect(pacing.sentence).toMatch(/^[A-Z].*\.$/)
          expect(pacing.sentence).not.toMatch(/NaN|undefined|null|-0/)
        },
      ),
    )
  })
})

describe('the pacing list', () => {
  const inGroup = (id: string): JsonObject =>
    placement([{ from: start, to: start + 9, units: 0 }], 'PRICING_TYPE_CPM', { id, name: id, placementGroupId: 'g' })
  const group = (type: string): JsonObject =>
    placement([{ from: start, to: start + 9, units: 1_000 }], 'PRICING_TYPE_CPM', {
      id: 'g',
      name: 'Package',
      placementGroupType: type,
      primaryPlacementId: 'a',
    })
  const days = (): DailyDelivery[] => evenly(start, 5, 50)
  it('shows groups in place of their children, counted once', () => {
    const rows = pacingRows([inGroup('a'), inGroup('b')], [group('PLACEMENT_PACKAGE')], until(start + 4, []), days)
    expect(rows.map(({ kind, id, pacing }) => [kind, id, pacing.delivered])).toEqual([['group', 'g', 500]])
  })
  it("uses a roadblock's primary placement", () => {
    const rows = pacingRows([inGroup('a'), inGroup('b')], [group('PLACEMENT_ROADBLOCK')], until(start + 4, []), days)
    expect(rows.map(({ id, pacing }) => [id, pacing.delivered])).toEqual([['g', 250]])
  })
  it('sorts by cost, highest first', () => {
    const one = (id: string, units: number): JsonObject =>
      placement([{ from: start, to: start + 9, units }], 'PRICING_TYPE_CPM', { id, name: id })
    const rows = pacingRows([one('a', 500), one('b', 9_000), one('c', 2_000)], [], until(start + 4, []), days)
    expect(rows.map(({ id }) => id)).toEqual(['b', 'c', 'a'])
  })
})
