import { cellAt, rowsOfText, type Column, type Texts } from '../blocks/block-columns'
import type { Cell } from '../blocks/layout'
import type { CellTest } from './condition'
import { textOf } from './order'

/** Maximum number of distinct texts to search for individually. For more, visiting each row is faster. */
const fewTexts = 2

/** Removes rows from `fits` whose cells don't match. Tests each of a few distinct values once. */
export function keepFitting(column: Column, fits: Uint8Array, { test, words, texts }: CellTest): void {
  if (column.kind === 'codes') {
    const { codes } = column
    const known = testedCodes(column, test)
    for (let row = 0; row < fits.length; row++) fits[row]! &= known[codes[row]!]!
    return
  }
  if (column.kind === 'texts' && texts && !texts.has('')) {
    if (texts.size > fewTexts) return keepListed(column, fits, texts)
    const rows: number[] = []
    for (const text of texts) rows.push(...rowsOfText(column, text))
    return keepOnly(fits, rows)
  }
  const small = column.kind === 'texts' && words ? inSmallLetters(column) : undefined
  if (small) {
    for (const word of words!) {
      let next = 0
      eachHolding(small, word, (row) => {
        if (next < row) fits.fill(0, next, row)
        next = row + 1
      })
      fits.fill(0, next)
    }
    return
  }
  for (let row = 0; row < fits.length; row++) if (fits[row] && !test(cellAt(column, row))) fits[row] = 0
}

/** Removes all other rows from `fits`. */
function keepOnly(fits: Uint8Array, rows: readonly number[]): void {
  const both = rows.filter((row) => fits[row])
  fits.fill(0)
  for (const row of both) fits[row] = 1
}

/** Skips texts by length and last letters without copying them. */
function keepListed({ text, ends }: Texts, fits: Uint8Array, wanted: ReadonlySet<string>): void {
  const possible = new Uint8Array(256)
  const sum = (text: string, start: number, end: number): number =>
    ((end - start) * 7 + text.charCodeAt(end - 1) * 31 + text.charCodeAt(Math.max(start, end - 2)) * 17) & 255
  for (const one of wanted) possible[sum(one, 0, one.length)] = 1
  for (let row = 0, start = 0; row < fits.length; row++) {
    const end = ends[row]!
    if (fits[row])
      fits[row] = Number(end > start && possible[sum(text, start, end)] === 1 && wanted.has(text.slice(start, end)))
    start = end
  }
}

/** Marks the rows whose cells contain a lowercase word. */
export function markWord(column: Column, word: string, holds: Uint8Array): void {
  const small = column.kind === 'texts' ? inSmallLetters(column) : undefined
  if (small) return eachHolding(small, word, (row) => (holds[row] = 1))
  markCells(column, (cell) => textOf(cell).toLowerCase().includes(word), holds)
}

/** Marks the rows whose cells pass a test. */
export function markCells(column: Column, test: (cell: Cell) => boolean, holds: Uint8Array): void {
  if (column.kind === 'codes') {
    const { codes } = column
    const known = testedCodes(column, test)
    if (known.includes(1)) for (let row = 0; row < holds.length; row++) holds[row]! |= known[codes[row]!]!
    return
  }
  for (let row = 0; row < holds.length; row++) if (!holds[row] && test(cellAt(column, row))) holds[row] = 1
}

/** Test results by code. The last is that of an absent cell. */
function testedCodes({ values }: Extract<Column, { kind: 'codes' }>, test: (cell: Cell) => boolean): Uint8Array {
  const known = new Uint8Array(256)
  for (const [code, value] of values.entries()) known[code] = Number(test(value))
  known[255] = Number(test(undefined))
  return known
}

/** Lowercase texts, cached for repeated searches. */
const lowered = new WeakMap<Texts, Texts | null>()

/** Undefined if lowercasing changes the length. */
function inSmallLetters(column: Texts): Texts | undefined {
  let small = lowered.get(column)
  if (small === undefined) {
    const text = column.text.toLowerCase()
    lowered.set(column, (small = text.length === column.text.length ? { text, ends: column.ends } : null))
  }
  return small ?? undefined
}

/** Visits the rows with a word in them from the first to the last. */
export function eachHolding({ text, ends }: Texts, word: string, visit: (row: number) => void): void {
  let row = 0
  for (let at = text.indexOf(word); at >= 0;) {
    while (ends[row]! <= at) row++
    // A match that continues in the next row is in neither.
    const inside = at + word.length <= ends[row]!
    if (inside) visit(row)
    at = text.indexOf(word, inside ? ends[row] : at + 1)
  }
}
