import { listWords } from '#shared/list-words'
import type { PlacementDays } from '#shared/results/questions'
import type { Column, NumberColumn } from '../report-data/column'
import { added, groupsOf, taken } from '../report-data/group'
import { sorted } from '../report-data/order'
import { allRows, inBlocks, type Steps } from '../report-data/steps'
import type { ResultTable } from '../report-data/table'
import { isGap } from '../report-data/texts'
import { wrong } from './find-column'

/** Days of placements that are answered at most: more is no answer but a file. */
const maxDays = 3_000_000

/** Fields of the daily metrics. Only impressions are required. */
const metricFields = {
  impressions: 'impressions',
  clicks: 'clicks',
  viewable: 'activeViewViewableImpressions',
  measurable: 'activeViewMeasurableImpressions',
  conversions: 'totalConversions',
  cost: 'mediaCost',
} as const
const deliveryMetrics = Object.keys(metricFields) as (keyof typeof metricFields)[]

/**
 * Delivery of each placement by day, from all rows of a table. Skips and counts rows without a placement or day.
 * @throws FaultError `invalid` if a column is missing or the table has too many days
 */
export function* deliveriesOf({ columns, length }: ResultTable, most = maxDays): Steps<PlacementDays> {
  const { placement, day, impressions } = needed(columns)
  const rows = yield* placed(length, placement, day)
  const groups = yield* groupsOf(rows, [placement, day])
  if (groups.count > most)
    throw wrong(
      `The file has ${groups.count.toLocaleString('en')} rows of placements by day, more than the limit of ${most.toLocaleString('en')}. Choose fewer dates or campaigns for the report.`,
    )
  const days = (yield* taken(day, groups.first)) as NumberColumn
  const ids = yield* taken(placement, groups.first)
  const order = yield* sorted(allRows(groups.count), [
    { column: ids, descending: false },
    { column: days, descending: false },
  ])
  const metrics: PlacementDays['metrics'] = { impressions: new Float64Array() }
  for (const name of deliveryMetrics) {
    const column = name === 'impressions' ? impressions : summedColumn(columns, metricFields[name])
    if (!column) continue
    const { values } = yield* added(column, columns, rows, groups)
    const scale = column.about.kind === 'money' ? 1e-6 : 1
    metrics[name] = Float64Array.from(order, (group) => values[group]! * scale)
  }
  const activities: Record<string, Float64Array> = {}
  for (const [id, column] of activityColumns(columns)) {
    const { values } = yield* added(column, columns, rows, groups)
    activities[id] = Float64Array.from(order, (group) => values[group]!)
  }
  const names = columns.find(({ about }) => isField(about, 'placement', /^placement$/i))
  const found: PlacementDays = {
    ids: [],
    names: [],
    starts: new Uint32Array(),
    days: new Int32Array(),
    metrics,
    activities,
    left: 0,
  }
  const starts: number[] = []
  let last: string | undefined
  yield* inBlocks(order.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const group = order[at]!
      const id = ids.text(group)
      if (id === last) continue
      last = id
      starts.push(at)
      found.ids.push(id)
      found.names.push(names?.text(groups.first[group]!) ?? '')
    }
  })
  found.starts = Uint32Array.from([...starts, order.length])
  found.days = Int32Array.from(order, (group) => days.values[group]!)
  found.left = length - rows.length
  return found
}

interface Needed {
  placement: Column
  day: NumberColumn
  impressions: NumberColumn
}

const isField = ({ field, head }: Column['about'], name: string, heads: RegExp): boolean =>
  field === undefined ? heads.test(head) : field === name

/** The column with the sum of a metric's columns. */
const summedColumn = (columns: readonly Column[], field: string): NumberColumn | undefined =>
  columns.find(
    (column): column is NumberColumn =>
      column.form === 'number' &&
      column.about.field === field &&
      column.about.activity === undefined &&
      column.about.days === undefined &&
      column.about.adds === 'sum',
  )

/** Conversion columns of individual activities, by activity ID. */
const activityColumns = (columns: readonly Column[]): Map<string, NumberColumn> =>
  new Map(
    columns.flatMap((column): [string, NumberColumn][] => {
      const { field, activity, adds } = column.about
      const counts = column.form === 'number' && field === metricFields.conversions && adds === 'sum'
      return counts && activity !== undefined ? [[activity, column]] : []
    }),
  )

function needed(columns: readonly Column[]): Needed {
  const day = columns.find(
    (column): column is NumberColumn => column.form === 'number' && isField(column.about, 'date', /^(date|day)$/i),
  )
  const placement = columns.find(({ about }) => isField(about, 'placementId', /^placement id$/i))
  const impressions = summedColumn(columns, metricFields.impressions)
  if (day && placement && impressions) return { day, placement, impressions }
  const missing = [day ? [] : ['Date'], placement ? [] : ['Placement ID'], impressions ? [] : ['Impressions']].flat()
  throw wrong(
    `This file has no daily delivery, because ${listWords(missing)} ${missing.length === 1 ? 'is' : 'are'} missing. The template “Daily results” includes all of them.`,
  )
}

/** Rows that name a placement and a day. */
function* placed(length: number, placement: Column, day: NumberColumn): Steps<Uint32Array> {
  const rows = new Uint32Array(length)
  let kept = 0
  yield* inBlocks(length, (from, to) => {
    for (let row = from; row < to; row++) if (!day.gaps?.[row] && !isGap(placement.text(row))) rows[kept++] = row
  })
  return rows.slice(0, kept)
}
