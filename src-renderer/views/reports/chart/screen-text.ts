import { roughWidth, type TextWidth } from './drawing'
import { fontFamily } from './picture'

const known = new Map<string, number>()
const maxKnown = 5_000
let context: CanvasRenderingContext2D | null | undefined

/** Measures text with the window's fonts, and caches the results. */
export const screenWidth: TextWidth = (text, size, bold = false) => {
  const key = `${size}${bold ? 'b' : ''}${text}`
  const found = known.get(key)
  if (found !== undefined) return found
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return roughWidth(text, size, bold)
  context.font = `${bold ? 600 : 400} ${size}px ${fontFamily}`
  // Tabular digits are slightly wider than measured by the canvas.
  const width = context.measureText(text).width + [...text.matchAll(/1/g)].length * size * 0.22
  if (known.size >= maxKnown) known.clear()
  known.set(key, width)
  return width
}
