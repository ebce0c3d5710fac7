import fc from 'fast-check'
import { metricNamed } from '#shared/facts/metrics'
import type { ColumnAbout } from '#shared/results/result-columns'
import { NumberReader } from '../../src-main/report-data/numbers'
import type { ResultTable } from '../../src-main/report-data/table'
import { TextReader } from '../../src-main/report-data/texts'
import type { Column } from '../../src-main/report-data/column'

/** A row of a delivery report; null and '' are missing values. */
export interface Row {
  site: string
  date: string
  impressions: number | null
  clicks: number | null
  micros: number | null
}

const amount = fc.option(fc.nat(1000), { freq: 6 })
export const delivery: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    site: fc.constantFrom('a', 'B', 'Ab', 'c10', 'c9', ''),
    date: fc.constantFrom('2026-11-02', '2026-11-01', '2025-12-31', ''),
    impressions: amount,
    clicks: amount,
    micros: fc.option(fc.nat(10 ** 9), { freq: 6 }),
  }),
  { maxLength: 40 },
)
export const cells = (site: string, impressions: number, clicks: number): Row => ({
  site,
  date: '2026-11-01',
  impressions,
  clicks,
  micros: 0,
})

const metric = (name: string): ColumnAbout => {
  const { label, form, adds } = metricNamed.get(name)!
  return { head: label, field: name, kind: form, adds }
}

function columnOf(about: ColumnAbout, texts: readonly string[]): Column {
  const reader = about.kind === 'text' || about.kind === 'id' ? new TextReader(about) : new NumberReader(about)
  for (const text of texts) {
    const bytes = Buffer.from(text)
    if (!reader.take(bytes, 0, bytes.length)) throw new Error(`${about.head} cannot hold ${text}`)
  }
  return reader.finish()
}

/** Site, day, impressions, clicks, click rate, cost, and reach, as read from a report file. */
export function tableOf(rows: readonly Row[]): ResultTable {
  const text = (value: number | null): string => (value === null ? '' : String(value))
  const rate = ({ clicks, impressions }: Row): string =>
    clicks === null || !impressions ? '' : `${((clicks / impressions) * 100).toFixed(4)}%`
  const columns = [
    columnOf(
      { head: 'Site', field: 'site', kind: 'text', adds: null },
      rows.map(({ site }) => site),
    ),
    columnOf(
      { head: 'Date', field: 'date', kind: 'day', adds: null },
      rows.map(({ date }) => date),
    ),
    columnOf(
      metric('impressions'),
      rows.map((row) => text(row.impressions)),
    ),
    columnOf(
      metric('clicks'),
      rows.map((row) => text(row.clicks)),
    ),
    columnOf(metric('clickRate'), rows.map(rate)),
    columnOf(
      metric('mediaCost'),
      rows.map(({ micros }) => (micros === null ? '' : (micros / 1e6).toFixed(6))),
    ),
    columnOf(
      metric('uniqueReachTotalReach'),
      rows.map((row) => text(row.impressions)),
    ),
  ]
  return { head: [], columns, length: rows.length, total: null, notes: [] }
}
