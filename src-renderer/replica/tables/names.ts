import { parseRecordKey } from '#shared/domain/collections'
import { beginsWord, folded } from '#shared/domain/search'
import type { Row } from '../api'
import type { Head } from '../blocks/block'
import { cellAt, joined, rowAt, type Texts } from '../blocks/block-columns'
import type { Cell } from '../blocks/layout'
import type { Part } from '../blocks/window-table'

/** Consecutive folded names of blocks: folded once for all searches. */
const ofHeads = new WeakMap<Head, Texts>()
const ofLists = new WeakMap<readonly Row[], Texts>()
const ofParts = new WeakMap<Part, Texts>()
/** Folded names of rows outside blocks: an edit folds only one. */
const ofRows = new WeakMap<object, string>()
/** Row numbers by record ID. Records of several parents may have the same ID. */
const numbers = new WeakMap<object, ReadonlyMap<string, readonly number[]>>()

export const nameIn = (cell: Cell): string => (typeof cell === 'string' ? cell : '')

const foldedNames = (names: readonly string[]): Texts => joined(names.map(folded))

/** @param column the number of the column with the names */
export function namesOfBlock(head: Head, column: number): Texts {
  let names = ofHeads.get(head)
  if (!names) ofHeads.set(head, (names = ofColumn(head, column)))
  return names
}

/** Characters that folding may drop. Without them, a folded text of equal length has its letters at equal positions. */
const shortened = /[\p{M}\u{10000}-\u{10ffff}]/u

function ofColumn({ columns, sums }: Head, number: number): Texts {
  const column = columns[number]!
  if (column.kind === 'texts' && !shortened.test(column.text)) {
    const text = folded(column.text)
    if (text.length === column.text.length) return { text, ends: column.ends }
  }
  return foldedNames(Array.from(sums, (_sum, row) => nameIn(cellAt(column, row))))
}

export function namesOfList(rows: readonly Row[], title: string): Texts {
  let names = ofLists.get(rows)
  if (!names) ofLists.set(rows, (names = foldedNames(rows.map(({ value }) => nameIn(value?.[title])))))
  return names
}

/** @param column the number of the column with the names */
export function namesBeside(part: Part, column: number): Texts {
  let names = ofParts.get(part)
  if (!names) {
    const name = (row: number): string => {
      const same = part.same?.(row) ?? {}
      let text = ofRows.get(same)
      if (text === undefined) ofRows.set(same, (text = folded(nameIn(part.cell(row, column)))))
      return text
    }
    ofParts.set(part, (names = joined(Array.from({ length: part.count }, (_unused, row) => name(row)))))
  }
  return names
}

export const idsBeside = (part: Part): ReadonlyMap<string, readonly number[]> =>
  numbersById(part, part.count, (row) => parseRecordKey(part.key(row)!).id)

export const idsOfList = (rows: readonly Row[]): ReadonlyMap<string, readonly number[]> =>
  numbersById(rows, rows.length, (row) => rows[row]!.id)

/** Row numbers by ID, cached by the object that holds the rows. */
function numbersById(of: object, count: number, idOf: (row: number) => string): ReadonlyMap<string, readonly number[]> {
  let rows = numbers.get(of)
  if (!rows) {
    const found = new Map<string, number[]>()
    for (let row = 0; row < count; row++) {
      const id = idOf(row)
      const same = found.get(id)
      if (same) same.push(row)
      else found.set(id, [row])
    }
    numbers.set(of, (rows = found))
  }
  return rows
}

/** Quality of a match. 1: starts with the first term, and the others start words; 2: all start words; 3: contained. */
export type Fit = 1 | 2 | 3

type Visit = (row: number, fit: Fit, name: string) => void

/** Visits every name that begins with the first term and contains the others. */
export function scanBeginnings({ text, ends }: Texts, terms: readonly string[], visit: Visit): void {
  const first = terms[0]!
  const { length } = first
  const code = first.charCodeAt(0)
  for (let row = 0, start = 0; row < ends.length; row++) {
    const end = ends[row]!
    if (end - start >= length && text.charCodeAt(start) === code && text.startsWith(first, start)) {
      const name = text.slice(start, end)
      if (terms.length === 1) visit(row, 1, name)
      else if (terms.every((term) => name.includes(term))) visit(row, fitOf(name, terms), name)
    }
    start = end
  }
}

/**
 * Visits every name that contains all terms but doesn't begin with the first. Skips those above `bound`, once it's
 * known.
 */
export function scanInsides(
  { text, ends }: Texts,
  terms: readonly string[],
  bound: () => string | undefined,
  visit: Visit,
): void {
  const pivot = terms.reduce((longest, term) => (term.length > longest.length ? term : longest), '')
  const [first] = terms as [string]
  let row = 0
  let at = text.indexOf(pivot)
  while (at >= 0) {
    row = rowAt(ends, at, row)
    const end = ends[row]!
    if (at + pivot.length > end) {
      // The match spans two names.
      at = text.indexOf(pivot, at + 1)
      continue
    }
    const start = row === 0 ? 0 : ends[row - 1]!
    const name = text.slice(start, end)
    if (terms.every((term) => name.includes(term)) && !name.startsWith(first)) visit(row, fitOf(name, terms), name)
    const below = bound()
    if (below === undefined) at = text.indexOf(pivot, end)
    else {
      // With many candidates, comparing them is cheaper than searching each for the words.
      for (row++; row < ends.length && !mayBeBelow(text, ends[row - 1]!, ends[row]!, below);) row++
      at = row < ends.length ? text.indexOf(pivot, ends[row - 1]) : -1
    }
  }
}

function mayBeBelow(text: string, start: number, end: number, other: string): boolean {
  const length = Math.min(end - start, other.length)
  for (let at = 0; at < length; at++) {
    const by = text.charCodeAt(start + at) - other.charCodeAt(at)
    if (by !== 0) return by < 0
  }
  return end - start <= other.length
}

function fitOf(name: string, terms: readonly string[]): Fit {
  if (!terms.every((term) => beginsWord(name, term))) return 3
  return name.startsWith(terms[0]!) ? 1 : 2
}
