import type { Adding } from '#shared/facts/metrics'
import type { Column, NumberColumn } from '../report-data/column'
import { added, groupsOf, partsOf, taken } from '../report-data/group'
import { numberColumn } from '../report-data/numbers'
import { sorted } from '../report-data/order'
import { allRows, inBlocks, type Steps } from '../report-data/steps'
import { columnFinder, metricColumn, keyColumn, wrong } from './find-column'

/** Maximum number of pivoted columns. */
export const maxAcross = 200
/** Cells that are worked out at most. */
const maxCells = 20_000_000

export interface Pivoted {
  /** Keys, the row's total, and the metric for each value. */
  shown: Column[]
  /** Also the parts of rates. */
  all: Column[]
}

/**
 * Groups rows by some columns and pivots one metric by the values of another. Each value has a column, largest first,
 * or for days the latest in order. The last column combines the rest. Aggregates like groups do. A cell without rows is
 * empty.
 * @throws FaultError `invalid` for unsuitable columns or too many cells
 */
export function* pivoted(
  columns: readonly Column[],
  rows: Uint32Array,
  by: readonly Column[],
  wanted: { column: string; figure: string },
  most = maxAcross,
): Steps<Pivoted> {
  const find = columnFinder(columns)
  const across = keyColumn(find(wanted.column))
  const metric = metricColumn(find(wanted.figure))
  if (by.includes(across))
    throw wrong(`Rows are already grouped by “${across.about.head}”. Pivot by another dimension.`)
  const groups = yield* groupsOf(rows, by)
  const spread = yield* spreadOver(across, metric, columns, rows, most)
  if (groups.count * spread.heads.length > maxCells)
    throw wrong(
      `The pivot would have ${groups.count.toLocaleString('en')} rows and ${spread.heads.length} columns, which is too many. Filter the rows, or group by fewer columns.`,
    )
  const keys: Column[] = []
  for (const column of by) keys.push(yield* taken(column, groups.first))
  const parts = partsOf(metric, columns)
  const whole = yield* added(metric, columns, rows, groups)
  const hidden: Column[] = []
  if (parts) for (const part of [parts.of, parts.per]) hidden.push(yield* added(part, columns, rows, groups))
  const shown: Column[] = [...keys, whole]
  const heads = new Set([...columns, ...shown].map(({ about }) => about.head))
  const slots = yield* bySlot(rows, groups.of, spread)
  for (const [slot, own] of slots.entries()) {
    const place = { count: groups.count, of: own.of }
    const met = new Uint8Array(groups.count)
    for (const group of own.of) met[group] = 1
    const named = (column: NumberColumn, head: string, adds: Adding | null): NumberColumn => {
      const { about, values, gaps, writing } = column
      const holes = met.map((one, group) => (one === 0 ? 1 : (gaps?.[group] ?? 0)))
      return numberColumn(
        { ...about, head, field: fieldAt(about.field ?? about.head, slot), adds },
        values,
        holes,
        writing,
      )
    }
    const { adds } = metric.about
    const head = unique(spread.heads[slot]!, heads)
    const made = yield* added(metric, columns, own.rows, place)
    if (parts && adds !== null && typeof adds === 'object') {
      const { of, per } = adds
      shown.push(named(made, head, { ...adds, of: fieldAt(of, slot), per: fieldAt(per, slot) }))
      for (const part of [parts.of, parts.per])
        hidden.push(named(yield* added(part, columns, own.rows, place), `${part.about.head} · ${head}`, 'sum'))
    } else shown.push(named(made, head, adds))
  }
  return { shown, all: [...shown, ...hidden] }
}

const fieldAt = (field: string, slot: number): string => `${field}:${slot}`

function unique(head: string, known: Set<string>): string {
  let name = head
  for (let times = 2; known.has(name); times++) name = `${head} (${times})`
  known.add(name)
  return name
}

interface Spread {
  heads: string[]
  /** Column index of each row. */
  slotOf: Uint32Array
}

function* spreadOver(
  across: Column,
  metric: NumberColumn,
  columns: readonly Column[],
  rows: Uint32Array,
  most: number,
): Steps<Spread> {
  const { count, of, first } = yield* groupsOf(rows, [across])
  const inTime = across.form === 'number'
  const places = inTime ? yield* taken(across, first) : yield* added(metric, columns, rows, { count, of })
  const order = yield* sorted(allRows(count), [{ column: places, descending: !inTime }])
  const fits = count <= most ? count : most - 1
  const kept = inTime ? order.subarray(count - fits) : order.subarray(0, fits)
  const slots = new Uint32Array(count).fill(kept.length)
  kept.forEach((group, slot) => (slots[group] = slot))
  const heads = [...kept].map((group) => across.text(first[group]!) || '(empty)')
  return {
    heads: fits < count ? [...heads, `Other (${(count - fits).toLocaleString('en')})`] : heads,
    slotOf: of.map((group) => slots[group]!),
  }
}

/** The rows under each column, with the groups that they are in. */
function* bySlot(
  rows: Uint32Array,
  groupOf: Uint32Array,
  { heads, slotOf }: Spread,
): Steps<{ rows: Uint32Array; of: Uint32Array }[]> {
  const counts = new Uint32Array(heads.length)
  for (const slot of slotOf) counts[slot]!++
  const found = Array.from(counts, (count) => ({ rows: new Uint32Array(count), of: new Uint32Array(count) }))
  counts.fill(0)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const slot = slotOf[at]!
      const next = counts[slot]!++
      found[slot]!.rows[next] = rows[at]!
      found[slot]!.of[next] = groupOf[at]!
    }
  })
  return found
}
