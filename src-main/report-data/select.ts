import type { Column } from './column'
import { allRows, inBlocks, type Steps } from './steps'

/** Condition of a cell, on its displayed value. Ignores the case of texts. */
export type Condition = OneOf | Containing | Between
type OneOf = { how: 'is' | 'isNot'; texts: readonly string[] }
type Containing = { how: 'contains' | 'containsNot'; text: string }
/** Bounds in the column's units: money in micros, fractions of one, days since 1970. */
type Between = { how: 'between'; from?: number; to?: number }

export interface Filter {
  column: Column
  condition: Condition
}

/** Indexes of the rows that match all filters, in order. */
export function* selected(length: number, filters: readonly Filter[]): Steps<Uint32Array> {
  let rows = allRows(length)
  for (const { column, condition } of filters) {
    const holds = testOf(column, condition)
    const left = new Uint32Array(rows.length)
    let kept = 0
    yield* inBlocks(rows.length, (from, to) => {
      let next = kept
      for (let at = from; at < to; at++) {
        const row = rows[at]!
        if (holds(row)) left[next++] = row
      }
      kept = next
    })
    rows = left.slice(0, kept)
  }
  return rows
}

function testOf(column: Column, condition: Condition): (row: number) => boolean {
  if (condition.how === 'between') {
    if (column.form === 'text') return () => false
    const { values, gaps } = column
    const { from = -Infinity, to = Infinity } = condition
    return (row) => !gaps?.[row] && values[row]! >= from && values[row]! <= to
  }
  const holds = textTest(condition)
  if (column.form === 'number') return (row) => holds(column.text(row))
  // Test each distinct text once, and look up the result for each row.
  const answers = Uint8Array.from(column.texts, (text) => Number(holds(text)))
  const { codes } = column
  return (row) => answers[codes[row]!] === 1
}

/** Text for comparing without case. A sigma at the end of a word equals any other. */
export const folded = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

function textTest(condition: OneOf | Containing): (text: string) => boolean {
  if ('texts' in condition) {
    const wanted = new Set(condition.texts.map(folded))
    const is = condition.how === 'is'
    return (text) => wanted.has(folded(text)) === is
  }
  const part = folded(condition.text)
  const contains = condition.how === 'contains'
  return (text) => folded(text).includes(part) === contains
}
