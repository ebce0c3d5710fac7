import type { Json } from '#shared/json'
import type { Cell } from './layout'

/**
 * The cells of one column of a block in their smallest form: numbers, codes for a few distinct values, or consecutive
 * texts. Plain data and typed arrays, stored and held unchanged.
 */
export type Column =
  | { kind: 'numbers'; values: Float64Array }
  | { kind: 'codes'; values: readonly Json[]; codes: Uint8Array }
  | { kind: 'texts'; text: string; ends: Uint32Array }
  | { kind: 'any'; values: readonly (Json | null)[]; absent: Uint8Array }

/** Maximum number of coded values. 255 is an absent value. */
const maxCodes = 255

export function columnOf(cells: readonly Cell[]): Column {
  if (cells.every((cell) => typeof cell === 'number')) return { kind: 'numbers', values: Float64Array.from(cells) }
  return codesOf(cells) ?? textsOf(cells) ?? anyOf(cells)
}

function codesOf(cells: readonly Cell[]): Column | undefined {
  const plain = new Map<Json, number>()
  // Objects and lists by their JSON, in a map of their own, because a text may equal that JSON.
  const spelt = new Map<Json, number>()
  const values: Json[] = []
  const codes = new Uint8Array(cells.length)
  // Codes only pay off if values repeat.
  const most = Math.min(maxCodes, Math.max(2, cells.length >> 1))
  for (const [row, cell] of cells.entries()) {
    if (cell === undefined) {
      codes[row] = maxCodes
      continue
    }
    const [known, name] = typeof cell === 'object' && cell !== null ? [spelt, JSON.stringify(cell)] : [plain, cell]
    let code = known.get(name)
    if (code === undefined) {
      if (values.length === most) return undefined
      known.set(name, (code = values.length))
      values.push(cell)
    }
    codes[row] = code
  }
  return { kind: 'codes', values, codes }
}

function textsOf(cells: readonly Cell[]): Column | undefined {
  if (!cells.every((cell) => typeof cell === 'string')) return undefined
  return { kind: 'texts', ...joined(cells) }
}

function anyOf(cells: readonly Cell[]): Column {
  const values = cells.map((cell) => cell ?? null)
  return { kind: 'any', values, absent: Uint8Array.from(cells, (cell) => (cell === undefined ? 1 : 0)) }
}

export function cellAt(column: Column, row: number): Cell {
  switch (column.kind) {
    case 'numbers':
      return column.values[row]
    case 'codes': {
      const code = column.codes[row]!
      return code === maxCodes ? undefined : column.values[code]
    }
    case 'texts':
      return textAt(column, row)
    case 'any':
      return column.absent[row] === 1 ? undefined : column.values[row]
  }
}

/** Texts end to end, and where each ends. */
export interface Texts {
  text: string
  ends: Uint32Array
}

export function joined(texts: readonly string[]): Texts {
  const ends = new Uint32Array(texts.length)
  let end = 0
  texts.forEach((text, index) => (ends[index] = end += text.length))
  return { text: texts.join(''), ends }
}

export const textAt = ({ text, ends }: Texts, index: number): string =>
  text.slice(index === 0 ? 0 : ends[index - 1], ends[index])

/** Indexes of all rows with a text. */
export function rowsOfText({ text, ends }: Texts, one: string): number[] {
  const found: number[] = []
  for (let at = text.indexOf(one); at >= 0 && one !== ''; at = text.indexOf(one, at + 1)) {
    const row = rowAt(ends, at)
    if ((row === 0 ? 0 : ends[row - 1]) === at && ends[row] === at + one.length) found.push(row)
  }
  return found
}

/** Index of the text that contains a character, searched from `from`. Finds one of the next few at once. */
export function rowAt(ends: Uint32Array, at: number, from = 0): number {
  let row = from
  let step = 1
  while (row + step < ends.length && ends[row + step - 1]! <= at) {
    row += step
    step *= 2
  }
  let last = Math.min(row + step, ends.length) - 1
  while (row < last) {
    const middle = (row + last) >> 1
    if (ends[middle]! > at) last = middle
    else row = middle + 1
  }
  return row
}
