import { SaxesParser } from 'saxes'
import { refused } from './picture'

const namespace = 'http://www.w3.org/2000/svg'
export const maxSvg = 20_000_000

const shape = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-linejoin',
  'stroke-dasharray',
]
/** Elements and attributes that charts of the window have. */
export const drawn: Readonly<Record<string, readonly string[]>> = {
  svg: [
    ...['xmlns', 'width', 'height', 'viewBox', 'role', 'aria-labelledby', 'aria-describedby'],
    ...['font-family', 'font-size'],
  ],
  title: ['id'],
  desc: ['id'],
  defs: [],
  pattern: ['id', 'width', 'height', 'patternUnits'],
  g: ['transform'],
  rect: ['x', 'y', 'width', 'height', 'rx', ...shape],
  circle: ['cx', 'cy', 'r', ...shape],
  line: ['x1', 'x2', 'y1', 'y2', ...shape],
  path: ['d', ...shape],
  text: ['x', 'y', 'fill', 'font-size', 'font-weight', 'text-anchor'],
}
/** Syntax that may reference other resources. Only one form is safe. */
const address = /url|[\\:@]/i
const withinFile = /^url\(#[\w-]+\)$/

/** Checks an SVG. @throws FaultError `invalid` if it isn't one, or isn't a static picture */
export function checkedSvg(text: string): string {
  if (text.length > maxSvg) throw refused('it’s too large')
  if (!text.startsWith('<svg ')) throw refused('it isn’t an SVG image')
  const refuse = (): never => {
    throw refused('it contains more than shapes and text')
  }
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', () => {
    throw refused('it isn’t complete SVG')
  })
  for (const name of ['doctype', 'processinginstruction', 'xmldecl', 'cdata', 'comment'] as const)
    parser.on(name, refuse)
  parser.on('opentag', ({ name, uri, attributes }) => {
    const allowed = Object.hasOwn(drawn, name) && uri === namespace ? drawn[name]! : refuse()
    for (const { name, value } of Object.values(attributes))
      if (!allowed.includes(name) || (name !== 'xmlns' && address.test(value) && !withinFile.test(value))) refuse()
  })
  parser.write(text).close()
  return text
}
