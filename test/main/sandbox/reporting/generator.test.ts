import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../../src-main/sandbox/reporting/days'
import { allDimensions, type Dimension } from '../../../../src-main/sandbox/reporting/dimensions'
import { filtersOf } from '../../../../src-main/sandbox/reporting/filters'
import { addSums, measureIndex, newSums, type Sums } from '../../../../src-main/sandbox/reporting/measures'
import { runQuery, totalOf, type Row } from '../../../../src-main/sandbox/reporting/query'
import { reachByFrequency, uniqueReach } from '../../../../src-main/sandbox/reporting/reach'
import { tableOf } from '../../../../src-main/sandbox/reporting/report-table'
import { conversionsOn } from '../../../../src-main/sandbox/reporting/conversions'
import { bookOf, sourceAt } from './book'

const source = sourceAt(bookOf(3, 6), '2026-05-20')
const dimension = (name: string): Dimension => allDimensions.get(name)!
const names = [
  'advertiser',
  'campaignId',
  'placement',
  'site',
  'ad',
  'creativeId',
  'date',
  'week',
  'month',
  'country',
  'platformType',
]
const spans = fc
  .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 60 }))
  .map(([from, length]) => ({ from: dayOf('2025-12-15') + from, to: dayOf('2025-12-15') + from + length }))
const subsets = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 })

const run = (
  span: { from: number; to: number },
  dimensions: string[],
  more: Partial<Parameters<typeof runQuery>[1]> = {},
): Row[] => runQuery(source, { span, dimensions: dimensions.map(dimension), conversions: true, ...more })
const total = (rows: Row[]): number[] => [...totalOf(rows).sums]

describe('the report data', () => {
  it('has the same totals under any breakdown', () => {
    fc.assert(
      fc.property(spans, subsets, (span, dimensions) => {
        expect(total(run(span, dimensions))).toEqual(total(run(span, [])))
      }),
      { numRuns: 25 },
    )
  })

  it('of a range is the sum of its days', () => {
    fc.assert(
      fc.property(spans, subsets, (span, dimensions) => {
        const days = newSums()
        for (let day = span.from; day <= span.to; day++)
          for (const { sums } of run({ from: day, to: day }, dimensions)) addSums(days, sums)
        expect([...days]).toEqual(total(run(span, [])))
      }),
      { numRuns: 8 },
    )
  })

  it('of fewer dimensions sums over more', () => {
    fc.assert(
      fc.property(
        spans,
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 3 }),
        (span, dimensions) => {
          const grouped = new Map<string, Sums>()
          for (const { values, sums } of run(span, dimensions)) {
            const known = grouped.get(values[0]!) ?? newSums()
            addSums(known, sums)
            grouped.set(values[0]!, known)
          }
          const plain = new Map(run(span, dimensions.slice(0, 1)).map(({ values, sums }) => [values[0]!, [...sums]]))
          expect(new Map([...grouped].map(([value, sums]) => [value, [...sums]]))).toEqual(plain)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('of a filtered report has the rows of the full one', () => {
    fc.assert(
      fc.property(
        spans,
        fc.constantFrom('campaign', 'site', 'country', 'placement'),
        fc.nat(20),
        (span, name, pick) => {
          const all = run(span, [name, 'month'])
          if (all.length === 0) return
          const value = all[pick % all.length]!.values[0]!
          const filters = filtersOf([{ dimension: dimension(name), value }])
          expect(run(span, [name, 'month'], { filters })).toEqual(all.filter(({ values }) => values[0] === value))
        },
      ),
      { numRuns: 20 },
    )
  })

  it('by activity adds up to all conversions', () => {
    const span = { from: dayOf('2026-02-01'), to: dayOf('2026-04-30') }
    for (const dimensions of [['activity'], ['activityGroupId', 'country'], ['site', 'activity', 'month']])
      expect(total(run(span, dimensions)).slice(measureIndex.clickConversions)).toEqual(
        total(run(span, [])).slice(measureIndex.clickConversions),
      )
  })

  it('exists only for flight days in the past', () => {
    const span = { from: dayOf('2025-01-01'), to: dayOf('2027-12-31') }
    const days = run(span, ['date']).map(({ values }) => values[0]!)
    expect([days[0], days.at(-1)]).toEqual(['2026-01-01', '2026-05-20'])
    expect(days).toHaveLength(140)
  })

  it('of today covers the elapsed part', () => {
    const today = { from: dayOf('2026-05-20'), to: dayOf('2026-05-20') }
    const impressions = (passed: number): number =>
      total(
        runQuery(
          { ...source, moment: { ...source.moment, passed } },
          { span: today, dimensions: [], conversions: false },
        ),
      )[0] ?? 0
    expect(impressions(0.25)).toBeGreaterThan(0.2 * impressions(1))
    expect(impressions(0.25)).toBeLessThan(0.3 * impressions(1))
  })

  it('is plausible: clicks are a small part of impressions, and bounds hold', () => {
    for (const { sums } of run({ from: dayOf('2026-01-01'), to: dayOf('2026-05-19') }, [
      'creative',
      'placement',
      'date',
    ])) {
      const of = (name: keyof typeof measureIndex): number => sums[measureIndex[name]]!
      expect(of('clicks')).toBeLessThanOrEqual(of('impressions'))
      expect(of('viewable')).toBeLessThanOrEqual(of('measurable'))
      expect(of('measurable')).toBeLessThanOrEqual(of('impressions'))
      expect(of('videoCompletions')).toBeLessThanOrEqual(of('videoPlays'))
      expect(of('clickConversions')).toBeLessThanOrEqual(of('clicks') * 8)
      expect(sums.every((value) => value >= 0 && Number.isSafeInteger(value))).toBe(true)
    }
  })

  it('of single conversions matches the counted ones in number and value', () => {
    const span = { from: dayOf('2026-03-01'), to: dayOf('2026-03-31') }
    let [count, revenue] = [0, 0]
    for (let day = span.from; day <= span.to; day++)
      for (const made of conversionsOn(source.tree.cells, day, source.moment)) {
        count++
        revenue += made.revenueMicros
      }
    const sums = totalOf(run(span, [])).sums
    expect(count).toBe(sums[measureIndex.clickConversions]! + sums[measureIndex.viewConversions]!)
    expect(revenue).toBe(sums[measureIndex.clickRevenueMicros]! + sums[measureIndex.viewRevenueMicros]!)
  })

  it("has the costs of the placement's pricing", () => {
    const span = { from: dayOf('2026-01-01'), to: dayOf('2026-12-31') }
    const all = sourceAt(bookOf(1, 6), '2027-02-01')
    const rows = runQuery(all, { span, dimensions: [dimension('placementCostStructure')], conversions: true })
    const row = new Map(rows.map(({ values, sums }) => [values[0], sums]))
    const at = (type: string, name: keyof typeof measureIndex): number => row.get(type)![measureIndex[name]]!
    expect(at('CPM', 'costMicros')).toBe(at('CPM', 'impressions') * 4500)
    expect(at('vCPM', 'costMicros')).toBe(at('vCPM', 'viewable') * 4500)
    expect(at('CPC', 'costMicros')).toBe(at('CPC', 'clicks') * 4_500_000)
    expect(at('CPA', 'costMicros')).toBe((at('CPA', 'clickConversions') + at('CPA', 'viewConversions')) * 4_500_000)
    expect(at('Flat rate impressions', 'costMicros')).toBe(4_500_000)
    expect(at('Flat rate clicks', 'costMicros')).toBe(4_500_000)
    expect(at('CPC', 'bookedClicks')).toBe(400_000)
    expect(at('CPC', 'plannedMicros')).toBe(400_000 * 4_500_000)
    expect(at('vCPM', 'bookedImpressions')).toBe(400_000)
    expect(at('vCPM', 'plannedMicros')).toBe(400_000 * 4500)
  })
})

describe('reach', () => {
  it('grows with impressions, never exceeds them, and matches the frequencies', () => {
    fc.assert(
      fc.property(fc.nat(50_000_000), fc.nat(50_000_000), (a, b) => {
        expect(uniqueReach(a + b)).toBeGreaterThanOrEqual(uniqueReach(a))
        expect(uniqueReach(a + b)).toBeLessThanOrEqual(uniqueReach(a) + uniqueReach(b) + 1)
        expect(uniqueReach(a)).toBeLessThanOrEqual(a)
        const frequencies = reachByFrequency(a)
        expect(frequencies.every((people) => people >= 0)).toBe(true)
        expect(frequencies.reduce((sum, people) => sum + people, 0)).toBe(uniqueReach(a))
      }),
    )
  })
})

describe('a large report', () => {
  it('with 400 placements over 365 days has a row for each, with correct totals', () => {
    const large = sourceAt(bookOf(1, 400), '2027-02-01')
    const report = {
      type: 'STANDARD',
      criteria: {
        dateRange: { startDate: '2026-01-01', endDate: '2026-12-31' },
        dimensions: [{ name: 'trafficking:placement' }, { name: 'trafficking:date' }],
        metricNames: ['trafficking:impressions'],
      },
    }
    const table = tableOf(large, report, Date.UTC(2027, 1, 1))
    let [rows, impressions] = [0, 0]
    for (const row of table.rows) {
      rows++
      impressions += Number(row[2])
    }
    expect(rows).toBe(400 * 365)
    expect(String(impressions)).toBe(table.total[2])
  })
})
