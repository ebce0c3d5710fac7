import { FaultError } from '#shared/fault'
import type { Box, Mark } from './drawing'
import { colorOf, fontFamily, textColor, type Palette, type Picture } from './picture'
import { cellStrength, dashes, hatchWidth, patterns, patternStrength, tile, unsettledHatch } from './series-style'

/** Device pixels that a picture has at most on a side. */
const maxSide = 16_384

/**
 * Renders a picture as PNG on a canvas, because an SVG image couldn't use the window's fonts. A `scale` of 2 doubles
 * the resolution.
 * @throws FaultError if memory runs out
 */
export async function pngOf(picture: Picture, palette: Palette, scale: 1 | 2): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, left, top, drawing, captions } = picture
  const canvas = document.createElement('canvas')
  const by = Math.min(scale, maxSide / width, maxSide / height)
  canvas.width = Math.round(width * by)
  canvas.height = Math.round(height * by)
  const context = canvas.getContext('2d')
  if (!context) throw tooLarge()
  context.scale(by, by)
  context.fillStyle = palette.surface
  context.fillRect(0, 0, width, height)
  const grounds: Grounds = {
    series: patterns.map((_, series) => groundOf(context, series, palette, by)),
    behind: hatchOf(context, 'behind', palette.warning, by),
    over: hatchOf(context, 'over', palette.surface, by),
  }
  for (const mark of captions) paint(context, mark, palette, grounds)
  context.translate(left, top)
  for (const mark of drawing.marks) paint(context, mark, palette, grounds)
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/png'))
  if (!blob) throw tooLarge()
  return new Uint8Array(await blob.arrayBuffer())
}

const tooLarge = (): FaultError =>
  new FaultError({ code: 'invalid', message: 'Not enough memory for an image of this size. No file was written.' })

type Ground = CanvasPattern | string
interface Grounds {
  series: readonly Ground[]
  behind: Ground
  over: Ground
}

/** A tile of a pattern, as sharp as the picture. */
function groundOf(context: CanvasRenderingContext2D, series: number, palette: Palette, by: number): Ground {
  const pattern = patterns[series]
  const color = palette.series[series]!
  if (!pattern) return color
  const tiled = tiledBy(context, by, (inner) => {
    inner.fillStyle = color
    inner.fillRect(0, 0, tile, tile)
    inner.globalAlpha = pattern.filled ? patternStrength.filled : patternStrength.stroked
    inner.fillStyle = inner.strokeStyle = palette.surface
    inner.lineWidth = hatchWidth
    if (pattern.filled) inner.fill(new Path2D(pattern.d))
    else inner.stroke(new Path2D(pattern.d))
  })
  return tiled ?? color
}

/** Hatching of values that may still change, transparent in between. */
const hatchOf = (context: CanvasRenderingContext2D, where: 'behind' | 'over', color: string, by: number): Ground =>
  tiledBy(context, by, (inner) => {
    inner.globalAlpha = unsettledHatch[where].strength
    inner.strokeStyle = color
    inner.lineWidth = unsettledHatch[where].width
    inner.stroke(new Path2D(unsettledHatch.d))
  }) ?? 'transparent'

function tiledBy(
  context: CanvasRenderingContext2D,
  by: number,
  painted: (inner: CanvasRenderingContext2D) => void,
): CanvasPattern | null {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.round(tile * by)
  const inner = canvas.getContext('2d')
  if (!inner) return null
  inner.scale(canvas.width / tile, canvas.width / tile)
  painted(inner)
  const made = context.createPattern(canvas, 'repeat')
  made?.setTransform(new DOMMatrix().scale(tile / canvas.width))
  return made
}

function hatch(context: CanvasRenderingContext2D, { x, y, width, height }: Box, ground: Ground): void {
  context.globalAlpha = 1
  context.fillStyle = ground
  context.fillRect(x, y, width, height)
}

function paint(context: CanvasRenderingContext2D, mark: Mark, palette: Palette, grounds: Grounds): void {
  context.save()
  switch (mark.kind) {
    case 'line':
      context.strokeStyle = colorOf(palette, mark.series)
      context.lineWidth = palette.series[mark.series] === undefined ? 1 : 2
      context.lineJoin = 'round'
      context.setLineDash([...(dashes[mark.series] ?? [])])
      context.stroke(new Path2D(mark.d))
      break
    case 'area':
      context.globalAlpha = 0.12
      context.fillStyle = colorOf(palette, mark.series)
      context.fill(new Path2D(mark.d))
      break
    case 'bar':
      context.fillStyle = (mark.patterned ? grounds.series[mark.series] : undefined) ?? colorOf(palette, mark.series)
      context.fillRect(mark.x, mark.y, mark.width, mark.height)
      if (mark.unsettled) hatch(context, mark, grounds.over)
      break
    case 'dot':
      context.globalAlpha = mark.unsettled ? 1 : 0.8
      context.fillStyle = mark.unsettled ? palette.surface : colorOf(palette, mark.series)
      context.beginPath()
      context.arc(mark.x, mark.y, 4, 0, 2 * Math.PI)
      context.fill()
      context.strokeStyle = colorOf(palette, mark.series)
      context.lineWidth = 1.5
      if (mark.unsettled) context.stroke()
      break
    case 'cell':
      context.globalAlpha = cellStrength(mark.level)
      context.fillStyle = palette.accent
      context.beginPath()
      context.roundRect(mark.x, mark.y, mark.width, mark.height, 3)
      context.fill()
      if (mark.unsettled) hatch(context, mark, grounds.behind)
      break
    case 'band':
      hatch(context, mark, grounds.behind)
      break
    case 'rule':
      context.strokeStyle = mark.tone === 'grid' ? palette.line : palette.axis
      context.lineWidth = 1
      context.beginPath()
      context.moveTo(mark.x1, mark.y1)
      context.lineTo(mark.x2, mark.y2)
      context.stroke()
      break
    case 'text':
      context.fillStyle = textColor(palette, mark)
      context.font = `${mark.bold ? 600 : 400} ${mark.size}px ${fontFamily}`
      context.textAlign = ({ start: 'left', middle: 'center', end: 'right' } as const)[mark.anchor]
      context.fillText(mark.text, mark.x, mark.y)
      break
  }
  context.restore()
}
