import fc from 'fast-check'
import { expect, it } from 'vitest'
import { metricNamed } from '#shared/facts/metrics'
import { numberColumn } from '../../../src-main/report-data/numbers'
import { atOnce } from '../../../src-main/report-data/steps'
import type { NumberColumn } from '../../../src-main/report-data/column'
import { derived } from '../../../src-main/tables/derived'

const cell = fc.option(fc.nat(1000), { freq: 5 })
const table = fc.array(fc.record({ clicks: cell, impressions: cell, key: fc.nat() }), { maxLength: 30 })

function columnOf(name: string, cells: readonly (number | null)[]): NumberColumn {
  const { label, form, adds } = metricNamed.get(name)!
  const gaps = Uint8Array.from(cells, (cell) => (cell === null ? 1 : 0))
  return numberColumn(
    { head: label, field: name, kind: form, adds },
    Float64Array.from(cells, (cell) => cell ?? 0),
    gaps,
  )
}
const near = (value: unknown, wanted: number | null): void => {
  if (wanted === null || !Number.isFinite(wanted)) expect(value).toBe(null)
  else expect(value).toBeCloseTo(wanted, 9)
}
const sum = (cells: readonly (number | null)[]): number => cells.reduce<number>((all, cell) => all + (cell ?? 0), 0)
const present = (cells: readonly (number | null)[]): number[] => cells.filter((cell): cell is number => cell !== null)

it('derived metrics match plain sums, in the order shown', () => {
  fc.assert(
    fc.property(table, (cells) => {
      const clicks = columnOf(
        'clicks',
        cells.map((one) => one.clicks),
      )
      const impressions = columnOf(
        'impressions',
        cells.map((one) => one.impressions),
      )
      const rate = columnOf(
        'clickRate',
        cells.map((one) => (one.clicks === null || !one.impressions ? null : one.clicks / one.impressions)),
      )
      const all = [clicks, impressions, rate]
      const rows = Uint32Array.from(
        cells.map((_one, row) => row).sort((a, b) => cells[a]!.key - cells[b]!.key || a - b),
      )
      const made = (how: 'share' | 'running' | 'mean7' | 'index', of: NumberColumn): NumberColumn =>
        atOnce(derived({ head: how, how }, of, all, rows))
      const ordered = [...rows].map((row) => cells[row]!)
      const of = (name: 'clicks' | 'impressions', list: typeof cells): (number | null)[] => list.map((one) => one[name])
      const share = made('share', clicks)
      const running = made('running', clicks)
      const runningRate = made('running', rate)
      const mean = made('mean7', clicks)
      const meanRate = made('mean7', rate)
      const index = made('index', rate)
      const wholeRate = sum(of('clicks', cells)) / sum(of('impressions', cells))
      rows.forEach((row, at) => {
        const { clicks: own } = cells[row]!
        near(share.value(row), own === null ? null : own / sum(of('clicks', cells)))
        const before = ordered.slice(0, at + 1)
        near(running.value(row), present(of('clicks', before)).length === 0 ? null : sum(of('clicks', before)))
        const none = present(of('clicks', before)).length === 0
        near(runningRate.value(row), none ? NaN : sum(of('clicks', before)) / sum(of('impressions', before)))
        const week = ordered.slice(at - 6, at + 1)
        const full = at >= 6
        const met = present(of('clicks', week))
        near(mean.value(row), full ? sum(met) / met.length : null)
        near(
          meanRate.value(row),
          full && met.length > 0 ? sum(of('clicks', week)) / sum(of('impressions', week)) : null,
        )
        near(index.value(row), rate.gaps![row] ? null : (rate.values[row]! / wholeRate) * 100)
      })
    }),
  )
})

it('metrics of people have no derived ones', () => {
  const reach = columnOf('uniqueReachTotalReach', [5, 6])
  for (const how of ['share', 'running', 'mean7', 'index'] as const)
    expect(atOnce(derived({ head: how, how }, reach, [reach], Uint32Array.of(0, 1))).text(1)).toBe('---')
})
