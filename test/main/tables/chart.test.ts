import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../src-main/report-data/steps'
import { chartOf } from '../../../src-main/tables/chart'
import { shaped } from '../../../src-main/tables/shape'
import { statisticsOf, valuesOf } from '../../../src-main/tables/statistics'
import { cells, delivery, tableOf, type Row } from '../../helpers/result-tables'

const viewOf = (rows: readonly Row[]) => atOnce(shaped(tableOf(rows), { filters: [], group: [], sort: [] }))
const sum = (rows: readonly Row[], name: 'clicks' | 'impressions'): number =>
  rows.reduce((all, row) => all + (row[name] ?? 0), 0)

describe('a chart', () => {
  it('has the values of plain sums, rates of those, and the rest as one', () => {
    fc.assert(
      fc.property(delivery, fc.integer({ min: 1, max: 4 }), (rows, most) => {
        const metrics = ['Clicks', 'Click Rate']
        const { labels, series, others } = atOnce(chartOf(viewOf(rows), { x: 'Site', metrics, most }))
        const sites = [...new Set(rows.map(({ site }) => site))]
        const of = (site: string): Row[] => rows.filter((row) => row.site === site)
        const having = (list: readonly Row[]): boolean => list.some(({ clicks }) => clicks !== null)
        const ordered = sites
          .map((site, met) => ({ site, met, clicks: having(of(site)) ? sum(of(site), 'clicks') : -1 }))
          .sort((a, b) => b.clicks - a.clicks || a.met - b.met)
          .map(({ site }) => site)
        const shown = ordered.slice(0, most)
        expect(others).toEqual({ x: ordered.length - shown.length, split: 0 })
        const parts = shown.map(of)
        if (others.x > 0) parts.push(rows.filter(({ site }) => !shown.includes(site)))
        expect(labels).toEqual(others.x > 0 ? [...shown, 'Other'] : shown)
        expect(series.map(({ name }) => name)).toEqual(metrics)
        expect(series.map(({ about }) => about.kind)).toEqual(['count', 'percent'])
        expect(series.map(({ about }) => about.adds === 'sum')).toEqual([true, false])
        expect(series[0]!.values).toEqual(parts.map((part) => (having(part) ? sum(part, 'clicks') : null)))
        expect(series[1]!.values).toEqual(
          parts.map((part) =>
            !having(part) || sum(part, 'impressions') === 0 ? null : sum(part, 'clicks') / sum(part, 'impressions'),
          ),
        )
      }),
    )
  })

  it('of days is a line from the first to the last', () => {
    fc.assert(
      fc.property(delivery, (rows) => {
        const { labels, series } = atOnce(
          chartOf(viewOf(rows), { x: 'Date', metrics: ['Media Cost'], split: 'Site', most: 50 }),
        )
        const days = [...new Set(rows.map(({ date }) => date))].sort((a, b) =>
          a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1,
        )
        expect(labels).toEqual(days)
        for (const { name, metric, values } of series) {
          expect(metric).toBe('Media Cost')
          const site = name.replace('Media Cost · ', '')
          const sums = days.map((day) => {
            const met = rows.filter((row) => row.date === day && row.site === site && row.micros !== null)
            return met.length === 0 ? null : met.reduce((all, { micros }) => all + micros!, 0) / 1e6
          })
          expect(values).toEqual(sums)
        }
        expect(series).toHaveLength(new Set(rows.map(({ site }) => site)).size)
      }),
    )
  })

  it('of many days keeps the latest, and of many lines the largest', () => {
    const rows = Array.from({ length: 20 }, (_, at): Row => ({
      ...{ site: `s${at}`, date: `2026-11-${String(at + 1).padStart(2, '0')}` },
      ...{ impressions: 100, clicks: at, micros: 0 },
    }))
    const chart = atOnce(chartOf(viewOf(rows), { x: 'Date', metrics: ['Clicks'], split: 'Site', most: 5 }))
    expect(chart.labels).toEqual([16, 17, 18, 19, 20].map((day) => `2026-11-${day}`).concat('Other'))
    expect(chart.others).toEqual({ x: 15, split: 9 })
    expect(chart.series).toHaveLength(12)
    expect(chart.series.at(-1)).toMatchObject({ name: 'Clicks · Other', values: [null, null, null, null, null, 36] })
  })

  it.each([
    [{ x: 'Clicks', metrics: ['Clicks'] }, 'Group by a dimension instead'],
    [{ x: 'Site', metrics: ['Date'] }, 'isn’t a metric'],
    [{ x: 'Colour', metrics: ['Clicks'] }, 'No column'],
  ])('%j is rejected', (wanted, words) => {
    expect(() => atOnce(chartOf(viewOf([]), { ...wanted, most: 5 }))).toThrow(words)
  })
})

describe('column statistics', () => {
  it('match a plain count', () => {
    fc.assert(
      fc.property(delivery, (rows) => {
        const table = tableOf(rows)
        const { all, rows: order } = viewOf(rows)
        const of = (head: string) => all.find(({ about }) => about.head === head)!
        const said = (head: string) => atOnce(statisticsOf(of(head), all, order))

        const clicks = rows.flatMap(({ clicks }) => clicks ?? []).sort((a, b) => a - b)
        const middle = (clicks[Math.floor((clicks.length - 1) / 2)]! + clicks[Math.floor(clicks.length / 2)]!) / 2
        expect(said('Clicks')).toMatchObject({
          rows: rows.length,
          missing: rows.length - clicks.length,
          distinct: new Set(clicks).size,
          ...(clicks.length > 0 && {
            least: String(clicks[0]),
            most: String(clicks.at(-1)),
            median: Number.isInteger(middle) ? String(middle) : middle.toFixed(2),
            mean: (sum(rows, 'clicks') / clicks.length).toFixed(2),
          }),
        })
        const days = rows.flatMap(({ date }) => date || []).sort()
        const ends = days.length > 0 ? [days[0], days[Math.floor((days.length - 1) / 2)], days.at(-1)] : []
        const { least, median, most, mean } = said('Date')
        expect([least, median, most, mean]).toEqual(days.length > 0 ? [...ends, undefined] : Array(4).fill(undefined))

        const counts = new Map<string, number>()
        for (const { site } of rows) counts.set(site, (counts.get(site) ?? 0) + 1)
        const frequent = [...counts].map(([text, rows]) => ({ text, rows })).sort((a, b) => b.rows - a.rows)
        expect(atOnce(valuesOf(of('Site'), table.length, { containing: '', most: 3 }))).toEqual({
          values: frequent.slice(0, 3),
          more: Math.max(0, frequent.length - 3),
        })
        expect(atOnce(valuesOf(of('Site'), table.length, { containing: 'A', most: 9 })).values).toEqual(
          frequent.filter(({ text }) => text.toLowerCase().includes('a')),
        )
        expect(said('Site').frequent).toEqual(frequent.filter(({ text }) => text !== '').slice(0, 10))
      }),
    )
  })

  it('have no mean of rates, and none for people', () => {
    const rows = [cells('a', 1000, 10), cells('b', 3000, 90)]
    const { all, rows: order } = viewOf(rows)
    const said = (head: string) =>
      atOnce(
        statisticsOf(
          all.find(({ about }) => about.head === head)!,
          all,
          order,
        ),
      ) as { mean?: string }
    expect(said('Click Rate').mean).toBe('2.5000%')
    expect(said('Unique Reach: Total Reach').mean).toBeUndefined()
  })
})
