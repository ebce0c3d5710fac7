import { columnAbout, type CellKind } from '#shared/results/result-columns'
import type { ChartData } from '#shared/results/questions'

const dayMs = 86_400_000

export const daysFrom = (first: string, count: number, step = 1): string[] =>
  Array.from({ length: count }, (_, at) => new Date(Date.parse(first) + at * step * dayMs).toISOString().slice(0, 10))

function aboutOf(metric: string, values: readonly (number | null)[]): ChartData['series'][number]['about'] {
  const samples = values.filter((value) => value !== null).map(String)
  const { kind, adds } = columnAbout(metric, { totalled: true, samples })
  return { kind, adds }
}

export const chartDataOf = (
  kind: CellKind,
  labels: string[],
  series: [name: string, metric: string, values: (number | null)[]][],
  others = { x: 0, split: 0 },
): ChartData => ({
  x: { head: kind === 'day' ? 'Date' : 'Site', kind, adds: null },
  labels,
  series: series.map(([name, metric, values]) => ({ name, metric, about: aboutOf(metric, values), values })),
  others,
})

/** A deterministic pseudorandom number between 0 and 1. */
const rough = (at: number, seed: number): number => Math.abs(Math.sin(at * 12.9898 + seed * 78.233) * 43758.5453) % 1
const wave = (at: number, seed: number, level: number): number =>
  Math.round(
    level * (1 + 0.25 * Math.sin((at * 2 * Math.PI) / 7 + seed) + 0.2 * rough(at, seed) + at * 0.004 * (seed - 2)),
  )

const march = daysFrom('2026-03-01', 28)
export const sites = [
  'Morning Post',
  'Harbour News',
  'Sport Daily',
  'Kitchen Table',
  'Trails & Tents',
  'Evening Radio',
  'Weather Now',
]
const many = [
  ...sites,
  'The Long Name of a Regional Newspaper Network',
  'Cars',
  'Homes',
  'Gardens',
  'Travel',
  'Music',
  'Film',
  'Books',
]

/** A chart of each type, by name. */
export const chartSamples: Readonly<
  Record<string, { form: string; source: ChartData; currency?: string; unsettledFrom?: string }>
> = {
  'One line': {
    form: 'line',
    source: chartDataOf('day', march, [['Clicks', 'Clicks', march.map((_, at) => wave(at, 1, 11_000))]]),
  },
  'Lines with names': {
    form: 'line',
    source: chartDataOf(
      'day',
      march,
      sites
        .slice(0, 5)
        .map((site, seed) => [
          `Clicks, ${site}`,
          'Clicks',
          march.map((_, at) => (seed === 2 && at > 9 && at < 14 ? null : wave(at, seed, 9_000 - seed * 1_500))),
        ]),
    ),
  },
  'Two metrics over a year': {
    form: 'line',
    source: chartDataOf('day', daysFrom('2025-11-20', 366), [
      ['Impressions', 'Impressions', daysFrom('2025-11-20', 366).map((_, at) => wave(at, 2, 1_240_000))],
      ['Click Rate', 'Click Rate', daysFrom('2025-11-20', 366).map((_, at) => 0.003 + 0.001 * rough(at, 3))],
    ]),
  },
  'Sorted bars': {
    form: 'bar',
    currency: 'EUR',
    source: chartDataOf('text', many, [['Media Cost', 'Media Cost', many.map((_, at) => 42_000.5 / (at + 1))]]),
  },
  'Bars of several metrics': {
    form: 'bar',
    source: chartDataOf('text', sites, [
      ['Impressions', 'Impressions', sites.map((_, at) => wave(at, 1, 900_000 - at * 90_000))],
      ['Click Rate', 'Click Rate', sites.map((_, at) => 0.001 + rough(at, 5) * 0.01)],
    ]),
  },
  'Bars below zero': {
    form: 'bar',
    source: chartDataOf('text', sites, [['Impressions', 'Impressions', sites.map((_, at) => 40_000 - at * 15_000)]]),
  },
  Columns: {
    form: 'bar',
    source: chartDataOf('day', march, [['Clicks', 'Clicks', march.map((_, at) => wave(at, 1, 11_000))]]),
  },
  'Stacked columns': {
    form: 'stacked',
    source: chartDataOf(
      'day',
      march,
      many
        .slice(0, 9)
        .map((site, seed) => [
          `Impressions, ${site}`,
          'Impressions',
          march.map((_, at) => wave(at, seed, 90_000 - seed * 9_000)),
        ]),
    ),
  },
  'Stacked bars': {
    form: 'stacked',
    source: chartDataOf('text', sites, [
      ['Impressions, Phone', 'Impressions', sites.map((_, at) => wave(at, 1, 90_000 - at * 9_000))],
      ['Impressions, Desktop', 'Impressions', sites.map((_, at) => wave(at, 2, 60_000 - at * 5_000))],
      ['Impressions, Tablet', 'Impressions', sites.map((_, at) => wave(at, 3, 20_000 - at * 1_000))],
    ]),
  },
  'Two rates': {
    form: 'scatter',
    source: chartDataOf('text', many, [
      ['Click Rate', 'Click Rate', many.map((_, at) => 0.001 + rough(at, 5) * 0.01)],
      [
        'Active View: % Viewable Impressions',
        'Active View: % Viewable Impressions',
        many.map((_, at) => 0.3 + rough(at, 7) * 0.6),
      ],
    ]),
  },
  Shares: {
    form: 'share',
    source: chartDataOf('text', many, [
      ['Impressions', 'Impressions', many.map((_, at) => wave(at, 1, 900_000 / (at + 1)))],
    ]),
  },
  'Small charts': {
    form: 'multiples',
    source: chartDataOf(
      'day',
      march,
      many.map((site, seed) => [`Clicks, ${site}`, 'Clicks', march.map((_, at) => wave(at, seed, 9_000 / (seed + 1)))]),
    ),
  },
  Weeks: {
    form: 'heat',
    source: chartDataOf('day', daysFrom('2026-03-04', 40), [
      ['Clicks', 'Clicks', daysFrom('2026-03-04', 40).map((_, at) => wave(at, 1, 11_000))],
    ]),
  },
  'Newest days of lines': {
    form: 'line',
    unsettledFrom: '2026-03-27',
    currency: 'EUR',
    source: chartDataOf('day', march, [
      ['Media Cost, Phone', 'Media Cost', march.map((_, at) => wave(at, 1, 11_000) + 0.5)],
      ['Media Cost, Desktop', 'Media Cost', march.map((_, at) => wave(at, 2, 7_000) + 0.5)],
    ]),
  },
  'Newest days of columns': {
    form: 'stacked',
    unsettledFrom: '2026-03-27',
    source: chartDataOf(
      'day',
      march.slice(14),
      sites
        .slice(0, 6)
        .map((site, seed) => [`Clicks, ${site}`, 'Clicks', march.slice(14).map((_, at) => wave(at, seed, 9_000))]),
    ),
  },
  'Newest days of weeks': {
    form: 'heat',
    unsettledFrom: '2026-04-11',
    source: chartDataOf('day', daysFrom('2026-03-04', 40), [
      ['Clicks', 'Clicks', daysFrom('2026-03-04', 40).map((_, at) => wave(at, 1, 11_000))],
    ]),
  },
  'One point': { form: 'line', source: chartDataOf('day', ['2026-03-01'], [['Clicks', 'Clicks', [12_400]]]) },
  Nothing: { form: 'line', source: chartDataOf('day', march, [['Clicks', 'Clicks', march.map(() => null)]]) },
}
