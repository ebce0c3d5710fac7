import { SaxesParser } from 'saxes'

/** Days from the end of 1899, the epoch of workbooks, to 1970, and the additional days of the 1904 epoch. */
const untilUnix = 25_569
const later = 1_462

/** Built-in formats that show a day. */
const builtIn: ReadonlySet<number> = new Set([14, 15, 16, 17, 22])

/** Ends of format parts that are literal or hidden. */
const closing: Readonly<Record<string, string>> = { '"': '"', '[': ']' }

/** True if a format shows a number as a day: `yyyy-mm-dd`, not `0.00 "days"`. Runs in linear time. */
function showsDays(code: string): boolean {
  let until = ''
  for (let at = 0; at < code.length; at++) {
    const sign = code[at]!
    if (until !== '') until = sign === until ? '' : until
    else if (sign === '\\' || sign === '_') at++
    else if (/[dy]/i.test(sign)) return true
    else until = closing[sign] ?? ''
  }
  return false
}

/** The styles of cells, by their place in `xl/styles.xml`, that show a number as a day. */
export function dayStyles(xml: string): ReadonlySet<number> {
  const shown = new Map<number, boolean>()
  const days = new Set<number>()
  let [inside, count] = [false, 0]
  const used: number[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => {
    if (name === 'numFmt') shown.set(Number(attributes['numFmtId']), showsDays(attributes['formatCode'] ?? ''))
    else if (name === 'cellXfs') inside = true
    else if (name === 'xf' && inside) used[count++] = Number(attributes['numFmtId'] ?? 0)
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'cellXfs') inside = false
  })
  parser.write(xml).close()
  for (const [style, format] of used.entries()) if (shown.get(format) ?? builtIn.has(format)) days.add(style)
  return days
}

/** Converts a serial number to `2026-11-22`, with its time if any. Other text stays unchanged. */
export function dayOfSerial(text: string, from1904: boolean): string {
  const serial = Number(text)
  // Sheets count a 29 February 1900 that never was.
  if (text === '' || !(serial >= 61) || serial > 2_958_466) return text
  const at = new Date(Math.round((serial + (from1904 ? later : 0) - untilUnix) * 86_400_000)).toISOString()
  return Number.isInteger(serial) ? at.slice(0, 10) : `${at.slice(0, 10)} ${at.slice(11, 19)}`
}
