import type { CellKind } from '#shared/results/result-columns'
import type { PdfText } from './pdf-text'

export type Paper = 'A4' | 'Letter'

/** All lengths are in points. */
export interface PageLayout {
  width: number
  height: number
  /** Font size. */
  size: number
  columns: number[]
}

export const margin = 36
/** Padding on both sides of a cell's text. */
export const padding = 4
const sizes = [9, 8, 7] as const
/** Paper sizes of printers (short side, long side), the smallest first. */
const papers: Readonly<Record<Paper, readonly (readonly [number, number])[]>> = {
  A4: [
    [595.28, 841.89],
    [841.89, 1190.55],
    [1190.55, 1683.78],
  ],
  Letter: [
    [612, 792],
    [792, 1224],
    [1224, 1584],
  ],
}
/** Maximum page size of the format. */
const widest = 14_400
const maxInRow = 7
const narrowest = 24

export interface Measured {
  kind: CellKind
  head: string
  /** The longest text of the column, and the longest word. */
  longest: string
  word: string
}

/** Maximum number of columns that fit on any page size. */
export const maxPdfColumns = Math.floor((widest - 2 * margin) / narrowest)

/**
 * Chooses paper, font size, and column widths: as requested, and if columns would be too narrow, with a smaller font, then
 * on larger paper.
 */
export function pageLayout(columns: readonly Measured[], paper: Paper, text: PdfText): PageLayout {
  const [first, ...larger] = papers[paper]
  const [short, long] = first!
  const sheets: (readonly [width: number, height: number])[] = [
    columns.length > maxInRow ? [long, short] : [short, long],
    ...(columns.length > maxInRow ? [] : ([[long, short]] as const)),
    ...larger.map(([one, other]): [number, number] => [other, one]),
  ]
  for (const [width, height] of sheets)
    for (const size of sizes) {
      const { least, wished } = needs(columns, size, text)
      const room = width - 2 * margin
      if (sum(least) <= room) return { width, height, size, columns: shared(least, wished, room) }
    }
  const size = sizes.at(-1)!
  const { least, wished } = needs(columns, size, text)
  const room = Math.min(sum(least), widest - 2 * margin)
  // Wider than any paper: text wraps inside its column.
  const scale = Math.min(1, (room - least.length * narrowest) / Math.max(1, sum(least) - least.length * narrowest))
  const fitted = least.map((one) => narrowest + (one - narrowest) * scale)
  const height = Math.min(widest, Math.max(sheets.at(-1)![1], room / 2))
  return { width: room + 2 * margin, height, size, columns: sum(least) <= room ? shared(least, wished, room) : fitted }
}

/** Minimum readable widths of columns, and the widths without wrapping. */
function needs(columns: readonly Measured[], size: number, text: PdfText): { least: number[]; wished: number[] } {
  const longestWord = (words: string): string =>
    words.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), '')
  const least: number[] = []
  const wished: number[] = []
  for (const { kind, head, longest, word } of columns) {
    const sides = 2 * padding + 2
    const whole = text.width(longest.slice(0, 200), 'bold', size)
    const headWord = text.width(longestWord(head).slice(0, 40), 'bold', size)
    const most = size * 11
    // Keep numbers, dates, and IDs on one line if possible.
    const body =
      kind === 'text' ? Math.min(text.width(word.slice(0, 40), 'plain', size), most) : Math.min(whole, size * 22)
    least.push(Math.max(narrowest, body + sides, Math.min(headWord, most) + sides))
    wished.push(Math.max(least.at(-1)!, whole + sides, text.width(head.slice(0, 60), 'bold', size) + sides))
  }
  return { least, wished }
}

/** Distributes the remaining width in proportion to what columns still need. */
function shared(least: readonly number[], wished: readonly number[], room: number): number[] {
  const wish = sum(wished) - sum(least)
  const part = wish > 0 ? Math.min(1, (room - sum(least)) / wish) : 0
  return least.map((one, at) => one + (wished[at]! - one) * part)
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
