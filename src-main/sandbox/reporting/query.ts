import { audienceShare, audiences } from './audience'
import type { Span } from './days'
import { conversionCost, convert, deliver, type Moment } from './delivery'
import type { Dimension, Spot } from './dimensions'
import type { Filter } from './filters'
import type { InsertedConversion } from './conversion-sums'
import { addSums, conversionStart, measureCount, measureIndex as at, newSums, type Sums } from './measures'
import type { Cell, Tree } from './tree'

/** Input of the generator: the current campaigns, inserted conversions, and the clock. */
export interface Source {
  tree: Tree
  inserted: readonly InsertedConversion[]
  moment: Moment
}

export interface Query {
  span: Span
  dimensions: readonly Dimension[]
  filters?: readonly Filter[]
  /** True if the query has conversions. */
  conversions: boolean
  /** Adds sums of conversions for each of these to the sums of the row. */
  pivots?: ReadonlyArray<(spot: Spot) => boolean>
}

export interface Row {
  /** One value per dimension. */
  values: string[]
  sums: Sums
  pivots: Sums[]
}

/**
 * Sums delivery by any set of dimensions. Every row is a sum over the same smallest cells, so rows add up to totals, days
 * to ranges, and filters only drop rows. Rows are sorted by their values.
 */
export function runQuery({ tree, inserted, moment }: Source, query: Query): Row[] {
  const { dimensions, span, filters = [], pivots = [] } = query
  const grains = new Set([...dimensions, ...filters].map(({ grain }) => grain))
  const byAudience = grains.has('audience')
  const byActivity = dimensions.some(({ grain }) => grain === 'activity')
  const filtersOn = (wanted: string): Filter[] => filters.filter(({ grain }) => grain === wanted)
  const passes = (list: Filter[], spot: Spot): boolean => list.every((filter) => filter.test(spot))
  const [onEntity, onDay, onAudience, onActivity] = ['entity', 'date', 'audience', 'activity'].map(filtersOn) as [
    Filter[],
    Filter[],
    Filter[],
    Filter[],
  ]
  const rows: Row[] = []
  const byKey = new Map<string, Map<string, Row>>()
  const of = (wanted: string): Dimension[] => dimensions.filter(({ grain }) => grain === wanted)
  const [entityDims, dateDims, audienceDims, activityDims] = [of('entity'), of('date'), of('audience'), of('activity')]
  const keyOf = (list: readonly Dimension[], spot: Spot): string => {
    let key = ''
    for (const dimension of list) key += `${dimension.value(spot)}\u0000`
    return key
  }
  // Calculated once: the parts of a key from day and audience, and the audience check.
  const dayKeys = new Map<number, string>()
  const dayKey = (spot: Spot): string => {
    let key = dayKeys.get(spot.day)
    if (key === undefined) dayKeys.set(spot.day, (key = keyOf(dateDims, spot)))
    return key
  }
  const audienceKeys = new Map(
    audiences.map((audience) => [audience, keyOf(audienceDims, { place: {}, day: 0, audience })]),
  )
  const reached = audiences.flatMap((audience, index) =>
    passes(onAudience, { place: {}, day: 0, audience }) ? [{ audience, index }] : [],
  )
  const rowsOf = (entityKey: string): Map<string, Row> => {
    let known = byKey.get(entityKey)
    if (!known) byKey.set(entityKey, (known = new Map()))
    return known
  }
  const rowOf = (known: Map<string, Row>, spot: Spot): Row => {
    let key = dateDims.length > 0 ? dayKey(spot) : ''
    if (audienceDims.length > 0) key += audienceKeys.get(spot.audience!)!
    if (activityDims.length > 0) key += keyOf(activityDims, spot)
    let row = known.get(key)
    if (!row) {
      row = {
        values: dimensions.map((dimension) => dimension.value(spot)),
        sums: newSums(),
        pivots: pivots.map(newSums),
      }
      known.set(key, row)
      rows.push(row)
    }
    return row
  }
  const addConversions = (row: Row, spot: Spot, sums: Sums): void => {
    addSums(row.sums, sums, conversionStart)
    pivots.forEach((matches, index) => {
      if (matches(spot)) addSums(row.pivots[index]!, sums, conversionStart)
    })
  }

  const delivered = newSums()
  const part = newSums()
  const spot: Spot = { place: {}, day: 0 }
  /** The whole, or one audience after the other. */
  const spread = (cell: Cell, sums: Sums, to: (part: Sums) => void): void => {
    if (!byAudience) return to(sums)
    for (const { audience, index } of reached) {
      spot.audience = audience
      if (audienceShare(sums, index, cell.seed, spot.day, part)) to(part)
    }
    spot.audience = undefined
  }
  for (const cell of tree.cells) {
    const from = Math.max(span.from, cell.from)
    const to = Math.min(span.to, cell.to, moment.today)
    spot.place = cell
    spot.activity = undefined
    if (to < from || !passes(onEntity, spot)) continue
    const paidByConversion = cell.pricing.type === 'PRICING_TYPE_CPA'
    const known = rowsOf(keyOf(entityDims, spot))
    for (let day = from; day <= to; day++) {
      spot.day = day
      spot.activity = undefined
      if (!passes(onDay, spot) || !deliver(cell, day, moment, delivered)) continue
      if (query.conversions || paidByConversion) {
        cell.activities.forEach((activity, index) => {
          const converted = conversionScratch(index)
          if (!convert(cell, activity, index, day, delivered, converted)) return
          delivered[at.costMicros]! += conversionCost(cell, activity, day, converted)
          spot.activity = activity
          if (!query.conversions || !passes(onActivity, spot)) return
          spread(cell, converted, (sums) => addConversions(rowOf(known, spot), spot, sums))
        })
        spot.activity = undefined
      }
      if (byActivity) continue
      spread(cell, delivered, (sums) => addSums(rowOf(known, spot).sums, sums, 0, conversionStart))
    }
  }
  if (query.conversions) {
    for (const conversion of inserted) {
      if (conversion.day < span.from || conversion.day > span.to) continue
      const one: Spot = {
        place: conversion.place,
        day: conversion.day,
        activity: conversion.activity,
        variables: conversion.variables,
        audience: audiences[conversion.seed % audiences.length],
      }
      if (filters.every((filter) => filter.test(one)))
        addConversions(rowOf(rowsOf(keyOf(entityDims, one)), one), one, conversion.sums)
    }
  }
  return rows.sort(byValues)
}

const scratches: Sums[] = []
const conversionScratch = (index: number): Sums => (scratches[index] ??= new Float64Array(measureCount))

function byValues(a: Row, b: Row): number {
  for (let index = 0; index < a.values.length; index++) {
    const order = compareValues(a.values[index]!, b.values[index]!)
    if (order !== 0) return order
  }
  return 0
}

const digits = /^\d+$/

/** Compares whole numbers by value, and everything else by code units, so that the order is the same everywhere. */
export function compareValues(a: string, b: string): number {
  if (a === b) return 0
  if (a.length !== b.length && digits.test(a) && digits.test(b)) return a.length - b.length
  return a < b ? -1 : 1
}

/** The sums over all rows. */
export function totalOf(rows: readonly Row[], pivots = 0): Pick<Row, 'sums' | 'pivots'> {
  const total = { sums: newSums(), pivots: Array.from({ length: pivots }, newSums) }
  for (const row of rows) {
    addSums(total.sums, row.sums)
    row.pivots.forEach((sums, index) => addSums(total.pivots[index]!, sums))
  }
  return total
}
