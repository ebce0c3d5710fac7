import { bareName } from '#shared/facts/report-fields'
import type { JsonObject } from '#shared/json'
import { dayAt, dayText, type Span } from './days'
import { allDimensions, dimensionNamed, type Dimension, type Spot } from './dimensions'
import { filtersOf, matchesText, type Match } from './filters'
import { allMetrics, metricText, type Metric } from './metrics'
import { addSums, measureIndex as at, newSums, type Sums } from './measures'
import { conversionPaths } from './paths'
import { compareValues, runQuery, totalOf, type Row, type Source } from './query'
import { reachByFrequency, uniqueReach } from './reach'
import { namesIn, objectAt, objectsAt, spanOf, textsAt, typeOf } from './report-check'

/** A report's rows as text, with a header. The total has one cell for each column. */
export interface ReportTable {
  span: Span
  headers: string[]
  rows: Iterable<string[]>
  total: string[]
}

/** A metric column: its header, and its value from the sums of a row. */
interface Column {
  label: string
  text(row: Pick<Row, 'sums' | 'pivots'>): string
}

/** Runs a checked report. The same campaigns and clock always give the same rows. */
export function tableOf(source: Source, report: JsonObject, wallNow: number): ReportTable {
  const type = typeOf(report)
  const block = objectAt(report[type.block])
  const span = spanOf(objectAt(block.dateRange), dayAt(wallNow, 'UTC'), type.block)
  switch (report.type) {
    case 'CROSS_DIMENSION_REACH':
      return crossReach(source, block, span)
    case 'PATH_TO_CONVERSION':
    case 'PATH':
    case 'PATH_ATTRIBUTION':
      return pathTable(source, block, span)
    default:
      return sumsTable(source, block, span)
  }
}

const dimensionsIn = (block: JsonObject, section: Parameters<typeof namesIn>[1]): Dimension[] =>
  namesIn(block, section).flatMap(({ name }) => dimensionNamed(bareName(name)) ?? [])

const matchOf = (filter: JsonObject): Match[] => {
  const dimension = dimensionNamed(bareName(String(filter.dimensionName)))
  if (!dimension) return []
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return [{ dimension, matchType: text(filter.matchType), id: text(filter.id), value: text(filter.value) }]
}

function matchesIn(block: JsonObject): Match[] {
  const found = objectsAt(block.dimensionFilters).flatMap(matchOf)
  const configuration = objectAt(block.trackingConfigId)
  if (configuration.id || configuration.value)
    found.push(
      ...matchOf({
        dimensionName: configuration.id ? 'trackingConfigurationId' : 'trackingConfiguration',
        id: configuration.id,
        value: configuration.value,
      }),
    )
  return found
}

function columnsOf(block: JsonObject): {
  columns: Column[]
  pivots: Array<(spot: Spot) => boolean>
  conversions: boolean
} {
  const metrics = textsAt(block.metricNames).flatMap((name) => allMetrics.get(bareName(name)) ?? [])
  const columns = metrics.map((metric) => metricColumn(metric))
  const activities = objectAt(block.activities)
  const names = textsAt(activities.metricNames).flatMap((name) => allMetrics.get(bareName(name)) ?? [])
  const filters = objectsAt(activities.filters)
  const pivots: Array<(spot: Spot) => boolean> = []
  if (filters.length === 0) columns.push(...names.map((metric) => metricColumn(metric)))
  for (const filter of filters) {
    const [test] = filtersOf(matchOf(filter))
    const index = pivots.push((spot) => test?.test(spot) ?? false) - 1
    const label = String(filter.value ?? filter.id)
    for (const metric of names)
      columns.push({
        label: `${label}: ${metric.label}`,
        text: ({ pivots: sums }) => metricText(metric, metric.of(sums[index]!)),
      })
  }
  for (const name of textsAt(block.reachByFrequencyMetricNames)) {
    const label = allMetrics.get(bareName(name))?.label ?? name
    for (let times = 1; times <= 10; times++)
      columns.push({
        label: `${label}: Frequency ${times}${times === 10 ? '+' : ''}`,
        text: ({ sums }) => String(reachByFrequency(sums[at.impressions]!)[times - 1]!),
      })
  }
  const mixed = /PerClick|PerThousand|costPer|evenue/
  const conversions = names.length > 0 || metrics.some(({ kind, name }) => kind === 'conversion' || mixed.test(name))
  return { columns, pivots, conversions }
}

const metricColumn = (metric: Metric): Column => ({
  label: metric.label,
  text: ({ sums }) => metricText(metric, metric.of(sums)),
})

function sumsTable(source: Source, block: JsonObject, span: Span): ReportTable {
  const dimensions = dimensionsIn(block, 'dimensions')
  const { columns, pivots, conversions } = columnsOf(block)
  const filters = filtersOf(matchesIn(block))
  const rows = runQuery(source, { span, dimensions, filters, conversions, pivots })
  sortBy(
    rows,
    objectsAt(block.dimensions).map(({ sortOrder }) => sortOrder === 'DESCENDING'),
  )
  return finish(
    span,
    dimensions.map(({ label }) => label),
    columns,
    rows,
    pivots.length,
  )
}

function sortBy(rows: Row[], descending: boolean[]): void {
  if (!descending.includes(true)) return
  rows.sort((a, b) => {
    for (const [index, down] of descending.entries()) {
      const order = compareValues(a.values[index]!, b.values[index]!)
      if (order !== 0) return down ? -order : order
    }
    return 0
  })
}

function finish(span: Span, labels: string[], columns: Column[], rows: Row[], pivots: number): ReportTable {
  const total = totalOf(rows, pivots)
  return {
    span,
    headers: [...labels, ...columns.map(({ label }) => label)],
    rows: lines(rows, columns),
    total: [
      ...labels.map((_, index) => (index === 0 ? 'Grand Total:' : '---')),
      ...columns.map((column) => column.text(total)),
    ],
  }
}

function* lines(rows: readonly Row[], columns: readonly Column[]): Generator<string[]> {
  for (const row of rows) yield [...row.values, ...columns.map((column) => column.text(row))]
}

/** Conversions by path: with a column for each touch if pivoted, otherwise with a row for each. */
function pathTable(source: Source, block: JsonObject, span: Span): ReportTable {
  const properties = objectAt(block.reportProperties)
  const whole = [
    ...dimensionsIn(block, 'conversionDimensions'),
    ...dimensionsIn(block, 'dimensions'),
    ...dimensionsIn(block, 'customTrackingVariables'),
  ]
  const each = dimensionsIn(block, 'perInteractionDimensions')
  const pivoted = properties.pivotOnInteractionPath === true
  const limit = Math.min(
    5,
    Math.max(
      1,
      Number(properties.maximumClickInteractions ?? 5) + Number(properties.maximumImpressionInteractions ?? 5),
    ),
  )
  const { columns } = columnsOf(block)
  const configurationId = configurationIdOf(source, objectAt(block.trackingConfigId))
  const activities = filtersOf(objectsAt(block.activityFilters).flatMap(matchOf))
  const rows = new Map<string, Row>()
  const add = (values: string[], sums: Sums | undefined): void => {
    const key = values.join('\u0000')
    const row = rows.get(key) ?? { values, sums: newSums(), pivots: [] }
    rows.set(key, row)
    if (sums) addSums(row.sums, sums)
  }
  for (const { touches, sums } of conversionPaths(source, configurationId, span, limit)) {
    const last = touches.at(-1)!
    if (!activities.every((filter) => filter.test(last)) || !matchesPath(block, touches)) continue
    const head = whole.map((dimension) => dimension.value(last))
    if (each.length === 0) add(head, sums)
    else if (pivoted) {
      const cells = Array.from({ length: limit }, (_, index) => touches[index]).flatMap((touch) =>
        each.map((dimension) => (touch ? dimension.value(touch) : '')),
      )
      add([...head, ...cells], sums)
    } else
      for (const touch of touches)
        add([...head, ...each.map((dimension) => dimension.value(touch))], touch === last ? sums : undefined)
  }
  const labels = [
    ...whole.map(({ label }) => label),
    ...(pivoted
      ? Array.from({ length: limit }, (_, index) =>
          each.map(({ label }) => `Interaction ${index + 1}: ${label}`),
        ).flat()
      : each.map(({ label }) => label)),
  ]
  const sorted = [...rows.values()].sort((a, b) => {
    const index = a.values.findIndex((value, at) => value !== b.values[at])
    return index < 0 ? 0 : compareValues(a.values[index]!, b.values[index]!)
  })
  return finish(span, labels, columns, sorted, 0)
}

function configurationIdOf(source: Source, given: JsonObject): string {
  if (typeof given.id === 'string') return given.id
  const named = source.tree.cells.find((cell) => cell.advertiser?.name === given.value)
  return String(named?.configuration?.id ?? '')
}

/** Path filters: each must find a touch (any, the first or the last) that meets all of its event filters. */
function matchesPath(block: JsonObject, touches: readonly Spot[]): boolean {
  return objectsAt(block.pathFilters).every((filter) => {
    const position = filter.pathMatchPosition
    const candidates = position === 'FIRST' ? touches.slice(0, 1) : position === 'LAST' ? touches.slice(-1) : touches
    return candidates.some((touch) =>
      objectsAt(filter.eventFilters).every((event) => {
        const { dimensionName, ids, values, matchType } = objectAt(event.dimensionFilter)
        const dimension = dimensionNamed(bareName(String(dimensionName)))
        if (!dimension) return false
        const id = dimension.id?.(touch) ?? dimension.value(touch)
        return (
          textsAt(ids).includes(id) ||
          textsAt(values).some((value) => matchesText(String(matchType ?? 'EXACT'), value, dimension.value(touch)))
        )
      }),
    )
  })
}

const crossDimensions: Readonly<Record<string, string>> = {
  ADVERTISER: 'advertiser',
  CAMPAIGN: 'campaign',
  SITE_BY_ADVERTISER: 'site',
  SITE_BY_CAMPAIGN: 'site',
}
const maxCrossed = 16

/**
 * People reached by two items of a kind: with a column for each other item if `pivoted`, otherwise with a row for each
 * pair.
 */
function crossReach(source: Source, block: JsonObject, span: Span): ReportTable {
  const name = crossDimensions[String(block.dimension)] ?? 'advertiser'
  const dimension = allDimensions.get(name)!
  const breakdown = dimensionsIn(block, 'breakdown').filter((one) => one !== dimension)
  const filters = filtersOf(matchesIn(block))
  const rows = runQuery(source, { span, dimensions: [...breakdown, dimension], filters, conversions: false })
  const names = [...new Set(rows.map(({ values }) => values.at(-1)!))].slice(0, maxCrossed)
  const kept = rows.filter(({ values }) => names.includes(values.at(-1)!))
  const { columns } = columnsOf(block)
  const overlaps = textsAt(block.overlapMetricNames).map((metric) => bareName(metric).endsWith('Percent'))
  const pivoted = block.pivoted !== false
  // An item's own ID doesn't divide it further.
  const shared = breakdown.map((one) => one !== allDimensions.get(`${name}Id`))
  const group = ({ values }: Row): string => values.filter((_, index) => shared[index]).join('\u0000')
  const other = (row: Row, wanted: string): Row | undefined =>
    kept.find((one) => one.values.at(-1) === wanted && group(one) === group(row))
  const cell = (row: Row, wanted: string, percent: boolean): string => {
    const peer = other(row, wanted)
    const own = uniqueReach(row.sums[at.impressions]!)
    const both = peer === row ? own : peer ? overlapOf(own, uniqueReach(peer.sums[at.impressions]!)) : 0
    return percent ? `${(own === 0 ? 0 : (100 * both) / own).toFixed(4)}%` : String(both)
  }
  const label = (percent: boolean): string => (percent ? 'Overlap Reach %' : 'Overlap Reach')
  const labels = [...breakdown, dimension].map((one) => one.label)
  if (pivoted || overlaps.length === 0) {
    const table = finish(span, labels, columns, kept, 0)
    const extra = overlaps.flatMap((percent) => names.map((wanted) => ({ wanted, percent })))
    return {
      ...table,
      headers: [...table.headers, ...extra.map(({ wanted, percent }) => `${wanted}: ${label(percent)}`)],
      rows: [...table.rows].map((line, index) => [
        ...line,
        ...extra.map(({ wanted, percent }) => cell(kept[index]!, wanted, percent)),
      ]),
      total: [...table.total, ...extra.map(() => '---')],
    }
  }
  const pairs = kept.flatMap((row) => names.filter((wanted) => other(row, wanted)).map((wanted) => ({ row, wanted })))
  const total = totalOf(kept)
  return {
    span,
    headers: [...labels, `Other ${dimension.label}`, ...columns.map((one) => one.label), ...overlaps.map(label)],
    rows: pairs.map(({ row, wanted }) => [
      ...row.values,
      wanted,
      ...columns.map((one) => one.text(row)),
      ...overlaps.map((percent) => cell(row, wanted, percent)),
    ]),
    total: [
      ...[...labels, ''].map((_, index) => (index === 0 ? 'Grand Total:' : '---')),
      ...columns.map((one) => one.text(total)),
      ...overlaps.map(() => '---'),
    ],
  }
}

const overlapOf = (a: number, b: number): number =>
  Math.round((Math.min(a, b) * 0.35 * Math.sqrt(a * b)) / Math.max(a, b, 1))

export const rangeText = ({ from, to }: Span): string => `${dayText(from)} - ${dayText(to)}`
