import { maxSeries, type Box, type Mark } from './drawing'
import { colorOf, fontFamily, textColor, type Palette, type Picture } from './picture'
import { cellStrength, dashes, hatchWidth, patterns, patternStrength, tile, unsettledHatch } from './series-style'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** Escapes text for XML. Drops characters that XML doesn't allow. */
const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (sign) => escapes[sign]!)

const attributes = (all: Record<string, string | number | undefined>): string =>
  Object.entries(all)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escaped(String(value))}"`]))
    .join('')
const element = (name: string, all: Record<string, string | number | undefined>, inside = ''): string =>
  `<${name}${attributes(all)}${inside === '' ? '/>' : `>${inside}</${name}>`}`

/** Renders a picture as self-contained SVG. Colors and sizes are attributes, and fonts are referenced by family. */
export function svgText(picture: Picture, { title, desc }: { title: string; desc: string }, palette: Palette): string {
  const { width, height, left, top, drawing, captions } = picture
  const body = [
    element('title', { id: 'title' }, escaped(title) || ' '),
    element('desc', { id: 'desc' }, escaped(desc) || ' '),
    element(
      'defs',
      {},
      patterns.map((_, series) => patternText(series, palette)).join('') +
        hatchText('behind', palette.warning) +
        hatchText('over', palette.surface),
    ),
    element('rect', { width, height, fill: palette.surface }),
    ...captions.map((mark) => markText(mark, palette)),
    element(
      'g',
      { transform: `translate(${left},${top})` },
      drawing.marks.map((mark) => markText(mark, palette)).join('\n') || ' ',
    ),
  ]
  const head = attributes({
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'aria-labelledby': 'title',
    'aria-describedby': 'desc',
    'font-family': fontFamily,
    'font-size': 11,
  })
  return `<svg${head}>\n${body.join('\n')}\n</svg>\n`
}

function patternText(series: number, palette: Palette): string {
  const pattern = patterns[series]
  const ground = element('rect', { width: tile, height: tile, fill: palette.series[series] })
  const over = !pattern
    ? ''
    : pattern.filled
      ? element('path', { d: pattern.d, fill: palette.surface, 'fill-opacity': patternStrength.filled })
      : element('path', {
          d: pattern.d,
          fill: 'none',
          stroke: palette.surface,
          'stroke-opacity': patternStrength.stroked,
          'stroke-width': hatchWidth,
        })
  return element(
    'pattern',
    { id: `p${series}`, width: tile, height: tile, patternUnits: 'userSpaceOnUse' },
    ground + over,
  )
}

function hatchText(where: 'behind' | 'over', stroke: string): string {
  const { width, strength } = unsettledHatch[where]
  return element(
    'pattern',
    { id: where, width: tile, height: tile, patternUnits: 'userSpaceOnUse' },
    element('path', {
      ...{ d: unsettledHatch.d, fill: 'none', stroke },
      'stroke-opacity': strength,
      'stroke-width': width,
    }),
  )
}
const hatched = ({ x, y, width, height }: Box, where: 'behind' | 'over'): string =>
  element('rect', { x, y, width, height, fill: `url(#${where})` })

function markText(mark: Mark, palette: Palette): string {
  switch (mark.kind) {
    case 'line':
      return element('path', {
        d: mark.d,
        fill: 'none',
        stroke: colorOf(palette, mark.series),
        'stroke-width': palette.series[mark.series] === undefined ? 1 : 2,
        'stroke-linejoin': 'round',
        'stroke-dasharray': dashes[mark.series]?.join(' ') || undefined,
      })
    case 'area':
      return element('path', { d: mark.d, fill: colorOf(palette, mark.series), 'fill-opacity': 0.12 })
    case 'bar': {
      const { x, y, width, height, series } = mark
      const patterned = mark.patterned && series >= 0 && series < maxSeries
      const fill = patterned ? `url(#p${series})` : colorOf(palette, series)
      return element('rect', { x, y, width, height, fill }) + (mark.unsettled ? hatched(mark, 'over') : '')
    }
    case 'dot':
      return element('circle', {
        cx: mark.x,
        cy: mark.y,
        r: 4,
        fill: mark.unsettled ? palette.surface : colorOf(palette, mark.series),
        'fill-opacity': mark.unsettled ? undefined : 0.8,
        stroke: mark.unsettled ? colorOf(palette, mark.series) : undefined,
        'stroke-width': mark.unsettled ? 1.5 : undefined,
      })
    case 'cell': {
      const { x, y, width, height, level } = mark
      const ground = { fill: palette.accent, 'fill-opacity': cellStrength(level) }
      return (
        element('rect', { x, y, width, height, rx: 3, ...ground }) + (mark.unsettled ? hatched(mark, 'behind') : '')
      )
    }
    case 'band':
      return hatched(mark, 'behind')
    case 'rule': {
      const { x1, x2, y1, y2, tone } = mark
      return element('line', { x1, x2, y1, y2, stroke: tone === 'grid' ? palette.line : palette.axis })
    }
    case 'text':
      return element(
        'text',
        {
          x: mark.x,
          y: mark.y,
          fill: textColor(palette, mark),
          'font-size': mark.size === 11 ? undefined : mark.size,
          'font-weight': mark.bold ? 600 : undefined,
          'text-anchor': mark.anchor === 'start' ? undefined : mark.anchor,
        },
        escaped(mark.text) || ' ',
      )
  }
}
