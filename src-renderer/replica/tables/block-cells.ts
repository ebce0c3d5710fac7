import { cellAt, rowsOfText, type Column, type Texts } from '../blocks/columns'
import type { Cell } from '../blocks/layout'
import type { CellTest } from './condition'
import { textOf } from './order'

/** Few enough that a text is searched for each of them, rather than looked at row by row. */
const fewTexts = 8

/** Takes from `fits` the rows whose cells do not. Of a few different values each is looked at once. */
export function keepFitting(column: Column, fits: Uint8Array, { test, words, texts }: CellTest): void {
  if (column.kind === 'codes') {
    const known = testedCodes(column, test)
    for (let row = 0; row < fits.length; row++) fits[row]! &= known[column.codes[row]!]!
    return
  }
  if (column.kind === 'texts' && texts && texts.length <= fewTexts && !texts.includes('')) {
    const same = new Uint8Array(fits.length)
    for (const text of texts) for (const row of rowsOfText(column, text)) same[row] = 1
    return keepBoth(fits, same)
  }
  const small = column.kind === 'texts' && words ? inSmallLetters(column) : undefined
  if (small) {
    for (const word of words!) {
      const holds = new Uint8Array(fits.length)
      markHolding(small, word, holds)
      keepBoth(fits, holds)
    }
    return
  }
  for (let row = 0; row < fits.length; row++) if (fits[row] && !test(cellAt(column, row))) fits[row] = 0
}

function keepBoth(fits: Uint8Array, others: Uint8Array): void {
  for (let row = 0; row < fits.length; row++) fits[row]! &= others[row]!
}

/** Marks the rows whose cells hold a word, which is in small letters. */
export function markWord(column: Column, word: string, holds: Uint8Array): void {
  const test = (cell: Cell): boolean => textOf(cell).toLowerCase().includes(word)
  if (column.kind === 'codes') {
    const known = testedCodes(column, test)
    for (let row = 0; row < holds.length; row++) holds[row]! |= known[column.codes[row]!]!
    return
  }
  const small = column.kind === 'texts' ? inSmallLetters(column) : undefined
  if (small) return markHolding(small, word, holds)
  for (let row = 0; row < holds.length; row++) if (!holds[row] && test(cellAt(column, row))) holds[row] = 1
}

/** Answers by code; the last is that of an absent cell. */
function testedCodes({ values }: Extract<Column, { kind: 'codes' }>, test: (cell: Cell) => boolean): Uint8Array {
  const known = new Uint8Array(256)
  for (const [code, value] of values.entries()) known[code] = Number(test(value))
  known[255] = Number(test(undefined))
  return known
}

/** Texts in small letters are made once, however often they are searched. */
const lowered = new WeakMap<Texts, Texts | null>()

/** undefined where small letters are not as many as the letters. */
function inSmallLetters(column: Texts): Texts | undefined {
  let small = lowered.get(column)
  if (small === undefined) {
    const text = column.text.toLowerCase()
    lowered.set(column, (small = text.length === column.text.length ? { text, ends: column.ends } : null))
  }
  return small ?? undefined
}

function markHolding({ text, ends }: Texts, word: string, holds: Uint8Array): void {
  let row = 0
  for (let at = text.indexOf(word); at >= 0;) {
    while (ends[row]! <= at) row++
    // One that goes on in the next row is in neither.
    const inside = at + word.length <= ends[row]!
    if (inside) holds[row] = 1
    at = text.indexOf(word, inside ? ends[row] : at + 1)
  }
}
