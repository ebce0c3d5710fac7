import { RecordSplitter, type Separator } from './records'
import { isGap } from './texts'

/** Characters of a file used to detect its separator. */
const sample = 64 * 1024

/**
 * Complete records of a chunk, without the one cut off at its end.
 * @throws FaultError `invalid`
 */
export function recordsOf(text: string, separator: Separator): string[][] {
  const found: string[][] = []
  let cells: string[] = []
  const splitter = new RecordSplitter(separator, {
    cell: (bytes, start, end) => void cells.push(Buffer.from(bytes.subarray(start, end)).toString()),
    record: () => {
      found.push(cells)
      cells = []
    },
  })
  splitter.push(Buffer.from(text))
  if (cells.length > 0 || !text.endsWith('\n')) endSoftly(splitter)
  return found
}

function endSoftly(splitter: RecordSplitter): void {
  try {
    splitter.end()
  } catch {
    // The sample ends inside of a cell.
  }
}

/**
 * Detects the separator of a text that starts with its header: the one with which most rows are as wide as the header.
 * Headers and texts may contain the others. If several match, prefers one that fits the quotes, then the tab, then the
 * one with the wider header.
 */
export function separatorOf(text: string, among: readonly Separator[] = ['\t', ';', ',']): Separator {
  const cut = text.length > sample
  const piece = text.slice(0, sample).replace(/^(?:[ \t]*\r?\n)+/, '')
  const read = among.map((separator) => ({ separator, ...widthsOf(piece, separator, cut) }))
  const wide = read.filter(({ width }) => width > 1)
  if (wide.length === 0) return isCommaColumn(piece, cut) ? ';' : ofOneCell(read)
  const ranked = wide.map(({ separator, width, widths }) => {
    const fits = widths.filter((one) => one === width).length / Math.max(1, widths.length)
    return { separator, rank: [fits, Number(goesWithQuotes(piece, separator)), Number(separator === '\t'), width] }
  })
  return ranked.reduce((best, one) => (isAbove(one.rank, best.rank) ? one : best)).separator
}

function isAbove(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((one, at) => one !== other[at])
  return at >= 0 && rank[at]! > other[at]!
}

/** Cells of the header, and of each row. */
function widthsOf(piece: string, separator: Separator, cut: boolean): { width: number; widths: number[] } {
  try {
    const [header = [], ...all] = recordsOf(piece, separator)
    const rows = (cut ? all.slice(0, -1) : all).filter((cells) => cells.length > 1 || cells[0] !== '')
    return { width: header.length, widths: rows.map(({ length }) => length) }
  } catch {
    // Quotes close in the middle of a cell.
    return { width: 1, widths: [] }
  }
}

/** True if quotes in the header enclose whole cells. */
function goesWithQuotes(piece: string, separator: Separator): boolean {
  const cell = `(?:"(?:[^"]|"")*"|[^"${separator}\\r\\n]*)`
  return new RegExp(`^${cell}(?:${separator}${cell})*\\r?(?:\\n|$)`).test(piece)
}

/** Separator of a file with a single header cell: one that leaves each row a single cell, unless all rows have several. */
function ofOneCell(read: readonly { separator: Separator; widths: readonly number[] }[]): Separator {
  const rows = read.filter(({ widths }) => widths.length > 0)
  if (rows.some(({ widths: [first = 1, ...rest] }) => first > 1 && rest.every((one) => one === first))) return ','
  const whole = rows.filter(({ widths }) => widths.every((one) => one === 1)).map(({ separator }) => separator)
  return whole.includes(',') ? ',' : (whole[0] ?? ',')
}

/** True for a single column: a one-cell header above numbers only, some with a decimal comma. */
function isCommaColumn(piece: string, cut: boolean): boolean {
  const lines = piece.split(/\r?\n/).slice(1, cut ? -1 : undefined)
  const numbers = lines.filter((line) => line !== '""' && !isGap(line))
  return numbers.some((line) => line.includes(',')) && numbers.every((line) => /^-?\d+(?:,\d+)?%?$/.test(line))
}

/** A number with a comma that can't separate thousands. */
const decimalOnly = /^-?(?:0\d*,\d+|\d+,(?:\d{1,2}|\d{4,})|\d{4,},\d+)%?$/

/**
 * True if commas are decimal. `samples`: cells of columns that would then be numeric. With semicolons they are
 * decimal unless points are, with tabs only if one of them can't separate thousands.
 */
export function writesDecimalCommas(separator: Separator, samples: readonly (readonly string[])[]): boolean {
  const some = (pattern: RegExp): boolean => samples.some((cells) => cells.some((cell) => pattern.test(cell)))
  if (separator === ';') return some(/^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+%?$/) || !some(/^-?\d+\.\d+%?$/)
  return separator === '\t' && some(decimalOnly)
}

/** Number format of a file. `thousands`: undefined if thousands have no separator, or an uncertain one. */
export interface Marks {
  decimal: '.' | ','
  thousands?: '.' | ','
}

/** Number format of programs and services. */
export const pointMarks: Marks = { decimal: '.' }
/** All supported number formats. */
export const allMarks: readonly Marks[] = [
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: '.' },
]

/** Matches a number that only this format has: `1.5`, `1,234.5`, or `1,234,567`, with commas `1,5` and so on. */
function certain({ decimal, thousands }: Marks): RegExp {
  const [point, group] = [`\\${decimal}`, `\\${thousands}\\d{3}`]
  const alone = `0\\d*${point}\\d+|\\d+${point}(?:\\d{1,2}|\\d{4,})|\\d{4,}${point}\\d+`
  return new RegExp(`^-?(?:${alone}|\\d{1,3}(?:${group})+${point}\\d+|\\d{1,3}(?:${group}){2,})%?$`)
}
const certainMarks = allMarks.map((marks) => ({ marks, pattern: certain(marks) }))

/**
 * Detects the number format of a file. Reads thousands only if the numbers leave no doubt.
 * @param samples cells of numeric columns: first those of known metrics, then those that only look numeric
 */
export function marksOf(separator: Separator, ...samples: readonly (readonly (readonly string[])[])[]): Marks {
  for (const columns of samples) {
    const found = certainMarks.filter(({ pattern }) =>
      columns.some((cells) => cells.some((cell) => pattern.test(cell))),
    )
    if (found.length === 1) return found[0]!.marks
    if (found.length > 1) break
  }
  return { decimal: writesDecimalCommas(separator, samples[0] ?? []) ? ',' : '.' }
}

/** A number with a decimal point and without marks of thousands. Other texts stay unchanged. */
export function unmarked(text: string, { decimal, thousands }: Marks): string {
  const whole = thousands ? `(?:\\d+|\\d{1,3}(?:\\${thousands}\\d{3})+)` : '\\d+'
  if (!new RegExp(`^-?${whole}(?:\\${decimal}\\d+)?%?$`).test(text)) return text
  return (thousands ? text.replaceAll(thousands, '') : text).replace(decimal, '.')
}
