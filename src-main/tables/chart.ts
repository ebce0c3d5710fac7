import type { ChartData, ChartSeries } from '#shared/results/questions'
import type { Column, NumberColumn } from '../report-data/column'
import { added, groupsOf, type Groups } from '../report-data/group'
import { sorted } from '../report-data/order'
import { allRows, inBlocks, type Steps } from '../report-data/steps'
import { columnFinder, metricColumn, keyColumn } from './find-column'
import type { View } from './shape'

/** Maximum number of series that people can distinguish. */
const maxSplits = 11
const others = 'Other'

/**
 * Values by `x` and by `split`. Keeps the `most` largest labels of `x`, or the latest if they're days, and combines the
 * others. Does the same with `split`.
 */
export function* chartOf(
  view: View,
  { x, metrics, split, most }: { x: string; metrics: readonly string[]; split?: string | undefined; most: number },
): Steps<ChartData> {
  const find = columnFinder(view.all)
  const measured = metrics.map((name) => metricColumn(find(name)))
  const across = keyColumn(find(x))
  const along = yield* placed(across, view, measured[0]!, most)
  const parts = split === undefined ? undefined : yield* placed(keyColumn(find(split)), view, measured[0]!, maxSplits)
  const lines = parts?.labels.length ?? 1
  const count = along.labels.length * lines
  const of = new Uint32Array(view.rows.length)
  const met = new Uint8Array(count)
  yield* inBlocks(of.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const slot = along.slots[along.of[at]!]! * lines + (parts ? parts.slots[parts.of[at]!]! : 0)
      of[at] = slot
      met[slot] = 1
    }
  })
  const series: ChartSeries[] = []
  for (const metric of measured) {
    const made = yield* added(metric, view.all, view.rows, { count, of })
    const value = plainValue(made)
    const { head, kind, adds } = metric.about
    for (let line = 0; line < lines; line++)
      series.push({
        name: parts ? `${head} · ${parts.labels[line]}` : head,
        metric: head,
        about: { kind, adds },
        values: along.labels.map((_label, place) => {
          const slot = place * lines + line
          return met[slot] ? value(slot) : null
        }),
      })
  }
  return { x: across.about, labels: along.labels, series, others: { x: along.others, split: parts?.others ?? 0 } }
}

/** Money as a number in its unit. */
const plainValue =
  ({ about, values, gaps }: NumberColumn) =>
  (at: number): number | null =>
    gaps?.[at] ? null : about.kind === 'money' ? values[at]! / 1e6 : values[at]!

interface Placed {
  labels: string[]
  /** Group of each row of the view. */
  of: Groups['of']
  /** Label index of each group. */
  slots: Uint32Array
  others: number
}

function* placed(column: Column, view: View, by: NumberColumn, most: number): Steps<Placed> {
  const groups = yield* groupsOf(view.rows, [column])
  const ordered = column.form === 'number' ? yield* inOrder(column, groups) : yield* bySize(by, view, groups)
  const left = Math.max(0, ordered.length - most)
  // For days, keep the latest.
  const kept = column.form === 'number' ? ordered.subarray(left) : ordered.subarray(0, most)
  const slots = new Uint32Array(groups.count).fill(kept.length)
  kept.forEach((group, place) => (slots[group] = place))
  const labels = [...kept].map((group) => column.text(groups.first[group]!))
  return { labels: left > 0 ? [...labels, others] : labels, of: groups.of, slots, others: left }
}

function* inOrder(column: Column, { first, count }: Groups): Steps<Uint32Array> {
  const ordered = yield* sorted(first, [{ column, descending: false }])
  const groupOf = new Map(Array.from({ length: count }, (_unused, group) => [first[group]!, group]))
  return ordered.map((row) => groupOf.get(row)!)
}

function* bySize(by: NumberColumn, view: View, groups: Groups): Steps<Uint32Array> {
  const column = yield* added(by, view.all, view.rows, groups)
  return yield* sorted(allRows(groups.count), [{ column, descending: true }])
}
