import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allRows, atOnce } from '../../../src-main/report-data/steps'
import { chartOf } from '../../../src-main/tables/chart'
import { columnFinder } from '../../../src-main/tables/find-column'
import { pivoted } from '../../../src-main/tables/pivot'
import { shaped, type Shape, type View } from '../../../src-main/tables/shape'
import { cells, delivery, tableOf, type Row } from '../../helpers/result-tables'
import { cases } from '../../helpers/ring'

const view = (rows: readonly Row[], shape: Partial<Shape>): View =>
  atOnce(shaped(tableOf(rows), { filters: [], group: [], sort: [], ...shape }))
const textsOf = ({ columns, rows }: View): string[][] =>
  Array.from(rows, (row) => columns.map((column) => column.text(row)))

type Figure = 'Impressions' | 'Click Rate' | 'Media Cost' | 'Unique Reach: Total Reach'
const heads: Readonly<Record<string, Figure>> = {
  impressions: 'Impressions',
  clickRate: 'Click Rate',
  mediaCost: 'Media Cost',
  uniqueReachTotalReach: 'Unique Reach: Total Reach',
}

/** The expected value: a number, null for none, or a dash if it can't be summed. */
function byHand(rows: readonly Row[], field: string): number | null | '---' {
  const of = (pick: (row: Row) => number | null): number | null => {
    const having = rows.map(pick).filter((one) => one !== null)
    return having.length === 0 ? null : having.reduce((sum, one) => sum + one, 0)
  }
  if (rows.length === 0) return null
  if (field === 'impressions') return of(({ impressions }) => impressions)
  if (field === 'mediaCost') return of(({ micros }) => micros)
  if (field === 'clickRate') {
    const [clicks, impressions] = [of((row) => row.clicks), of((row) => row.impressions)]
    return !impressions || clicks === null ? null : clicks / impressions
  }
  return rows.length > 1 ? '---' : rows[0]!.impressions
}

describe('a pivoted metric', () => {
  it('has in each cell the value of its rows', () => {
    fc.assert(
      fc.property(delivery, fc.constantFrom(...Object.keys(heads)), fc.boolean(), (rows, field, bySite) => {
        const [down, over] = bySite ? (['site', 'date'] as const) : (['date', 'site'] as const)
        const table = tableOf(rows)
        const find = columnFinder(table.columns)
        const { shown, all } = atOnce(
          pivoted(table.columns, allRows(rows.length), [find(down)], { column: over, figure: field }),
        )
        const keys = [...new Set(rows.map((row) => row[down]))]
        const values = new Set(rows.map((row) => row[over] || '(empty)'))
        expect(shown.map(({ about }) => about.head)).toHaveLength(2 + values.size)
        expect(new Set(shown.slice(2).map(({ about }) => about.head))).toEqual(values)
        expect(shown[0]!.length).toBe(keys.length)
        for (let row = 0; row < keys.length; row++) {
          const own = rows.filter((one) => one[down] === shown[0]!.text(row))
          for (const column of shown.slice(1)) {
            const { head } = column.about
            const cell = head === heads[field] ? own : own.filter((one) => (one[over] || '(empty)') === head)
            const expected = byHand(cell, field)
            if (column.form !== 'number') throw new Error(`${head} isn’t numeric`)
            if (expected === '---') expect(column.text(row)).toBe('---')
            else if (expected === null) expect(column.value(row)).toBe(null)
            else expect(column.values[row]).toBeCloseTo(expected, 9)
          }
        }
        // Rates use the parts of their own column only.
        if (field === 'clickRate') expect(all.length).toBe(shown.length + 2 + 2 * values.size)
      }),
      { numRuns: cases(50, 150) },
    )
  })

  it('is limited to the largest columns, with the rest as one', () => {
    fc.assert(
      fc.property(delivery, fc.integer({ min: 2, max: 5 }), (rows, most) => {
        const table = tableOf(rows)
        const { shown } = atOnce(
          pivoted(
            table.columns,
            allRows(rows.length),
            [columnFinder(table.columns)('date')],
            { column: 'site', figure: 'impressions' },
            most,
          ),
        )
        const sums = new Map<string, number>()
        for (const { site, impressions } of rows) sums.set(site, (sums.get(site) ?? 0) + (impressions ?? 0))
        expect(shown.length - 2).toBe(Math.min(most, sums.size))
        const all = (column: (typeof shown)[number]): number =>
          column.form === 'number' ? [...column.values].reduce((sum, one) => sum + one, 0) : 0
        const kept = shown.slice(2).filter(({ about }) => !about.head.startsWith('Other ('))
        const least = Math.min(...kept.map(all))
        const names = new Set(kept.map(({ about }) => (about.head === '(empty)' ? '' : about.head)))
        for (const [site, sum] of sums) if (!names.has(site)) expect(sum).toBeLessThanOrEqual(least)
        if (rows.length > 0) expect(shown.slice(2).reduce((sum, one) => sum + all(one), 0)).toBe(all(shown[1]!))
      }),
    )
  })
})

const rows = [cells('a', 1_000, 10), { ...cells('a', 100, 9), date: '2026-11-02' }, cells('B', 500, 5)]

describe('a pivoted view', () => {
  it('has totals by column and sorts by one', () => {
    const made = view(rows, {
      group: ['site'],
      pivot: { column: 'date', figure: 'clickRate' },
      sort: [{ column: '2026-11-01', descending: true }],
    })
    expect(made.columns.map(({ about }) => about.head)).toEqual(['Site', 'Click Rate', '2026-11-01', '2026-11-02'])
    expect(made.total).toEqual(['---', '1.5000%', '1.0000%', '9.0000%'])
    expect(textsOf(made).map(([site, , , last]) => [site, last])).toEqual([
      ['a', '9.0000%'],
      ['B', ''],
    ])
  })

  it('has a chart and shares of summable metrics', () => {
    const made = view(rows, {
      group: ['site'],
      pivot: { column: 'date', figure: 'impressions' },
      derived: [{ head: 'Part', how: 'share', of: '2026-11-01' }],
    })
    expect(textsOf(made)).toEqual([
      ['a', '1100', '1000', '100', '66.6667%'],
      ['B', '500', '500', '', '33.3333%'],
    ])
    const chart = atOnce(chartOf(made, { x: 'Site', metrics: ['2026-11-01', '2026-11-02'], most: 10 }))
    expect(chart.labels).toEqual(['a', 'B'])
    expect(chart.series.map(({ name, values }) => [name, values])).toEqual([
      ['2026-11-01', [1_000, 500]],
      ['2026-11-02', [100, null]],
    ])
  })

  it('shows the latest dates if not all fit', () => {
    const table = tableOf(['2026-11-01', '2026-11-02', '2026-11-03'].map((date) => ({ ...cells('a', 10, 1), date })))
    const { shown } = atOnce(pivoted(table.columns, allRows(3), [], { column: 'date', figure: 'impressions' }, 2))
    expect(shown.map(({ about }) => about.head)).toEqual(['Impressions', '2026-11-03', 'Other (2)'])
  })

  it('of all rows combined has one row', () => {
    const made = view(rows, { pivot: { column: 'site', figure: 'impressions' } })
    expect(made.columns.map(({ about }) => about.head)).toEqual(['Impressions', 'a', 'B'])
    expect(textsOf(made)).toEqual([['1600', '1100', '500']])
  })

  it("explains what can't be pivoted", () => {
    expect(() => view(rows, { pivot: { column: 'clicks', figure: 'impressions' } })).toThrow(/is a metric/)
    expect(() => view(rows, { pivot: { column: 'site', figure: 'date' } })).toThrow(/isn’t a metric/)
    expect(() => view(rows, { group: ['site'], pivot: { column: 'site', figure: 'clicks' } })).toThrow(/already/)
  })
})

it('groups by days are in order, below other values, too, unless another order is chosen', () => {
  const on = (site: string, date: string, clicks: number): Row => ({ ...cells(site, 10, clicks), date })
  const made = [on('a', '2026-11-03', 1), on('b', '2026-11-01', 3), on('a', '2026-11-02', 2)]
  const keys = (shape: Partial<Shape>): string[] => textsOf(view(made, shape)).map((row) => row.slice(0, 2).join(' '))
  const days = (shape: Partial<Shape>): string[] => keys({ group: ['date'], ...shape }).map((key) => key.slice(8, 10))
  expect(days({})).toEqual(['01', '02', '03'])
  expect(days({ pivot: { column: 'site', figure: 'clicks' } })).toEqual(['01', '02', '03'])
  expect(days({ sort: [{ column: 'Clicks', descending: false }] })).toEqual(['03', '02', '01'])
  expect(keys({ group: ['site', 'date'] })).toEqual(['a 2026-11-02', 'a 2026-11-03', 'b 2026-11-01'])
})
