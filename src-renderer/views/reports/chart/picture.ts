import { fitted, maxSeries, type Drawing, type TextMark, type TextWidth } from './drawing'

/** Colors of a picture, by the names of tokens without their dashes. */
export interface Palette {
  surface: string
  text: string
  textSoft: string
  textFaint: string
  line: string
  axis: string
  rest: string
  accent: string
  /** Color of the hatching behind values that may still change. */
  warning: string
  series: readonly string[]
}

/** A standalone chart for a file, with its title above and notes below. */
export interface Picture {
  width: number
  height: number
  /** Left edge of the drawing. */
  left: number
  top: number
  drawing: Drawing
  captions: TextMark[]
}

const margin = 24

/** Frames a drawing. Texts that are wider than it are cut. */
export function pictureOf(drawing: Drawing, title: string, textWidth: TextWidth): Picture {
  const top = margin + 32
  const caption = (text: string, y: number, size: 11 | 15): TextMark => ({
    kind: 'text',
    x: margin,
    y,
    text: fitted(text, drawing.width, size, textWidth, size === 15),
    anchor: 'start',
    tone: size === 15 ? 'strong' : 'faint',
    size,
    bold: size === 15,
  })
  return {
    width: drawing.width + 2 * margin,
    height: top + drawing.height + drawing.notes.length * 16 + margin,
    left: margin,
    top,
    drawing,
    captions: [
      caption(title, margin + 12, 15),
      ...drawing.notes.map((note, at) => caption(note, top + drawing.height + 12 + at * 16, 11)),
    ],
  }
}

export const colorOf = (palette: Palette, series: number): string =>
  series >= 0 && series < maxSeries ? palette.series[series]! : palette.rest

export const textColor = (palette: Palette, { tone, series }: TextMark): string =>
  series !== undefined
    ? colorOf(palette, series)
    : { strong: palette.text, soft: palette.textSoft, faint: palette.textFaint }[tone]

export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif"
