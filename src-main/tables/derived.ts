import type { z } from 'zod'
import type { derivedSchema } from '#shared/results/questions'
import type { ColumnAbout } from '#shared/results/result-columns'
import type { Column, NumberColumn, Writing } from '../report-data/column'
import { noTotal, partsOf, rateOf, type Parts } from '../report-data/group'
import { numberColumn } from '../report-data/numbers'
import { inBlocks, type Steps } from '../report-data/steps'

type Derived = z.output<typeof derivedSchema>

/** Rows of a mean. */
const week = 7

/** True if the column depends on the order of rows. */
export const needsOrder = (how: Derived['how']): boolean => how === 'running' || how === 'mean7'

/**
 * Computes a column with the length of another, filled in at `rows`, in their order: share of the total, running sum,
 * average of the last seven rows (empty before the seventh), or index. The index is 100 for the rate of all rows, or
 * for the mean of all values. Rates are computed from the sums of their parts. `---` if values don't add up.
 * @param all columns in which a rate finds its parts
 */
export function* derived(
  { head, how }: Pick<Derived, 'head' | 'how'>,
  column: NumberColumn,
  all: readonly Column[],
  rows: Uint32Array,
): Steps<NumberColumn> {
  const values = new Float64Array(column.length)
  const holes = new Uint8Array(column.length).fill(1)
  const sums = sumsOf(column, all)
  const money = column.about.kind === 'money'
  const put = (row: number, value: number): void => {
    if (!Number.isFinite(value)) return
    values[row] = money && needsOrder(how) ? Math.round(value) : value
    holes[row] = 0
  }
  if (!sums || (how === 'share' && sums.parts)) for (const row of rows) holes[row] = noTotal
  else if (needsOrder(how)) yield* alongRows(sums, how === 'mean7' ? week : undefined, rows, put)
  else yield* againstAll(sums, how === 'share', column, rows, put)
  return numberColumn({ head, ...kindOf(how, column) }, values, holes, writingOf(how, column))
}

/** Columns that sum up to a metric: the metric itself, or the parts of a rate. */
interface Sums {
  over: NumberColumn
  parts: Parts | undefined
}

function sumsOf(column: NumberColumn, all: readonly Column[]): Sums | undefined {
  if (column.about.adds === 'sum') return { over: column, parts: undefined }
  const parts = partsOf(column, all)
  return parts && { over: parts.of, parts }
}

/** Running sums of a metric and its divisor, and the number of rows with a value. */
class Running {
  over = 0
  under = 0
  met = 0
  readonly #sums: Sums

  constructor(sums: Sums) {
    this.#sums = sums
  }

  add(row: number): void {
    const { over, parts } = this.#sums
    if (!over.gaps?.[row]) {
      this.over += over.values[row]!
      this.met++
    }
    if (parts && !parts.per.gaps?.[row]) this.under += parts.per.values[row]!
  }

  get sum(): number {
    const { parts } = this.#sums
    if (parts) return this.met > 0 ? rateOf(parts, this.over, this.under) : NaN
    return this.met > 0 ? this.over : NaN
  }

  get mean(): number {
    return this.#sums.parts ? this.sum : this.over / this.met
  }
}

function* alongRows(
  sums: Sums,
  back: number | undefined,
  rows: Uint32Array,
  put: (row: number, value: number) => void,
): Steps<void> {
  const running = new Running(sums)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      if (back === undefined) {
        running.add(rows[at]!)
        put(rows[at]!, running.sum)
      } else if (at + 1 >= back) {
        const window = new Running(sums)
        for (let before = at + 1 - back; before <= at; before++) window.add(rows[before]!)
        put(rows[at]!, window.mean)
      }
    }
  })
}

function* againstAll(
  sums: Sums,
  share: boolean,
  { values, gaps }: NumberColumn,
  rows: Uint32Array,
  put: (row: number, value: number) => void,
): Steps<void> {
  const running = new Running(sums)
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) running.add(rows[at]!)
  })
  const whole = share ? running.sum : running.mean / 100
  yield* inBlocks(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows[at]!
      if (!gaps?.[row]) put(row, values[row]! / whole)
    }
  })
}

function kindOf(how: Derived['how'], { about }: NumberColumn): Pick<ColumnAbout, 'kind' | 'adds'> {
  if (how === 'share') return { kind: 'percent', adds: about.adds === 'sum' ? 'sum' : 'whole' }
  if (how === 'index') return { kind: 'number', adds: 'whole' }
  return { kind: how === 'mean7' && about.kind === 'count' ? 'number' : about.kind, adds: 'whole' }
}

function writingOf(how: Derived['how'], { about, writing }: NumberColumn): Writing {
  if (how === 'share') return { decimals: 4, percents: true }
  if (how === 'index') return { decimals: 1, percents: false }
  return how === 'mean7' && about.kind === 'count' ? { decimals: 2, percents: false } : writing
}
