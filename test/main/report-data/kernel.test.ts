import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metricNamed } from '#shared/facts/metrics'
import type { ColumnAbout, CellKind } from '#shared/results/result-columns'
import type { Column, NumberColumn } from '../../../src-main/report-data/column'
import { added, groupsOf, taken } from '../../../src-main/report-data/group'
import { NumberReader } from '../../../src-main/report-data/numbers'
import { sorted } from '../../../src-main/report-data/order'
import { selected } from '../../../src-main/report-data/select'
import { atOnce, inTurns } from '../../../src-main/report-data/steps'
import { TextReader } from '../../../src-main/report-data/texts'

function columnOf(about: ColumnAbout, cells: readonly string[]): Column {
  const reader = about.kind === 'text' || about.kind === 'id' ? new TextReader(about) : new NumberReader(about)
  for (const cell of cells) {
    const bytes = Buffer.from(`;${cell};`)
    expect(reader.take(bytes, 1, bytes.length - 1)).toBe(true)
  }
  return reader.finish()
}
const dimension = (kind: CellKind): ColumnAbout => ({ head: kind, kind, adds: null })
const metric = (name: string): ColumnAbout => {
  const { label, form, adds } = metricNamed.get(name)!
  return { head: label, field: name, kind: form, adds }
}
const rowsOf = (length: number): Uint32Array => Uint32Array.from({ length }, (_, row) => row)

const gap = fc.constantFrom('', '(not set)', '---')
const withGaps = (cell: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: cell }, { weight: 1, arbitrary: gap })
const count = fc
  .oneof(fc.integer(), fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.integer({ min: -3, max: 3 }))
  .map(String)
const name = fc.oneof(fc.constantFrom('a', 'B', 'a10', 'a9', 'Ä', 'b'), fc.string({ maxLength: 3 }))
const id = fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String)

const rankOfGap = (cell: string): number => ['', '(not set)', '---'].indexOf(cell)
/** The order of a plain comparison. */
function plainOrder(cells: readonly string[], compare: (a: string, b: string) => number, down: boolean): number[] {
  return cells
    .map((_cell, row) => row)
    .sort((a, b) => {
      const [x, y] = [rankOfGap(cells[a]!), rankOfGap(cells[b]!)]
      if (x >= 0 || y >= 0) return x - y
      return down ? compare(cells[b]!, cells[a]!) : compare(cells[a]!, cells[b]!)
    })
}

describe('sorting rows', () => {
  const { compare } = new Intl.Collator('en', { numeric: true })
  it.each([
    ['count', count, (a: string, b: string) => Number(a) - Number(b)],
    ['id', id, (a: string, b: string) => (BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0)],
    ['text', name, (a: string, b: string) => compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)],
  ] as const)('by a column of type %s puts missing values last', (kind, cell, compare) => {
    fc.assert(
      fc.property(fc.array(withGaps(cell), { maxLength: 40 }), fc.boolean(), (cells, descending) => {
        const column = columnOf(dimension(kind), cells)
        const order = [...atOnce(sorted(rowsOf(cells.length), [{ column, descending }]))]
        expect(order).toEqual(plainOrder(cells, compare, descending))
      }),
    )
  })

  it('by several columns is stable', () => {
    const small = fc.integer({ min: 0, max: 2 }).map(String)
    fc.assert(
      fc.property(fc.array(fc.tuple(small, small), { maxLength: 40 }), fc.boolean(), (rows, descending) => {
        const columns = [0, 1].map((at) =>
          columnOf(
            dimension('count'),
            rows.map((row) => row[at as 0 | 1]),
          ),
        )
        const keys = [
          { column: columns[0]!, descending },
          { column: columns[1]!, descending: false },
        ]
        const order = atOnce(sorted(rowsOf(rows.length), keys))
        const way = descending ? -1 : 1
        const plain = rows.map((_row, at) => at)
        plain.sort(
          (a, b) => way * (Number(rows[a]![0]) - Number(rows[b]![0])) || Number(rows[a]![1]) - Number(rows[b]![1]),
        )
        expect([...order]).toEqual(plain)
      }),
    )
  })
})

describe('filtering rows', () => {
  const texts = ['Autumn', 'autumn late', '', '(not set)', 'Spring']
  const names = columnOf(dimension('text'), texts)
  const clicks = columnOf(metric('clicks'), ['5', '-3', '', '40', '---'])
  const pick = (...filters: Parameters<typeof selected>[1]): number[] => [...atOnce(selected(5, filters))]

  it('by texts and by numbers', () => {
    expect(pick({ column: names, condition: { how: 'contains', text: 'AUT' } })).toEqual([0, 1])
    expect(pick({ column: names, condition: { how: 'containsNot', text: 'aut' } })).toEqual([2, 3, 4])
    expect(pick({ column: names, condition: { how: 'is', texts: ['spring', ''] } })).toEqual([2, 4])
    expect(pick({ column: names, condition: { how: 'isNot', texts: ['spring'] } })).toEqual([0, 1, 2, 3])
    expect(pick({ column: clicks, condition: { how: 'between', from: -3, to: 5 } })).toEqual([0, 1])
    expect(pick({ column: clicks, condition: { how: 'between', from: 6 } })).toEqual([3])
    expect(pick({ column: clicks, condition: { how: 'is', texts: ['40'] } })).toEqual([3])
    expect(pick()).toEqual([0, 1, 2, 3, 4])
    const streets = columnOf(dimension('text'), ['ΟΔΟΣ', 'Οδοσήμανση', 'οδός'])
    const street = selected(3, [{ column: streets, condition: { how: 'contains', text: 'ΟΔΟΣ' } }])
    expect([...atOnce(street)]).toEqual([0, 1])
  })

  it('by several filters at once', () => {
    const condition = { how: 'contains', text: 'aut' } as const
    expect(pick({ column: names, condition }, { column: clicks, condition: { how: 'between', from: 0 } })).toEqual([0])
  })
})

describe('groups', () => {
  const cell = fc.tuple(
    withGaps(fc.constantFrom('a', 'b', 'c')),
    withGaps(fc.integer({ min: 1, max: 3 }).map(String)),
    withGaps(fc.nat(1000).map(String)),
    withGaps(fc.nat(1000).map(String)),
    withGaps(fc.nat(10 ** 9).map((micros) => (micros / 1e6).toFixed(6))),
  )

  it("have their rows' sums, and rates of those sums", () => {
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 40 }), (cells) => {
        const at = (index: 0 | 1 | 2 | 3 | 4): string[] => cells.map((row) => row[index])
        const [names, days] = [columnOf(dimension('text'), at(0)), columnOf(dimension('count'), at(1))]
        const impressions = columnOf(metric('impressions'), at(2))
        const clicks = columnOf(metric('clicks'), at(3))
        const cost = columnOf(metric('mediaCost'), at(4))
        const rate = columnOf(
          metric('clickRate'),
          cells.map(() => '1.0000%'),
        ) as NumberColumn
        const cpm = columnOf(
          metric('effectiveCpm'),
          cells.map(() => '1.00'),
        ) as NumberColumn
        const all = [names, days, impressions, clicks, cost, rate, cpm]
        const rows = rowsOf(cells.length)
        const groups = atOnce(groupsOf(rows, [names, days]))

        const plain = new Map<string, { i: number; c: number; m: number; seen: Set<string> }>()
        for (const row of cells) {
          const key = `${row[0]} ${row[1]}`
          const sums = plain.get(key) ?? { i: 0, c: 0, m: 0, seen: new Set<string>() }
          plain.set(key, sums)
          if (rankOfGap(row[2]) < 0) sums.i += Number(row[2])
          if (rankOfGap(row[3]) < 0) sums.c += Number(row[3])
          if (rankOfGap(row[4]) < 0) sums.m += Math.round(Number(row[4]) * 1e6)
          ;[row[2], row[3], row[4]].forEach((text, index) => void (rankOfGap(text) < 0 && sums.seen.add('icm'[index]!)))
        }
        const [heads, more] = [names, days].map((column) => atOnce(taken(column, groups.first))) as [Column, Column]
        const keys = Array.from({ length: groups.count }, (_, group) => `${heads.text(group)} ${more.text(group)}`)
        expect(keys).toEqual([...plain.keys()])
        const summed = (column: Column): NumberColumn => atOnce(added(column as NumberColumn, all, rows, groups))
        const [i, c, m, r, p] = [impressions, clicks, cost, rate, cpm].map(summed) as [
          NumberColumn,
          NumberColumn,
          NumberColumn,
          NumberColumn,
          NumberColumn,
        ]
        keys.forEach((key, group) => {
          const sums = plain.get(key)!
          expect(i.value(group)).toBe(sums.seen.has('i') ? sums.i : null)
          expect(c.value(group)).toBe(sums.seen.has('c') ? sums.c : null)
          expect(m.gaps?.[group] ? null : m.values[group]).toBe(sums.seen.has('m') ? sums.m : null)
          expect(r.value(group)).toBe(sums.i === 0 || !sums.seen.has('c') ? null : sums.c / sums.i)
          expect(p.gaps?.[group] ? null : p.values[group]).toBe(
            sums.i === 0 || !sums.seen.has('m') ? null : Math.round((sums.m * 1000) / sums.i),
          )
        })
      }),
    )
  })

  it("don't sum people, or rates with missing parts", () => {
    const reach = columnOf(metric('uniqueReachTotalReach'), ['5', '6']) as NumberColumn
    const rate = columnOf(metric('clickRate'), ['1.0000%', '3.0000%']) as NumberColumn
    const groups = atOnce(groupsOf(rowsOf(2), []))
    for (const column of [reach, rate]) {
      const total = atOnce(added(column, [reach, rate], rowsOf(2), groups))
      expect([total.value(0), total.text(0)]).toEqual([null, '---'])
    }
  })

  it('by more columns than a table fits have the same sums', () => {
    const texts = Array.from({ length: 3_000 }, (_, at) => `t${at}`)
    const [a, b] = [columnOf(dimension('text'), texts), columnOf(dimension('text'), [...texts].reverse())]
    const groups = atOnce(groupsOf(rowsOf(3_000), [a, b]))
    expect([groups.count, ...groups.of.slice(0, 3)]).toEqual([3_000, 0, 1, 2])
  })
})

describe('work in slices', () => {
  it('sorts texts that need several slices, in both directions', () => {
    const texts = Array.from({ length: 50_000 }, (_, at) => `t${(at * 7919) % 50_000}`)
    texts[7] = '(not set)'
    const column = columnOf(dimension('text'), texts)
    for (const descending of [false, true]) {
      const order = [...atOnce(sorted(rowsOf(texts.length), [{ column, descending }]))]
      expect(order.at(-1)).toBe(7)
      const values = order.slice(0, -1).map((row) => Number(texts[row]!.slice(1)))
      expect(values).toEqual([...values].sort((a, b) => (descending ? b - a : a - b)))
    }
  })

  it('sorts more texts than the collator allows, ignoring case', () => {
    const texts = Array.from({ length: 200_001 }, (_, at) => `${at % 2 ? 'T' : 't'}${String((at * 7919) % 200_001)}`)
    const column = columnOf(dimension('text'), texts)
    const order = [...atOnce(sorted(rowsOf(texts.length), [{ column, descending: false }]))]
    const folded = order.map((row) => texts[row]!.toLowerCase())
    expect(folded.every((text, at) => at === 0 || folded[at - 1]! <= text)).toBe(true)
  })

  it('can be stopped between two of them', async () => {
    const control = new AbortController()
    const column = columnOf(
      dimension('count'),
      Array.from({ length: 200_000 }, (_, at) => String(at)),
    )
    const sorting = inTurns(sorted(rowsOf(200_000), [{ column, descending: true }]), control.signal)
    control.abort()
    await expect(sorting).rejects.toMatchObject({ fault: { code: 'aborted' } })
  })
})
