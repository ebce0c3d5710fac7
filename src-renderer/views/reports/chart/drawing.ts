/** Marks of a chart, in CSS pixels from the top left corner. Drawn both in the window and in files. */
export type Tone = 'strong' | 'soft' | 'faint'

/** `series` selects color, dash and pattern: 0 to 5; anything else is drawn as one of many. */
export type Mark =
  | { kind: 'line'; d: string; series: number }
  | { kind: 'area'; d: string; series: number }
  | (Box & { kind: 'bar'; series: number; patterned?: boolean; unsettled?: boolean })
  | { kind: 'dot'; x: number; y: number; series: number; unsettled?: boolean }
  /** `level`, from 0 to 5, is the strength of the accent color behind a value. */
  | (Box & { kind: 'cell'; level: number; unsettled?: boolean })
  /** Background of values that may still change. */
  | (Box & { kind: 'band' })
  | { kind: 'rule'; x1: number; y1: number; x2: number; y2: number; tone: 'grid' | 'axis' }
  | TextMark

export interface TextMark {
  kind: 'text'
  x: number
  /** Baseline of the text. */
  y: number
  text: string
  anchor: Anchor
  tone: Tone
  size: TextSize
  bold?: boolean
  /** Written in the color of a series. */
  series?: number
}

export type Anchor = 'start' | 'middle' | 'end'
/** Font sizes of the window. */
export type TextSize = 11 | 13 | 15 | 20

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A value that can be hovered or reached by key. */
export interface Point {
  x: number
  y: number
  /** The mark's area, if it's more than a dot. */
  box?: Box
  series: number
  /** Place in a grid that arrows walk: `column` to the right, `row` down. */
  column: number
  row: number
  panel: number
  /** Heading, such as "3 March". */
  heading: string
  /** Name of the series. Empty if there's only one. */
  name: string
  value: string
  /** The value may still change. */
  unsettled?: boolean
  /** The whole sentence. */
  spoken: string
}

export interface Drawing {
  width: number
  height: number
  marks: Mark[]
  points: Point[]
  /** How pointers find points: by the nearest column or the nearest point. */
  seek: 'column' | 'point'
  panels: Box[]
  /** Notes about values that aren't drawn or were combined. */
  notes: string[]
}

/** Width of a text in CSS pixels. */
export type TextWidth = (text: string, size: TextSize, bold?: boolean) => number

/** Estimates text widths where no canvas is available, with a margin. */
export const roughWidth: TextWidth = (text, size, bold = false) => text.length * size * (bold ? 0.66 : 0.62)

export interface Space {
  width: number
  /** Desired height. A drawing that needs more takes more. */
  height: number
  textWidth: TextWidth
}

export const lineHeight = 16
/** Number of series that color, dash, and pattern can distinguish. */
export const maxSeries = 6
/** Elements of one drawing. */
export const maxMarks = 5_000

/** A text cut to a width, with an ellipsis; empty where not even one sign fits. */
export function fitted(text: string, width: number, size: TextSize, textWidth: TextWidth, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text
  const signs = [...text]
  let [fits, over] = [0, signs.length]
  while (over - fits > 1) {
    const half = (fits + over) >> 1
    if (textWidth(`${signs.slice(0, half).join('').trimEnd()}…`, size, bold) <= width) fits = half
    else over = half
  }
  return fits === 0 ? '' : `${signs.slice(0, fits).join('').trimEnd()}…`
}
