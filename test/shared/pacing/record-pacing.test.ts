import { describe, expect, it } from 'vitest'
import { DeliveredDays } from '#shared/pacing/delivered-days'
import { dayNumber } from '#shared/pacing/pacing'
import { pacingRows } from '#shared/pacing/pacing-rows'
import type { PlacementDays } from '#shared/results/questions'
import { recordSentence, type RecordFile } from '#shared/pacing/record-pacing'
import type { JsonObject } from '#shared/json'

const start = dayNumber('2026-03-01')!
const asOf = start + 9

/** Booked evenly from 1 to 20 March, so half is due on the 10th. */
const booked = (id: string, units: number, more: JsonObject = {}, pricingType = 'PRICING_TYPE_CPM'): JsonObject => ({
  id,
  name: `Placement ${id}`,
  pricingSchedule: {
    pricingType,
    startDate: '2026-03-01',
    endDate: '2026-03-20',
    ...(pricingType === 'PRICING_TYPE_CPA' && { trackingActivityId: '77' }),
    pricingPeriods: [
      { startDate: '2026-03-01', endDate: '2026-03-20', units: String(units), rateOrCostNanos: '5000000000' },
    ],
  },
  ...more,
})
/** Ten equal days of each placement. */
function fileOf(
  each: Record<string, { impressions: number; bought?: number; other?: number }>,
  { narrowed = false, activities = true } = {},
): RecordFile {
  const ids = Object.keys(each)
  const perDay = (of: (one: (typeof each)[string]) => number): Float64Array =>
    Float64Array.from(ids.flatMap((id) => Array.from({ length: 10 }, () => of(each[id]!))))
  const packed: PlacementDays = {
    ids,
    names: ids,
    starts: Uint32Array.from([...ids.keys(), ids.length].map((at) => at * 10)),
    days: Int32Array.from(ids.flatMap(() => Array.from({ length: 10 }, (_, at) => start + at))),
    metrics: { impressions: perDay(({ impressions }) => impressions), conversions: perDay(() => 1_000) },
    activities: activities ? { 77: perDay(({ bought = 0 }) => bought), 78: perDay(({ other = 0 }) => other) } : {},
    left: 0,
  }
  return { days: new DeliveredDays(packed), from: start, asOf, narrowed }
}

describe('a placement priced per conversion', () => {
  const record = booked('1', 200, {}, 'PRICING_TYPE_CPA')
  it("counts its own activity's conversions only", () => {
    // 100 are due, and 9 a day make 90.
    expect(recordSentence({ record }, fileOf({ 1: { impressions: 50_000, bought: 9, other: 400 } }))).toBe(
      'Behind by 10 conversions (90% of plan). 10 days left. Needs 11 a day, but delivers 9.',
    )
    const rows = pacingRows([record], [], { from: start, asOf }, (...one) =>
      fileOf({ 1: { impressions: 50_000, bought: 9, other: 400 } })!.days.of(...one),
    )
    expect(rows[0]!.pacing).toMatchObject({ delivered: 90, expected: 100, gap: -10, atRisk: 50 })
  })
  it('names the report that would have them', () => {
    const words =
      /^Priced by conversions of “Order”, but the latest results don’t include them by day\. In “Daily results”, add/
    const file = fileOf({ 1: { impressions: 50_000 } }, { activities: false })
    expect(recordSentence({ record, activityName: 'Order' }, file)).toMatch(words)
    expect(recordSentence({ record, activityName: 'Order' }, undefined)).toMatch(words)
    expect(recordSentence({ record }, undefined)).toContain('Priced by conversions of activity 77')
    const unnamed = booked('1', 200, { pricingSchedule: { pricingType: 'PRICING_TYPE_CPA' } })
    expect(recordSentence({ record: unnamed }, file)).toContain('without an activity')
  })
})

describe('a group', () => {
  const children = [booked('1', 500), booked('2', 0), booked('3', 0)]
  const of = (type: string, more: JsonObject = {}): JsonObject =>
    booked('9', 20_000, { name: 'Front page: package', placementGroupType: type, primaryPlacementId: '2', ...more })
  const each = { 1: { impressions: 300 }, 2: { impressions: 450 }, 3: { impressions: 150 } }

  it('delivers the sum of its placements', () => {
    // 10,000 are due, and 900 a day make 9,000.
    expect(recordSentence({ record: of('PLACEMENT_PACKAGE'), children }, fileOf(each))).toBe(
      'Behind by 1,000 impressions (90% of plan). 10 days left. Needs 1,100 a day, but delivers 900.',
    )
  })
  it("that's a roadblock delivers what its primary placement does", () => {
    expect(recordSentence({ record: of('PLACEMENT_ROADBLOCK'), children }, fileOf(each))).toBe(
      'Far behind by 5,500 impressions (45% of plan). 10 days left. Needs 1,550 a day, but delivers 450.',
    )
  })
  it('owns the goal, so its placements have none', () => {
    const group = of('PLACEMENT_PACKAGE')
    expect(recordSentence({ record: children[0]!, group }, fileOf(each))).toBe(
      'The goal is booked on “Front page: package”. This placement has delivered 3,000 impressions so far.',
    )
    const without = booked('9', 0, { name: 'No goal' })
    expect(recordSentence({ record: children[0]!, group: without }, fileOf(each))).toMatch(/^Far ahead by 2,750 /)
  })
  it('counts conversions of its activity', () => {
    const group = booked('9', 200, { placementGroupType: 'PLACEMENT_PACKAGE' }, 'PRICING_TYPE_CPA')
    const bought = { 1: { impressions: 1, bought: 4 }, 2: { impressions: 1, bought: 5 }, 3: { impressions: 1 } }
    expect(recordSentence({ record: group, children }, fileOf(bought))).toBe(
      'Behind by 10 conversions (90% of plan). 10 days left. Needs 11 a day, but delivers 9.',
    )
  })
  it("isn't rated by only some of its placements", () => {
    const some = { 1: { impressions: 300 }, 2: { impressions: 450 } }
    const group = of('PLACEMENT_PACKAGE')
    expect(recordSentence({ record: group, children }, fileOf(some, { narrowed: true }))).toMatch(
      /^The latest results include only 2 of 3 placements\./,
    )
    // A file of all placements has no row for one without delivery.
    expect(recordSentence({ record: group, children }, fileOf(some))).toMatch(/^Far behind by 2,500 impressions/)
    expect(recordSentence({ record: group, children: [] }, fileOf(some))).toMatch(/^No placements to count yet/)
  })
})
