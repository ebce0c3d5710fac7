import { audienceShare, audiences } from './audience'
import type { Span } from './days'
import { conversionCost, convert, deliver, type Moment } from './delivery'
import type { Dimension, Spot } from './dimensions'
import type { Filter } from './filters'
import type { InsertedConversion } from './inserted'
import { addSums, conversionStart, measureCount, measureIndex as at, newSums, type Sums } from './measures'
import type { Activity, Cell, Tree } from './tree'

/** What the generator works from: the campaigns as they are now, what clients inserted, and the clock. */
export interface Source {
  tree: Tree
  inserted: readonly InsertedConversion[]
  moment: Moment
}

export interface Query {
  span: Span
  dimensions: readonly Dimension[]
  filters?: readonly Filter[]
  /** Whether conversions are asked for at all. */
  conversions: boolean
  /** Sums of conversions for each of these beside the sums of the row. */
  pivots?: ReadonlyArray<(spot: Spot) => boolean>
}

export interface Row {
  /** One for each dimension. */
  values: string[]
  ids: Array<string | undefined>
  sums: Sums
  pivots: Sums[]
}

/**
 * Adds up what was delivered by any set of dimensions. Every row is a sum over the same smallest figures, whatever the
 * dimensions: so rows add up to totals, days to ranges, and a filter only leaves rows out. Rows come sorted by their values.
 */
export function runQuery({ tree, inserted, moment }: Source, query: Query): Row[] {
  const { dimensions, span, filters = [], pivots = [] } = query
  const grains = new Set([...dimensions, ...filters].map(({ grain }) => grain))
  const byAudience = grains.has('audience')
  const byActivity = dimensions.some(({ grain }) => grain === 'activity')
  const of = (...wanted: string[]): Filter[] => filters.filter(({ grain }) => wanted.includes(grain))
  const passes = (list: Filter[], spot: Spot): boolean => list.every((filter) => filter.test(spot))
  const [onEntity, onDay, onAudience, onActivity] = [of('entity'), of('date'), of('audience'), of('activity')]
  const rows = new Map<string, Row>()
  const placed = dimensions.map((dimension, index) => ({ dimension, index }))
  const byGrain = (wanted: string): typeof placed => placed.filter(({ dimension }) => dimension.grain === wanted)
  const [entityDims, dateDims, audienceDims, activityDims] = [
    byGrain('entity'),
    byGrain('date'),
    byGrain('audience'),
    byGrain('activity'),
  ]
  const keyOf = (list: typeof placed, spot: Spot): string => {
    let key = ''
    for (const { dimension } of list) key += `${dimension.value(spot)}\u0000`
    return key
  }
  const dayKeys = new Map<number, string>()
  const dayKey = (spot: Spot): string => {
    if (dateDims.length === 0) return ''
    let key = dayKeys.get(spot.day)
    if (key === undefined) dayKeys.set(spot.day, (key = keyOf(dateDims, spot)))
    return key
  }
  const rowOf = (entityKey: string, spot: Spot): Row => {
    let key = entityKey + dayKey(spot)
    if (audienceDims.length > 0) key += keyOf(audienceDims, spot)
    if (activityDims.length > 0) key += keyOf(activityDims, spot)
    let row = rows.get(key)
    if (!row) {
      row = {
        values: dimensions.map((dimension) => dimension.value(spot)),
        ids: dimensions.map((dimension) => dimension.id?.(spot)),
        sums: newSums(),
        pivots: pivots.map(newSums),
      }
      rows.set(key, row)
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
    audiences.forEach((audience, index) => {
      spot.audience = audience
      if (!passes(onAudience, spot)) return
      if (audienceShare(sums, index, cell.seed, spot.day, part)) to(part)
    })
    spot.audience = undefined
  }
  for (const cell of tree.cells) {
    const from = Math.max(span.from, cell.from)
    const to = Math.min(span.to, cell.to, moment.today)
    spot.place = cell
    spot.activity = undefined
    if (to < from || !passes(onEntity, spot)) continue
    const paidByConversion = cell.pricing.type === 'PRICING_TYPE_CPA'
    const key = keyOf(entityDims, spot)
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
          spread(cell, converted, (sums) => addConversions(rowOf(key, spot), spot, sums))
        })
        spot.activity = undefined
      }
      if (byActivity) continue
      spread(cell, delivered, (sums) => addSums(rowOf(key, spot).sums, sums, 0, conversionStart))
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
        addConversions(rowOf(keyOf(entityDims, one), one), one, conversion.sums)
    }
  }
  return [...rows.values()].sort(byValues)
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

/** Whole numbers by size, everything else by code units, so that the order is the same everywhere. */
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

/** Every activity that cells or inserted conversions can have. */
export const activitiesOf = (tree: Tree): Activity[] => [...tree.activities.values()]
