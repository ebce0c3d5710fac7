import fc from 'fast-check'
import { expect, it } from 'vitest'
import { atOnce } from '../../../src-main/report-data/steps'
import type { ResultTable } from '../../../src-main/report-data/table'
import { compared, comparedDays } from '../../../src-main/tables/compare'
import { shaped, type Shape } from '../../../src-main/tables/shape'
import { cells, delivery, tableOf, type Row } from '../../helpers/result-tables'

function texts(table: ResultTable, shape: Partial<Shape> = {}): { rows: Record<string, string>[]; total: string[] } {
  const view = atOnce(shaped(table, { filters: [], group: [], sort: [], ...shape }))
  const row = (at: number): Record<string, string> =>
    Object.fromEntries(view.columns.map((column) => [column.about.head, column.text(at)]))
  return { rows: Array.from(view.rows, row), total: view.total }
}
const key = ({ site, date }: Row): string => `${site}|${date}`

it('matches an outer join of plain sums', () => {
  fc.assert(
    fc.property(delivery, delivery, (first, second) => {
      const { columns, length } = atOnce(compared(tableOf(first), tableOf(second), ['Site', 'Date']))
      const at = (head: string) => columns.find(({ about }) => about.head === head)!
      const keys = [...new Set([...first, ...second].map(key))]
      expect(Array.from({ length }, (_, row) => `${at('Site').text(row)}|${at('Date').text(row)}`)).toEqual(keys)
      keys.forEach((wanted, row) => {
        const [old, now] = [first, second].map((rows) => {
          const met = rows.filter((one) => key(one) === wanted)
          const sum = (of: (row: Row) => number | null): number => met.reduce((all, row) => all + (of(row) ?? 0), 0)
          const has = met.some(({ clicks }) => clicks !== null)
          const [c, i] = [sum(({ clicks }) => clicks), sum(({ impressions }) => impressions)]
          return { clicks: has ? c : null, rate: has && i > 0 ? c / i : null }
        }) as [{ clicks: number | null; rate: number | null }, { clicks: number | null; rate: number | null }]
        expect(at('Clicks · before').value(row)).toBe(old.clicks)
        expect(at('Clicks · after').value(row)).toBe(now.clicks)
        const change = old.clicks === null && now.clicks === null ? null : (now.clicks ?? 0) - (old.clicks ?? 0)
        expect(at('Clicks · change').value(row)).toBe(change)
        expect(at('Clicks · % change').value(row)).toBe(old.clicks ? change! / old.clicks : null)
        const rates = [old, now].map(({ rate }) => rate)
        // A single row has the service's rate, with four digits.
        const points = rates.includes(null) ? null : now.rate! - old.rate!
        const said = at('Click Rate · change').value(row)
        if (points === null) expect(said).toBe(null)
        else expect(said).toBeCloseTo(points, 5)
      })
    }),
  )
})

it('marks new and removed rows by an empty side, and has both totals', () => {
  const before = [cells('one', 1000, 10), cells('two', 500, 0)]
  const after = [cells('one', 1000, 15), cells('three', 100, 5)]
  const table = atOnce(compared(tableOf(before), tableOf(after), ['site']))
  const { rows, total } = texts(table, {
    columns: ['Site', ...['before', 'after', 'change', '% change'].map((what) => `Clicks · ${what}`)],
  })
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['one', '10', '15', '5', '50.00%'],
    ['two', '0', '', '0', ''],
    ['three', '', '5', '5', ''],
  ])
  expect(total).toEqual(['---', '10', '20', '10', '100.00%'])
})

it('omits a percentage of a negative base in rows, groups, and totals', () => {
  const before = [cells('one', 1000, -10), { ...cells('two', 1000, 4), date: '2026-11-02' }, cells('three', 1000, 5)]
  const after = [cells('one', 1000, 20), { ...cells('two', 1000, 8), date: '2026-11-02' }, cells('three', 1000, 5)]
  const table = atOnce(compared(tableOf(before), tableOf(after), ['Site', 'Date']))
  const columns = ['Clicks · change', 'Clicks · % change']
  const { rows, total } = texts(table, { columns })
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['30', ''],
    ['4', '100.00%'],
    ['0', '0.00%'],
  ])
  expect(total.slice(-2)).toEqual(['34', '---'])
  const grouped = texts(table, { group: ['Date'], columns }).rows
  expect(grouped.map((row) => [row['Clicks · change'], row['Clicks · % change']])).toEqual([
    ['30', ''],
    ['4', '100.00%'],
  ])
})

it('keeps a renamed record in one row, under its later name', () => {
  const placements = (rows: [id: string, name: string, clicks: number][]): ResultTable => {
    const plain = tableOf(rows.map(([, name, clicks]) => cells(name, 1000, clicks)))
    const [ids] = tableOf(rows.map(([id]) => cells(id, 0, 0))).columns
    const [name, ...others] = plain.columns
    return { ...plain, columns: [name!, { ...ids!, about: { ...ids!.about, head: 'ID', field: 'siteId' } }, ...others] }
  }
  const joined = (first: ResultTable, second: ResultTable) =>
    texts(atOnce(compared(first, second, ['Site', 'ID'], { names: ['Site'] })), {
      columns: ['Site', 'ID', 'Clicks · before', 'Clicks · after'],
    }).rows.map((row) => Object.values(row))
  const later = placements([
    ['1', 'new', 11],
    ['3', 'added', 7],
  ])
  const earlier = placements([
    ['1', 'old', 10],
    ['2', 'gone', 5],
  ])
  expect(joined(earlier, later)).toEqual([
    ['new', '1', '10', '11'],
    ['gone', '2', '5', ''],
    ['added', '3', '', '7'],
  ])
  // Two names of one ID in the same results are two rows.
  const split = placements([
    ['1', 'old', 10],
    ['1', 'new', 4],
  ])
  expect(joined(split, later)).toEqual([
    ['old', '1', '10', ''],
    ['new', '1', '4', '11'],
    ['added', '3', '', '7'],
  ])
})

it('can be grouped and filtered, with recomputed percentages and rates', () => {
  const before = [cells('one', 1000, 10), { ...cells('one', 1000, 30), date: '2026-11-02' }]
  const after = [cells('one', 2000, 30), { ...cells('one', 2000, 50), date: '2026-11-02' }]
  const table = atOnce(compared(tableOf(before), tableOf(after), ['Site', 'Date']))
  const [row] = texts(table, { group: ['Site'] }).rows
  expect(row).toMatchObject({
    'Clicks · change': '40',
    'Clicks · % change': '100.00%',
    'Click Rate · before': '2.0000%',
    'Click Rate · after': '2.0000%',
    'Click Rate · change': '---',
    'Unique Reach: Total Reach · before': '---',
  })
  const filters: Shape['filters'] = [{ column: 'Clicks · change', condition: { how: 'between', from: 20, to: 20 } }]
  expect(texts(table, { filters }).rows).toHaveLength(2)
})

it('of days keeps dates, and of mixed breakdowns uses text', () => {
  const table = tableOf([cells('one', 1, 1)])
  const asText = {
    ...table,
    columns: table.columns.map((column) => (column.about.head === 'Date' ? table.columns[0]! : column)),
  }
  const named = asText.columns.map((column, at) =>
    at === 1 ? { ...column, about: { ...column.about, head: 'Date', field: 'date' } } : column,
  )
  expect(atOnce(compared(table, table, ['Date'])).columns[0]!.about.kind).toBe('day')
  const mixed = atOnce(compared(table, { ...asText, columns: named }, ['Date']))
  expect([mixed.columns[0]!.about.kind, mixed.columns[0]!.text(0), mixed.columns[0]!.text(1)]).toEqual([
    'text',
    '2026-11-01',
    'one',
  ])
})

it('is rejected without anything to compare', () => {
  const table = tableOf([])
  const bare = { ...table, columns: table.columns.slice(0, 2) }
  expect(() => atOnce(compared(table, bare, ['Site']))).toThrow('no metric in common')
  expect(() => atOnce(compared(table, bare, ['Colour']))).toThrow('No column')
})

it('of date ranges has their sums, per day if their lengths differ', () => {
  const dates = ['2025-12-31', '2026-11-01', '2026-11-02']
  const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
  const span = fc
    .record({ from: fc.integer({ min: -1, max: 1 }), to: fc.integer({ min: 0, max: 2 }) })
    .map(({ from, to }) => ({ from: dayOf('2026-11-01') + from, to: dayOf('2026-11-01') + Math.max(from, to - 1) }))
  fc.assert(
    fc.property(delivery, span, span, (rows, first, second) => {
      const { columns, length } = atOnce(
        comparedDays(tableOf(rows), tableOf(rows), ['Site'], { column: 'Date', first, second }),
      )
      const at = (head: string) => columns.find(({ about }) => about.head === head)!
      const [firstDays, secondDays] = [first, second].map(({ from, to }) => to - from + 1) as [number, number]
      const perDay = firstDays !== secondDays
      const within = ({ from, to }: typeof first) =>
        rows.filter(({ date }) => dates.includes(date) && dayOf(date) >= from && dayOf(date) <= to)
      const sites = new Set([...within(first), ...within(second)].map(({ site }) => site))
      expect(length).toBe(sites.size)
      for (let row = 0; row < length; row++) {
        for (const [side, span, days] of [
          ['before', first, firstDays],
          ['after', second, secondDays],
        ] as const) {
          const own = within(span).filter(({ site }) => site === at('Site').text(row))
          const having = own.filter(({ impressions }) => impressions !== null)
          const sum = having.reduce((all, { impressions }) => all + impressions!, 0)
          const said = at(`Impressions · ${side}`).value(row)
          if (having.length === 0) expect(said).toBe(null)
          else expect(said).toBeCloseTo(perDay ? sum / days : sum, 6)
          const clicks = own.reduce((all, one) => all + (one.clicks ?? 0), 0)
          const rate = at(`Click Rate · ${side}`).value(row)
          if (sum > 0) expect(rate).toBeCloseTo(clicks / sum, 5)
        }
      }
    }),
  )
})

it('of date ranges needs dates', () => {
  const table = tableOf([cells('one', 1, 1)])
  const days = { column: 'Site', first: { from: 0, to: 1 }, second: { from: 2, to: 3 } }
  expect(() => atOnce(comparedDays(table, table, ['Site'], days))).toThrow(/has no dates/)
})
