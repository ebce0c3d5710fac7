import type { Column, NumberColumn } from './column'
import { added, groupsOf } from './group'
import { readAs, writtenAs } from './numbers'
import { allRows, atOnce } from './steps'
import type { ResultTable } from './table'

export interface TotalCheck {
  column: NumberColumn
  /** The service's text. */
  said: string
  /** Sum of the rows, in the column's format. */
  sum: string
  agrees: boolean
}

/** Compares sums with the file's line of totals: counts to one, money to a micro. Undefined without such a line. */
export function totalsOf({ columns, length, total }: ResultTable): TotalCheck[] | undefined {
  if (!total) return undefined
  const rows = allRows(length)
  const groups = atOnce(groupsOf(rows, []))
  return columns.flatMap((column, at): TotalCheck[] => {
    const said = total[at] ?? ''
    if (!addsUp(column) || !/\d/.test(said)) return []
    const theirs = readAs(column, said) ?? NaN
    // A report without rows has zeros.
    const ours = length === 0 ? 0 : (atOnce(added(column, columns, rows, groups)).values[0] ?? 0)
    const sum = writtenAs(column, ours)
    return [{ column, said, sum, agrees: Math.abs(ours - theirs) <= tolerance(column, ours) }]
  })
}

const addsUp = (column: Column): column is NumberColumn => column.form === 'number' && column.about.adds === 'sum'

/** Tolerance, because sums of fractions aren't exact. */
const tolerance = ({ about }: NumberColumn, sum: number): number =>
  about.kind === 'count' || about.kind === 'money' ? 0 : Math.abs(sum) * 1e-9
