import type { Column, NumberColumn } from '../report-data/column'
import { taken } from '../report-data/group'
import { numberColumn } from '../report-data/numbers'
import { selected } from '../report-data/select'
import type { Steps } from '../report-data/steps'
import type { ResultTable } from '../report-data/table'
import { columnFinder, wrong } from './find-column'

/** Both among them, since 1970. */
export interface Days {
  from: number
  to: number
}

export const daysIn = ({ from, to }: Days): number => to - from + 1

/**
 * The rows of some days as a separate table. `perDay` divides additive values by the number of days, for comparison
 * with a period of a different length. Rates are the same either way.
 * @throws FaultError `invalid` if the column has no days
 */
export function* periodOf(
  { columns, length, head }: ResultTable,
  column: string,
  days: Days,
  perDay: boolean,
): Steps<ResultTable> {
  const day = columnFinder(columns)(column)
  if (day.about.kind !== 'day') throw wrong(`“${day.about.head}” has no dates.`)
  if (days.to < days.from) throw wrong('The end date is before the start date.')
  const rows = yield* selected(length, [{ column: day, condition: { how: 'between', ...days } }])
  const picked: Column[] = []
  for (const one of columns) {
    const own = yield* taken(one, rows)
    picked.push(perDay && own.form === 'number' && own.about.adds === 'sum' ? divided(own, daysIn(days)) : own)
  }
  return { head, columns: picked, length: rows.length, total: null, notes: [] }
}

/** Money keeps its micros; counts have parts now. */
function divided({ about, values, gaps, writing }: NumberColumn, by: number): NumberColumn {
  const money = about.kind === 'money'
  const kind = about.kind === 'count' ? 'number' : about.kind
  const decimals = about.kind === 'count' ? 2 : writing.decimals
  return numberColumn(
    { ...about, kind },
    Float64Array.from(values, (value) => value / by),
    gaps,
    {
      ...writing,
      decimals: money ? writing.decimals : decimals,
    },
  )
}
